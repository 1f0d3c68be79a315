"""The doors of the server: connections that keep it waiting are closed, and sockets that flood it.

The application never sees it: requests that are begun and not finished, answers that nobody takes, pings.
"""

import asyncio
from collections.abc import Iterator
from typing import Any, TypedDict

from uvicorn._types import ASGI3Application
from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol, RequestResponseCycle
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from websockets.frames import Frame
from websockets.protocol import State

from polyopolis.server.limits.rate_limits import Limits, RateLimit, TokenBucket
from polyopolis.server.realtime.guests import LONGEST_BACKLOG
from polyopolis.server.realtime.websocket_compression import PACKING

LARGEST_MESSAGE = 16 * 1024
LARGEST_HEAD = 64 * 1024
"""Bytes of a request beside its body."""
TOO_LONG = "The head of this request is too long."
SLOWEST = 1024
"""Bytes in a second that somebody takes who reads at all."""
PIECE = 4 * 1024
"""Bytes that are looked at before it is asked whether they are too many frames."""
AWAY, TOO_MANY = 4408, 4429
STREAM = "stream"
"""Marks the state of a request whose answer goes on for as long as somebody listens."""
TELL = "tell"
"""What the application finds in the state of a connection: how to tell the page something."""


class UvicornProtocols(TypedDict):
    """How uvicorn is told."""

    http: type[asyncio.Protocol]
    ws: type[asyncio.Protocol]
    ws_max_size: int


def uvicorn_protocols(limits: Limits) -> UvicornProtocols:
    class Requests(TimeLimitedHttpProtocol):
        patience = limits.patience

    class Sockets(RateLimitedWebSocketProtocol):
        patience = limits.patience
        # Everybody may say so much, and their browser as much again: pings, answers to ours, pieces of a message.
        allowance = RateLimit(2 * limits.messages.most, limits.messages.seconds)

    return UvicornProtocols(http=Requests, ws=Sockets, ws_max_size=LARGEST_MESSAGE)


class WriteWatchdog:
    """Ends a connection whose other side does not take what was written."""

    def __init__(self, transport: asyncio.Transport, patience: float) -> None:
        self._transport = transport
        self._patience = patience
        self._full = False
        self._left: int | None = None
        """What was to be taken when it was last looked at, if nothing could be added since."""
        self._watch()

    def fill(self, full: bool) -> None:
        """Whether there is so much to be taken that nothing more is written."""
        self._full = full
        self._left = self._transport.get_write_buffer_size() if full else None
        self._alarm.cancel()
        self._watch()

    def stop(self) -> None:
        self._alarm.cancel()

    def _watch(self) -> None:
        self._alarm = asyncio.get_running_loop().call_later(self._patience, self._look)

    def _look(self) -> None:
        left = self._transport.get_write_buffer_size()
        if self._left and self._left - left < SLOWEST * self._patience:
            self._transport.abort()
            return
        self._left = left if self._full or self._transport.is_closing() else None
        self._watch()


class Draining(asyncio.Protocol):
    """A connection whose answers are taken, or it ends."""

    _drain: WriteWatchdog | None = None

    def pause_writing(self) -> None:
        super().pause_writing()
        if self._drain:
            self._drain.fill(True)

    def resume_writing(self) -> None:
        super().resume_writing()
        if self._drain:
            self._drain.fill(False)


