"""What is never lost: people, tables, seats, matches and their logs, in one database.

All statements run in one thread of their own, a transaction each, so that nobody waits for the disk but the one who
asked. A commit is on the disk before anybody is told.
"""

import asyncio
import secrets
from collections.abc import Callable, Sequence
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

Answer = TypeVar("Answer")

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
    ForeignKeyConstraint(["table"], ["tables.id"]),
)

log = Table(
    "log",
    metadata,
    Column("table", String, primary_key=True),
    Column("match", Integer, primary_key=True),
    Column("number", Integer, primary_key=True),
    Column("seat", Integer),
    Column("action", String),
    Column("back_to", Integer),
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


class SeatRow(Struct, frozen=True):
    seat: int
    name: str
    person: str | None
    bot: str | None
    city: str | None = None
    """In a campaign with cities that have a name, and an animal."""
    animal: str | None = None


class MatchRow(Struct, frozen=True):
    number: int
    setup: str
    seed: bytes
    bot_seed: bytes
    practice: bool
    players: str = "[]"
    """Who plays it: the names of the seats, as JSON. Whoever sits there when it ends has played it."""


class LogRow(Struct, frozen=True):
    """A move with seat and action, or a takeback with `back_to`."""

    seat: int | None
    action: str | None
    back_to: int | None


class TurnRow(Struct, frozen=True):
    seat: int
    turn: int
    staged: str | None


class Happened(Struct, frozen=True):
    """Log rows from `number` on, and the turns that changed; from now on practice or not."""

    number: int
    rows: Sequence[LogRow]
    turns: Sequence[TurnRow]
    practice: bool = False


class TableRow(Struct, frozen=True):
    id: str
    game: str
    setup: str
    chosen_seed: str | None
    plan: str
    typed: bool
    created: int
    seats: tuple[SeatRow, ...]
    matches: tuple[MatchRow, ...]


class Store:
    def __init__(self, path: Path) -> None:
        path.parent.mkdir(parents=True, exist_ok=True)
        self._engine = create_engine(f"sqlite:///{path}", connect_args={"check_same_thread": False})
        event.listen(self._engine, "connect", _durable)
        self._thread = ThreadPoolExecutor(1, "store")

    async def open(self) -> None:
        """Brings the database to the newest schema."""
        await asyncio.get_running_loop().run_in_executor(self._thread, self._migrate)

    def _migrate(self) -> None:
        config = Config()
        config.set_main_option("script_location", str(Path(__file__).parent / "migrations"))
        with self._engine.begin() as connection:
            config.attributes["connection"] = connection
            command.upgrade(config, "head")

    async def close(self) -> None:
        self._thread.shutdown()
        self._engine.dispose()

    async def _run(self, work: Callable[[Connection], Answer]) -> Answer:
        def transaction() -> Answer:
            with self._engine.begin() as connection:
                return work(connection)

        return await asyncio.get_running_loop().run_in_executor(self._thread, transaction)

    async def secret(self, name: str) -> bytes:
        """A secret of the server, made on the first day and kept."""

        def work(db: Connection) -> bytes:
            fresh = secrets.token_bytes(32)
            db.execute(upsert(secrets_).values(name=name, value=fresh).on_conflict_do_nothing())
            return bytes(db.execute(select(secrets_.c.value).where(secrets_.c.name == name)).scalar_one())

        return await self._run(work)

    async def remember(self, person: str, name: str) -> None:
        """How somebody was called last."""
        statement = upsert(people).values(id=person, name=name)
        await self._run(
            lambda db: db.execute(statement.on_conflict_do_update(index_elements=["id"], set_={"name": name}))
        )

    async def name_of(self, person: str) -> str | None:
        return await self._run(lambda db: db.execute(select(people.c.name).where(people.c.id == person)).scalar())

    async def create(self, row: TableRow) -> None:
        def work(db: Connection) -> None:
            own = {name: value for name, value in _fields(row).items() if name in tables.c}
            db.execute(insert(tables).values(**own))
            for seat in row.seats:
                db.execute(insert(seats).values(table=row.id, **_fields(seat)))

        await self._run(work)

    async def table(self, table: str) -> TableRow | None:
        def work(db: Connection) -> TableRow | None:
            found = db.execute(select(tables).where(tables.c.id == table)).one_or_none()
            if found is None:
                return None
            seated = db.execute(select(seats).where(seats.c.table == table).order_by(seats.c.seat))
            played = db.execute(select(matches).where(matches.c.table == table).order_by(matches.c.number))
            return TableRow(
                **found._mapping,
                seats=tuple(SeatRow(*row[1:]) for row in seated),
                matches=tuple(MatchRow(*row[1:]) for row in played),
            )

        return await self._run(work)

    async def tables_of(self, person: str) -> tuple[str, ...]:
        """Where somebody has a seat, the newest first."""
        statement = select(tables.c.id).where(tables.c.id.in_(select(seats.c.table).where(seats.c.person == person)))
        newest_first = statement.order_by(tables.c.created.desc(), tables.c.id)
        return await self._run(lambda db: tuple(db.execute(newest_first).scalars()))

    async def seat(self, table: str, row: SeatRow, playing: MatchRow | None) -> None:
        """Who sits where now, and so who plays the match that is not over."""

        def work(db: Connection) -> None:
            where = (seats.c.table == table) & (seats.c.seat == row.seat)
            db.execute(update(seats).where(where).values(**_fields(row)))
            if playing:
                where = (matches.c.table == table) & (matches.c.number == playing.number)
                db.execute(update(matches).where(where).values(players=playing.players))

        await self._run(work)

    async def start(self, table: str, row: MatchRow, moves: Sequence[LogRow]) -> None:
        """A new match of the chain, with its first moves."""

        def work(db: Connection) -> None:
            db.execute(insert(matches).values(table=table, **_fields(row)))
            _append(db, table, row.number, 0, moves)

        await self._run(work)

    async def log(self, table: str, match: int) -> tuple[tuple[LogRow, ...], tuple[TurnRow, ...]]:
        def work(db: Connection) -> tuple[tuple[LogRow, ...], tuple[TurnRow, ...]]:
            rows = db.execute(
                select(log.c.seat, log.c.action, log.c.back_to)
                .where((log.c.table == table) & (log.c.match == match))
                .order_by(log.c.number)
            )
            counted = db.execute(
                select(turns.c.seat, turns.c.turn, turns.c.staged).where(
                    (turns.c.table == table) & (turns.c.match == match)
                )
            )
            return tuple(LogRow(*row) for row in rows), tuple(TurnRow(*row) for row in counted)

        return await self._run(work)

    async def append(self, table: str, match: int, happened: Happened) -> None:
        """What one message led to, as a whole or not at all."""

        def work(db: Connection) -> None:
            _append(db, table, match, happened.number, happened.rows)
            for row in happened.turns:
                values = {"turn": row.turn, "staged": row.staged}
                db.execute(
                    upsert(turns)
                    .values(table=table, match=match, seat=row.seat, **values)
                    .on_conflict_do_update(index_elements=["table", "match", "seat"], set_=values)
                )
            if happened.practice:
                where = (matches.c.table == table) & (matches.c.number == match)
                db.execute(update(matches).where(where).values(practice=True))

        await self._run(work)

    async def add_code(self, code: str, table: str, seat: int, expires: int) -> None:
        await self._run(lambda db: db.execute(insert(codes).values(code=code, table=table, seat=seat, expires=expires)))

    async def use_code(self, code: str, now: int) -> tuple[str, int] | None:
        """The table and the seat of a code, which works once."""

        def work(db: Connection) -> tuple[str, int] | None:
            found = db.execute(select(codes).where((codes.c.code == code) & (codes.c.expires > now))).one_or_none()
            db.execute(delete(codes).where((codes.c.code == code) | (codes.c.expires <= now)))
            return (found.table, found.seat) if found else None

        return await self._run(work)


def _durable(connection: Any, _: Any) -> None:
    for pragma in ("journal_mode = WAL", "synchronous = FULL", "foreign_keys = ON", "busy_timeout = 5000"):
        connection.execute(f"PRAGMA {pragma}")


def _append(db: Connection, table: str, match: int, number: int, rows: Sequence[LogRow]) -> None:
    if rows:
        values = [
            {"table": table, "match": match, "number": number + index, **_fields(row)} for index, row in enumerate(rows)
        ]
        db.execute(insert(log), values)


def _fields(row: Struct) -> dict[str, Any]:
    return {name: getattr(row, name) for name in row.__struct_fields__}
