"""Subscribers of a table: WebSockets of pages, event streams of programs, and single requests."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from dataclasses import dataclass
from typing import Protocol

import msgspec

from polyopolis.engine import Tagged

KEEP_ALIVE_SECONDS = 6.0
"""An idle stream sends an empty line at this interval."""
MAX_BACKLOG_BYTES = 256 * 1024
"""A connection with more unsent data is closed."""


class ClosableGuest(Protocol):
    """A connection that the server can close, for example when a session is revoked."""

    async def disconnect(self, code: int, reason: str) -> None: ...


@dataclass(eq=False)
class SocketGuest:
    """A `Subscriber` at a WebSocket. Messages are sent at once or buffered by its protocol (`connection_guard.py`)."""

    person: str | None
    tell: Callable[[bytes], None]
    close: Callable[[int, str], Awaitable[None]]
    gone: bool = False
    """Whether the server has closed the connection; later messages are ignored."""

    async def disconnect(self, code: int, reason: str) -> None:
        self.gone = True
        await self.close(code, reason)


class StreamEnd(Tagged, frozen=True, tag="bye"):
    """The last line of a stream that the server ends."""

    code: int
    reason: str


class StreamGuest:
    """A `Subscriber` at a stream of lines. A slow reader is disconnected, as at a WebSocket."""

    def __init__(self, person: str) -> None:
        self.person = person
        self._lines: list[bytes] = []
        self._backlog_bytes = 0
        self._more = asyncio.Event()
        self._ends = False

    def tell(self, message: bytes) -> None:
        if self._ends:
            return
        self._lines.append(message + b"\n")
        self._backlog_bytes += len(message) + 1
        self._ends = self._backlog_bytes > MAX_BACKLOG_BYTES
        self._more.set()

    async def disconnect(self, code: int, reason: str) -> None:
        self.tell(msgspec.json.encode(StreamEnd(code, reason)))
        self._ends = True

    async def lines(self) -> AsyncIterator[bytes]:
        """Yields messages as they arrive, and empty lines, by which both sides detect a lost connection. The backlog of
        a reader that is too slow is discarded."""
        while True:
            try:
                async with asyncio.timeout(KEEP_ALIVE_SECONDS):
                    await self._more.wait()
            except TimeoutError:
                yield b"\n"
                continue
            if self._backlog_bytes > MAX_BACKLOG_BYTES:
                return
            self._more.clear()
            lines, self._lines, ends = b"".join(self._lines), [], self._ends
            self._backlog_bytes = 0
            yield lines
            if ends:
                return


class RequestGuest:
    """A `Subscriber` for one request: collects the responses to one message."""

    def __init__(self, person: str) -> None:
        self.person = person
        self.messages: list[bytes] = []

    def tell(self, message: bytes) -> None:
        self.messages.append(message)
