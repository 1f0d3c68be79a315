"""Reviews are worked out in a process of its own, which gets what time is left when everybody else has theirs.

It works in slices, one after the other. Time is shared by address, then by person; a review without an answer goes
before one that gets more precise, and one that nobody waits for is forgotten between two slices.
"""

import asyncio
import os
from collections.abc import AsyncGenerator, Callable, Iterator
from concurrent.futures.process import BrokenProcessPool
from dataclasses import dataclass
from functools import partial
from itertools import count
from pathlib import Path
from time import monotonic
from typing import TypeVar

from polyopolis.analysis import EVALUATOR
from polyopolis.kernels.warmup import cache_in
from polyopolis.play.entities import StoredMatch
from polyopolis.play.protocols import ReviewProgress
from polyopolis.play.wire.requests import Solution
from polyopolis.server.limits.fair_queue import FairScheduler, FairShareKey, Job, QueueLimits
from polyopolis.server.workers.worker_process import WorkerProcess

LAST = 19
"""How far a reviewer stands back where there are fewer cores than work: everybody goes before."""
SLICE_SECONDS = 0.25
"""Seconds."""
PAUSE = 0.2
"""Seconds between two looks at whether bots are ready."""
MUCH = 10.0
"""Seconds: whoever has had so much more than another one goes behind; before that the least served go first."""

REVIEWS = QueueLimits(
    40, 12, 4, "so many games are being reviewed that this one has to wait; try again in a moment", wait=10
)
"""Reviews and answers to exercises that wait for a slice."""

Done = TypeVar("Done")


@dataclass(eq=False)
class Review(Job):
    """A review or an answer to an exercise."""

    answers: int = 0
    """How many it has had."""

    def rank(self, address: float, person: float, table: float) -> tuple[float, ...]:
        return int(address / MUCH), int(person / MUCH), self.answers, self.number


class ReviewProcess:
    """A `Reviewer`. Its process is born with the first review, once bots are ready: they compile what it needs, too."""

    def __init__(
        self,
        cache: Path | None = None,
        futures: int | None = None,
        may: Callable[[], bool] = lambda: True,
        address_of: Callable[[str], str] = lambda person: person,
    ) -> None:
        self.evaluator = EVALUATOR if futures is None else f"{EVALUATOR}-{futures}"
        self._environment = cache_in(cache) if cache else {}
        self._futures = futures
        self._may = may
        self._address_of = address_of
        self._worker: WorkerProcess | None = None
        self._turns = FairScheduler[Review](REVIEWS)
        self._names = count()

    def reviewed(self, person: str, key: str, game: str, kept: StoredMatch) -> AsyncGenerator[ReviewProgress, None]:
        return self._worked(person, partial(_reviews, key, game, kept, self._futures))

    def looks_back(self, person: str, game: str, kept: StoredMatch, seat: int) -> AsyncGenerator[ReviewProgress, None]:
        return self._worked(person, partial(_looks_back, game, kept, seat, self._futures is not None))

    async def _worked(
        self, person: str, work: Callable[[], Iterator[ReviewProgress]]
    ) -> AsyncGenerator[ReviewProgress, None]:
        name, final, job = next(self._names), False, self._job(person)
        begin: Callable[[], ReviewProgress] = partial(_begin, name, work)
        try:
            while not final:
                async with self._turns.turn(job):
                    stage = await self._do(begin)
                begin, final = partial(_go_on, name), stage.final
                job.answers += stage.review is not None
                yield stage
        finally:
            if self._worker and not final:
                self._worker.pool.submit(_forget, name)

    async def solved(self, person: str, game: str, kept: StoredMatch, solution: Solution) -> bytes:
        async with self._turns.turn(self._job(person)):
            return await self._do(partial(_solve, game, kept, solution))

    def _job(self, person: str) -> Review:
        return Review(FairShareKey(self._address_of(person), person))

    async def _do(self, work: Callable[[], Done]) -> Done:
        while not self._worker and not self._may():
            await asyncio.sleep(PAUSE)
        worker = self._worker = self._worker or WorkerProcess(self._environment, _ready)
        try:
            return await asyncio.get_running_loop().run_in_executor(worker.pool, work)
        except BrokenProcessPool:
            if worker is self._worker:  # once, whoever notices first
                worker.close()
                self._worker = None
            raise

    def close(self) -> None:
        worker, self._worker = self._worker, None
        if worker:
            worker.close()


# In the process

_going: dict[int, Iterator[ReviewProgress]] = {}
"""Reviews that are being worked out, by their names."""


def _reviews(key: str, game: str, kept: StoredMatch, futures: int | None) -> Iterator[ReviewProgress]:
    from polyopolis.analysis.review_jobs import stages  # noqa: PLC0415 in the process itself

    return stages(key, game, kept, futures)


def _looks_back(game: str, kept: StoredMatch, seat: int, rough: bool) -> Iterator[ReviewProgress]:
    from polyopolis.analysis.review_jobs import looks_back  # noqa: PLC0415

    return looks_back(game, kept, seat, rough)


def _begin(name: int, work: Callable[[], Iterator[ReviewProgress]]) -> ReviewProgress:
    _going[name] = work()
    return _go_on(name)


def _go_on(name: int) -> ReviewProgress:
    """For the time of a slice, or until there is an answer."""
    end, stage = monotonic() + SLICE_SECONDS, ReviewProgress(0.0)
    for stage in _going[name]:
        if stage.review or monotonic() >= end:
            break
    if stage.final:
        _forget(name)
    return stage


def _forget(name: int) -> None:
    _going.pop(name, None)


def _solve(game: str, kept: StoredMatch, solution: Solution) -> bytes:
    from polyopolis.analysis.review_jobs import solved  # noqa: PLC0415

    return solved(game, kept, solution)


def _ready() -> None:
    """Whatever is needed is imported with these; then everybody else goes before."""
    import polyopolis.analysis.review_jobs  # noqa: F401, PLC0415
    from polyopolis.kernels.warmup import warm  # noqa: PLC0415

    warm()
    if hasattr(os, "nice"):
        os.nice(LAST)
