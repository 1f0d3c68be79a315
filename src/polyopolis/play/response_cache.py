"""Cache of responses that many guests ask for, the same for all of them."""

import asyncio
from collections.abc import Awaitable, Callable, Hashable
from typing import Generic, TypeVar

from polyopolis.play.protocols import Clock

FRESH_SECONDS = 1.0

Key = TypeVar("Key", bound=Hashable)
Answer = TypeVar("Answer")


class ResponseCache(Generic[Key, Answer]):
    """Calls `find(key)` once per second at most. Concurrent and later callers within that second get the same answer.

    Answers must not contain data of a single guest. Errors are raised to the waiting callers and are not cached.
    """

    def __init__(self, clock: Clock, find: Callable[[Key], Awaitable[Answer]]) -> None:
        self._clock = clock
        self._find = find
        self._found: dict[Key, tuple[float, asyncio.Task[Answer]]] = {}

    async def get(self, key: Key) -> Answer:
        now = self._clock.running()
        begun, task = self._found.get(key, (now, None))
        if task is None or (task.done() and (now - begun >= FRESH_SECONDS or _has_failed(task))):
            self._drop_old(now)
            task = asyncio.ensure_future(self._find(key))
            self._found[key] = now, task
        return await asyncio.shield(task)  # a caller that is cancelled does not cancel it for the others

    def drop(self, key: Key) -> None:
        """Makes the next call read a new answer."""
        self._found.pop(key, None)

    def _drop_old(self, now: float) -> None:
        old = [key for key, (begun, task) in self._found.items() if task.done() and now - begun >= FRESH_SECONDS]
        for key in old:
            del self._found[key]


def _has_failed(task: asyncio.Task[Answer]) -> bool:
    return task.cancelled() or task.exception() is not None
