"""Those who keep a server waiting, and those who flood it: raw connections to a real one.

The server has patience for an hour. Tests in which it loses its patience turn its clock by hand, or give it less.
"""

import asyncio
import base64
import contextlib
import logging
import os
import socket
import struct
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import httpx
import pytest

from polyopolis.play.version import VERSION
from polyopolis.server.app import create_app
from polyopolis.server.limits.rate_limits import Limits, RateLimit
from polyopolis.server.options import Options
from polyopolis.server.realtime.connection_guard import (
    AWAY,
    LARGEST_HEAD,
    PIECE,
    SLOWEST,
    TOO_MANY,
    WriteWatchdog,
    uvicorn_protocols,
)
from tests.play.in_memory_site import HandAlarm, HandClock
from tests.server.support.threaded_server import GUARD, served, until

PATIENCE = 3600.0
BUFFER = 64 * 1024
"""Bytes that the kernel keeps for each side of a connection."""
MESSAGES = 100
LIMITS = Limits(patience=PATIENCE, messages=RateLimit(MESSAGES, 86_400))
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


class Alarms:
    """An event loop whose alarms go off when the test turns the clock."""

    def __init__(self, loop: Any) -> None:
        self.clock = HandClock()
        self._loop = loop

    def __getattr__(self, name: str) -> Any:
        return getattr(self._loop, name)

    def call_later(self, seconds: float, what: Callable[..., None], *about: Any) -> HandAlarm:
        return self.clock.later(seconds, lambda: what(*about))


def watched(http: type[Any], connections: list[Any]) -> type[Any]:
    """The same protocol with alarms by hand; each connection is put into the list."""

    class Watched(http):  # type: ignore[misc]
        received = 0
        """Bytes."""
        loop: Any

        def __init__(self, *of_uvicorn: Any, **by_name: Any) -> None:
            super().__init__(*of_uvicorn, **by_name)
            self.loop = Alarms(self.loop)

        def connection_made(self, transport: Any) -> None:
            super().connection_made(transport)
            connections.append(self)

        def data_received(self, data: bytes) -> None:
            super().data_received(data)
            self.received += len(data)

        def pass_by(self, seconds: float) -> None:
            """Returns when whatever was to happen meanwhile has happened."""
            passed = threading.Event()

            def go_on() -> None:
                self.loop.clock.pass_by(seconds)
                passed.set()

            self.loop.call_soon_threadsafe(go_on)
            assert passed.wait(GUARD)

    return Watched


@dataclass
class Server:
    port: int
    http: type[Any]
    connections: list[Any]

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    def call(self) -> socket.socket:
        """A connection for which the kernel keeps little, so that sending waits for the server to read."""
        wire = socket.socket()
        wire.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, BUFFER)
        wire.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, BUFFER)
        wire.settimeout(GUARD)
        wire.connect(("127.0.0.1", self.port))
        return wire

    @contextlib.contextmanager
    def connection(self) -> Iterator[tuple[socket.socket, Any]]:
        """Both sides of a connection."""
        before = len(self.connections)
        with self.call() as wire:
            until(lambda: len(self.connections) > before)
            yield wire, self.connections[before]

    def ask(self) -> httpx.Client:
        headers = {"origin": self.url, "x-polyopolis": VERSION}
        return httpx.Client(base_url=self.url, headers=headers, timeout=GUARD)

    def table(self) -> str:
        wish = {"game": "mycity", "setup": {}, "seats": [{"type": "me", "name": "Ada"}, {"type": "open"}]}
        with self.ask() as page:
            return str(page.post("/api/tables", json=wish).raise_for_status().json()["table"])

    def page(self, table: str) -> socket.socket:
        """An open socket at a table, after the answer to its handshake."""
        wire = self.call()
        key = base64.b64encode(os.urandom(16)).decode()
        wire.sendall(HANDSHAKE.format(table=table, host=f"127.0.0.1:{self.port}", key=key).encode())
        assert b" 101 " in heard_until(wire, b"\r\n\r\n", at_once=1)
        return wire


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    app = create_app(Options(tmp_path_factory.mktemp("house"), bot_processes=1, limits=LIMITS))
    protocols, connections = uvicorn_protocols(LIMITS), list[Any]()
    own = {**protocols, "http": watched(protocols["http"], connections)}
    with served(app, BUFFER, timeout_keep_alive=10 * int(PATIENCE), **own) as port:
        yield Server(port, protocols["http"], connections)


def closed(wire: socket.socket) -> bytes:
    """What is heard until the other side closes."""
    heard = b""
    with contextlib.suppress(ConnectionError):
        while said := wire.recv(65536):
            heard += said
    return heard


