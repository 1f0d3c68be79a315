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
from sqlite3 import SQLITE_BUSY, SQLITE_LOCKED
from time import monotonic, sleep
from typing import Any, TypeVar

from sqlalchemy import Connection, Engine
from sqlalchemy.exc import DBAPIError, OperationalError

from polyopolis.play.errors import Unwritable
from polyopolis.server.storage.databases import POSTGRES, SQLITE_UNWRITABLE, WRITES, is_unwritable, set_limits

logger = logging.getLogger(__name__)

RECONNECT_SECONDS = 30.0
"""Seconds for which a database that cannot be reached is waited for."""
FIRST_PAUSE, LONGEST_PAUSE = 0.05, 1.0
READ_SECONDS, WRITE_SECONDS, LOCK_SECONDS, IDLE_SECONDS = 30.0, 10.0, 5.0, 60.0
"""Limits on PostgreSQL: of a statement that reads, of one that writes, of waiting for a lock, and of the time between
two statements of a transaction. A file has one writer, whose wait for other processes ends after its `busy_timeout`."""
DISCONNECTED = ("08", "57P0")
"""How SQLSTATEs begin with which PostgreSQL ends a connection or refuses one while it stops or starts."""
DEADLOCK_STATES = frozenset(["40001", "40P01"])
"""What it says when two transactions wait for each other: one of them has to begin again."""
OVERLOADED = ("40", "53", "55P03", "57014", *DISCONNECTED)
"""How SQLSTATEs begin that are no fault of the statement: conflicts, missing resources, a lock or time that ran out."""
SQLITE_OVERLOADED = SQLITE_UNWRITABLE | {SQLITE_BUSY, SQLITE_LOCKED}

Answer = TypeVar("Answer")
Work = Callable[[Connection], Answer]
What = TypeVar("What")
Outcome = tuple[Answer | None, Exception | None]
"""What came of a piece of work: an answer, or an error."""
WorkOnAll = Callable[[Connection, Sequence[What]], Sequence[Outcome[Answer]]]
"""Takes all that is to be done at once. With an error for one of them nothing was done of that one."""


def _state(error: DBAPIError) -> str:
    """The SQLSTATE of an error of PostgreSQL; empty if the driver raised it without an answer, and for SQLite."""
    return getattr(error.orig, "sqlstate", None) or ""


def is_overload(error: object) -> bool:
    """Whether the database could not do its work in time or at all, so that the same may succeed later."""
    if not isinstance(error, OperationalError):
        return False
    if (code := getattr(error.orig, "sqlite_errorcode", None)) is not None:
        return code & 0xFF in SQLITE_OVERLOADED
    return _state(error).startswith(OVERLOADED) or not _state(error)


class DbThread:
    """A thread that keeps one connection open."""

    def __init__(self, engine: Engine, name: str, statement_seconds: float, options: Mapping[str, Any] = {}) -> None:
        self._engine = engine
        self._statement_seconds = statement_seconds
        self._options = options
        self._thread = ThreadPoolExecutor(1, name)
        self._connection: Connection | None = None
        self._probe: asyncio.Task[Exception | None] | None = None

    async def ask(self, work: Callable[[], Answer]) -> Answer:
        return await asyncio.get_running_loop().run_in_executor(self._thread, work)

    def probe(self, work: Work[Any]) -> asyncio.Task[Exception | None]:
        """Returns a task that does the work and whose result is the error of it.

        There is one probe at a time: while it has not ended, every call returns it.
        """
        if self._probe is None or self._probe.done():
            self._probe = asyncio.create_task(self._probed(work))
        return self._probe

    async def _probed(self, work: Work[Any]) -> Exception | None:
        try:
            await self.ask(partial(self.transaction, work))
        except Exception as error:
            return error
        return None

    def transaction(self, work: Work[Answer]) -> Answer:
        """Runs the work in one transaction, in this thread.

        A transaction is repeated for up to `RECONNECT_SECONDS` if its connection is lost or cannot be made, and if it
        deadlocks with another one. The work must be idempotent: when the connection breaks, it is unknown whether the commit
        arrived. Every other error is raised at once.
        """
        end, pause = monotonic() + RECONNECT_SECONDS, FIRST_PAUSE
        while True:
            try:
                return self._once(work)
            except DBAPIError as error:
                if disconnected := self.is_disconnected(error):
                    self._close()
                if not (disconnected or _state(error) in DEADLOCK_STATES) or monotonic() > end:
                    raise
                logger.warning("a transaction is repeated: %s", type(error.orig).__name__)
            sleep(pause)
            pause = min(2 * pause, LONGEST_PAUSE)

    def is_disconnected(self, error: BaseException) -> bool:
        """Whether the error that the last transaction raised means that there is no connection to PostgreSQL.

        A missing SQLSTATE does not mean that: the driver refuses values and statements by itself, too.
        """
        if self._engine.dialect.name != POSTGRES or not isinstance(error, DBAPIError):
            return False
        if self._connection is None:
            return isinstance(error, OperationalError)
        return self._connection.invalidated or _state(error).startswith(DISCONNECTED)

    def _once(self, work: Work[Answer]) -> Answer:
        if self._connection is None:
            connection = self._engine.connect().execution_options(**self._options)
            set_limits(connection, self._statement_seconds, LOCK_SECONDS, IDLE_SECONDS)
            self._connection = connection
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
class QueuedWork:
    """Something that is to be done, and who waits for it."""

    about: str
    work: WorkOnAll[Any, Any]
    what: Any
    answer: asyncio.Future[Any]


