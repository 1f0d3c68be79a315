"""Computes reviews in a low-priority worker process, in time slices.

Time is shared by address, then by person. A review without a first result goes before one that is being refined. A
cancelled review is dropped between two slices.
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
from polyopolis.kernels.warmup import cache_environment
from polyopolis.play.entities import StoredMatch
from polyopolis.play.protocols import ReviewProgress
from polyopolis.play.wire.requests import Solution
from polyopolis.server.limits.fair_queue import FairScheduler, FairShareKey, Job, QueueLimits
from polyopolis.server.workers.worker_process import WorkerProcess

NICENESS = 19
"""The lowest scheduling priority: all other processes go first where cores are scarce."""
SLICE_SECONDS = 0.25
POLL_SECONDS = 0.2
"""Interval of checks whether bots are ready."""
FAIRNESS_SECONDS = 10.0
"""Used time is compared in steps of this size."""

REVIEW_QUEUE_BOUNDS = QueueLimits(40, 12, 4, "too many reviews are queued; try again in a moment", wait=10)

Result = TypeVar("Result")


@dataclass(eq=False)
class ReviewSliceJob(Job):
    """A review or an answer to an exercise."""

    answers: int = 0
    """The number of results so far."""

    def rank(self, address: float, person: float, table: float) -> tuple[float, ...]:
        return int(address / FAIRNESS_SECONDS), int(person / FAIRNESS_SECONDS), self.answers, self.number


class ReviewProcess:
    """A `ReviewEngine` on a worker process.

    The process starts with the first review after the bots are ready, because they compile the same kernels.
    """

    def __init__(
        self,
        cache: Path | None = None,
        futures: int | None = None,
        is_ready: Callable[[], bool] = lambda: True,
        address_of: Callable[[str], str] = lambda person: person,
    ) -> None:
        self.evaluator = EVALUATOR if futures is None else f"{EVALUATOR}-{futures}"
        self._environment = cache_environment(cache) if cache else {}
        self._futures = futures
        self._is_ready = is_ready
        self._address_of = address_of
        self._worker: WorkerProcess | None = None
        self._turns = FairScheduler[ReviewSliceJob](REVIEW_QUEUE_BOUNDS)
        self._names = count()

    def reviewed(self, person: str, key: str, game: str, kept: StoredMatch) -> AsyncGenerator[ReviewProgress, None]:
        return self._run_slices(person, partial(_reviews, key, game, kept, self._futures))

    def looks_back(self, person: str, game: str, kept: StoredMatch, seat: int) -> AsyncGenerator[ReviewProgress, None]:
        return self._run_slices(person, partial(_looks_back, game, kept, seat, self._futures is not None))

    async def _run_slices(
        self, person: str, work: Callable[[], Iterator[ReviewProgress]]
    ) -> AsyncGenerator[ReviewProgress, None]:
        name, final, job = next(self._names), False, self._job(person)
        begin: Callable[[], ReviewProgress] = partial(_start, name, work)
        try:
            while not final:
                async with self._turns.turn(job):
                    stage = await self._run(begin)
                begin, final = partial(_continue, name), stage.final
                job.answers += stage.review is not None
                yield stage
        finally:
            if self._worker and not final:
                self._worker.pool.submit(_forget, name)

    async def solved(self, person: str, game: str, kept: StoredMatch, solution: Solution) -> bytes:
        async with self._turns.turn(self._job(person)):
            return await self._run(partial(_solve, game, kept, solution))

    def _job(self, person: str) -> ReviewSliceJob:
        return ReviewSliceJob(FairShareKey(self._address_of(person), person))

    async def _run(self, work: Callable[[], Result]) -> Result:
        while not self._worker and not self._is_ready():
            await asyncio.sleep(POLL_SECONDS)
        worker = self._worker = self._worker or WorkerProcess(self._environment, _init_worker)
        try:
            return await asyncio.get_running_loop().run_in_executor(worker.pool, work)
        except BrokenProcessPool:
            if worker is self._worker:  # several callers may notice it
                worker.close()
                self._worker = None
            raise

    def close(self) -> None:
        worker, self._worker = self._worker, None
        if worker:
            worker.close()


# In the worker process

_running: dict[int, Iterator[ReviewProgress]] = {}
"""Reviews in progress by number."""


def _reviews(key: str, game: str, kept: StoredMatch, futures: int | None) -> Iterator[ReviewProgress]:
    from polyopolis.analysis.review_jobs import review_stages  # noqa: PLC0415 - only in the worker process

    return review_stages(key, game, kept, futures)


def _looks_back(game: str, kept: StoredMatch, seat: int, rough: bool) -> Iterator[ReviewProgress]:
    from polyopolis.analysis.review_jobs import hindsight_stages  # noqa: PLC0415

    return hindsight_stages(game, kept, seat, rough)


def _start(name: int, work: Callable[[], Iterator[ReviewProgress]]) -> ReviewProgress:
    _running[name] = work()
    return _continue(name)


def _continue(name: int) -> ReviewProgress:
    """Computes for one slice, or until there is a result."""
    end, stage = monotonic() + SLICE_SECONDS, ReviewProgress(0.0)
    for stage in _running[name]:
        if stage.review or monotonic() >= end:
            break
    if stage.final:
        _forget(name)
    return stage


def _forget(name: int) -> None:
    _running.pop(name, None)


def _solve(game: str, kept: StoredMatch, solution: Solution) -> bytes:
    from polyopolis.analysis.review_jobs import grade_solution  # noqa: PLC0415

    return grade_solution(game, kept, solution)


def _init_worker() -> None:
    """Worker initializer: imports and compiles what reviews need, then lowers the process priority."""
    import polyopolis.analysis.review_jobs  # noqa: F401, PLC0415
    from polyopolis.kernels.warmup import warm  # noqa: PLC0415

    warm()
    if hasattr(os, "nice"):
        os.nice(NICENESS)
