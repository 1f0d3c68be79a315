"""What is never lost: people, tables, seats, matches and their logs, in one database."""

import secrets
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, TypeVar

from alembic import command
from alembic.config import Config
from msgspec import Struct
from sqlalchemy import Connection, Select, create_engine, delete, event, insert, select
from sqlalchemy.dialects.sqlite import insert as upsert

from polyopolis.play.rows import Happened, Kept, LogRow, MatchRow, ScoreRow, SeatRow, TableRow, TurnRow
from polyopolis.server.desks import Reader, Writer
from polyopolis.server.schema import OF_TABLE, codes, log, matches, seats, secrets_, tables, unlisted
from polyopolis.server.statements import (
    CHANGE_MATCH,
    CHANGE_SEAT,
    COUNT_TURN,
    DROP_CODES,
    LOG,
    MATCH,
    MATCHES,
    NAME,
    NEWEST,
    OF_PERSON,
    REMEMBER,
    RUNNING_WITH_BOTS,
    SCORES,
    SEATED,
    SEATS,
    TABLES,
    TOUCH,
    TURNS,
    UNLIST,
)

Row = TypeVar("Row", bound=Struct)

AT_ONCE = 500
"""Tables that are read by one statement; a database does not take any number of names."""


class Store:
    """A `Keeper` in a file."""

    def __init__(self, path: Path) -> None:
        path.parent.mkdir(parents=True, exist_ok=True)
        self._engine = create_engine(
            f"sqlite:///{path}",
            connect_args={"check_same_thread": False},
            hide_parameters=True,  # seeds and staged decisions are among them, and errors are logged
        )
        event.listen(self._engine, "connect", _durable)
        self._writer, self._reader = Writer(self._engine), Reader(self._engine)
        self._write, self._read = self._writer.write, self._reader.read

    async def open(self) -> None:
        """Brings the database to the newest schema."""
        await self._write(_migrate)

    async def close(self) -> None:
        await self._writer.close()
        await self._reader.close()
        self._engine.dispose()

    # Secrets, names, codes

    async def secret(self, name: str) -> bytes:
        """A secret of the server, made on the first day and kept."""

        def work(db: Connection) -> bytes:
            fresh = secrets.token_bytes(32)
            db.execute(upsert(secrets_).values(name=name, value=fresh).on_conflict_do_nothing())
            return bytes(db.execute(select(secrets_.c.value).where(secrets_.c.name == name)).scalar_one())

        return await self._write(work)

    async def remember(self, person: str, name: str) -> None:
        """How somebody was called last."""
        await self._write(lambda db: db.execute(REMEMBER, {"id": person, "name": name}))

    async def name_of(self, person: str) -> str | None:
        return await self._read(lambda db: db.execute(NAME, {"of_person": person}).scalar())

    async def add_code(self, code: str, table: str, seat: int, expires: int) -> None:
        values = {"code": code, "table": table, "seat": seat, "expires": expires}
        await self._write(lambda db: db.execute(insert(codes).values(**values)))

    async def use_code(self, code: str, now: int) -> tuple[str, int] | None:
        """The table and the seat of a code, which works once."""

        def work(db: Connection) -> tuple[str, int] | None:
            found = db.execute(select(codes).where((codes.c.code == code) & (codes.c.expires > now))).one_or_none()
            db.execute(delete(codes).where((codes.c.code == code) | (codes.c.expires <= now)))
            return (found.table, found.seat) if found else None

        return await self._write(work)

    # Tables

    async def create(self, row: TableRow) -> None:
        def work(db: Connection) -> None:
            own = {name: value for name, value in _fields(row).items() if name in tables.c}
            db.execute(insert(tables).values(**own))
            for seat in row.seats:
                db.execute(insert(seats).values(table=row.id, **_fields(seat)))

        await self._write(work)

    async def table(self, table: str) -> TableRow | None:
        return await self._read(lambda db: next(iter(_read_tables(db, [table], MATCHES)), None))

    async def all_tables(self) -> tuple[str, ...]:
        return await self._read(lambda db: tuple(db.execute(select(tables.c.id).order_by(tables.c.created)).scalars()))

    async def tables_of(self, person: str, most: int) -> tuple[TableRow, ...]:
        """Where somebody has a seat, the last changed first, each with its newest match alone. Those that they have
        taken off their list are left out."""
        about = {"of_person": person, "most": most}
        return await self._read(lambda db: _read_tables(db, db.execute(OF_PERSON, about).scalars().all(), NEWEST))

    async def unlist(self, person: str, table: str, now: int) -> None:
        """Somebody takes a table off their list, until something happens there. Nothing else changes."""
        about = {"person": person, "table": table, "time": now // 1000}
        await self._write(lambda db: db.execute(UNLIST, about))

    async def relist(self, person: str, table: str) -> None:
        where = (unlisted.c.person == person) & (unlisted.c.table == table)
        await self._write(lambda db: db.execute(delete(unlisted).where(where)))

    async def scores_of(self, person: str, game: str) -> tuple[ScoreRow, ...]:
        """The finished matches of a game in the seats of somebody, without practice."""
        about = {"of_person": person, "of_game": game}
        return await self._read(lambda db: _rows(db, ScoreRow, SCORES, about))

    async def waiting_for_bots(self) -> tuple[str, ...]:
        """The tables where a bot is to decide."""

        def work(db: Connection) -> tuple[str, ...]:
            running = _read_tables(db, db.execute(RUNNING_WITH_BOTS).scalars().all(), NEWEST)
            return tuple(row.id for row in running if row.waits_for_bot)

        return await self._read(work)

    async def seat(self, table: str, row: SeatRow, playing: MatchRow | None, now: int) -> None:
        """Who sits where now, and so who plays the match that is not over."""

        def work(db: Connection) -> None:
            about = {"of_table": table, "of_seat": row.seat}
            if db.execute(SEATED, about).scalar() != row.person:
                db.execute(DROP_CODES, about)
            db.execute(CHANGE_SEAT, about | _fields(row))
            if playing:
                _change(db, table, playing)
            _touch(db, table, now)

        await self._write(work)

    async def remove(self, table: str) -> None:
        """A table and all that is kept of it."""

        def work(db: Connection) -> None:
            for found, column in reversed(OF_TABLE):
                db.execute(delete(found).where(found.c[column] == table))

        await self._write(work)

    # Matches

    async def start(self, table: str, row: MatchRow, log: tuple[LogRow, ...], now: int) -> None:
        """A new match of the chain, with its first moves."""

        def work(db: Connection) -> None:
            db.execute(insert(matches), {"table": table, **_fields(row)})
            _append(db, table, row.number, 0, log)
            _touch(db, table, now)

        await self._write(work)

    async def match(self, table: str, number: int) -> Kept | None:
        about = {"of_table": table, "of_match": number}

        def work(db: Connection) -> Kept | None:
            rows = _rows(db, MatchRow, MATCH, about)
            return Kept(rows[0], _rows(db, LogRow, LOG, about), _rows(db, TurnRow, TURNS, about)) if rows else None

        return await self._read(work)

    async def append(self, table: str, happened: Happened, now: int) -> None:
        """What one message led to, as a whole or not at all."""

        def work(db: Connection) -> None:
            number = happened.match.number
            _append(db, table, number, happened.number, happened.rows)
            if happened.turns:
                db.execute(COUNT_TURN, [{"table": table, "match": number, **_fields(row)} for row in happened.turns])
            _change(db, table, happened.match)
            _touch(db, table, now)

        await self._write(work)

    async def unstamped(self) -> tuple[tuple[str, int], ...]:
        """Matches from before rules and content were written down."""
        columns = select(matches.c.table, matches.c.number).where(matches.c.rules.is_(None))
        order = columns.order_by(matches.c.table, matches.c.number)
        return await self._read(lambda db: tuple((row.table, row.number) for row in db.execute(order)))

    async def stamp(self, table: str, row: MatchRow) -> None:
        """What follows from the moves of a match is written beside them."""
        await self._write(lambda db: _change(db, table, row))


def _durable(connection: Any, _: Any) -> None:
    for pragma in ("journal_mode = WAL", "synchronous = FULL", "foreign_keys = ON", "busy_timeout = 5000"):
        connection.execute(f"PRAGMA {pragma}")


def _migrate(db: Connection) -> None:
    config = Config()
    config.set_main_option("script_location", str(Path(__file__).parent / "migrations"))
    config.attributes["connection"] = db
    command.upgrade(config, "head")


def _read_tables(db: Connection, ids: Sequence[str], played: Select[Any]) -> tuple[TableRow, ...]:
    """These tables, in this order, with their seats and with those of their matches that are asked for."""
    found = list[TableRow]()
    for first in range(0, len(ids), AT_ONCE):
        found += _read_some(db, ids[first : first + AT_ONCE], played)
    return tuple(found)


def _read_some(db: Connection, ids: Sequence[str], played: Select[Any]) -> list[TableRow]:
    about = {"of_tables": list(ids)}
    rows = {row["id"]: row for row in db.execute(TABLES, about).mappings()}
    seated, begun = _by_table(db, SeatRow, SEATS, about), _by_table(db, MatchRow, played, about)
    return [TableRow(**rows[key], seats=tuple(seated[key]), matches=tuple(begun[key])) for key in ids if key in rows]


def _by_table(
    db: Connection, kind: type[Row], statement: Select[Any], about: Mapping[str, Any]
) -> defaultdict[str, list[Row]]:
    """The first column says of which table a row is."""
    found = defaultdict[str, list[Row]](list)
    for key, *row in db.execute(statement, about):
        found[key].append(_row(kind, row))
    return found


def _rows(db: Connection, kind: type[Row], statement: Select[Any], about: Mapping[str, Any]) -> tuple[Row, ...]:
    return tuple(_row(kind, row) for row in db.execute(statement, about))


def _row(kind: type[Row], values: Iterable[Any]) -> Row:
    return kind(**dict(zip(kind.__struct_fields__, values, strict=True)))


def _append(db: Connection, table: str, match: int, number: int, rows: Sequence[LogRow]) -> None:
    if rows:
        place = {"table": table, "match": match}
        db.execute(insert(log), [{**place, "number": number + index, **_fields(row)} for index, row in enumerate(rows)])


def _change(db: Connection, table: str, row: MatchRow) -> None:
    db.execute(CHANGE_MATCH, {"of_table": table, "of_match": row.number, **_fields(row)})


def _touch(db: Connection, table: str, now: int) -> None:
    db.execute(TOUCH, {"of_table": table, "changed": now // 1000})


def _fields(row: Struct) -> dict[str, Any]:
    return {name: getattr(row, name) for name in row.__struct_fields__}
