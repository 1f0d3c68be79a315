"""Runs reviews of finished matches, caches the results, and cancels reviews that no client waits for."""

import asyncio
import logging
from collections.abc import AsyncGenerator, Callable, Coroutine
from contextlib import aclosing
from typing import Any

import msgspec
from msgspec import Raw
from msgspec.structs import replace

from polyopolis.engine import PolyopolisError
from polyopolis.games import game as game_of
from polyopolis.play.entities import StoredMatch
from polyopolis.play.errors import Busy, NotFound, Unreadable, readable
from polyopolis.play.history.archive import finished
from polyopolis.play.match.live_match import moves_after_takebacks
from polyopolis.play.protocols import Clock, ReviewCache, ReviewEngine, ReviewProgress, TimerHandle
from polyopolis.play.table.table_context import TableContext
from polyopolis.play.wire.requests import Solution
from polyopolis.play.wire.responses import ReviewState, SolutionGrade
from polyopolis.records import PlayedMatch, cache_key

logger = logging.getLogger(__name__)

Start = Callable[[], AsyncGenerator[ReviewProgress, None]]
"""Starts a computation."""

PROGRESS_INTERVAL_SECONDS = 1.0
"""Longest time until a waiting client gets a progress report without a new answer."""
CANCEL_AFTER_SECONDS = 6.0
"""Time after the last request until a computation is cancelled."""


class ReviewService:
    def __init__(self, reviewer: ReviewEngine, cache: ReviewCache, clock: Clock) -> None:
        self._reviewer, self._cache, self._clock = reviewer, cache, clock
        self._works: dict[str, ReviewJob] = {}

    async def review(self, context: TableContext, number: int, person: str, known: int) -> ReviewState:
        """Waits for an answer after number `known`, or for progress."""
        game, kept = await finished(context, number)
        key = cache_key(self._reviewer.evaluator, [played(game, kept)])
        return await self._answer_after(key, lambda: self._reviewer.reviewed(person, key, game, kept), known)

    async def hindsight(self, context: TableContext, number: int, person: str, seat: int, known: int) -> ReviewState:
        """The same for the best city of a seat. The deck stays secret while other players may still get it."""
        game, kept = await finished(context, number)
        if context.sealed:
            kept = replace(kept, row=replace(kept.row, seed=b""))
        match = played(game, kept)
        if seat not in range(match.setup.seats):
            raise NotFound(f"there is no seat {seat}")
        key = cache_key(f"{self._reviewer.evaluator} hindsight {seat} {kept.row.seed.hex()}", [match])
        return await self._answer_after(key, lambda: self._reviewer.looks_back(person, game, kept, seat), known)

    async def _answer_after(self, key: str, start: Start, known: int) -> ReviewState:
        work = self._works.get(key)
        if work is None:
            if found := await self._cache.review(key):
                return ReviewState(1.0, known + 1, True, Raw(found))
            work = self._works.get(key) or self._start(key, start)
        return await work.wait(known)

    async def solved(self, context: TableContext, number: int, person: str, solution: Solution) -> SolutionGrade:
        game, kept = await finished(context, number)
        found = await self._reviewer.solved(person, game, kept, solution)
        return msgspec.json.decode(found, type=SolutionGrade)

    def _start(self, key: str, start: Start) -> "ReviewJob":
        work = self._works[key] = ReviewJob(self._clock, self._work(key, start))
        work.task.add_done_callback(lambda _: self._forget(key, work))
        return work

    def _forget(self, key: str, work: "ReviewJob") -> None:
        if self._works.get(key) is work:
            del self._works[key]

    async def _work(self, key: str, start: Start) -> None:
        work = self._works[key]
        try:
            async with aclosing(start()) as stages:
                async for stage in stages:
                    if stage.final and stage.review:
                        await self._cache.shelve(key, stage.review)
                    work.report(stage.done, stage.review, stage.final)
        except Busy as error:
            self._fail(key, work, error)
        except PolyopolisError as error:
            self._fail(key, work, Unreadable(f"this game cannot be reviewed: {error}"))
        except Exception:
            logger.exception("a review failed")
            self._fail(key, work, Unreadable("the review failed; request it again"))

    def _fail(self, key: str, work: "ReviewJob", problem: PolyopolisError) -> None:
        self._forget(key, work)  # before clients wake up: a repeated request starts a new review
        work.fail(problem)

    def close(self) -> None:
        for work in self._works.values():
            work.task.cancel()


class ReviewJob:
    """A running review and the requests that wait for it."""

    def __init__(self, clock: Clock, work: Coroutine[Any, Any, None]) -> None:
        self.task = asyncio.get_running_loop().create_task(work)
        self._clock = clock
        self._done, self._answer, self._final = 0.0, 0, False
        self._review: bytes | None = None
        self._problem: PolyopolisError | None = None
        self._progress = asyncio.Event()
        self._waiting = 0
        self._cancel_timer: TimerHandle | None = None

    def report(self, done: float, review: bytes | None, final: bool) -> None:
        self._done = done
        if review:
            self._review, self._final = review, final
            self._answer += 1
            self._wake_waiting()

    def fail(self, problem: PolyopolisError) -> None:
        self._problem = problem
        self._wake_waiting()

    def _wake_waiting(self) -> None:
        self._progress.set()
        self._progress = asyncio.Event()

    async def wait(self, known: int) -> ReviewState:
        if self._cancel_timer:
            self._cancel_timer.cancel()
        self._waiting += 1
        try:
            if self._answer <= known and not self._final and not self._problem:
                await _wait_for_progress(self._progress)
        finally:
            self._waiting -= 1
            if not self._waiting:
                self._cancel_timer = self._clock.later(CANCEL_AFTER_SECONDS, self._cancel_unused)
        if self._problem:
            raise self._problem
        new = self._review is not None and self._answer > known
        return ReviewState(self._done, self._answer, self._final, Raw(self._review) if new and self._review else None)

    def _cancel_unused(self) -> None:
        """Cancels the review if no request has arrived in the meantime."""
        if not self._waiting:
            self.task.cancel()


async def _wait_for_progress(progress: asyncio.Event) -> None:
    try:
        await asyncio.wait_for(progress.wait(), PROGRESS_INTERVAL_SECONDS)
    except TimeoutError:
        return


def played(game: str, kept: StoredMatch) -> PlayedMatch:
    rules = game_of(game)
    with readable("the match"):
        setup = msgspec.json.decode(kept.row.setup, type=rules.Setup)
        return PlayedMatch(game, rules.version, setup.content, setup, moves_after_takebacks(rules, kept.log))