def heard_until(wire: socket.socket, words: bytes, times: int = 1, at_once: int = 65536) -> bytes:
    heard = b""
    while heard.count(words) < times:
        heard += (said := wire.recv(at_once))
        assert said, heard
    return heard


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
    with server.connection() as (wire, connection):
        wire.sendall(said)
        until(lambda: connection.received == len(said))
        for number in range(1, 4):
            connection.pass_by(PATIENCE / 4)
            wire.sendall(drip)
            until(lambda number=number: connection.received == len(said) + number * len(drip))  # type: ignore[misc]
        connection.pass_by(PATIENCE / 4 - 1)
        assert not connection.transport.is_closing()
        connection.pass_by(1)
        assert connection.transport.is_closing()
        closed(wire)
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
    with httpx.Client(base_url=server.url, timeout=GUARD) as page:
        for _ in range(3):  # by one connection
            assert page.get("/api/hello", headers=long).status_code == 200
            assert page.post("/api/imports", content=large, headers=long).status_code == 403


def test_a_request_that_takes_its_time_is_answered(server: Server) -> None:
    request, length = b"GET /api/hello HTTP/1.1\r\nHost: localhost\r\n\r\n", 0
    with server.connection() as (wire, connection):
        for _ in range(3):
            for part in (request[:20], request[20:]):
                wire.sendall(part)
                length += len(part)
                until(lambda length=length: connection.received == length)  # type: ignore[misc]
                connection.pass_by(PATIENCE / 2)
            assert b" 200 " in heard_until(wire, b" 200 ")
            until(lambda: connection.cycle.response_complete)
            connection.pass_by(PATIENCE * 2)  # between two requests it may be kept open for longer


def test_an_answer_that_nobody_takes_is_dropped(
    server: Server, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """It is asked for many times, so that no buffer on the way holds all of it."""
    monkeypatch.setattr(server.http, "patience", 0.1)
    ask = b"GET /api/schema/openapi.json HTTP/1.1\r\nHost: localhost\r\n\r\n" * 20
    end = time.monotonic() + GUARD

    def go_on() -> None:
        while time.monotonic() < end:
            wire.sendall(ask)
            time.sleep(0.01)

    with server.connection() as (wire, connection):
        with pytest.raises(ConnectionError):
            go_on()
        until(connection.transport.is_closing)
    assert caplog.records == []


class Pipe(asyncio.Transport):
    """A transport from which somebody takes so much in a second."""

    def __init__(self, clock: HandClock, taken: int, closing: bool) -> None:
        super().__init__()
        self._clock, self._begun, self._taken, self._closing = clock, clock.running(), taken, closing
        self.aborted = False

    def get_write_buffer_size(self) -> int:
        return max(0, 100_000 - int((self._clock.running() - self._begun) * self._taken))

    def is_closing(self) -> bool:
        return self._closing

    def abort(self) -> None:
        self.aborted = True


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
def test_whoever_takes_something_is_waited_for(
    taken: int, closing: bool, full: bool, aborted: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    alarms = Alarms(None)
    monkeypatch.setattr("polyopolis.server.realtime.connection_guard.asyncio.get_running_loop", lambda: alarms)
    pipe = Pipe(alarms.clock, taken, closing)
    drain = WriteWatchdog(pipe, 2.0)
    if full:
        drain.fill(True)
    alarms.clock.pass_by(10)
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
        with contextlib.suppress(ConnectionError):
            wire.sendall(first + flood * 100_000)
        closed(wire)
    with server.ask() as page:
        assert page.get("/api/hello").status_code == 200
    assert caplog.records == [], "it is nobody's fault here"


def test_who_says_more_than_anybody_can_click_is_let_go(server: Server) -> None:
    with server.page(server.table()) as wire:
        wire.sendall(frame(TEXT, b'{"type":"consent","yes":true}') * (MESSAGES + 1))
        heard_until(wire, struct.pack("!H", TOO_MANY))


def test_some_pings_are_answered(server: Server) -> None:
    with server.page(server.table()) as wire:
        wire.sendall(frame(PING, b"hello") * 20)
        heard_until(wire, b"\x8a\x05hello", times=20)


def test_a_page_that_does_not_read_is_let_go_and_slows_nobody(server: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    table = server.table()
    with server.page(table) as slow:
        assert slow.recv(65536), "the welcome"
        monkeypatch.setattr("polyopolis.server.realtime.connection_guard.LONGEST_BACKLOG", -1)
        with server.page(table):
            heard_until(slow, struct.pack("!H", AWAY) + b"this page did not read for too long")


def test_a_fault_while_a_guest_speaks_ends_the_connection_and_is_written_down(
    server: Server, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def breaking(*_: object) -> None:
        raise ZeroDivisionError("by nothing")

    table = server.table()
    monkeypatch.setattr("polyopolis.play.table.table.Table.hear", breaking)
    with caplog.at_level(logging.WARNING), server.page(table) as wire:
        wire.sendall(frame(TEXT, b'{"type": "consent", "yes": true}'))
        heard_until(wire, b"was logged")
    (record,) = caplog.records
    assert record.getMessage() == "SOCKET /api/tables/{table}/socket: ZeroDivisionError"
    assert table not in caplog.text
