"""Stores people, tables, seats, matches and their logs in one database."""

import asyncio
import secrets
import shutil
from collections.abc import Iterable, Mapping, Sequence
from itertools import chain
from pathlib import Path

import msgspec
from sqlalchemy import Connection, delete

from polyopolis.play.entities import (
    CatchUp,
    LogEntry,
    MatchEntity,
    MatchUpdate,
    Outage,
    SeatEntity,
    SeatTurn,
    StoredMatch,
    TableChange,
    TableEntity,
    as_json,
)
from polyopolis.play.errors import Unwritable
from polyopolis.play.outages import latest_heartbeat, outage_since
from polyopolis.play.protocols import TableAttendance
from polyopolis.play.timing.pace import DAY
from polyopolis.server.storage import statements
from polyopolis.server.storage.change_reader import ChangeReader, ReadPosition
from polyopolis.server.storage.databases import engine_of, is_shared, lift_timeouts, migrate
from polyopolis.server.storage.db_threads import DbReader, DbWriter
from polyopolis.server.storage.match_results import store_results
from polyopolis.server.storage.move_writer import MoveWriter, TableMatchUpdate
from polyopolis.server.storage.row_mapping import MAX_IDS_PER_STATEMENT, column_values, read_rows, read_tables
from polyopolis.server.storage.schema import TABLE_COLUMNS, tables

READER_THREADS = 2
"""Reader threads on PostgreSQL, which executes queries concurrently."""
OUTAGE_RETENTION_MS = 400 * DAY
"""Outages are remembered for this long."""
MIN_FREE_BYTES = 1024 * 1024
"""Free space at which a disk no longer counts as full."""
MAX_ADOPTED_TABLES = 50
"""Tables that a node takes over in one transaction."""


