"""One open page: what is told to it waits in a queue of its own, so that a slow guest slows nobody."""

import asyncio
from typing import Any

import msgspec

LONGEST_QUEUE = 256


class Guest:
    def __init__(self, person: str | None) -> None:
        self.person = person
        self.queue: asyncio.Queue[bytes | None] = asyncio.Queue(LONGEST_QUEUE + 1)
        self._lost = False

    def tell(self, message: Any) -> None:
        self.tell_encoded(msgspec.json.encode(message))

    def tell_encoded(self, message: bytes) -> None:
        """Who does not read for so long is let go, and comes back with what was missed."""
        if self._lost:
            return
        if self.queue.qsize() >= LONGEST_QUEUE:
            self._lost = True
            self.queue.put_nowait(None)
        else:
            self.queue.put_nowait(message)
