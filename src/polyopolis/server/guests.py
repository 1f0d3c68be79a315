"""One open page, at a socket."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass


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
