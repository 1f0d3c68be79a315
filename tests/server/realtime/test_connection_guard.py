"""Slow and flooding clients: raw connections to a server.

The timeout of the server is an hour. Tests that reach it use a manual clock or a shorter timeout.
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

from polyopolis.play.close_codes import SLOW_READER, TOO_MANY_FRAMES
from polyopolis.play.version import VERSION
from polyopolis.server.app import create_app
from polyopolis.server.limits.rate_limits import Limits, RateLimit
from polyopolis.server.options import Options
from polyopolis.server.realtime.connection_guard import (
    CHUNK_BYTES,
    MAX_HEAD_BYTES,
    MIN_BYTES_PER_SECOND,
    WriteWatchdog,
    uvicorn_protocols,
)
from tests.play.in_memory_site import ManualClock, ManualTimer
from tests.server.support.threaded_server import TIMEOUT_SECONDS, serve_in_thread, until

PATIENCE_SECONDS = 3600.0
BUFFER_BYTES = 64 * 1024
"""Size of the kernel buffers of a connection."""
MESSAGES = 100
LIMITS = Limits(patience=PATIENCE_SECONDS, messages=RateLimit(MESSAGES, 86_400))
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


class ManualLoop:
    """An event loop whose timers fire when the test advances the clock."""

    def __init__(self, loop: Any) -> None:
        self.clock = ManualClock()
        self._loop = loop

    def __getattr__(self, name: str) -> Any:
        return getattr(self._loop, name)

    def call_later(self, seconds: float, what: Callable[..., None], *about: Any) -> ManualTimer:
        return self.clock.later(seconds, lambda: what(*about))


def with_manual_timers(http: type[Any], connections: list[Any]) -> type[Any]:
    """Returns the protocol with manual timers; each connection is appended to the list."""

    class Manual(http):  # type: ignore[misc]
        received = 0
        """The number of received bytes."""
        loop: Any

        def __init__(self, *args: Any, **kwargs: Any) -> None:
            super().__init__(*args, **kwargs)
            self.loop = ManualLoop(self.loop)

        def connection_made(self, transport: Any) -> None:
            super().connection_made(transport)
            connections.append(self)

        def data_received(self, data: bytes) -> None:
            super().data_received(data)
            self.received += len(data)

        def advance(self, seconds: float) -> None:
            """Advances the clock and runs all timers that are due."""
            passed = threading.Event()

            def go_on() -> None:
                self.loop.clock.advance(seconds)
                passed.set()

            self.loop.call_soon_threadsafe(go_on)
            assert passed.wait(TIMEOUT_SECONDS)

    return Manual


@dataclass
class Server:
    port: int
    http: type[Any]
    connections: list[Any]

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    def call(self) -> socket.socket:
        """Opens a connection with small kernel buffers, so that sending blocks until the server reads."""
        wire = socket.socket()
        wire.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, BUFFER_BYTES)
        wire.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, BUFFER_BYTES)
        wire.settimeout(TIMEOUT_SECONDS)
        wire.connect(("127.0.0.1", self.port))
        return wire

    @contextlib.contextmanager
    def connection(self) -> Iterator[tuple[socket.socket, Any]]:
        """Opens a connection and yields both of its ends."""
        before = len(self.connections)
        with self.call() as wire:
            until(lambda: len(self.connections) > before)
            yield wire, self.connections[before]

    def ask(self) -> httpx.Client:
        headers = {"origin": self.url, "x-polyopolis": VERSION}
        return httpx.Client(base_url=self.url, headers=headers, timeout=TIMEOUT_SECONDS)

    def table(self) -> str:
        wish = {"game": "mycity", "setup": {}, "seats": [{"type": "me", "name": "Ada"}, {"type": "open"}]}
        with self.ask() as page:
            return str(page.post("/api/tables", json=wish).raise_for_status().json()["table"])

    def page(self, table: str) -> socket.socket:
        """Opens a WebSocket at a table and completes the handshake."""
        wire = self.call()
        key = base64.b64encode(os.urandom(16)).decode()
        wire.sendall(HANDSHAKE.format(table=table, host=f"127.0.0.1:{self.port}", key=key).encode())
        assert b" 101 " in receive_until(wire, b"\r\n\r\n", at_once=1)
        return wire


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    app = create_app(Options(tmp_path_factory.mktemp("house"), bot_processes=1, limits=LIMITS))
    protocols, connections = uvicorn_protocols(LIMITS), list[Any]()
    own = {**protocols, "http": with_manual_timers(protocols["http"], connections)}
    with serve_in_thread(app, BUFFER_BYTES, timeout_keep_alive=10 * int(PATIENCE_SECONDS), **own) as port:
        yield Server(port, protocols["http"], connections)


def receive_all(wire: socket.socket) -> bytes:
    """Returns all data until the other side closes."""
    data = b""
    with contextlib.suppress(ConnectionError):
        while said := wire.recv(65536):
            data += said
    return data


def receive_until(wire: socket.socket, words: bytes, times: int = 1, at_once: int = 65536) -> bytes:
    data = b""
    while data.count(words) < times:
        data += (said := wire.recv(at_once))
        assert said, data
    return data


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
def test_an_unfinished_request_times_out(
    server: Server, said: bytes, drip: bytes, caplog: pytest.LogCaptureFixture
) -> None:
    with server.connection() as (wire, connection):
        wire.sendall(said)
        until(lambda: connection.received == len(said))
        for number in range(1, 4):
            connection.advance(PATIENCE_SECONDS / 4)
            wire.sendall(drip)
            until(lambda number=number: connection.received == len(said) + number * len(drip))  # type: ignore[misc]
        connection.advance(PATIENCE_SECONDS / 4 - 1)
        assert not connection.transport.is_closing()
        connection.advance(1)
        assert connection.transport.is_closing()
        receive_all(wire)
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
def test_an_endless_header_section_is_rejected(server: Server, said: bytes, more: bytes) -> None:
    """uvicorn would buffer all of it."""
    sent, flood = 0, more * (CHUNK_BYTES // len(more))
    with server.call() as wire, contextlib.suppress(ConnectionError):
        wire.sendall(said)
        while sent < 64 * MAX_HEAD_BYTES:
            wire.sendall(flood)
            sent += len(flood)
    assert sent < 64 * MAX_HEAD_BYTES


def test_long_headers_and_large_bodies_are_accepted(server: Server) -> None:
    long, large = {"x-long": "l" * (MAX_HEAD_BYTES // 2)}, b" " * (3 * MAX_HEAD_BYTES)
    with httpx.Client(base_url=server.url, timeout=TIMEOUT_SECONDS) as page:
        for _ in range(3):  # on one connection
            assert page.get("/api/hello", headers=long).status_code == 200
            assert page.post("/api/imports", content=large, headers=long).status_code == 403


def test_a_slow_request_is_answered(server: Server) -> None:
    request, length = b"GET /api/hello HTTP/1.1\r\nHost: localhost\r\n\r\n", 0
    with server.connection() as (wire, connection):
        for _ in range(3):
            for part in (request[:20], request[20:]):
                wire.sendall(part)
                length += len(part)
                until(lambda length=length: connection.received == length)  # type: ignore[misc]
                connection.advance(PATIENCE_SECONDS / 2)
            assert b" 200 " in receive_until(wire, b" 200 ")
            until(lambda: connection.cycle.response_complete)
            connection.advance(PATIENCE_SECONDS * 2)  # the keep-alive timeout is longer


def test_a_response_that_is_not_read_is_dropped(
    server: Server, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """Requests it many times, so that no buffer can hold all responses."""
    monkeypatch.setattr(server.http, "patience", 0.1)
    ask = b"GET /api/schema/openapi.json HTTP/1.1\r\nHost: localhost\r\n\r\n" * 20
    end = time.monotonic() + TIMEOUT_SECONDS

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
    """A transport whose client reads `taken` bytes per second."""

    def __init__(self, clock: ManualClock, taken: int, closing: bool) -> None:
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
        (MIN_BYTES_PER_SECOND // 2, False, True, True),
        (4 * MIN_BYTES_PER_SECOND, False, True, False),
        (0, True, False, True),
        (0, False, False, False),
    ],
    ids=["stalled", "too slow", "slow", "stalled while closing", "buffer not full"],
)
def test_only_connections_without_progress_are_aborted(
    taken: int, closing: bool, full: bool, aborted: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    alarms = ManualLoop(None)
    monkeypatch.setattr("polyopolis.server.realtime.connection_guard.asyncio.get_running_loop", lambda: alarms)
    pipe = Pipe(alarms.clock, taken, closing)
    drain = WriteWatchdog(pipe, 2.0)
    if full:
        drain.fill(True)
    alarms.clock.advance(10)
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
        receive_all(wire)
    with server.ask() as page:
        assert page.get("/api/hello").status_code == 200
    assert caplog.records == [], "not an error of the server"


def test_a_page_that_sends_too_many_messages_is_disconnected(server: Server) -> None:
    with server.page(server.table()) as wire:
        wire.sendall(frame(TEXT, b'{"type":"consent","yes":true}') * (MESSAGES + 1))
        receive_until(wire, struct.pack("!H", TOO_MANY_FRAMES))


def test_pings_within_the_limit_are_answered(server: Server) -> None:
    with server.page(server.table()) as wire:
        wire.sendall(frame(PING, b"hello") * 20)
        receive_until(wire, b"\x8a\x05hello", times=20)


def test_a_page_that_does_not_read_is_disconnected(server: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    table = server.table()
    with server.page(table) as slow:
        assert slow.recv(65536), "the welcome"
        monkeypatch.setattr("polyopolis.server.realtime.connection_guard.MAX_BACKLOG_BYTES", -1)
        with server.page(table):
            receive_until(slow, struct.pack("!H", SLOW_READER) + b"this page did not read fast enough")


def test_an_error_in_a_handler_closes_the_connection_and_is_logged(
    server: Server, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def breaking(*_: object) -> None:
        raise ZeroDivisionError("by nothing")

    table = server.table()
    monkeypatch.setattr("polyopolis.play.table.table.Table.handle", breaking)
    with caplog.at_level(logging.WARNING), server.page(table) as wire:
        wire.sendall(frame(TEXT, b'{"type": "consent", "yes": true}'))
        receive_until(wire, b"was logged")
    (record,) = caplog.records
    assert record.getMessage() == "SOCKET /api/tables/{table}/socket: ZeroDivisionError"
    assert table not in caplog.text
