"""Database threads: one writer and several readers, each with its own connection, so that reads never delay a move.

Writes that arrive during a commit are executed together in the next transaction (group commit); reads of changed tables
are batched in the same way. A call returns after its commit is on disk.
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
from polyopolis.server.storage.databases import POSTGRES, SQLITE_UNWRITABLE, WRITE_OPTION, is_unwritable, set_timeouts

logger = logging.getLogger(__name__)

RECONNECT_SECONDS = 30.0
"""A transaction is retried for this long while the database cannot be reached."""
FIRST_PAUSE_SECONDS, MAX_PAUSE_SECONDS = 0.05, 1.0
READ_TIMEOUT_SECONDS, WRITE_TIMEOUT_SECONDS, LOCK_TIMEOUT_SECONDS, IDLE_TIMEOUT_SECONDS = 30.0, 10.0, 5.0, 60.0
"""Timeouts on PostgreSQL: of reading statements, of writing statements, of waiting for a lock, and of the pause between
two statements of a transaction. SQLite has one writer, which waits for other processes for `busy_timeout`."""
DISCONNECTED_STATES = ("08", "57P0")
"""Prefixes of SQLSTATEs: PostgreSQL has closed the connection, or refuses connections while it starts or stops."""
DEADLOCK_STATES = frozenset(["40001", "40P01"])
"""SQLSTATEs of serialization failures and deadlocks: the transaction must be repeated."""
OVERLOADED_STATES = ("40", "53", "55P03", "57014", *DISCONNECTED_STATES)
"""Prefixes of SQLSTATEs that do not depend on the statement: conflicts, missing resources, expired timeouts."""
SQLITE_OVERLOADED_CODES = SQLITE_UNWRITABLE | {SQLITE_BUSY, SQLITE_LOCKED}

Result = TypeVar("Result")
Work = Callable[[Connection], Result]
Item = TypeVar("Item")
Outcome = tuple[Result | None, Exception | None]
"""The result of a piece of work, or its error."""
BatchWork = Callable[[Connection, Sequence[Item]], Sequence[Outcome[Result]]]
"""Processes all items of a batch in one transaction. An item whose outcome is an error must have changed no rows."""


def _sqlstate(error: DBAPIError) -> str:
    """Returns the SQLSTATE of a PostgreSQL error; empty for SQLite and for errors that the driver raised itself."""
    return getattr(error.orig, "sqlstate", None) or ""


def is_overload(error: object) -> bool:
    """Whether the database was overloaded or unavailable, so that a retry may succeed."""
    if not isinstance(error, OperationalError):
        return False
    if (code := getattr(error.orig, "sqlite_errorcode", None)) is not None:
        return code & 0xFF in SQLITE_OVERLOADED_CODES
    return _sqlstate(error).startswith(OVERLOADED_STATES) or not _sqlstate(error)


class DbThread:
    """A thread with one open connection."""

    def __init__(self, engine: Engine, name: str, statement_seconds: float, options: Mapping[str, Any] = {}) -> None:
        self._engine = engine
        self._statement_seconds = statement_seconds
        self._options = options
        self._executor = ThreadPoolExecutor(1, name)
        self._connection: Connection | None = None
        self._probe: asyncio.Task[Exception | None] | None = None

    async def run(self, work: Callable[[], Result]) -> Result:
        return await asyncio.get_running_loop().run_in_executor(self._executor, work)

    def probe(self, work: Work[Any]) -> asyncio.Task[Exception | None]:
        """Returns a task that runs the work and returns its error, or None.

        One probe runs at a time: while it has not ended, every call returns the same task.
        """
        if self._probe is None or self._probe.done():
            self._probe = asyncio.create_task(self._run_probe(work))
        return self._probe

    async def _run_probe(self, work: Work[Any]) -> Exception | None:
        try:
            await self.run(partial(self.transaction, work))
        except Exception as error:
            return error
        return None

    def transaction(self, work: Work[Result]) -> Result:
        """Runs the work in one transaction, in this thread.

        The transaction is repeated for up to `RECONNECT_SECONDS` if the connection is lost or cannot be made, or on a
        deadlock. The work must be idempotent: when the connection breaks, it is unknown whether the commit has
        arrived. Every other error is raised at once.
        """
        end, pause = monotonic() + RECONNECT_SECONDS, FIRST_PAUSE_SECONDS
        while True:
            try:
                return self._attempt(work)
            except DBAPIError as error:
                if disconnected := self.is_disconnected(error):
                    self._close()
                if not (disconnected or _sqlstate(error) in DEADLOCK_STATES) or monotonic() > end:
                    raise
                logger.warning("a transaction is repeated: %s", type(error.orig).__name__)
            sleep(pause)
            pause = min(2 * pause, MAX_PAUSE_SECONDS)

    def is_disconnected(self, error: BaseException) -> bool:
        """Whether the error that the last transaction raised means that there is no connection to PostgreSQL.

        A missing SQLSTATE alone does not mean that: the driver itself also rejects values and statements.
        """
        if self._engine.dialect.name != POSTGRES or not isinstance(error, DBAPIError):
            return False
        if self._connection is None:
            return isinstance(error, OperationalError)
        return self._connection.invalidated or _sqlstate(error).startswith(DISCONNECTED_STATES)

    def _attempt(self, work: Work[Result]) -> Result:
        if self._connection is None:
            connection = self._engine.connect().execution_options(**self._options)
            set_timeouts(connection, self._statement_seconds, LOCK_TIMEOUT_SECONDS, IDLE_TIMEOUT_SECONDS)
            self._connection = connection
        dialect = self._engine.dialect
        try:
            with self._connection.begin():
                return work(self._connection)
        except dialect.loaded_dbapi.Error as error:  # from a statement that was passed to the driver directly
            raise DBAPIError.instance(None, None, error, dialect.loaded_dbapi.Error, dialect=dialect) from error

    async def close(self) -> None:
        await self.run(self._close)
        self._executor.shutdown()

    def _close(self) -> None:
        if self._connection is not None:
            self._connection.close()
            self._connection = None


@dataclass(frozen=True, eq=False)
class QueuedWork:
    """A piece of work in the queue and the future of its result."""

    key: str
    work: BatchWork[Any, Any]
    item: Any
    answer: asyncio.Future[Any]


class BatchQueue:
    """Collects the work that arrives while a transaction runs and executes it in the next one (group commit)."""

    def __init__(self, thread: DbThread) -> None:
        self._thread = thread
        self._waiting: list[QueuedWork] = []
        self._working: asyncio.Task[None] | None = None

    async def submit(self, work: BatchWork[Item, Result], item: Item, key: str = "") -> Result:
        """Queues an item and returns its result. Items with the same `work` function are passed to one call of it."""
        answer: asyncio.Future[Result] = asyncio.get_running_loop().create_future()
        self._waiting.append(QueuedWork(key, work, item, answer))
        if self._working is None:
            self._working = asyncio.create_task(self._work())
        return await answer

    async def _work(self) -> None:
        while self._waiting:
            # sorted, so that writers of several nodes lock rows in the same order and do not deadlock
            batch, self._waiting = sorted(self._waiting, key=attrgetter("key")), []
            outcomes = await self._thread.run(partial(self._run_together, batch))
            for waiting, (value, error) in zip(batch, outcomes, strict=True):
                if waiting.answer.cancelled():
                    continue
                if error is not None:
                    waiting.answer.set_exception(error)
                else:
                    waiting.answer.set_result(value)
        self._working = None

    def _run_together(self, batch: Sequence[QueuedWork]) -> list[Outcome[Any]]:
        """Runs all work in one transaction; if that fails, each piece in a transaction of its own.

        If the database cannot be reached or is locked by another process, all fail without a second attempt.
        """
        works: dict[BatchWork[Any, Any], list[QueuedWork]] = {}
        for waiting in batch:
            works.setdefault(waiting.work, []).append(waiting)
        try:
            return self._thread.transaction(lambda db: _run_batch(db, works, batch))
        except Exception as error:
            if len(batch) == 1 or self._thread.is_disconnected(error) or _is_locked(error):
                return [(None, error)] * len(batch)
        return self._run_separately(batch)

    def _run_separately(self, batch: Sequence[QueuedWork]) -> list[Outcome[Any]]:
        """Runs each piece of work in a transaction of its own.

        After `RECONNECT_SECONDS` the rest fails with the last error, so that new work is not blocked.
        """
        end, outcomes, last = monotonic() + RECONNECT_SECONDS, list[Outcome[Any]](), None
        for waiting in batch:
            if last is None or monotonic() <= end:
                outcomes += self._run_together([waiting])
                last = outcomes[-1][1] or last
            else:
                outcomes.append((None, last))
        return outcomes

    async def close(self) -> None:
        """Waits until the queue is empty."""
        if self._working is not None:
            await self._working


def _is_locked(error: Exception) -> bool:
    """Whether another process has held the write lock of the SQLite file for longer than `busy_timeout`."""
    return isinstance(error, OperationalError) and getattr(error.orig, "sqlite_errorcode", None) == SQLITE_BUSY


def _run_batch(
    db: Connection, works: Mapping[BatchWork[Any, Any], list[QueuedWork]], batch: Sequence[QueuedWork]
) -> list[Outcome[Any]]:
    """Returns the outcomes in the order of the batch."""
    found: dict[QueuedWork, Outcome[Any]] = {}
    for work, waiting in works.items():
        found |= zip(waiting, work(db, [each.item for each in waiting]), strict=True)
    return [found[waiting] for waiting in batch]


class DbReader:
    """Reader threads. Each piece of work reads one consistent snapshot."""

    def __init__(self, engine: Engine, threads: int = 1) -> None:
        options = {"isolation_level": "REPEATABLE READ"} if engine.dialect.name == POSTGRES else {}
        self._threads = [
            DbThread(engine, f"store-reader-{number}", READ_TIMEOUT_SECONDS, options) for number in range(threads)
        ]
        self._next = cycle(self._threads)
        self._queue = BatchQueue(self._threads[0])

    async def read(self, work: Work[Result]) -> Result:
        thread = next(self._next)
        return await thread.run(lambda: thread.transaction(work))

    async def read_batched(self, work: BatchWork[Item, Result], item: Item) -> Result:
        return await self._queue.submit(work, item)

    def probes(self, work: Work[Any]) -> list[asyncio.Task[Exception | None]]:
        return [thread.probe(work) for thread in self._threads]

    async def close(self) -> None:
        await self._queue.close()
        for thread in self._threads:
            await thread.close()


class DbWriter:
    """The writer thread. A write returns after its commit is on disk; if it raises, no part of it was written.

    Raises `Unwritable` if the database cannot be written (such as a full disk); logs when that begins and ends.
    """

    unwritable = False
    """Whether the last write failed because the database cannot be written."""

    def __init__(self, engine: Engine) -> None:
        self._thread = DbThread(engine, "store", WRITE_TIMEOUT_SECONDS, {WRITE_OPTION: True})
        self._queue = BatchQueue(self._thread)

    async def write(self, work: Work[Result], key: str = "") -> Result:
        return await self.write_batched(lambda db, _: [(work(db), None)], None, key)

    async def write_batched(self, work: BatchWork[Item, Result], item: Item, key: str = "") -> Result:
        try:
            answer = await self._queue.submit(work, item, key)
        except DBAPIError as error:
            if not is_unwritable(error):
                raise
            if not self.unwritable:
                self.unwritable = True
                logger.error("the database cannot be written: %s", error.orig)
            raise Unwritable from error
        if self.unwritable:
            self.unwritable = False
            logger.info("the database can be written again")
        return answer

    def probe(self, work: Work[Any]) -> asyncio.Task[Exception | None]:
        return self._thread.probe(work)

    async def close(self) -> None:
        await self._queue.close()
        await self._thread.close()
