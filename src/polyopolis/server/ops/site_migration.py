"""Copies a whole site to another database and compares the contents."""

from collections.abc import Iterator, Sequence
from hashlib import sha256
from time import sleep
from typing import Any

from msgspec import Struct
from sqlalchemy import Connection, Engine, RowMapping, Table, func, insert, select

from polyopolis.engine import PolyopolisError
from polyopolis.server.cluster.heartbeat import HEARTBEAT_SECONDS
from polyopolis.server.storage.databases import POSTGRES, migrate
from polyopolis.server.storage.schema import errands, metadata, nodes

PAGE_SIZE = 1_000
"""Rows per statement."""
COPIED = tuple(found for found in metadata.sorted_tables if found is not nodes)


class MigrationProblem(PolyopolisError):
    """The site cannot be copied; the message says why."""


class CopyProgress(Struct, frozen=True):
    """The number of copied rows and of all rows."""

    done: int
    all: int


def in_use(database: Engine) -> bool:
    """Whether a server is running on the database, judging by heartbeats."""
    with database.connect() as db:
        before = _beats(db)
    if before:
        sleep(3 * HEARTBEAT_SECONDS)
    with database.connect() as db:
        return any(before.get(node) != number for node, number in _beats(db).items())


def _beats(db: Connection) -> dict[str, int]:
    return {row.id: row.beats for row in db.execute(select(nodes))}


def copy_site(source: Engine, target: Engine) -> Iterator[CopyProgress]:
    """Copies a snapshot of all rows into an empty database, atomically. Yields the progress."""
    options = {"isolation_level": "REPEATABLE READ"} if source.dialect.name == POSTGRES else {}
    with source.connect().execution_options(**options) as old, target.begin() as new, old.begin():
        migrate(new)
        if any(_count(new, found) for found in COPIED):
            raise MigrationProblem("the database to move to is not empty")
        done, every = 0, sum(_count(old, found) for found in COPIED)
        for found in COPIED:
            for rows in _pages(old, found):
                new.execute(insert(found), [_without_node(found, dict(row)) for row in rows])
                done += len(rows)
                yield CopyProgress(done, every)
        for found in COPIED:
            if _digest(old, found) != _digest(new, found):
                raise MigrationProblem(f"{found.name} is not the same after copying")


def _count(db: Connection, found: Table) -> int:
    return int(db.execute(select(func.count()).select_from(found)).scalar_one())


def _pages(db: Connection, found: Table) -> Iterator[Sequence[RowMapping]]:
    """Reads the rows of a table in pages, to limit memory."""
    rows = db.execute(select(found), execution_options={"yield_per": PAGE_SIZE})
    return rows.mappings().partitions()


def _without_node(found: Table, row: dict[str, Any]) -> dict[str, Any]:
    """Clears the node of bot assignments: no node of the new site computes them yet."""
    return {**row, "node": ""} if found is errands else row


def _digest(db: Connection, found: Table) -> int:
    """Returns a digest of all rows that does not depend on their order."""
    prints = (repr(tuple(_without_node(found, dict(row)).items())) for part in _pages(db, found) for row in part)
    return sum(int.from_bytes(sha256(each.encode()).digest(), "big") for each in prints)
