"""What is never lost: people, tables, seats, matches and their logs, in one database.

What is written goes through one thread of its own, a transaction for each piece of work; what is only read through
another, so that nobody's move waits for somebody's reading. A commit is on the disk before anybody is told.
"""

import asyncio
import secrets
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any, TypeVar

from alembic import command
from alembic.config import Config
from msgspec import Struct
from sqlalchemy import (
    Boolean,
    Column,
    Connection,
    ForeignKeyConstraint,
    Integer,
    LargeBinary,
    MetaData,
    Select,
    String,
    Table,
    create_engine,
    delete,
    event,
    insert,
    select,
    update,
)
from sqlalchemy.dialects.sqlite import insert as upsert

from polyopolis.play.rows import Happened, Kept, LogRow, MatchRow, SeatRow, TableRow, TurnRow

Answer = TypeVar("Answer")
Row = TypeVar("Row", bound=Struct)

metadata = MetaData()

secrets_ = Table("secrets", metadata, Column("name", String, primary_key=True), Column("value", LargeBinary))

people = Table(
    "people",
    metadata,
    Column("id", String, primary_key=True),
    Column("name", String),
)

tables = Table(
    "tables",
    metadata,
    Column("id", String, primary_key=True),
    Column("game", String, nullable=False),
    Column("setup", String, nullable=False),
    Column("chosen_seed", String),
    Column("plan", String, nullable=False),
    Column("typed", Boolean, nullable=False),
    Column("created", Integer, nullable=False),
    Column("changed", Integer, nullable=False, server_default="0"),
)

seats = Table(
    "seats",
    metadata,
    Column("table", String, primary_key=True),
    Column("seat", Integer, primary_key=True),
    Column("name", String, nullable=False),
    Column("person", String, index=True),
    Column("bot", String),
    Column("city", String),
    Column("animal", String),
    ForeignKeyConstraint(["table"], ["tables.id"]),
)

matches = Table(
    "matches",
    metadata,
    Column("table", String, primary_key=True),
    Column("number", Integer, primary_key=True),
    Column("setup", String, nullable=False),
    Column("seed", LargeBinary, nullable=False),
    Column("bot_seed", LargeBinary, nullable=False),
    Column("practice", Boolean, nullable=False),
    Column("players", String, nullable=False, server_default="[]"),
    Column("rules", Integer),
    Column("content", String),
    Column("over", Boolean, nullable=False, server_default="0"),
    Column("due", String, nullable=False, server_default="[]"),
    Column("result", String),
    Column("standings", String),
    ForeignKeyConstraint(["table"], ["tables.id"]),
)
"""`rules` and `content` are missing in matches from before they were written down, until `stamping` has read them."""

log = Table(
    "log",
    metadata,
    Column("table", String, primary_key=True),
    Column("match", Integer, primary_key=True),
    Column("number", Integer, primary_key=True),
    Column("seat", Integer),
    Column("action", String),
    Column("back_to", Integer),
    Column("time", Integer),
    ForeignKeyConstraint(["table", "match"], ["matches.table", "matches.number"]),
)
"""A move, or a takeback to so many moves. Nothing in it is ever changed."""

turns = Table(
    "turns",
    metadata,
    Column("table", String, primary_key=True),
    Column("match", Integer, primary_key=True),
    Column("seat", Integer, primary_key=True),
    Column("turn", Integer, nullable=False),
    Column("staged", String),
    ForeignKeyConstraint(["table", "match"], ["matches.table", "matches.number"]),
)
"""How many messages of a seat were accepted, and its decision that is not open yet: overwritten in place."""

codes = Table(
    "codes",
    metadata,
    Column("code", String, primary_key=True),
    Column("table", String, nullable=False),
    Column("seat", Integer, nullable=False),
    Column("expires", Integer, nullable=False),
)


