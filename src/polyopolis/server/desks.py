"""Who writes into the database and who reads in it: a thread and a connection each, so that no move waits for a reader.

What waits to be written while a commit is on its way to the disk is written together, in the next one. A commit is on
the disk before anybody is told.
"""

import asyncio
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import Any, TypeVar

from sqlalchemy import Connection, Engine
from sqlalchemy.exc import OperationalError

Answer = TypeVar("Answer")
Work = Callable[[Connection], Answer]
Outcome = tuple[Any, Exception | None]
"""What came of a piece of work: an answer, or an error."""


class Desk:
    """A thread that keeps one connection open."""

    def __init__(self, engine: Engine, name: str) -> None:
        self._engine = engine
        self._thread = ThreadPoolExecutor(1, name)
        self._connection: Connection | None = None

    async def ask(self, work: Callable[[], Answer]) -> Answer:
        return await asyncio.get_running_loop().run_in_executor(self._thread, work)

    def transaction(self, work: Work[Answer]) -> Answer:
        """In the thread: all of it or nothing."""
        if self._connection is None:
            self._connection = self._engine.connect()
        with self._connection.begin():
            return work(self._connection)

    async def close(self) -> None:
        await self.ask(self._close)
        self._thread.shutdown()

    def _close(self) -> None:
        if self._connection is not None:
            self._connection.close()


class Reader:
    def __init__(self, engine: Engine) -> None:
        self._desk = Desk(engine, "store-reader")

    async def read(self, work: Work[Answer]) -> Answer:
        return await self._desk.ask(lambda: self._desk.transaction(work))

    async def close(self) -> None:
        await self._desk.close()


class Writer:
    def __init__(self, engine: Engine) -> None:
        self._desk = Desk(engine, "store")
        self._waiting: list[tuple[Work[Any], asyncio.Future[Any]]] = []
        self._writing: asyncio.Task[None] | None = None

    async def write(self, work: Work[Answer]) -> Answer:
        """Returns when it is on the disk; if it raises, nothing of this work was written."""
        answer: asyncio.Future[Answer] = asyncio.get_running_loop().create_future()
        self._waiting.append((work, answer))
        if self._writing is None:
            self._writing = asyncio.create_task(self._write_all())
        return await answer

    async def _write_all(self) -> None:
        while self._waiting:
            batch, self._waiting = self._waiting, []
            works = [work for work, _ in batch]
            outcomes = await self._desk.ask(partial(self._together, works))
            for (_, answer), (value, error) in zip(batch, outcomes, strict=True):
                if answer.cancelled():
                    continue
                if error is not None:
                    answer.set_exception(error)
                else:
                    answer.set_result(value)
        self._writing = None

    def _together(self, works: Sequence[Work[Any]]) -> list[Outcome]:
        """All in one transaction; if one of them is refused, each in its own, so that the others do not pay for it."""
        try:
            return [(value, None) for value in self._desk.transaction(lambda db: [work(db) for work in works])]
        except OperationalError as error:  # the database, not the work: nobody else would fare better
            return [(None, error)] * len(works)
        except Exception as error:
            return [(None, error)] if len(works) == 1 else [self._together([work])[0] for work in works]

    async def close(self) -> None:
        """When all that waits is written."""
        if self._writing is not None:
            await self._writing
        await self._desk.close()
