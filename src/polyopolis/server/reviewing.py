"""Reviews are worked out in a process of its own, which gets what time is left when everybody else has theirs.

It works in slices, one after the other. Time is shared by address, then by person; whoever has no answer yet goes
before whoever waits for a more precise one, and what nobody waits for any more is forgotten between two slices.
"""

import asyncio
import os
from collections.abc import AsyncGenerator, AsyncIterator, Callable, Hashable, Iterator
from concurrent.futures.process import BrokenProcessPool
from contextlib import asynccontextmanager
from dataclasses import dataclass
from functools import partial
from itertools import count
from pathlib import Path
from time import monotonic
from typing import TypeVar

from polyopolis.analysis import EVALUATOR
from polyopolis.kernels.warming import cache_in
from polyopolis.play.needs import Stage
from polyopolis.play.rows import Kept
from polyopolis.play.wishes import Solution
from polyopolis.server.queueing import Share, Used
from polyopolis.server.workers import Worker

LAST = 19
"""How far a reviewer stands back where there are fewer cores than work: everybody goes before."""
SLICE = 0.25
"""Seconds."""
PAUSE = 0.2
"""Seconds between two looks at whether bots are ready."""
MUCH = 10.0
"""Seconds: whoever has had so much more than another one goes behind; before that the least served go first."""

Done = TypeVar("Done")


class ProcessReviewer:
    """A `Reviewer`. Its process is born with the first review, once bots are ready: they compile what it needs, too."""

    def __init__(
        self,
        cache: Path | None = None,
        futures: int | None = None,
        may: Callable[[], bool] = lambda: True,
        address_of: Callable[[str], Hashable] = lambda person: person,
    ) -> None:
        self.evaluator = EVALUATOR if futures is None else f"{EVALUATOR}-{futures}"
        self._environment = cache_in(cache) if cache else {}
        self._futures = futures
        self._may = may
        self._address_of = address_of
        self._worker: Worker | None = None
        self._turns = Turns()
        self._names = count()

    def reviewed(self, person: str, key: str, game: str, kept: Kept) -> AsyncGenerator[Stage, None]:
        return self._worked(person, partial(_reviews, key, game, kept, self._futures))

    def looks_back(self, person: str, game: str, kept: Kept, seat: int) -> AsyncGenerator[Stage, None]:
        return self._worked(person, partial(_looks_back, game, kept, seat, self._futures is not None))

    async def _worked(self, person: str, work: Callable[[], Iterator[Stage]]) -> AsyncGenerator[Stage, None]:
        name, answers, final = next(self._names), 0, False
        begin: Callable[[], Stage] = partial(_begin, name, work)
        try:
            while not final:
                async with self._turns.take(self._share(person, name), answers):
                    stage = await self._do(begin)
                begin, final = partial(_go_on, name), stage.final
                answers += stage.review is not None
                yield stage
        finally:
            if self._worker and not final:
                self._worker.pool.submit(_forget, name)

    async def solved(self, person: str, game: str, kept: Kept, solution: Solution) -> bytes:
        async with self._turns.take(self._share(person, next(self._names)), 0):
            return await self._do(partial(_solve, game, kept, solution))

    def _share(self, person: str, name: int) -> Share:
        return Share(self._address_of(person), person, name)

    async def _do(self, work: Callable[[], Done]) -> Done:
        while not self._worker and not self._may():
            await asyncio.sleep(PAUSE)
        worker = self._worker = self._worker or Worker(self._environment, _ready)
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


@dataclass(frozen=True)
class Waiting:
    """Somebody who wants a slice, and how many answers they have."""

    share: Share
    answers: int
    turn: asyncio.Future[None]


class Turns:
    """One slice at a time. Whoever has had much goes behind whoever has not; of others the least served go first."""

    def __init__(self, clock: Callable[[], float] = monotonic) -> None:
        self._clock = clock
        self._used = Used(clock)
        self._busy = False
        self._waiting: dict[Hashable, Waiting] = {}
        """By the names of what they want, in the order in which they came."""

    @asynccontextmanager
    async def take(self, share: Share, answers: int) -> AsyncIterator[None]:
        if self._busy:
            turn = asyncio.get_running_loop().create_future()
            self._waiting[share.table] = Waiting(share, answers, turn)
            try:
                await turn
            except asyncio.CancelledError:
                if turn.done() and not turn.cancelled():
                    self._next()  # it was this one's, who has left
                raise
            finally:
                self._waiting.pop(share.table, None)
        self._busy = True
        begun = self._clock()
        try:
            yield
        finally:
            self._used.charge(share, self._clock() - begun)
            self._next()

    def _next(self) -> None:
        """Whose turn it is of those who have not left; they take it before anybody who comes now."""
        waiting = [each for each in self._waiting.values() if not each.turn.done()]
        self._busy = bool(waiting)
        if waiting:
            first = min(waiting, key=self._rank)
            del self._waiting[first.share.table]
            first.turn.set_result(None)
        else:
            self._used.forget()

    def _rank(self, waiting: Waiting) -> tuple[int, int, int, Hashable]:
        address, person, _ = self._used.of(waiting.share)
        return int(address / MUCH), int(person / MUCH), waiting.answers, waiting.share.table


# In the process

_going: dict[int, Iterator[Stage]] = {}
"""Reviews that are being worked out, by their names."""


def _reviews(key: str, game: str, kept: Kept, futures: int | None) -> Iterator[Stage]:
    from polyopolis.analysis.serving import stages  # noqa: PLC0415 in the process itself

    return stages(key, game, kept, futures)


def _looks_back(game: str, kept: Kept, seat: int, rough: bool) -> Iterator[Stage]:
    from polyopolis.analysis.serving import looks_back  # noqa: PLC0415

    return looks_back(game, kept, seat, rough)


def _begin(name: int, work: Callable[[], Iterator[Stage]]) -> Stage:
    _going[name] = work()
    return _go_on(name)


def _go_on(name: int) -> Stage:
    """For the time of a slice, or until there is an answer."""
    end, stage = monotonic() + SLICE, Stage(0.0)
    for stage in _going[name]:
        if stage.review or monotonic() >= end:
            break
    if stage.final:
        _forget(name)
    return stage


def _forget(name: int) -> None:
    _going.pop(name, None)


def _solve(game: str, kept: Kept, solution: Solution) -> bytes:
    from polyopolis.analysis.serving import solved  # noqa: PLC0415

    return solved(game, kept, solution)


def _ready() -> None:
    """Whatever is needed is imported with these; then everybody else goes before."""
    import polyopolis.analysis.serving  # noqa: F401, PLC0415
    from polyopolis.kernels.warming import warm  # noqa: PLC0415

    warm()
    if hasattr(os, "nice"):
        os.nice(LAST)
