"""Who listens at a table: an open page at a socket, or a program at a stream."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from dataclasses import dataclass
from typing import Protocol

import msgspec

from polyopolis.engine import Tagged

KEEP_ALIVE = 6.0
"""Seconds after which a stream that has nothing to tell says so with an empty line."""
LONGEST_BACKLOG = 256 * 1024
"""Bytes that wait for somebody to take them, at most: the news of a whole evening."""


class Leaving(Protocol):
    """Whoever is here may be sent away."""

    async def send_away(self, code: int, reason: str) -> None: ...


@dataclass(eq=False)
class SocketGuest:
    """A `Guest` at a socket. What is told to it goes out at once, or waits in front of its own door: see doors.py."""

    person: str | None
    tell: Callable[[bytes], None]
    close: Callable[[int, str], Awaitable[None]]
    gone: bool = False
    """Nothing that it says is heard any more."""

    async def send_away(self, code: int, reason: str) -> None:
        self.gone = True
        await self.close(code, reason)


class Bye(Tagged, frozen=True, tag="bye"):
    """The last line of a stream that the server ends."""

    code: int
    reason: str


class StreamGuest:
    """A `Guest` at a stream: each message is a line. Whoever does not read is let go, as at a socket."""

    def __init__(self, person: str) -> None:
        self.person = person
        self._lines: list[bytes] = []
        self._waiting = 0
        self._more = asyncio.Event()
        self._ends = False

    def tell(self, message: bytes) -> None:
        if self._ends:
            return
        self._lines.append(message + b"\n")
        self._waiting += len(message) + 1
        self._ends = self._waiting > LONGEST_BACKLOG
        self._more.set()

    async def send_away(self, code: int, reason: str) -> None:
        self.tell(msgspec.json.encode(Bye(code, reason)))
        self._ends = True

    async def lines(self) -> AsyncIterator[bytes]:
        """What there is to be written, as soon as it is there; an empty line now and then, so that both sides notice
        when the other one is gone. What is waiting when somebody is let go for not reading is not written."""
        while True:
            try:
                async with asyncio.timeout(KEEP_ALIVE):
                    await self._more.wait()
            except TimeoutError:
                yield b"\n"
                continue
            if self._waiting > LONGEST_BACKLOG:
                return
            self._more.clear()
            lines, self._lines, ends = b"".join(self._lines), [], self._ends
            self._waiting = 0
            yield lines
            if ends:
                return


class AskingGuest:
    """A `Guest` who says one thing and is answered at once."""

    def __init__(self, person: str) -> None:
        self.person = person
        self.told: list[bytes] = []

    def tell(self, message: bytes) -> None:
        self.told.append(message)
