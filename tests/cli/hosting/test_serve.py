"""`serve`: its address, its port and its greeting."""

import resource
import socket

import pytest

from polyopolis.cli.arguments import BadOption
from polyopolis.cli.hosting.serve import MAX_OPEN_FILES, ServerAddress, greeting, listen, raise_open_file_limit


def test_a_local_server_prints_only_its_address() -> None:
    lines = list(greeting(ServerAddress("127.0.0.1", 8000)))
    assert lines[0] == "Polyopolis is at http://127.0.0.1:8000"
    assert len(lines) == 2


def test_the_limit_of_open_files_is_raised() -> None:
    before = resource.getrlimit(resource.RLIMIT_NOFILE)
    try:
        resource.setrlimit(resource.RLIMIT_NOFILE, (256, before[1]))
        raise_open_file_limit()
        assert resource.getrlimit(resource.RLIMIT_NOFILE) == (min(MAX_OPEN_FILES, before[1]), before[1])
    finally:
        resource.setrlimit(resource.RLIMIT_NOFILE, before)


def test_a_server_in_the_network_prints_a_qr_code() -> None:
    address = ServerAddress("0.0.0.0", 8123)
    lines = list(greeting(address))
    assert address.url.endswith(":8123")
    assert "0.0.0.0" not in address.url
    code = lines[2:-1]
    assert len(code) > 10
    assert len({len(line) for line in code}) == 1
    assert set("".join(code)) <= set("█▀▄ ")


def test_the_public_url_takes_precedence() -> None:
    assert ServerAddress("127.0.0.1", 8000, "https://cities.example/").url == "https://cities.example"
    assert ServerAddress("::1", 8000).url == "http://[::1]:8000"


def test_the_first_free_port_is_taken() -> None:
    with listen("127.0.0.1", None) as first:
        first.listen()
        with listen("127.0.0.1", None) as second:
            assert first.getsockname()[1] != second.getsockname()[1]


def test_a_port_in_use_is_an_error() -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        with pytest.raises(BadOption, match=f"cannot listen on 127.0.0.1, port {port}: in use or not allowed"):
            listen("127.0.0.1", port)
