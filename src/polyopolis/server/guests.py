"""One open page: what is told to it waits in a queue of its own, so that a slow guest slows nobody."""

import asyncio

LONGEST_QUEUE = 256


class SocketGuest:
    """A `Guest` at a socket."""

    def __init__(self, person: str | None) -> None:
        self._person = person
        self.queue: asyncio.Queue[bytes | None] = asyncio.Queue(LONGEST_QUEUE + 1)
        self._lost = False

    @property
    def person(self) -> str | None:
        return self._person

    def tell(self, message: bytes) -> None:
        """Who does not read for so long is let go, and comes back with what was missed."""
        if self._lost:
            return
        if self.queue.qsize() >= LONGEST_QUEUE:
            self._lost = True
            self.queue.put_nowait(None)
        else:
            self.queue.put_nowait(message)
