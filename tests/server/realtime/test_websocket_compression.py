"""What is packed for sockets is what any browser unpacks."""

import zlib
from random import Random

import pytest
from websockets.extensions.permessage_deflate import PerMessageDeflate
from websockets.frames import Frame, Opcode
from websockets.typing import ExtensionParameter

from polyopolis.server.realtime.websocket_compression import PACKING

ASKED: dict[str, list[ExtensionParameter]] = {
    "a browser": [("client_max_window_bits", None)],
    "a small window": [("server_max_window_bits", "9")],
    "every message alone": [("server_no_context_takeover", None)],
}


def messages() -> list[bytes]:
    """Each says almost the same as the one before it; some are long, one says nothing."""
    luck = Random(7)
    words = [f'"{luck.randbytes(3).hex()}"'.encode() for _ in range(2000)]
    said = [b"", b"{}"]
    for _ in range(40):
        words[luck.randrange(len(words))] = luck.randbytes(5).hex().encode()
        said.append(b",".join(words[: luck.randrange(1, len(words))]))
    return said


@pytest.mark.parametrize("asked", ASKED.values(), ids=ASKED)
def test_whatever_is_packed_is_unpacked(asked: list[ExtensionParameter]) -> None:
    agreed, packing = PACKING.process_request_params(asked, [])
    alone = ("server_no_context_takeover", None) in agreed
    window = int(dict(agreed).get("server_max_window_bits") or 15)
    browser = PerMessageDeflate(alone, True, window, 12)
    for said in messages():
        packed = packing.encode(Frame(Opcode.TEXT, said))
        assert packed.rsv1
        assert browser.decode(packed).data == said


def test_what_was_said_before_is_not_said_again() -> None:
    _, packing = PACKING.process_request_params(ASKED["a browser"], [])
    said = messages()[2]
    first, second = (len(packing.encode(Frame(Opcode.TEXT, said)).data) for _ in range(2))
    assert first < len(said)
    assert second < first / 10
    assert len(zlib.compress(said, 1)) > second
