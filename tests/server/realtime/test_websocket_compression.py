"""Compression of WebSocket messages is compatible with browsers."""

import zlib
from random import Random

import pytest
from websockets.extensions.permessage_deflate import PerMessageDeflate
from websockets.frames import Frame, Opcode
from websockets.typing import ExtensionParameter

from polyopolis.server.realtime.websocket_compression import COMPRESSION

ASKED: dict[str, list[ExtensionParameter]] = {
    "a browser": [("client_max_window_bits", None)],
    "a small window": [("server_max_window_bits", "9")],
    "every message alone": [("server_no_context_takeover", None)],
}


def messages() -> list[bytes]:
    """Returns messages that differ little from each other; some are long, one is empty."""
    random_source = Random(7)
    words = [f'"{random_source.randbytes(3).hex()}"'.encode() for _ in range(2000)]
    found = [b"", b"{}"]
    for _ in range(40):
        words[random_source.randrange(len(words))] = random_source.randbytes(5).hex().encode()
        found.append(b",".join(words[: random_source.randrange(1, len(words))]))
    return found


@pytest.mark.parametrize("asked", ASKED.values(), ids=ASKED)
def test_compressed_messages_can_be_decompressed_by_browsers(asked: list[ExtensionParameter]) -> None:
    agreed, extension = COMPRESSION.process_request_params(asked, [])
    alone = ("server_no_context_takeover", None) in agreed
    window = int(dict(agreed).get("server_max_window_bits") or 15)
    browser = PerMessageDeflate(alone, True, window, 12)
    for message in messages():
        packed = extension.encode(Frame(Opcode.TEXT, message))
        assert packed.rsv1
        assert browser.decode(packed).data == message


def test_a_repeated_message_takes_little_space() -> None:
    _, extension = COMPRESSION.process_request_params(ASKED["a browser"], [])
    message = messages()[2]
    first, second = (len(extension.encode(Frame(Opcode.TEXT, message)).data) for _ in range(2))
    assert first < len(message)
    assert second < first / 10
    assert len(zlib.compress(message, 1)) > second