class TimeLimitedHttpProtocol(Draining, HttpToolsProtocol):
    """A request has so many seconds from its first byte to its last, and a new connection for its first request. Its
    head has an end: uvicorn would keep whatever comes, and take the longer the more there is."""

    patience: float
    _head = 0
    """Bytes of the request that is being read, without those of its body."""
    _alarm: asyncio.TimerHandle | None = None
    _answering: RequestResponseCycle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        self._drain = WriteWatchdog(transport, self.patience)
        self._await_request()

    def connection_lost(self, exc: Exception | None) -> None:
        self._leave()
        super().connection_lost(exc)
        if self._answering and not self._answering.response_complete:
            # uvicorn tells the newest request alone that nobody listens any more, though an earlier one is answered
            self._answering.disconnected = True
            self._answering.message_event.set()

    def shutdown(self) -> None:
        """A stream has no end to wait for."""
        super().shutdown()
        if self.cycle and self.cycle.scope.get("state", {}).get(STREAM):
            self.transport.close()

    def _start_asgi_task(self, cycle: RequestResponseCycle, app: ASGI3Application) -> None:
        self._answering = cycle
        super()._start_asgi_task(cycle, app)

    def data_received(self, data: bytes) -> None:
        if self.cycle is None or self.cycle.response_complete:
            self._await_request()
        for piece in _pieces(data, LARGEST_HEAD):
            if self.transport.is_closing():
                return
            self._head += len(piece)
            super().data_received(piece)
            if self._head > LARGEST_HEAD:
                self._end()

    def on_message_begin(self) -> None:
        self._head = 0
        self._await_request()
        super().on_message_begin()

    def on_body(self, body: bytes) -> None:
        self._head -= len(body)
        super().on_body(body)

    def on_message_complete(self) -> None:
        self._has_request()
        super().on_message_complete()

    def handle_websocket_upgrade(self) -> None:
        self._leave()
        super().handle_websocket_upgrade()

    def _end(self) -> None:
        """Nobody is answered in the middle of another answer."""
        if self.cycle is None or self.cycle.response_complete:
            self.send_400_response(TOO_LONG)
        else:
            self.transport.close()

    def _await_request(self) -> None:
        if not self._alarm:
            self._alarm = self.loop.call_later(self.patience, self.transport.close)

    def _has_request(self) -> None:
        if self._alarm:
            self._alarm.cancel()
        self._alarm = None

    def _leave(self) -> None:
        self._has_request()
        if self._drain:
            self._drain.stop()


class RateLimitedWebSocketProtocol(Draining, WebSocketsSansIOProtocol):
    """Every frame costs credit: pings are answered here, and pieces of a message are gathered here."""

    patience: float
    allowance: RateLimit

    def __init__(self, *of_uvicorn: Any, **by_name: Any) -> None:
        super().__init__(*of_uvicorn, **by_name)
        self.conn.available_extensions = [PACKING]
        self._credit = TokenBucket(self.allowance)

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        super().connection_made(transport)
        self._drain = WriteWatchdog(self.transport, self.patience)

    def connection_lost(self, exc: Exception | None) -> None:
        if self._drain:
            self._drain.stop()
        super().connection_lost(exc)

    async def run_asgi(self) -> None:
        self.scope["state"][TELL] = self.tell
        await super().run_asgi()

    def tell(self, message: bytes) -> None:
        """At once, without the ways of ASGI, which take longer than to pack it. Never waits: who does not read for so
        long is let go, and comes back with what was missed."""
        if self.conn.state is not State.OPEN or self.transport.is_closing():
            return
        if self.transport.get_write_buffer_size() > LONGEST_BACKLOG:
            self._end(AWAY, "this page did not read for too long")
        else:
            self.conn.send_text(message)
            self.transport.write(b"".join(self.conn.data_to_send()))

    def data_received(self, data: bytes) -> None:
        for piece in _pieces(data, PIECE):
            if self.transport.is_closing():
                return
            super().data_received(piece)

    def handle_ping(self) -> None:
        if self._may():
            super().handle_ping()

    def handle_pong(self, event: Frame) -> None:
        if self._may():
            super().handle_pong(event)

    def handle_cont(self, event: Frame) -> None:
        if self._may():
            super().handle_cont(event)

    def handle_text(self, event: Frame) -> None:
        if self._may():
            super().handle_text(event)

    def handle_bytes(self, event: Frame) -> None:
        if self._may():
            super().handle_bytes(event)

    def _may(self) -> bool:
        if self.transport.is_closing():
            return False
        if not self._credit.spend(self):
            return True
        self._end(TOO_MANY, "too many frames")
        return False

    def _end(self, code: int, reason: str) -> None:
        self.conn.fail(code, reason)
        self.handle_parser_exception()


def _pieces(data: bytes, size: int) -> Iterator[bytes]:
    for first in range(0, len(data), size):
        yield data[first : first + size]
