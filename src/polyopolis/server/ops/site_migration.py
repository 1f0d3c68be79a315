"""A whole site goes from one database to another: copied row by row, compared, and re-played there."""

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

AT_ONCE = 1_000
"""Rows that are written together."""
COPIED = tuple(found for found in metadata.sorted_tables if found is not nodes)


class MoveProblem(PolyopolisError):
    """A site cannot be moved; says why."""


class Step(Struct, frozen=True):
    """So many rows of so many are copied."""

    done: int
    all: int


def in_use(database: Engine) -> bool:
    """Whether a server beats on it."""
    with database.connect() as db:
        before = _beats(db)
    if before:
        sleep(3 * HEARTBEAT_SECONDS)
    with database.connect() as db:
        return any(before.get(node) != number for node, number in _beats(db).items())


def _beats(db: Connection) -> dict[str, int]:
    return {row.id: row.beats for row in db.execute(select(nodes))}


def move(source: Engine, target: Engine) -> Iterator[Step]:
    """All rows, as they were at one moment, into a database that is empty; all of them or none."""
    options = {"isolation_level": "REPEATABLE READ"} if source.dialect.name == POSTGRES else {}
    with source.connect().execution_options(**options) as old, target.begin() as new, old.begin():
        migrate(new)
        if any(_count(new, found) for found in COPIED):
            raise MoveProblem("the database to move to is not empty")
        done, every = 0, sum(_count(old, found) for found in COPIED)
        for found in COPIED:
            for rows in _parts(old, found):
                new.execute(insert(found), [_at_rest(found, dict(row)) for row in rows])
                done += len(rows)
                yield Step(done, every)
        for found in COPIED:
            if _digest(old, found) != _digest(new, found):
                raise MoveProblem(f"{found.name} is not the same after copying")


def _count(db: Connection, found: Table) -> int:
    return int(db.execute(select(func.count()).select_from(found)).scalar_one())


def _parts(db: Connection, found: Table) -> Iterator[Sequence[RowMapping]]:
    """Never more of them in memory than are written together."""
    rows = db.execute(select(found), execution_options={"yield_per": AT_ONCE})
    return rows.mappings().partitions()


def _at_rest(found: Table, row: dict[str, Any]) -> dict[str, Any]:
    """Bots think nowhere until a server opens."""
    return {**row, "node": ""} if found is errands else row


def _digest(db: Connection, found: Table) -> int:
    """Of all rows, in whatever order a database tells them."""
    prints = (repr(tuple(_at_rest(found, dict(row)).items())) for part in _parts(db, found) for row in part)
    return sum(int.from_bytes(sha256(each.encode()).digest(), "big") for each in prints)
