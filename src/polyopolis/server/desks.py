"""Who writes into the database and who reads in it: a thread and a connection each, so that no move waits for a reader.

What waits to be written while a commit is on its way to the disk is written together, in the next one, and what nodes
want to know of each other's tables is read together. A commit is on the disk before anybody is told.
"""

import asyncio
import logging
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import partial
from itertools import cycle
from operator import attrgetter
from time import monotonic, sleep
from typing import Any, TypeVar

from sqlalchemy import Connection, Engine
from sqlalchemy.exc import DBAPIError, OperationalError

from polyopolis.server.databases import POSTGRES, WRITES

logger = logging.getLogger(__name__)

PATIENCE = 30.0
"""Seconds for which a database that cannot be reached is waited for."""
FIRST_PAUSE, LONGEST_PAUSE = 0.05, 1.0
AWAY = frozenset([None, "08000", "08001", "08003", "08004", "08006", "57P01", "57P02", "57P03"])
"""What PostgreSQL says while it stops or starts, and when it says nothing more."""
CROSSED = frozenset(["40001", "40P01"])
"""What it says when two transactions wait for each other: one of them has to begin again."""

Answer = TypeVar("Answer")
Work = Callable[[Connection], Answer]
What = TypeVar("What")
Outcome = tuple[Answer | None, Exception | None]
"""What came of a piece of work: an answer, or an error."""
WorkOnAll = Callable[[Connection, Sequence[What]], Sequence[Outcome[Answer]]]
"""Takes all that is to be done at once. With an error for one of them nothing was done of that one."""


def _state(error: DBAPIError) -> str | None:
    """What PostgreSQL calls it. A file has no such thing: whatever happens to it is not for a moment."""
    state: str | None = getattr(error.orig, "sqlstate", "")
    return state


class Desk:
    """A thread that keeps one connection open."""

    def __init__(self, engine: Engine, name: str, options: Mapping[str, Any] = {}) -> None:
        self._engine = engine
        self._options = options
        self._thread = ThreadPoolExecutor(1, name)
        self._connection: Connection | None = None

    async def ask(self, work: Callable[[], Answer]) -> Answer:
        return await asyncio.get_running_loop().run_in_executor(self._thread, work)

    def transaction(self, work: Work[Answer]) -> Answer:
        """In the thread: all of it or nothing. While the database cannot be reached it is tried again, so a work has to
        bear that it was done already: whether a commit arrived is not known when the connection breaks."""
        end, pause = monotonic() + PATIENCE, FIRST_PAUSE
        while True:
            try:
                return self._once(work)
            except DBAPIError as error:
                if _state(error) not in AWAY | CROSSED or monotonic() > end:
                    raise
                logger.warning("the database cannot be reached: %s", type(error.orig).__name__)
                self._close()
            sleep(pause)
            pause = min(2 * pause, LONGEST_PAUSE)

    def _once(self, work: Work[Answer]) -> Answer:
        if self._connection is None:
            self._connection = self._engine.connect().execution_options(**self._options)
        dialect = self._engine.dialect
        try:
            with self._connection.begin():
                return work(self._connection)
        except dialect.loaded_dbapi.Error as error:  # of a statement that went to the driver as it is
            raise DBAPIError.instance(None, None, error, dialect.loaded_dbapi.Error, dialect=dialect) from error

    async def close(self) -> None:
        await self.ask(self._close)
        self._thread.shutdown()

    def _close(self) -> None:
        if self._connection is not None:
            self._connection.close()
            self._connection = None


@dataclass(frozen=True, eq=False)
class Waiting:
    """Something that is to be done, and who waits for it."""

    about: str
    work: WorkOnAll[Any, Any]
    what: Any
    answer: asyncio.Future[Any]


class Counter:
    """Where all that has come while a desk was busy is done together."""

    def __init__(self, desk: Desk) -> None:
        self._desk = desk
        self._waiting: list[Waiting] = []
        self._working: asyncio.Task[None] | None = None

    async def ask(self, work: WorkOnAll[What, Answer], what: What, about: str = "") -> Answer:
        """Whatever waits for the same work is done by doing it once."""
        answer: asyncio.Future[Answer] = asyncio.get_running_loop().create_future()
        self._waiting.append(Waiting(about, work, what, answer))
        if self._working is None:
            self._working = asyncio.create_task(self._work())
        return await answer

    async def _work(self) -> None:
        while self._waiting:
            # so that no two writers wait crosswise
            batch, self._waiting = sorted(self._waiting, key=attrgetter("about")), []
            outcomes = await self._desk.ask(partial(self._together, batch))
            for waiting, (value, error) in zip(batch, outcomes, strict=True):
                if waiting.answer.cancelled():
                    continue
                if error is not None:
                    waiting.answer.set_exception(error)
                else:
                    waiting.answer.set_result(value)
        self._working = None

    def _together(self, batch: Sequence[Waiting]) -> list[Outcome[Any]]:
        """All in one transaction; if that fails, each in its own, so that the others do not pay for one."""
        works: dict[WorkOnAll[Any, Any], list[Waiting]] = {}
        for waiting in batch:
            works.setdefault(waiting.work, []).append(waiting)
        try:
            return self._desk.transaction(lambda db: _done(db, works, batch))
        except OperationalError as error:  # the database, not the work: nobody else would fare better
            return [(None, error)] * len(batch)
        except Exception as error:
            return [(None, error)] if len(batch) == 1 else [self._together([waiting])[0] for waiting in batch]

    async def close(self) -> None:
        """When all that waits is done."""
        if self._working is not None:
            await self._working


def _done(
    db: Connection, works: Mapping[WorkOnAll[Any, Any], list[Waiting]], batch: Sequence[Waiting]
) -> list[Outcome[Any]]:
    """In the order of the batch."""
    found: dict[Waiting, Outcome[Any]] = {}
    for work, waiting in works.items():
        found |= zip(waiting, work(db, [each.what for each in waiting]), strict=True)
    return [found[waiting] for waiting in batch]


class Reader:
    """Whatever one work reads is of one moment."""

    def __init__(self, engine: Engine, desks: int = 1) -> None:
        options = {"isolation_level": "REPEATABLE READ"} if engine.dialect.name == POSTGRES else {}
        self._desks = [Desk(engine, f"store-reader-{number}", options) for number in range(desks)]
        self._next = cycle(self._desks)
        self._counter = Counter(self._desks[0])

    async def read(self, work: Work[Answer]) -> Answer:
        desk = next(self._next)
        return await desk.ask(lambda: desk.transaction(work))

    async def read_with_others(self, work: WorkOnAll[What, Answer], what: What) -> Answer:
        return await self._counter.ask(work, what)

    async def close(self) -> None:
        await self._counter.close()
        for desk in self._desks:
            await desk.close()


class Writer:
    """Returns when it is on the disk; if it raises, nothing of a work was written."""

    def __init__(self, engine: Engine) -> None:
        self._desk = Desk(engine, "store", {WRITES: True})
        self._counter = Counter(self._desk)

    async def write(self, work: Work[Answer], about: str = "") -> Answer:
        return await self.write_with_others(lambda db, _: [(work(db), None)], None, about)

    async def write_with_others(self, work: WorkOnAll[What, Answer], what: What, about: str = "") -> Answer:
        return await self._counter.ask(work, what, about)

    async def close(self) -> None:
        await self._counter.close()
        await self._desk.close()
