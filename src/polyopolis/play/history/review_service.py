"""Reviews of finished matches: worked out once, kept, told as far as they are, and cancelled when nobody waits."""

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
from polyopolis.play.wire.responses import Reviewed, Solved
from polyopolis.records import Played, key_of

logger = logging.getLogger(__name__)

Begin = Callable[[], AsyncGenerator[ReviewProgress, None]]
"""Begins to work something out."""

PROGRESS_INTERVAL_SECONDS = 1.0
"""Seconds until somebody who waits is told how far it is, though there is no new answer."""
CANCEL_AFTER_SECONDS = 6.0
"""Seconds after which nobody waits who has not asked again."""


class ReviewService:
    def __init__(self, reviewer: ReviewEngine, shelf: ReviewCache, clock: Clock) -> None:
        self._reviewer, self._shelf, self._clock = reviewer, shelf, clock
        self._works: dict[str, ReviewJob] = {}

    async def review(self, context: TableContext, number: int, person: str, known: int) -> Reviewed:
        """The newest answer beyond the known one, once there is one; or soon how far the next one is."""
        game, kept = await finished(context, number)
        key = key_of(self._reviewer.evaluator, [played(game, kept)])
        return await self._told(key, lambda: self._reviewer.reviewed(person, key, game, kept), known)

    async def hindsight(self, context: TableContext, number: int, person: str, seat: int, known: int) -> Reviewed:
        """The same for the best city of a seat. What would have come stays unknown while others play with it."""
        game, kept = await finished(context, number)
        if context.sealed:
            kept = replace(kept, row=replace(kept.row, seed=b""))
        match = played(game, kept)
        if seat not in range(match.setup.seats):
            raise NotFound(f"there is no seat {seat}")
        key = key_of(f"{self._reviewer.evaluator} hindsight {seat} {kept.row.seed.hex()}", [match])
        return await self._told(key, lambda: self._reviewer.looks_back(person, game, kept, seat), known)

    async def _told(self, key: str, begin: Begin, known: int) -> Reviewed:
        work = self._works.get(key)
        if work is None:
            if found := await self._shelf.review(key):
                return Reviewed(1.0, known + 1, True, Raw(found))
            work = self._works.get(key) or self._begun(key, begin)
        return await work.told(known)

    async def solved(self, context: TableContext, number: int, person: str, solution: Solution) -> Solved:
        game, kept = await finished(context, number)
        found = await self._reviewer.solved(person, game, kept, solution)
        return msgspec.json.decode(found, type=Solved)

    def _begun(self, key: str, begin: Begin) -> "ReviewJob":
        work = self._works[key] = ReviewJob(self._clock, self._work(key, begin))
        work.task.add_done_callback(lambda _: self._forget(key, work))
        return work

    def _forget(self, key: str, work: "ReviewJob") -> None:
        if self._works.get(key) is work:
            del self._works[key]

    async def _work(self, key: str, begin: Begin) -> None:
        work = self._works[key]
        try:
            async with aclosing(begin()) as stages:
                async for stage in stages:
                    if stage.final and stage.review:
                        await self._shelf.shelve(key, stage.review)
                    work.come_to(stage.done, stage.review, stage.final)
        except Busy as error:
            self._fail(key, work, error)
        except PolyopolisError as error:
            self._fail(key, work, Unreadable(f"this game cannot be reviewed: {error}"))
        except Exception:
            logger.exception("a review failed")
            self._fail(key, work, Unreadable("the review was broken off; ask for it again"))

    def _fail(self, key: str, work: "ReviewJob", problem: PolyopolisError) -> None:
        self._forget(key, work)  # before anyone is woken: who asks again at once begins a new review
        work.fail(problem)

    def close(self) -> None:
        for work in self._works.values():
            work.task.cancel()


class ReviewJob:
    """A review that is worked out, and those who wait for it."""

    def __init__(self, clock: Clock, work: Coroutine[Any, Any, None]) -> None:
        self.task = asyncio.get_running_loop().create_task(work)
        self._clock = clock
        self._done, self._answer, self._final = 0.0, 0, False
        self._review: bytes | None = None
        self._problem: PolyopolisError | None = None
        self._news = asyncio.Event()
        self._waiting = 0
        self._alarm: TimerHandle | None = None

    def come_to(self, done: float, review: bytes | None, final: bool) -> None:
        self._done = done
        if review:
            self._review, self._final = review, final
            self._answer += 1
            self._tell()

    def fail(self, problem: PolyopolisError) -> None:
        self._problem = problem
        self._tell()

    def _tell(self) -> None:
        self._news.set()
        self._news = asyncio.Event()

    async def told(self, known: int) -> Reviewed:
        if self._alarm:
            self._alarm.cancel()
        self._waiting += 1
        try:
            if self._answer <= known and not self._final and not self._problem:
                await _soon(self._news)
        finally:
            self._waiting -= 1
            if not self._waiting:
                self._alarm = self._clock.later(CANCEL_AFTER_SECONDS, self._leave)
        if self._problem:
            raise self._problem
        new = self._review is not None and self._answer > known
        return Reviewed(self._done, self._answer, self._final, Raw(self._review) if new and self._review else None)

    def _leave(self) -> None:
        """Nobody has come back."""
        if not self._waiting:
            self.task.cancel()


async def _soon(news: asyncio.Event) -> None:
    try:
        await asyncio.wait_for(news.wait(), PROGRESS_INTERVAL_SECONDS)
    except TimeoutError:
        return


def played(game: str, kept: StoredMatch) -> Played:
    rules = game_of(game)
    with readable("the match"):
        setup = msgspec.json.decode(kept.row.setup, type=rules.Setup)
        return Played(game, rules.version, setup.content, setup, moves_after_takebacks(rules, kept.log))
