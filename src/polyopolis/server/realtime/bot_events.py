"""What happens to outside bots anywhere on the site: where they are invited, where they sit, what waits for them.

The database is the only truth: whoever listens is told how it stands, and is told again what has become otherwise,
whichever server it happened at.
"""

import asyncio
import logging
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

import msgspec
from sqlalchemy import BindParameter, Connection, bindparam, select

from polyopolis.engine import Tagged
from polyopolis.play.entities import TableEntity
from polyopolis.play.lobby.table_queries import TableQueries
from polyopolis.play.protocols import Clock
from polyopolis.play.wire.responses import TableInfo
from polyopolis.server.realtime.guests import StreamGuest
from polyopolis.server.storage import statements
from polyopolis.server.storage.match_repository import DatabaseMatchRepository
from polyopolis.server.storage.row_mapping import read_tables
from polyopolis.server.storage.schema import matches, seats, tables

logger = logging.getLogger(__name__)

LOOK = 1.0
"""Seconds after which it is looked again."""
SLACK = 10
"""Seconds by which the clocks of servers may differ, and a commit may be late."""
MOST = 200
"""Tables of a bot that are looked at, the last changed first."""


class Invited(Tagged, frozen=True, tag="invited"):
    """Outside bots may sit down there, and a seat is free; told again when somebody else has sat down."""

    table: TableInfo
    setup: Any
    """What its first match starts from."""


class Seated(Tagged, frozen=True, tag="seated"):
    """It has a seat there, and others are missing."""

    table: TableInfo


class Playing(Tagged, frozen=True, tag="playing"):
    """A match has begun there, and it is not its turn yet."""

    table: TableInfo


class Turn(Tagged, frozen=True, tag="turn"):
    """It is to decide there. The same turn may be told more than once."""

    table: TableInfo


class RematchAsked(Tagged, frozen=True, tag="again"):
    """Somebody asks it for another match there."""

    table: TableInfo


class Over(Tagged, frozen=True, tag="over"):
    """The match there is over."""

    table: TableInfo


Event = Invited | Seated | Playing | Turn | RematchAsked | Over

_bots: BindParameter[Any] = bindparam("bots", expanding=True)
_of_table = select(matches.c.table).where(matches.c.table == tables.c.id)
_going_on = _of_table.where(matches.c.over.is_(False), matches.c.ended.is_(False)).exists() | ~_of_table.exists()
_own = select(seats.c.person, tables.c.id).join(tables, tables.c.id == seats.c.table).where(seats.c.person.in_(_bots))
WAITING = _own.where(_going_on).order_by(tables.c.changed.desc(), tables.c.id).limit(MOST)
CHANGED = _own.where(tables.c.changed >= bindparam("since"))


@dataclass
class SubscriberState:
    """What somebody who listens knows."""

    fresh: bool = True
    tables: dict[str, Any] = field(default_factory=dict)
    """By table what was told of it last."""
    invited: dict[str, int] = field(default_factory=dict)
    """By table at which of its versions: whoever was too late for one seat may take another one."""


class BotEventStream:
    def __init__(self, store: DatabaseMatchRepository, queries: TableQueries, clock: Clock) -> None:
        self._store, self._queries, self._clock = store, queries, clock
        self._told: dict[StreamGuest, SubscriberState] = {}
        self._somebody = asyncio.Event()
        self._since = 0

    @contextmanager
    def listening(self, guest: StreamGuest) -> Iterator[None]:
        self._told[guest] = SubscriberState()
        self._somebody.set()
        try:
            yield
        finally:
            del self._told[guest]

    async def go_on(self) -> None:
        """For ever; whoever comes anew is told at once."""
        while True:
            try:
                async with asyncio.timeout(LOOK if self._told else None):
                    await self._somebody.wait()
            except TimeoutError:
                pass
            self._somebody.clear()
            try:
                await self.look()
            except Exception as error:
                logger.warning("outside bots are told nothing: %s", type(error).__name__)
                await asyncio.sleep(LOOK)

    async def look(self) -> None:
        now, listeners = self._clock.now() // 1000, dict(self._told)
        if not listeners:
            return
        fresh = {guest.person for guest, told in listeners.items() if told.fresh}
        known = {guest.person for guest, told in listeners.items() if not told.fresh}
        rows = await self._store.read(lambda db: _rows(db, known, fresh, self._since - SLACK))
        invited = [row for row in await self._queries.inviting_tables() if row.outsiders]
        self._since = now
        for guest, told in listeners.items():
            for row in rows.get(guest.person, ()):
                self._tell_of(guest, told, row)
            await self._invite(guest, told, invited)
            told.fresh = False

    def _tell_of(self, guest: StreamGuest, told: SubscriberState, row: TableEntity) -> None:
        info = self._queries.table_info(row, guest.person)
        if not isinstance(info, TableInfo):
            return
        event, before = _event(info), told.tables.get(row.id)
        match = info.match.number if info.match else None
        key = (type(event), match, row.version if isinstance(event, Turn) else None)
        told.tables[row.id] = key
        if key == before or (told.fresh and isinstance(event, Over)):
            return
        if isinstance(event, Playing) and before and before[:2] == (Turn, match):
            return  # it has decided, and knows
        guest.tell(msgspec.json.encode(event))

    async def _invite(self, guest: StreamGuest, told: SubscriberState, rows: list[TableEntity]) -> None:
        before, told.invited = told.invited, {row.id: row.version for row in rows}
        fresh = [row for row in rows if before.get(row.id) != row.version]
        fresh = [row for row in fresh if all(seat.person != guest.person for seat in row.seats)]
        away = await self._store.turned_away_from([row.id for row in fresh], guest.person) if fresh else ()
        for row in fresh:
            info = self._queries.table_info(row, guest.person)
            if isinstance(info, TableInfo) and row.id not in away:
                guest.tell(msgspec.json.encode(Invited(info, msgspec.Raw(row.setup.encode()))))


def _event(info: TableInfo) -> Seated | Playing | Turn | RematchAsked | Over:
    own = set(info.yours)
    if info.match is None:
        return Seated(info)
    if info.match.over or info.match.ended:
        return RematchAsked(info) if own & set(info.again) else Over(info)
    return Turn(info) if own & set(info.due) else Playing(info)


def _rows(db: Connection, known: set[str], fresh: set[str], since: int) -> Mapping[str, list[TableEntity]]:
    """By bot the tables that have changed since then; for those who listen anew all where something is going on."""
    found = dict[str, dict[str, None]]()
    for bot in sorted(fresh):
        for person, table in db.execute(WAITING, {"bots": [bot]}):
            found.setdefault(person, {})[table] = None
    for person, table in db.execute(CHANGED, {"bots": sorted(known), "since": since}):
        found.setdefault(person, {})[table] = None
    ids = list({table for own in found.values() for table in own})
    rows = {row.id: row for row in read_tables(db, ids, statements.NEWEST)}
    return {person: [rows[table] for table in own if table in rows] for person, own in found.items()}
