"""Answers that many ask for: found once, kept for a moment, and the same for every visitor."""

import asyncio
from collections.abc import Awaitable, Callable, Hashable
from typing import Generic, TypeVar

from polyopolis.play.protocols import Clock

FRESH_SECONDS = 1.0

Key = TypeVar("Key", bound=Hashable)
Answer = TypeVar("Answer")


class ResponseCache(Generic[Key, Answer]):
    """Calls `find(key)` for the first who asks; those who ask until it is a second old get the same answer.

    An answer must hold nothing that only one visitor may see. A failure is told to those who wait and is not kept.
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
        return await asyncio.shield(task)  # whoever stops waiting does not stop it for the others

    def drop(self, key: Key) -> None:
        """Whoever asks from now on gets an answer that is found from now on."""
        self._found.pop(key, None)

    def _drop_old(self, now: float) -> None:
        old = [key for key, (begun, task) in self._found.items() if task.done() and now - begun >= FRESH_SECONDS]
        for key in old:
            del self._found[key]


def _has_failed(task: asyncio.Task[Answer]) -> bool:
    return task.cancelled() or task.exception() is not None
