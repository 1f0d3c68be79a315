"""Opening the table: where it listens and what it says; and luck that anyone can check."""

import json
import resource
import socket
from hashlib import sha256
from pathlib import Path

import pytest

from polyopolis.cli import main
from polyopolis.cli.arguments import BadOption
from polyopolis.cli.hosting.serve import FILES, Address, greeting, listening, many_files

RECORD = Path(__file__).parents[2] / "records" / "games" / "mycity-eternal-block-last.json"
CAMPAIGN = RECORD.parent.parent / "campaigns" / "mycity-2p.json"


def test_at_home_it_says_the_address_and_nothing_more() -> None:
    lines = list(greeting(Address("127.0.0.1", 8000)))
    assert lines[0] == "Polyopolis is at http://127.0.0.1:8000"
    assert len(lines) == 2


def test_it_has_as_many_files_as_it_may() -> None:
    before = resource.getrlimit(resource.RLIMIT_NOFILE)
    try:
        resource.setrlimit(resource.RLIMIT_NOFILE, (256, before[1]))
        many_files()
        assert resource.getrlimit(resource.RLIMIT_NOFILE) == (min(FILES, before[1]), before[1])
    finally:
        resource.setrlimit(resource.RLIMIT_NOFILE, before)


def test_in_the_network_it_shows_a_code_to_scan() -> None:
    address = Address("0.0.0.0", 8123)
    lines = list(greeting(address))
    assert address.url.endswith(":8123")
    assert "0.0.0.0" not in address.url
    code = lines[2:-1]
    assert len(code) > 10
    assert len({len(line) for line in code}) == 1
    assert set("".join(code)) <= set("█▀▄ ")


def test_behind_a_proxy_it_says_the_address_that_people_use() -> None:
    assert Address("127.0.0.1", 8000, "https://cities.example/").url == "https://cities.example"
    assert Address("::1", 8000).url == "http://[::1]:8000"


def test_the_first_free_port_is_taken() -> None:
    with listening("127.0.0.1", None) as first:
        first.listen()
        with listening("127.0.0.1", None) as second:
            assert first.getsockname()[1] != second.getsockname()[1]


def test_a_port_in_use_is_told_in_one_sentence() -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        with pytest.raises(BadOption, match=f"cannot listen on 127.0.0.1, port {port}: in use or not allowed"):
            listening("127.0.0.1", port)


def test_luck_that_follows_from_its_seed_is_good(capsys: pytest.CaptureFixture[str]) -> None:
    published = sha256(bytes.fromhex(json.loads(RECORD.read_text())["seed"])).hexdigest()
    assert main(["verify-luck", str(RECORD)]) == 0
    assert main(["verify-luck", str(RECORD), "--hash", published.upper()]) == 0
    assert capsys.readouterr().out.count(published) == 2


def test_another_hash_than_the_announced_one_is_told(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["verify-luck", str(RECORD), "--hash", "0" * 64]) == 2
    assert "not the one that was announced" in capsys.readouterr().err


def test_luck_that_does_not_follow_from_the_seed_is_told(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    record = json.loads(RECORD.read_text())
    record["seed"] = "00" * 32
    file = tmp_path / "game.json"
    file.write_text(json.dumps(record))
    assert main(["verify-luck", str(file)]) == 2
    assert "move 1: the seed deals" in capsys.readouterr().err


def test_a_match_that_is_not_over_tells_no_seed(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    record = json.loads(RECORD.read_text())
    del record["seed"]
    file = tmp_path / "game.json"
    file.write_text(json.dumps(record))
    assert main(["verify-luck", str(file)]) == 2
    assert "finished match" in capsys.readouterr().err


def test_the_luck_of_a_campaign_is_checked_match_by_match(capsys: pytest.CaptureFixture[str]) -> None:
    seeds = [record["seed"] for record in json.loads(CAMPAIGN.read_text())["records"]]
    digests = [sha256(bytes.fromhex(seed)).hexdigest() for seed in seeds]
    assert main(["verify-luck", str(CAMPAIGN), "--hash", digests[4]]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert [digest in line for digest, line in zip(digests, lines, strict=True)] == [True] * len(digests)
    assert [number for number, line in enumerate(lines) if "announced" in line] == [4]
    assert f"{CAMPAIGN}, match 5: " in lines[4]
