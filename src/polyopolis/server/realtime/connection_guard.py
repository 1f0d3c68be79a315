"""uvicorn protocols that close slow connections and WebSockets that send too many frames.

The application cannot do so: it never sees unfinished requests, unread responses or pings.
"""

import asyncio
from collections.abc import Iterator
from typing import Any, TypedDict

from uvicorn._types import ASGI3Application
from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol, RequestResponseCycle
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from websockets.frames import Frame
from websockets.protocol import State

from polyopolis.play.close_codes import SLOW_READER, TOO_MANY_FRAMES
from polyopolis.server.limits.rate_limits import Limits, RateLimit, TokenBucket
from polyopolis.server.realtime.guests import MAX_BACKLOG_BYTES
from polyopolis.server.realtime.websocket_compression import COMPRESSION

MAX_MESSAGE_BYTES = 16 * 1024
MAX_HEAD_BYTES = 64 * 1024
"""Size of a request without its body."""
HEAD_TOO_LONG = "The header section of this request is too long."
MIN_BYTES_PER_SECOND = 1024
"""A client that reads more slowly is disconnected."""
CHUNK_BYTES = 4 * 1024
"""Data is parsed in chunks of this size, so that a connection can be closed before all frames are parsed."""
STREAM = "stream"
"""Key in the state of a request whose response is an endless stream."""
SEND_KEY = "tell"
"""Key in the state of a WebSocket: a function that sends a message to the page."""


class UvicornProtocols(TypedDict):
    """Keyword arguments of `uvicorn.Config`."""

    http: type[asyncio.Protocol]
    ws: type[asyncio.Protocol]
    ws_max_size: int


def uvicorn_protocols(limits: Limits) -> UvicornProtocols:
    class Requests(TimeLimitedHttpProtocol):
        patience = limits.patience

    class Sockets(RateLimitedWebSocketProtocol):
        patience = limits.patience
        # Twice the message limit: the browser sends pings, pongs and fragments of its own.
        allowance = RateLimit(2 * limits.messages.most, limits.messages.seconds)

    return UvicornProtocols(http=Requests, ws=Sockets, ws_max_size=MAX_MESSAGE_BYTES)


class WriteWatchdog:
    """Aborts a connection whose client does not read."""

    def __init__(self, transport: asyncio.Transport, patience: float) -> None:
        self._transport = transport
        self._patience = patience
        self._full = False
        self._unread: int | None = None
        """Size of the write buffer at the last check, if nothing could be added since."""
        self._watch()

    def fill(self, full: bool) -> None:
        """Called when writing is paused because the buffer is full, and when it resumes."""
        self._full = full
        self._unread = self._transport.get_write_buffer_size() if full else None
        self._alarm.cancel()
        self._watch()

    def stop(self) -> None:
        self._alarm.cancel()

    def _watch(self) -> None:
        self._alarm = asyncio.get_running_loop().call_later(self._patience, self._check)

    def _check(self) -> None:
        left = self._transport.get_write_buffer_size()
        if self._unread and self._unread - left < MIN_BYTES_PER_SECOND * self._patience:
            self._transport.abort()
            return
        self._unread = left if self._full or self._transport.is_closing() else None
        self._watch()


class WriteWatchedProtocol(asyncio.Protocol):
    """A protocol with a `WriteWatchdog`."""

    _drain: WriteWatchdog | None = None

    def pause_writing(self) -> None:
        super().pause_writing()
        if self._drain:
            self._drain.fill(True)

    def resume_writing(self) -> None:
        super().resume_writing()
        if self._drain:
            self._drain.fill(False)


