"""Those who keep a server waiting, and those who flood it: raw connections to a real one, with little patience."""

import asyncio
import base64
import contextlib
import logging
import os
import socket
import struct
import threading
import time
from collections.abc import Iterator
from dataclasses import dataclass

import httpx
import pytest
import uvicorn

from polyopolis.play.version import VERSION
from polyopolis.server.app import create_app
from polyopolis.server.doors import AWAY, LARGEST_HEAD, PIECE, SLOWEST, Drain, doors
from polyopolis.server.limits import Limits
from polyopolis.server.options import Options

PATIENCE = 0.5
LONG = 8 * PATIENCE
LIMITS = Limits(patience=PATIENCE)
PING, PONG, CONT, TEXT = 9, 10, 0, 1


HANDSHAKE = """GET /api/tables/{table}/socket HTTP/1.1\r
Host: {host}\r
Origin: http://{host}\r
Connection: Upgrade\r
Upgrade: websocket\r
Sec-WebSocket-Version: 13\r
Sec-WebSocket-Key: {key}\r
\r
"""


@dataclass
class Server:
    port: int

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    def call(self) -> socket.socket:
        return socket.create_connection(("127.0.0.1", self.port), LONG)

    def table(self) -> str:
        wish = {"game": "mycity", "setup": {}, "seats": [{"type": "me", "name": "Ada"}, {"type": "open"}]}
        headers = {"origin": self.url, "x-polyopolis": VERSION}
        return str(httpx.post(f"{self.url}/api/tables", json=wish, headers=headers).raise_for_status().json()["table"])

    def page(self, table: str) -> socket.socket:
        """An open socket at a table, after the answer to its handshake."""
        wire = self.call()
        key = base64.b64encode(os.urandom(16)).decode()
        wire.sendall(HANDSHAKE.format(table=table, host=f"127.0.0.1:{self.port}", key=key).encode())
        assert b" 101 " in wire.recv(300)
        return wire


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    app = create_app(Options(tmp_path_factory.mktemp("house"), limits=LIMITS))
    config = uvicorn.Config(app, log_level="warning", timeout_keep_alive=60, **doors(LIMITS))
    found = uvicorn.Server(config)
    listener = socket.create_server(("127.0.0.1", 0))
    thread = threading.Thread(target=found.run, args=[[listener]])
    thread.start()
    while not found.started:
        time.sleep(0.02)
    yield Server(listener.getsockname()[1])
    found.should_exit = True
    thread.join()


def ends(wire: socket.socket, drip: bytes = b"") -> float:
    """The seconds until the other side ends it, while every now and then a byte drips in."""
    begun = time.monotonic()
    wire.settimeout(PATIENCE / 4)
    with contextlib.suppress(ConnectionError):
        while time.monotonic() < begun + LONG:
            try:
                if not wire.recv(65536):
                    break
            except TimeoutError:
                if drip:
                    wire.sendall(drip)
    return time.monotonic() - begun


@pytest.mark.parametrize(
    ("said", "drip"),
    [
        (b"", b""),
        (b"\r\n", b"\r\n"),
        (b"GE", b""),
        (b"GET /api/hello HTTP/1.1\r\nHost: localhost\r\nX-Slow: ", b"l"),
        (b"POST /api/tables HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1000\r\n\r\n{", b" "),
        (b"POST /api/tables HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n1\r\n{\r\n", b""),
        (b"GET /api/tables/x/socket HTTP/1.1\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n", b""),
        (b"GET /api/hello HTTP/1.1\r\nHost: localhost\r\n\r\nGET /api/he", b"l"),
    ],
    ids=["nothing", "line by line", "half a line", "half a header", "half a body", "half of a chunk",
         "half a handshake", "a second request"],
)  # fmt: skip
def test_a_request_that_is_not_finished_is_closed(
    server: Server, said: bytes, drip: bytes, caplog: pytest.LogCaptureFixture
) -> None:
    with server.call() as wire:
        wire.sendall(said)
        assert PATIENCE * 0.8 < ends(wire, drip) < PATIENCE * 4
    assert caplog.records == []