class BatchQueue:
    """Where all that has come while a desk was busy is done together."""

    def __init__(self, desk: DbThread) -> None:
        self._desk = desk
        self._waiting: list[QueuedWork] = []
        self._working: asyncio.Task[None] | None = None

    async def ask(self, work: WorkOnAll[What, Answer], what: What, about: str = "") -> Answer:
        """Whatever waits for the same work is done by doing it once."""
        answer: asyncio.Future[Answer] = asyncio.get_running_loop().create_future()
        self._waiting.append(QueuedWork(about, work, what, answer))
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

    def _together(self, batch: Sequence[QueuedWork]) -> list[Outcome[Any]]:
        """Do all in one transaction; if one of them makes it fail, each in its own transaction.

        If the database cannot be reached or is locked by another process, all fail without another try.
        """
        works: dict[WorkOnAll[Any, Any], list[QueuedWork]] = {}
        for waiting in batch:
            works.setdefault(waiting.work, []).append(waiting)
        try:
            return self._desk.transaction(lambda db: _done(db, works, batch))
        except Exception as error:
            if len(batch) == 1 or self._desk.is_disconnected(error) or _is_locked(error):
                return [(None, error)] * len(batch)
        return self._one_by_one(batch)

    def _one_by_one(self, batch: Sequence[QueuedWork]) -> list[Outcome[Any]]:
        """Runs each piece of work in a transaction of its own.

        After `RECONNECT_SECONDS` the rest fails with the last error, so that new work gets its turn.
        """
        end, outcomes, last = monotonic() + RECONNECT_SECONDS, list[Outcome[Any]](), None
        for waiting in batch:
            if last is None or monotonic() <= end:
                outcomes += self._together([waiting])
                last = outcomes[-1][1] or last
            else:
                outcomes.append((None, last))
        return outcomes

    async def close(self) -> None:
        """When all that waits is done."""
        if self._working is not None:
            await self._working


def _is_locked(error: Exception) -> bool:
    """Whether another process writes into the file for longer than this one waits."""
    return isinstance(error, OperationalError) and getattr(error.orig, "sqlite_errorcode", None) == SQLITE_BUSY


def _done(
    db: Connection, works: Mapping[WorkOnAll[Any, Any], list[QueuedWork]], batch: Sequence[QueuedWork]
) -> list[Outcome[Any]]:
    """In the order of the batch."""
    found: dict[QueuedWork, Outcome[Any]] = {}
    for work, waiting in works.items():
        found |= zip(waiting, work(db, [each.what for each in waiting]), strict=True)
    return [found[waiting] for waiting in batch]


class DbReader:
    """Whatever one work reads is of one moment."""

    def __init__(self, engine: Engine, desks: int = 1) -> None:
        options = {"isolation_level": "REPEATABLE READ"} if engine.dialect.name == POSTGRES else {}
        self._desks = [DbThread(engine, f"store-reader-{number}", READ_SECONDS, options) for number in range(desks)]
        self._next = cycle(self._desks)
        self._counter = BatchQueue(self._desks[0])

    async def read(self, work: Work[Answer]) -> Answer:
        desk = next(self._next)
        return await desk.ask(lambda: desk.transaction(work))

    async def read_with_others(self, work: WorkOnAll[What, Answer], what: What) -> Answer:
        return await self._counter.ask(work, what)

    def probes(self, work: Work[Any]) -> list[asyncio.Task[Exception | None]]:
        return [desk.probe(work) for desk in self._desks]

    async def close(self) -> None:
        await self._counter.close()
        for desk in self._desks:
            await desk.close()


class DbWriter:
    """Returns when it is on the disk; if it raises, nothing of a work was written.

    Raises `Unwritable` if the reason is the disk and not the work. That is logged when it begins and when it ends.
    """

    unwritable = False
    """Whether the last write failed because nothing can be written."""

    def __init__(self, engine: Engine) -> None:
        self._desk = DbThread(engine, "store", WRITE_SECONDS, {WRITES: True})
        self._counter = BatchQueue(self._desk)

    async def write(self, work: Work[Answer], about: str = "") -> Answer:
        return await self.write_with_others(lambda db, _: [(work(db), None)], None, about)

    async def write_with_others(self, work: WorkOnAll[What, Answer], what: What, about: str = "") -> Answer:
        try:
            answer = await self._counter.ask(work, what, about)
        except DBAPIError as error:
            if not is_unwritable(error):
                raise
            if not self.unwritable:
                self.unwritable = True
                logger.error("nothing can be written to the database: %s", error.orig)
            raise Unwritable from error
        if self.unwritable:
            self.unwritable = False
            logger.info("the database takes writes again")
        return answer

    def probe(self, work: Work[Any]) -> asyncio.Task[Exception | None]:
        return self._desk.probe(work)

    async def close(self) -> None:
        await self._counter.close()
        await self._desk.close()