class TimeLimitedHttpProtocol(WriteWatchedProtocol, HttpToolsProtocol):
    """Limits the time from the first to the last byte of a request (and from the connection to the first request), and
    the size of its header section, which uvicorn would buffer without limit."""

    patience: float
    _head = 0
    """Bytes of the current request without its body."""
    _alarm: asyncio.TimerHandle | None = None
    _answering: RequestResponseCycle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        self._drain = WriteWatchdog(transport, self.patience)
        self._await_request()

    def connection_lost(self, exc: Exception | None) -> None:
        self._stop_timers()
        super().connection_lost(exc)
        if self._answering and not self._answering.response_complete:
            # uvicorn reports the disconnect only to the newest request, though an earlier one may still be answered
            self._answering.disconnected = True
            self._answering.message_event.set()

    def shutdown(self) -> None:
        """Closes endless streams, which uvicorn would wait for."""
        super().shutdown()
        if self.cycle and self.cycle.scope.get("state", {}).get(STREAM):
            self.transport.close()

    def _start_asgi_task(self, cycle: RequestResponseCycle, app: ASGI3Application) -> None:
        self._answering = cycle
        super()._start_asgi_task(cycle, app)

    def data_received(self, data: bytes) -> None:
        if self.cycle is None or self.cycle.response_complete:
            self._await_request()
        for piece in _chunks(data, MAX_HEAD_BYTES):
            if self.transport.is_closing():
                return
            self._head += len(piece)
            super().data_received(piece)
            if self._head > MAX_HEAD_BYTES:
                self._close()

    def on_message_begin(self) -> None:
        self._head = 0
        self._await_request()
        super().on_message_begin()

    def on_body(self, body: bytes) -> None:
        self._head -= len(body)
        super().on_body(body)

    def on_message_complete(self) -> None:
        self._cancel_alarm()
        super().on_message_complete()

    def handle_websocket_upgrade(self) -> None:
        self._stop_timers()
        super().handle_websocket_upgrade()

    def _close(self) -> None:
        """Responds with status 400, unless another response is being sent: then only closes the connection."""
        if self.cycle is None or self.cycle.response_complete:
            self.send_400_response(HEAD_TOO_LONG)
        else:
            self.transport.close()

    def _await_request(self) -> None:
        if not self._alarm:
            self._alarm = self.loop.call_later(self.patience, self.transport.close)

    def _cancel_alarm(self) -> None:
        if self._alarm:
            self._alarm.cancel()
        self._alarm = None

    def _stop_timers(self) -> None:
        self._cancel_alarm()
        if self._drain:
            self._drain.stop()


class RateLimitedWebSocketProtocol(WriteWatchedProtocol, WebSocketsSansIOProtocol):
    """Limits the rate of frames, including pings and fragments, which never reach the application."""

    patience: float
    allowance: RateLimit

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.conn.available_extensions = [COMPRESSION]
        self._bucket = TokenBucket(self.allowance)

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        super().connection_made(transport)
        self._drain = WriteWatchdog(self.transport, self.patience)

    def connection_lost(self, exc: Exception | None) -> None:
        if self._drain:
            self._drain.stop()
        super().connection_lost(exc)

    async def run_asgi(self) -> None:
        self.scope["state"][SEND_KEY] = self.send_message
        await super().run_asgi()

    def send_message(self, message: bytes) -> None:
        """Sends a message directly: the overhead of ASGI is larger than that of the compression. Never waits: a client
        that reads too slowly is disconnected, and gets the missed messages when it reconnects."""
        if self.conn.state is not State.OPEN or self.transport.is_closing():
            return
        if self.transport.get_write_buffer_size() > MAX_BACKLOG_BYTES:
            self._close(SLOW_READER, "this page did not read fast enough")
        else:
            self.conn.send_text(message)
            self.transport.write(b"".join(self.conn.data_to_send()))

    def data_received(self, data: bytes) -> None:
        for piece in _chunks(data, CHUNK_BYTES):
            if self.transport.is_closing():
                return
            super().data_received(piece)

    def handle_ping(self) -> None:
        if self._take_token():
            super().handle_ping()

    def handle_pong(self, event: Frame) -> None:
        if self._take_token():
            super().handle_pong(event)

    def handle_cont(self, event: Frame) -> None:
        if self._take_token():
            super().handle_cont(event)

    def handle_text(self, event: Frame) -> None:
        if self._take_token():
            super().handle_text(event)

    def handle_bytes(self, event: Frame) -> None:
        if self._take_token():
            super().handle_bytes(event)

    def _take_token(self) -> bool:
        if self.transport.is_closing():
            return False
        if not self._bucket.spend(self):
            return True
        self._close(TOO_MANY_FRAMES, "too many frames")
        return False

    def _close(self, code: int, reason: str) -> None:
        self.conn.fail(code, reason)
        self.handle_parser_exception()


def _chunks(data: bytes, size: int) -> Iterator[bytes]:
    for first in range(0, len(data), size):
        yield data[first : first + size]