class DatabaseMatchRepository:
    """A `MatchRepository` in a database: a SQLite file (a path) or a PostgreSQL database (an address)."""

    def __init__(self, database: Path | str) -> None:
        self._file = database if isinstance(database, Path) else None
        if self._file:
            self._file.parent.mkdir(parents=True, exist_ok=True)
        self._engine = engine_of(database)
        self._move_writer = MoveWriter(self._engine.dialect)
        self._change_reader = ChangeReader(self._engine.dialect)
        self._writer = DbWriter(self._engine)
        self._reader = DbReader(self._engine, READER_THREADS if is_shared(database) else 1)
        self.write, self.read = self._writer.write, self._reader.read

    async def open(self) -> None:
        """Migrates the database to the newest schema."""
        await self.write(migrate)

    async def close(self) -> None:
        await self._writer.close()
        await self._reader.close()
        self._engine.dispose()

    @property
    def threads(self) -> tuple[DbWriter, DbReader]:
        """The writer and the reader, for other repositories in the same database."""
        return self._writer, self._reader

    def probes(self) -> list[asyncio.Task[Exception | None]]:
        """Starts a query in each database thread. The result of a task is the error of its query, or None."""

        def work(db: Connection) -> None:
            db.execute(statements.NAME, {"of_person": ""})

        return [self._writer.probe(work), *self._reader.probes(work)]

    async def check_writable(self) -> None:
        """Raises `Unwritable` while the database cannot be written.

        Writes a row only if the last write failed for this reason, to detect when there is space again. The SQLite log
        may have room for a row while the disk is full, so for a file `MIN_FREE_BYTES` must be free as well.
        """
        if self._writer.unwritable:
            if self._file and shutil.disk_usage(self._file.parent).free < MIN_FREE_BYTES:
                raise Unwritable
            await self.write(lambda db: db.execute(statements.TOUCH_ROW))

    # Secrets, names, codes

    async def secret(self, name: str) -> bytes:
        """Returns a secret of the server, which is created on first use."""

        def work(db: Connection) -> bytes:
            db.execute(statements.ADD_SECRET, {"name": name, "value": secrets.token_bytes(32)})
            return bytes(db.execute(statements.SECRET, {"of_name": name}).scalar_one())

        return await self.write(work)

    async def remember(self, person: str, name: str) -> None:
        """Stores the latest name of a person."""
        await self.write(lambda db: db.execute(statements.SET_NAME, {"id": person, "name": name}), person)

    async def name_of(self, person: str) -> str | None:
        return await self.read(lambda db: db.execute(statements.NAME, {"of_person": person}).scalar())

    async def add_code(self, code: str, table: str, seat: int, expires: int) -> None:
        values = {"code": code, "table": table, "seat": seat, "expires": expires}
        await self.write(lambda db: db.execute(statements.ADD_CODE, values), table)

    async def use_code(self, code: str, now: int) -> tuple[str, int] | None:
        """Returns the table and seat of a code and deletes the code; None if it does not exist or has expired."""
        about = {"of_code": code, "now": now}

        def work(db: Connection) -> tuple[str, int] | None:
            found = db.execute(statements.CODE, about).one_or_none()
            db.execute(statements.USE_CODE, about)
            return (found.table, found.seat) if found else None

        return await self.write(work)

    # Tables

    async def create(self, row: TableEntity, logs: Sequence[tuple[LogEntry, ...]] = ()) -> None:
        """Stores a new table with its imported matches and their logs. No effect if the table exists."""

        def work(db: Connection) -> None:
            own = {name: value for name, value in column_values(row).items() if name in tables.c}
            if db.execute(statements.ADD_TABLE, own).scalar():  # else an earlier attempt was committed
                db.execute(statements.ADD_SEAT, [{"table": row.id, **column_values(seat)} for seat in row.seats])
                for match, log in zip(row.matches, logs, strict=True):
                    db.execute(statements.ADD_MATCH, {"table": row.id, **column_values(match)})
                    self._move_writer.log(db, row.id, match.number, log)

        await self.write(work, row.id)

    async def table(self, table: str) -> TableEntity | None:
        return await self.read(lambda db: next(iter(read_tables(db, [table], statements.MATCHES)), None))

    async def all_tables(self) -> tuple[str, ...]:
        return await self.read(lambda db: tuple(db.execute(statements.ALL_TABLES).scalars()))

    async def tables_of(self, person: str, most: int) -> tuple[TableEntity, ...]:
        """Returns the tables where a person has a seat, the last changed first, each with its newest match only. Tables
        that the person has removed from their list are left out."""
        about = {"of_person": person, "most": most}
        return await self.read(
            lambda db: read_tables(
                db, db.execute(statements.TABLES_OF_PERSON, about).scalars().all(), statements.NEWEST_MATCHES
            )
        )

    async def tables_with_others(self, person: str, most: int) -> tuple[TableEntity, ...]:
        """Returns those of `tables_of` where another person has a seat and the newest match is not over or has an open
        request; the least recently changed first."""
        about = {"of_person": person, "most": most}
        return await self.read(
            lambda db: read_tables(
                db, db.execute(statements.TABLES_WITH_OTHERS, about).scalars().all(), statements.NEWEST_MATCHES
            )
        )

    async def unlist(self, person: str, table: str, changed: int) -> None:
        """Removes a table from a person's list until it changes. `changed` is its last change that they have seen."""
        about = {"person": person, "table": table, "time": changed}
        await self.write(lambda db: db.execute(statements.UNLIST, about), table)

    async def relist(self, person: str, table: str) -> None:
        await self.write(lambda db: db.execute(statements.RELIST, {"of_person": person, "of_table": table}), table)

    async def open_tables(self, since: int, most: int) -> tuple[TableEntity, ...]:
        about = {"since": since, "most": most}
        return await self.read(
            lambda db: read_tables(
                db, db.execute(statements.OPEN_TABLES, about).scalars().all(), statements.NEWEST_MATCHES
            )
        )

    async def is_turned_away(self, table: str, person: str) -> bool:
        about = {"of_table": table, "of_person": person}
        return await self.read(lambda db: db.execute(statements.TURNED_AWAY, about).scalar() is not None)

    async def turned_away_from(self, tables: Sequence[str], person: str) -> frozenset[str]:
        about = {"of_tables": list(tables), "of_person": person}
        return await self.read(lambda db: frozenset(db.execute(statements.TURNED_AWAY_FROM, about).scalars()))

    async def rests_of(self, person: str) -> Mapping[tuple[str, int], str]:
        """Returns a person's rest hours and vacations as JSON, by table and seat."""
        about = {"of_person": person}
        return await self.read(
            lambda db: {(row.table, row.seat): row.rest for row in db.execute(statements.RESTS_OF_PERSON, about)}
        )

    async def best_score(self, person: str, game: str, kind: str, but: tuple[str, int]) -> int | None:
        about = {"of_person": person, "of_game": game, "of_kind": kind, "of_table": but[0], "of_match": but[1]}
        return await self.read(lambda db: db.execute(statements.BEST_SCORE, about).scalar())

    # Changes of a table

    async def seat(self, table: str, row: SeatEntity, playing: MatchEntity | None, entry: TableChange) -> None:
        """Stores a changed seat and the players of the running match."""

        def work(db: Connection) -> None:
            self._move_writer.change(db, table, entry)
            about = {"of_table": table, "of_seat": row.seat}
            if db.execute(statements.PERSON_AT_SEAT, about).scalar() != row.person:
                db.execute(statements.DROP_CODES, about)
            db.execute(statements.CHANGE_SEAT, about | column_values(row))
            if entry.turned_away:
                db.execute(statements.TURN_AWAY, {"table": table, "person": entry.turned_away})
            if playing:
                _change_match(db, table, playing)

        await self.write(work, table)

    async def arrange(self, table: str, invites: str | None, talk: bool, entry: TableChange) -> None:
        """Stores who is invited and whether chat is allowed."""

        def work(db: Connection) -> None:
            self._move_writer.change(db, table, entry)
            db.execute(statements.CHANGE_INVITATION, {"of_table": table, "invites": invites, "talk": talk})

        await self.write(work, table)

    async def start(self, table: str, row: MatchEntity, log: tuple[LogEntry, ...], entry: TableChange) -> None:
        """Stores a new match of the chain with its first log entries."""

        def work(db: Connection) -> None:
            self._move_writer.change(db, table, entry)
            db.execute(statements.ADD_MATCH, {"table": table, **column_values(row)})
            self._move_writer.log(db, table, row.number, log)

        await self.write(work, table)

    async def append(self, table: str, happened: MatchUpdate, entry: TableChange) -> None:
        """Stores all effects of one message atomically."""
        await self._writer.write_batched(self._move_writer.append, TableMatchUpdate(table, happened, entry), table)

    # Reading matches

    async def match(self, table: str, number: int) -> StoredMatch | None:
        about = {"of_table": table, "of_match": number}

        def work(db: Connection) -> StoredMatch | None:
            rows = read_rows(db, MatchEntity, statements.MATCH, about)
            if not rows:
                return None
            return StoredMatch(
                rows[0],
                read_rows(db, LogEntry, statements.LOG, about),
                read_rows(db, SeatTurn, statements.TURNS, about),
            )

        return await self.read(work)

    async def later(self, table: str, match: int, number: int) -> CatchUp | None:
        """Returns the table with the log rows after the first `number` of this match, or all rows of a newer match."""
        return await self._reader.read_batched(self._change_reader.read_changes, ReadPosition(table, match, number))

    async def versions(self, tables: Sequence[str]) -> Mapping[str, int]:
        def work(db: Connection) -> Mapping[str, int]:
            parts = (
                tables[first : first + MAX_IDS_PER_STATEMENT] for first in range(0, len(tables), MAX_IDS_PER_STATEMENT)
            )
            return {
                row.id: row.version for part in parts for row in db.execute(statements.VERSIONS, {"of_tables": part})
            }

        return await self.read(work)

    async def unstamped(self) -> tuple[tuple[str, int], ...]:
        """Returns the matches of old versions that lack the versions of rules and content."""

        def work(db: Connection) -> tuple[tuple[str, int], ...]:
            lift_timeouts(db)
            return tuple((row.table, row.number) for row in db.execute(statements.UNSTAMPED))

        return await self.read(work)

    async def stamp(self, table: str, row: MatchEntity) -> None:
        """Stores the derived columns of a match, and its results if it is over."""

        def work(db: Connection) -> None:
            _change_match(db, table, row)
            store_results(db, table, row.number)

        await self.write(work, table)

    # Nodes, presence, bot assignments

    async def beat(self, node: str) -> Mapping[str, int]:
        """Increments the counter of this node and returns the counters of all nodes."""

        def work(db: Connection) -> Mapping[str, int]:
            db.execute(statements.COUNT_BEAT, {"of_node": node})
            return {row.id: row.beats for row in db.execute(statements.BEATS)}

        return await self.write(work)

    async def remove_node(self, node: str, at: int | None = None) -> None:
        """Deletes a node and its presence; with `at` only if its counter still has this value."""
        statement = (
            (statements.DELETE_NODE, {"of_node": node})
            if at is None
            else (statements.DELETE_DEAD_NODE, {"of_node": node, "at": at})
        )

        def work(db: Connection) -> None:
            if db.execute(*statement).rowcount:
                db.execute(statements.DELETE_NODE_PRESENCE, {"of_node": node})

        await self.write(work)

    async def alive(self, now: int, silence: int) -> tuple[Outage, ...]:
        """Records that the site is up and returns its recent outages. If the last sign of life is older than `silence`
        milliseconds, the time since then is recorded as an outage."""

        def work(db: Connection) -> tuple[Outage, ...]:
            last = db.execute(statements.LAST_SIGN).scalar()
            if found := outage_since(last, now, silence):
                db.execute(statements.ADD_OUTAGE, column_values(found))
            db.execute(statements.UPDATE_LAST_SIGN, {"now": latest_heartbeat(last, now)})
            return read_rows(db, Outage, statements.OUTAGES, {"since": now - OUTAGE_RETENTION_MS})

        return await self.write(work)

    async def outage(self, outage: Outage) -> None:
        await self.write(lambda db: db.execute(statements.ADD_OUTAGE, column_values(outage)))

    async def clocked(self) -> tuple[str, ...]:
        """Returns the tables where a clock runs."""
        return await self.read(lambda db: tuple(db.execute(statements.CLOCKED).scalars()))

    async def present(self, node: str, crowds: Mapping[str, TableAttendance]) -> None:
        """Stores the attendance of tables at this node."""

        def work(db: Connection) -> None:
            for table, crowd in sorted(crowds.items()):
                if crowd == TableAttendance():
                    db.execute(statements.DELETE_PRESENCE, {"of_node": node, "of_table": table})
                else:
                    people, watching = as_json(sorted(crowd.people)), as_json(sorted(crowd.watching))
                    values = {"people": people, "unknown": crowd.unknown, "watching": watching}
                    db.execute(statements.SET_PRESENCE, {"node": node, "table": table, **values})

        await self.write(work)

    async def crowd(self, table: str, but: str = "") -> TableAttendance:
        """Returns the attendance of a table at all nodes except `but`."""

        def work(db: Connection) -> TableAttendance:
            rows = db.execute(statements.PRESENCE_ELSEWHERE, {"of_node": but, "of_table": table}).all()
            people, watching = _merged_names(row.people for row in rows), _merged_names(row.watching for row in rows)
            return TableAttendance(people, sum(row.unknown for row in rows), watching)

        return await self.read(work)

    async def adopt(self, node: str) -> tuple[str, ...]:
        """Assigns bot turns of dead nodes to this node and returns their tables."""
        about = {"of_node": node, "node": node, "most": MAX_ADOPTED_TABLES}
        return await self.write(lambda db: tuple(db.execute(statements.ADOPT_ASSIGNMENTS, about).scalars()))

    async def rest(self, table: str, node: str) -> None:
        """Deletes the bot assignment of a table to this node."""
        await self.write(
            lambda db: db.execute(statements.DELETE_ASSIGNMENT, {"of_table": table, "of_node": node}), table
        )


def remove_table(db: Connection, table: str) -> None:
    """Deletes a table with all rows that refer to it."""
    for found, column in reversed(TABLE_COLUMNS):
        db.execute(delete(found).where(found.c[column] == table))


def _merged_names(lists: Iterable[str]) -> frozenset[str]:
    return frozenset(chain.from_iterable(msgspec.json.decode(names, type=list[str]) for names in lists))


def _change_match(db: Connection, table: str, row: MatchEntity) -> None:
    db.execute(statements.CHANGE_MATCH, {"of_table": table, "of_match": row.number, **column_values(row)})
