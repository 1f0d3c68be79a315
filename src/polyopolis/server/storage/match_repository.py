"""What is never lost: people, tables, seats, matches and their logs, in one database."""

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
from polyopolis.server.storage.databases import engine_of, is_shared, migrate, without_limits
from polyopolis.server.storage.db_threads import DbReader, DbWriter
from polyopolis.server.storage.match_results import store_results
from polyopolis.server.storage.move_writer import MoveWriter, TableMatchUpdate
from polyopolis.server.storage.row_mapping import AT_ONCE, fields, read, read_tables
from polyopolis.server.storage.schema import OF_TABLE, tables

READERS = 2
"""Where the database is another process that reads for several at once."""
OUTAGES_LAST = 400 * DAY
"""Milliseconds for which it is known when no server was there."""
ROOM = 1024 * 1024
"""Bytes that are free on a disk that is not full any more."""
ADOPTED = 50
"""Tables that are taken over at once."""


class DatabaseMatchRepository:
    """A `Keeper` in a database."""

    def __init__(self, database: Path | str) -> None:
        """A file, or the address of a PostgreSQL."""
        self._file = database if isinstance(database, Path) else None
        if self._file:
            self._file.parent.mkdir(parents=True, exist_ok=True)
        self._engine = engine_of(database)
        self._moving = MoveWriter(self._engine.dialect)
        self._following = ChangeReader(self._engine.dialect)
        self._writer = DbWriter(self._engine)
        self._reader = DbReader(self._engine, READERS if is_shared(database) else 1)
        self.write, self.read = self._writer.write, self._reader.read

    async def open(self) -> None:
        """Brings the database to the newest schema."""
        await self.write(migrate)

    async def close(self) -> None:
        await self._writer.close()
        await self._reader.close()
        self._engine.dispose()

    @property
    def desks(self) -> tuple[DbWriter, DbReader]:
        """For those who keep something else in the same database."""
        return self._writer, self._reader

    def probes(self) -> list[asyncio.Task[Exception | None]]:
        """A query in each database thread. The result of a task is the error of its query."""

        def work(db: Connection) -> None:
            db.execute(statements.NAME, {"of_person": ""})

        return [self._writer.probe(work), *self._reader.probes(work)]

    async def check_writable(self) -> None:
        """Raises `Unwritable` while nothing can be written.

        Nothing is written to find that out unless the last write has failed for this reason: then a row is, so that it
        is noticed when there is room again. The log of SQLite has room for a row before the disk has any, so a file
        needs `ROOM` beside it, too.
        """
        if self._writer.unwritable:
            if self._file and shutil.disk_usage(self._file.parent).free < ROOM:
                raise Unwritable
            await self.write(lambda db: db.execute(statements.TOUCH))

    # Secrets, names, codes

    async def secret(self, name: str) -> bytes:
        """A secret of the server, made when it is first asked for and kept."""

        def work(db: Connection) -> bytes:
            db.execute(statements.KEEP_SECRET, {"name": name, "value": secrets.token_bytes(32)})
            return bytes(db.execute(statements.SECRET, {"of_name": name}).scalar_one())

        return await self.write(work)

    async def remember(self, person: str, name: str) -> None:
        """How somebody was called last."""
        await self.write(lambda db: db.execute(statements.REMEMBER, {"id": person, "name": name}), person)

    async def name_of(self, person: str) -> str | None:
        return await self.read(lambda db: db.execute(statements.NAME, {"of_person": person}).scalar())

    async def add_code(self, code: str, table: str, seat: int, expires: int) -> None:
        values = {"code": code, "table": table, "seat": seat, "expires": expires}
        await self.write(lambda db: db.execute(statements.ADD_CODE, values), table)

    async def use_code(self, code: str, now: int) -> tuple[str, int] | None:
        """The table and the seat of a code, which works once."""
        about = {"of_code": code, "now": now}

        def work(db: Connection) -> tuple[str, int] | None:
            found = db.execute(statements.CODE, about).one_or_none()
            db.execute(statements.USE_CODE, about)
            return (found.table, found.seat) if found else None

        return await self.write(work)

    # Tables

    async def create(self, row: TableEntity, logs: Sequence[tuple[LogEntry, ...]] = ()) -> None:
        """With the matches that were played elsewhere, and what happened in each. Nothing happens if it is there."""

        def work(db: Connection) -> None:
            own = {name: value for name, value in fields(row).items() if name in tables.c}
            if db.execute(statements.ADD_TABLE, own).scalar():  # else it was added, before the connection broke
                db.execute(statements.ADD_SEAT, [{"table": row.id, **fields(seat)} for seat in row.seats])
                for match, log in zip(row.matches, logs, strict=True):
                    db.execute(statements.ADD_MATCH, {"table": row.id, **fields(match)})
                    self._moving.log(db, row.id, match.number, log)

        await self.write(work, row.id)

    async def table(self, table: str) -> TableEntity | None:
        return await self.read(lambda db: next(iter(read_tables(db, [table], statements.MATCHES)), None))

    async def all_tables(self) -> tuple[str, ...]:
        return await self.read(lambda db: tuple(db.execute(statements.ALL_TABLES).scalars()))

    async def tables_of(self, person: str, most: int) -> tuple[TableEntity, ...]:
        """Where somebody has a seat, the last changed first, each with its newest match alone. Those that they have
        taken off their list are left out."""
        about = {"of_person": person, "most": most}
        return await self.read(
            lambda db: read_tables(db, db.execute(statements.OF_PERSON, about).scalars().all(), statements.NEWEST)
        )

    async def tables_with_others(self, person: str, most: int) -> tuple[TableEntity, ...]:
        """Of these, where somebody else has a seat, too, and the newest match is not over or something is asked after
        it; what was changed longest ago first."""
        about = {"of_person": person, "most": most}
        return await self.read(
            lambda db: read_tables(db, db.execute(statements.WITH_OTHERS, about).scalars().all(), statements.NEWEST)
        )

    async def unlist(self, person: str, table: str, changed: int) -> None:
        """Somebody takes a table that was changed last then off their list, until something happens there. Nothing else
        changes."""
        about = {"person": person, "table": table, "time": changed}
        await self.write(lambda db: db.execute(statements.UNLIST, about), table)

    async def relist(self, person: str, table: str) -> None:
        await self.write(lambda db: db.execute(statements.RELIST, {"of_person": person, "of_table": table}), table)

    async def open_tables(self, since: int, most: int) -> tuple[TableEntity, ...]:
        about = {"since": since, "most": most}
        return await self.read(
            lambda db: read_tables(db, db.execute(statements.OPEN, about).scalars().all(), statements.NEWEST)
        )

    async def is_turned_away(self, table: str, person: str) -> bool:
        about = {"of_table": table, "of_person": person}
        return await self.read(lambda db: db.execute(statements.TURNED_AWAY, about).scalar() is not None)

    async def turned_away_from(self, tables: Sequence[str], person: str) -> frozenset[str]:
        about = {"of_tables": list(tables), "of_person": person}
        return await self.read(lambda db: frozenset(db.execute(statements.TURNED_AWAY_FROM, about).scalars()))

    async def rests_of(self, person: str) -> Mapping[tuple[str, int], str]:
        """When somebody wants no clock to run, as JSON, by the tables and seats where they have said so."""
        about = {"of_person": person}
        return await self.read(
            lambda db: {(row.table, row.seat): row.rest for row in db.execute(statements.RESTS, about)}
        )

    async def best_score(self, person: str, game: str, kind: str, but: tuple[str, int]) -> int | None:
        about = {"of_person": person, "of_game": game, "of_kind": kind, "of_table": but[0], "of_match": but[1]}
        return await self.read(lambda db: db.execute(statements.BEST_SCORE, about).scalar())

    # Changes of a table

    async def seat(self, table: str, row: SeatEntity, playing: MatchEntity | None, entry: TableChange) -> None:
        """Who sits where now, and so who plays the match that is not over."""

        def work(db: Connection) -> None:
            self._moving.change(db, table, entry)
            about = {"of_table": table, "of_seat": row.seat}
            if db.execute(statements.SEATED, about).scalar() != row.person:
                db.execute(statements.DROP_CODES, about)
            db.execute(statements.CHANGE_SEAT, about | fields(row))
            if entry.turned_away:
                db.execute(statements.TURN_AWAY, {"table": table, "person": entry.turned_away})
            if playing:
                _change_match(db, table, playing)

        await self.write(work, table)

    async def arrange(self, table: str, invites: str | None, talk: bool, entry: TableChange) -> None:
        """Who is invited, and whether people may write to each other."""

        def work(db: Connection) -> None:
            self._moving.change(db, table, entry)
            db.execute(statements.ARRANGE, {"of_table": table, "invites": invites, "talk": talk})

        await self.write(work, table)

    async def start(self, table: str, row: MatchEntity, log: tuple[LogEntry, ...], entry: TableChange) -> None:
        """A new match of the chain, with its first moves."""

        def work(db: Connection) -> None:
            self._moving.change(db, table, entry)
            db.execute(statements.ADD_MATCH, {"table": table, **fields(row)})
            self._moving.log(db, table, row.number, log)

        await self.write(work, table)

    async def append(self, table: str, happened: MatchUpdate, entry: TableChange) -> None:
        """What one message led to, as a whole or not at all."""

        await self._writer.write_with_others(self._moving.append, TableMatchUpdate(table, happened, entry), table)

    # What was kept

    async def match(self, table: str, number: int) -> StoredMatch | None:
        about = {"of_table": table, "of_match": number}

        def work(db: Connection) -> StoredMatch | None:
            rows = read(db, MatchEntity, statements.MATCH, about)
            if not rows:
                return None
            return StoredMatch(
                rows[0], read(db, LogEntry, statements.LOG, about), read(db, SeatTurn, statements.TURNS, about)
            )

        return await self.read(work)

    async def later(self, table: str, match: int, number: int) -> CatchUp | None:
        """As it is now: of this match what came after so many log rows, of a newer one everything."""
        return await self._reader.read_with_others(self._following.later, ReadPosition(table, match, number))

    async def versions(self, tables: Sequence[str]) -> Mapping[str, int]:
        def work(db: Connection) -> Mapping[str, int]:
            parts = (tables[first : first + AT_ONCE] for first in range(0, len(tables), AT_ONCE))
            return {
                row.id: row.version for part in parts for row in db.execute(statements.VERSIONS, {"of_tables": part})
            }

        return await self.read(work)

    async def unstamped(self) -> tuple[tuple[str, int], ...]:
        """Matches from before rules and content were written down."""

        def work(db: Connection) -> tuple[tuple[str, int], ...]:
            without_limits(db)
            return tuple((row.table, row.number) for row in db.execute(statements.UNSTAMPED))

        return await self.read(work)

    async def stamp(self, table: str, row: MatchEntity) -> None:
        """Writes what follows from the moves of a match beside them, and its results if it is over."""

        def work(db: Connection) -> None:
            _change_match(db, table, row)
            store_results(db, table, row.number)

        await self.write(work, table)

    # Who is alive, who thinks

    async def beat(self, node: str) -> Mapping[str, int]:
        """This node lives; the beats of all that say so."""

        def work(db: Connection) -> Mapping[str, int]:
            db.execute(statements.BEAT, {"of_node": node})
            return {row.id: row.beats for row in db.execute(statements.BEATS)}

        return await self.write(work)

    async def bury(self, node: str, at: int | None = None) -> None:
        """A node is gone; nothing happens if it has beaten again since."""
        buried = (
            (statements.BURY, {"of_node": node}) if at is None else (statements.BURY_AT, {"of_node": node, "at": at})
        )

        def work(db: Connection) -> None:
            if db.execute(*buried).rowcount:
                db.execute(statements.ALL_GONE, {"of_node": node})

        await self.write(work)

    async def alive(self, now: int, silence: int) -> tuple[Outage, ...]:
        """The house is there. If the last sign of that is older than so many milliseconds it was not, meanwhile."""

        def work(db: Connection) -> tuple[Outage, ...]:
            last = db.execute(statements.LAST_SIGN).scalar()
            if found := outage_since(last, now, silence):
                db.execute(statements.ADD_OUTAGE, fields(found))
            db.execute(statements.SIGN_LIFE, {"now": latest_heartbeat(last, now)})
            return read(db, Outage, statements.OUTAGES, {"since": now - OUTAGES_LAST})

        return await self.write(work)

    async def outage(self, outage: Outage) -> None:
        await self.write(lambda db: db.execute(statements.ADD_OUTAGE, fields(outage)))

    async def clocked(self) -> tuple[str, ...]:
        """The tables where somebody is to decide and a clock runs."""
        return await self.read(lambda db: tuple(db.execute(statements.CLOCKED).scalars()))

    async def present(self, node: str, crowds: Mapping[str, TableAttendance]) -> None:
        """Who is at which table at this node."""

        def work(db: Connection) -> None:
            for table, crowd in sorted(crowds.items()):
                if crowd == TableAttendance():
                    db.execute(statements.GONE, {"of_node": node, "of_table": table})
                else:
                    people, watching = as_json(sorted(crowd.people)), as_json(sorted(crowd.watching))
                    values = {"people": people, "unknown": crowd.unknown, "watching": watching}
                    db.execute(statements.PRESENT, {"node": node, "table": table, **values})

        await self.write(work)

    async def crowd(self, table: str, but: str = "") -> TableAttendance:
        """Who is at a table at all nodes, or at all but one."""

        def work(db: Connection) -> TableAttendance:
            rows = db.execute(statements.ELSEWHERE, {"of_node": but, "of_table": table}).all()
            people, watching = _names(row.people for row in rows), _names(row.watching for row in rows)
            return TableAttendance(people, sum(row.unknown for row in rows), watching)

        return await self.read(work)

    async def adopt(self, node: str) -> tuple[str, ...]:
        """The tables where bots are to decide that think nowhere any more. From now on they think at this node."""
        about = {"of_node": node, "node": node, "most": ADOPTED}
        return await self.write(lambda db: tuple(db.execute(statements.ADOPT, about).scalars()))

    async def rest(self, table: str, node: str) -> None:
        """Bots of this node have nothing to think about there."""
        await self.write(lambda db: db.execute(statements.REST, {"of_table": table, "of_node": node}), table)


def remove_table(db: Connection, table: str) -> None:
    """Deletes a table and all that is kept of it."""
    for found, column in reversed(OF_TABLE):
        db.execute(delete(found).where(found.c[column] == table))


def _names(lists: Iterable[str]) -> frozenset[str]:
    return frozenset(chain.from_iterable(msgspec.json.decode(names, type=list[str]) for names in lists))


def _change_match(db: Connection, table: str, row: MatchEntity) -> None:
    db.execute(statements.CHANGE_MATCH, {"of_table": table, "of_match": row.number, **fields(row)})