@pytest.mark.parametrize(
    ("said", "more"),
    [
        (b"", b"\r\n"),
        (b"GET /", b"a"),
        (b"GET /api/hello HTTP/1.1\r\nHost: localhost\r\nX-Long: ", b"l"),
        (b"GET /api/hello HTTP/1.1\r\nHost: localhost\r\n", b"a: b\r\n"),
        (b"GET /api/hello HTTP/1.1\r\nHost: localhost\r\n\r\nGET /", b"a"),
        (b"POST /api/tables HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n", b"a: b\r\n"),
    ],
    ids=["nothing", "an address", "a header", "headers", "a second request", "trailers"],
)
def test_a_head_without_an_end_is_not_read_on(server: Server, said: bytes, more: bytes) -> None:
    """Whoever reads it keeps all of it, and takes the longer the more there is."""
    sent, flood = 0, more * (PIECE // len(more))
    with server.call() as wire, contextlib.suppress(ConnectionError):
        wire.sendall(said)
        while sent < 64 * LARGEST_HEAD:
            wire.sendall(flood)
            sent += len(flood)
    assert sent < 64 * LARGEST_HEAD


def test_a_head_that_is_long_and_a_body_that_is_longer_are_read(server: Server) -> None:
    long, large = {"x-long": "l" * (LARGEST_HEAD // 2)}, b" " * (3 * LARGEST_HEAD)
    with httpx.Client(base_url=server.url) as page:
        for _ in range(3):  # by one connection
            assert page.get("/api/hello", headers=long).status_code == 200
            assert page.post("/api/imports", content=large, headers=long).status_code == 403


def test_a_request_that_takes_its_time_is_answered(server: Server) -> None:
    request = b"GET /api/hello HTTP/1.1\r\nHost: localhost\r\n\r\n"
    with server.call() as wire:
        for _ in range(3):
            for part in (request[:20], request[20:]):
                wire.sendall(part)
                time.sleep(PATIENCE / 4)
            assert b" 200 " in wire.recv(65536)
            time.sleep(PATIENCE * 1.5)  # between two requests it may be kept open for longer


def test_an_answer_that_nobody_takes_is_dropped(server: Server, caplog: pytest.LogCaptureFixture) -> None:
    """It is asked for many times, so that no buffer on the way holds all of it."""
    wire = socket.socket()
    wire.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
    wire.connect(("127.0.0.1", server.port))
    wire.settimeout(LONG)
    ask = b"GET /api/schema/openapi.json HTTP/1.1\r\nHost: localhost\r\n\r\n" * 20
    end = time.monotonic() + LONG

    def go_on() -> None:
        while time.monotonic() < end:
            wire.sendall(ask)
            time.sleep(PATIENCE / 4)

    with pytest.raises(ConnectionError):
        go_on()
    wire.close()
    time.sleep(PATIENCE / 4)
    assert caplog.records == []


class Pipe(asyncio.Transport):
    """A transport from which somebody takes so much in a second."""

    def __init__(self, taken: int, closing: bool) -> None:
        super().__init__()
        self._begun, self._taken, self._closing = time.monotonic(), taken, closing
        self.aborted = False

    def get_write_buffer_size(self) -> int:
        return max(0, 100_000 - int((time.monotonic() - self._begun) * self._taken))

    def is_closing(self) -> bool:
        return self._closing

    def abort(self) -> None:
        self.aborted = True


@pytest.mark.anyio
@pytest.mark.parametrize(
    ("taken", "closing", "full", "aborted"),
    [
        (0, False, True, True),
        (SLOWEST // 2, False, True, True),
        (4 * SLOWEST, False, True, False),
        (0, True, False, True),
        (0, False, False, False),
    ],
    ids=["nothing", "drop by drop", "slowly", "nothing at the end", "not written out yet"],
)
async def test_whoever_takes_something_is_waited_for(taken: int, closing: bool, full: bool, aborted: bool) -> None:
    pipe = Pipe(taken, closing)
    drain = Drain(pipe, 0.05)
    if full:
        drain.fill(True)
    for _ in range(100 if aborted else 4):  # however busy the machine is
        await asyncio.sleep(0.05)
        if pipe.aborted:
            break
    drain.stop()
    assert pipe.aborted == aborted


def frame(kind: int, data: bytes = b"", final: bool = True) -> bytes:
    mask = b"\0\0\0\0"
    return struct.pack("!BB", kind | (0x80 if final else 0), 0x80 | len(data)) + mask + data


@pytest.mark.parametrize(
    "flood",
    [frame(PING), frame(PONG, b"x"), frame(CONT, final=False), frame(TEXT, b'{"type":"consent","yes":true}')],
    ids=["pings", "pongs", "pieces", "messages"],
)
def test_a_flood_of_frames_ends_the_connection(server: Server, flood: bytes, caplog: pytest.LogCaptureFixture) -> None:
    with server.page(server.table()) as wire:
        first = frame(TEXT, b"{", final=False) if flood == frame(CONT, final=False) else b""
        begun = time.monotonic()
        with contextlib.suppress(ConnectionError):
            wire.sendall(first + flood * 100_000)
        assert ends(wire) < LONG
        assert time.monotonic() - begun < LONG
    assert httpx.get(f"{server.url}/api/hello").status_code == 200
    assert caplog.records == [], "it is nobody's fault here"


def test_some_pings_are_answered(server: Server) -> None:
    with server.page(server.table()) as wire:
        wire.sendall(frame(PING, b"hello") * 20)
        heard = b""
        while heard.count(b"\x8a\x05hello") < 20:
            heard += (said := wire.recv(65536))
            assert said


def closed(wire: socket.socket) -> bytes:
    """What is heard until the other side closes."""
    heard = b""
    while said := wire.recv(65536):
        heard += said
    return heard


def test_a_page_that_does_not_read_is_let_go_and_slows_nobody(server: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    table = server.table()
    with server.page(table) as slow:
        assert slow.recv(65536), "the welcome"
        monkeypatch.setattr("polyopolis.server.doors.LONGEST_BACKLOG", -1)
        with server.page(table):
            heard = closed(slow)
    assert struct.pack("!H", AWAY) + b"this page did not read for too long" in heard


def test_a_fault_while_a_guest_speaks_ends_the_connection_and_is_written_down(
    server: Server, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def breaking(*_: object) -> None:
        raise ZeroDivisionError("by nothing")

    table = server.table()
    monkeypatch.setattr("polyopolis.play.table.Table.hear", breaking)
    with caplog.at_level(logging.WARNING), server.page(table) as wire:
        wire.sendall(frame(TEXT, b'{"type": "consent", "yes": true}'))
        heard = b""
        while b"written down" not in heard:
            heard += (said := wire.recv(65536))
            assert said
    (record,) = caplog.records
    assert record.getMessage() == "SOCKET /api/tables/{table}/socket: ZeroDivisionError"
    assert table not in caplog.text