unlisted = Table(
    "unlisted",
    metadata,
    Column("person", String, primary_key=True),
    Column("table", String, primary_key=True),
    Column("time", Integer, nullable=False),
    ForeignKeyConstraint(["table"], ["tables.id"]),
)
"""Tables that somebody has taken off their own list, and when."""


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
        self._writer = ThreadPoolExecutor(1, "store")
        self._reader = ThreadPoolExecutor(1, "store-reader")

    async def open(self) -> None:
        """Brings the database to the newest schema."""
        await asyncio.get_running_loop().run_in_executor(self._writer, self._migrate)

    def _migrate(self) -> None:
        config = Config()
        config.set_main_option("script_location", str(Path(__file__).parent / "migrations"))
        with self._engine.begin() as connection:
            config.attributes["connection"] = connection
            command.upgrade(config, "head")

    async def close(self) -> None:
        self._writer.shutdown()
        self._reader.shutdown()
        self._engine.dispose()

    async def _write(self, work: Callable[[Connection], Answer]) -> Answer:
        return await asyncio.get_running_loop().run_in_executor(self._writer, self._transaction, work)

    async def _read(self, work: Callable[[Connection], Answer]) -> Answer:
        return await asyncio.get_running_loop().run_in_executor(self._reader, self._transaction, work)

    def _transaction(self, work: Callable[[Connection], Answer]) -> Answer:
        with self._engine.begin() as connection:
            return work(connection)

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
        statement = upsert(people).values(id=person, name=name)
        await self._write(
            lambda db: db.execute(statement.on_conflict_do_update(index_elements=["id"], set_={"name": name}))
        )

    async def name_of(self, person: str) -> str | None:
        return await self._read(lambda db: db.execute(select(people.c.name).where(people.c.id == person)).scalar())

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
        return await self._read(lambda db: _table(db, table))

    async def all_tables(self) -> tuple[str, ...]:
        return await self._read(lambda db: tuple(db.execute(select(tables.c.id).order_by(tables.c.created)).scalars()))

    async def tables_of(self, person: str, most: int) -> tuple[TableRow, ...]:
        """Where somebody has a seat, the last changed first, each with its newest match alone. Those that they have
        taken off their list are left out."""
        own = select(seats.c.table).where(seats.c.person == person)
        taken_off = (unlisted.c.table == tables.c.id) & (unlisted.c.time >= tables.c.changed)
        off = select(unlisted.c.table).where((unlisted.c.person == person) & taken_off).exists()
        newest = tables.c.changed.desc(), tables.c.created.desc(), tables.c.id
        statement = select(tables.c.id).where(tables.c.id.in_(own) & ~off).order_by(*newest).limit(most)

        def work(db: Connection) -> tuple[TableRow, ...]:
            found = (_table(db, table, newest=True) for table in db.execute(statement).scalars().all())
            return tuple(row for row in found if row)

        return await self._read(work)

    async def unlist(self, person: str, table: str, now: int) -> None:
        """Somebody takes a table off their list, until something happens there. Nothing else changes."""
        values = {"time": now // 1000}
        statement = upsert(unlisted).values(person=person, table=table, **values)
        await self._write(
            lambda db: db.execute(statement.on_conflict_do_update(index_elements=["person", "table"], set_=values))
        )

    async def relist(self, person: str, table: str) -> None:
        where = (unlisted.c.person == person) & (unlisted.c.table == table)
        await self._write(lambda db: db.execute(delete(unlisted).where(where)))

    async def waiting_for_bots(self) -> tuple[str, ...]:
        """The tables where a bot is to decide."""
        with_bots = select(seats.c.table).where(seats.c.bot.is_not(None))
        running = select(matches.c.table).where(matches.c.over.is_(False) & matches.c.table.in_(with_bots)).distinct()

        def work(db: Connection) -> tuple[str, ...]:
            found = (_table(db, table, newest=True) for table in db.execute(running).scalars().all())
            return tuple(row.id for row in found if row and row.waits_for_bot)

        return await self._read(work)

    async def seat(self, table: str, row: SeatRow, playing: MatchRow | None, now: int) -> None:
        """Who sits where now, and so who plays the match that is not over."""

        def work(db: Connection) -> None:
            where = (seats.c.table == table) & (seats.c.seat == row.seat)
            db.execute(update(seats).where(where).values(**_fields(row)))
            if playing:
                _change(db, table, playing)
            _touch(db, table, now)

        await self._write(work)

    # Matches

    async def start(self, table: str, row: MatchRow, log: tuple[LogRow, ...], now: int) -> None:
        """A new match of the chain, with its first moves."""

        def work(db: Connection) -> None:
            db.execute(insert(matches).values(table=table, **_fields(row)))
            _append(db, table, row.number, 0, log)
            _touch(db, table, now)

        await self._write(work)

    async def match(self, table: str, number: int) -> Kept | None:
        def work(db: Connection) -> Kept | None:
            where = (matches.c.table == table) & (matches.c.number == number)
            rows = _rows(db, MatchRow, select(matches).where(where))
            of_log = (log.c.table == table) & (log.c.match == number)
            of_turns = (turns.c.table == table) & (turns.c.match == number)
            moves = _rows(db, LogRow, select(log).where(of_log).order_by(log.c.number))
            counted = _rows(db, TurnRow, select(turns).where(of_turns))
            return Kept(rows[0], moves, counted) if rows else None

        return await self._read(work)

    async def append(self, table: str, happened: Happened, now: int) -> None:
        """What one message led to, as a whole or not at all."""

        def work(db: Connection) -> None:
            number = happened.match.number
            _append(db, table, number, happened.number, happened.rows)
            for row in happened.turns:
                values = {"turn": row.turn, "staged": row.staged}
                db.execute(
                    upsert(turns)
                    .values(table=table, match=number, seat=row.seat, **values)
                    .on_conflict_do_update(index_elements=["table", "match", "seat"], set_=values)
                )
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


def _table(db: Connection, table: str, newest: bool = False) -> TableRow | None:
    found = db.execute(select(tables).where(tables.c.id == table)).mappings().one_or_none()
    if found is None:
        return None
    played = select(matches).where(matches.c.table == table).order_by(matches.c.number.desc())
    return TableRow(
        **found,
        seats=_rows(db, SeatRow, select(seats).where(seats.c.table == table).order_by(seats.c.seat)),
        matches=_rows(db, MatchRow, played.limit(1) if newest else played)[::-1],
    )


def _rows(db: Connection, kind: type[Row], statement: Select[Any]) -> tuple[Row, ...]:
    """Rows by the names of their columns, which are those of the fields."""
    names = kind.__struct_fields__
    columns = [statement.selected_columns[name] for name in names]
    found = db.execute(statement.with_only_columns(*columns))
    return tuple(kind(**dict(zip(names, row, strict=True))) for row in found)


def _append(db: Connection, table: str, match: int, number: int, rows: Any) -> None:
    if rows:
        values = [
            {"table": table, "match": match, "number": number + index, **_fields(row)} for index, row in enumerate(rows)
        ]
        db.execute(insert(log), values)


def _change(db: Connection, table: str, row: MatchRow) -> None:
    where = (matches.c.table == table) & (matches.c.number == row.number)
    db.execute(update(matches).where(where).values(**_fields(row)))


def _touch(db: Connection, table: str, now: int) -> None:
    db.execute(update(tables).where(tables.c.id == table).values(changed=now // 1000))


def _fields(row: Struct) -> dict[str, Any]:
    return {name: getattr(row, name) for name in row.__struct_fields__}
