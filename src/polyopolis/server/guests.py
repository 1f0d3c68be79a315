"""One open page, at a socket."""

from collections.abc import Callable
from dataclasses import dataclass


@dataclass(frozen=True, eq=False)
class SocketGuest:
    """A `Guest` at a socket. What is told to it goes out at once, or waits in front of its own door: see doors.py."""

    person: str | None
    tell: Callable[[bytes], None]
