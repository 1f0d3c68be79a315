"""Event stream of an external bot across all tables: invitations, its tables, its turns.

The database is polled, so events of all nodes are included. A new subscriber receives the current state, then changes.
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

POLL_SECONDS = 1.0
"""Interval of database polls."""
CLOCK_TOLERANCE_SECONDS = 10
"""Each poll reads changes back to this long before the previous one: node clocks may differ and commits may be late."""
MAX_TABLES = 200
"""Tables of a bot in the initial state, the last changed first."""


class InvitedEvent(Tagged, frozen=True, tag="invited"):
    """A table with a free seat admits external bots. Sent again when the table has changed."""

    table: TableInfo
    setup: Any
    """The setup of its first match."""


class SeatedEvent(Tagged, frozen=True, tag="seated"):
    """The bot has a seat, and the match has not begun."""

    table: TableInfo


class PlayingEvent(Tagged, frozen=True, tag="playing"):
    """A match is running, and it is not the bot's turn."""

    table: TableInfo


class TurnEvent(Tagged, frozen=True, tag="turn"):
    """It is the bot's turn. The same turn may be sent more than once."""

    table: TableInfo


class RematchEvent(Tagged, frozen=True, tag="again"):
    """Another player asks the bot for a rematch."""

    table: TableInfo


class OverEvent(Tagged, frozen=True, tag="over"):
    """The match is over."""

    table: TableInfo


BotEvent = InvitedEvent | SeatedEvent | PlayingEvent | TurnEvent | RematchEvent | OverEvent

_bots: BindParameter[Any] = bindparam("bots", expanding=True)
_of_table = select(matches.c.table).where(matches.c.table == tables.c.id)
_going_on = _of_table.where(matches.c.over.is_(False), matches.c.ended.is_(False)).exists() | ~_of_table.exists()
_own = select(seats.c.person, tables.c.id).join(tables, tables.c.id == seats.c.table).where(seats.c.person.in_(_bots))
TABLES_GOING_ON = _own.where(_going_on).order_by(tables.c.changed.desc(), tables.c.id).limit(MAX_TABLES)
TABLES_CHANGED = _own.where(tables.c.changed >= bindparam("since"))


@dataclass
class SubscriberState:
    """The state that a subscriber has received."""

    fresh: bool = True
    tables: dict[str, Any] = field(default_factory=dict)
    """The key of the last event of each table."""
    invited: dict[str, int] = field(default_factory=dict)
    """The version of each table at the last invitation: a bot that was too late for one seat may take another."""


class BotEventStream:
    """Sends events to all subscribed bots of this node."""

    def __init__(self, store: DatabaseMatchRepository, queries: TableQueries, clock: Clock) -> None:
        self._store, self._queries, self._clock = store, queries, clock
        self._subscribers: dict[StreamGuest, SubscriberState] = {}
        self._new_subscriber = asyncio.Event()
        self._since = 0

    @contextmanager
    def listening(self, guest: StreamGuest) -> Iterator[None]:
        self._subscribers[guest] = SubscriberState()
        self._new_subscriber.set()
        try:
            yield
        finally:
            del self._subscribers[guest]

    async def go_on(self) -> None:
        """Runs until cancelled: polls while there are subscribers, and at once for a new one."""
        while True:
            try:
                async with asyncio.timeout(POLL_SECONDS if self._subscribers else None):
                    await self._new_subscriber.wait()
            except TimeoutError:
                pass
            self._new_subscriber.clear()
            try:
                await self.poll()
            except Exception as error:
                logger.warning("cannot send events to external bots: %s", type(error).__name__)
                await asyncio.sleep(POLL_SECONDS)

    async def poll(self) -> None:
        now, subscribers = self._clock.now() // 1000, dict(self._subscribers)
        if not subscribers:
            return
        fresh = {guest.person for guest, state in subscribers.items() if state.fresh}
        known = {guest.person for guest, state in subscribers.items() if not state.fresh}
        rows = await self._store.read(lambda db: _rows(db, known, fresh, self._since - CLOCK_TOLERANCE_SECONDS))
        invited = [row for row in await self._queries.inviting_tables() if row.outsiders]
        self._since = now
        for guest, state in subscribers.items():
            for row in rows.get(guest.person, ()):
                self._send_event(guest, state, row)
            await self._send_invitations(guest, state, invited)
            state.fresh = False

    def _send_event(self, guest: StreamGuest, state: SubscriberState, row: TableEntity) -> None:
        info = self._queries.table_info(row, guest.person)
        if not isinstance(info, TableInfo):
            return
        event, before = _event(info), state.tables.get(row.id)
        match = info.match.number if info.match else None
        key = (type(event), match, row.version if isinstance(event, TurnEvent) else None)
        state.tables[row.id] = key
        if key == before or (state.fresh and isinstance(event, OverEvent)):
            return
        if isinstance(event, PlayingEvent) and before and before[:2] == (TurnEvent, match):
            return  # the bot itself has decided
        guest.tell(msgspec.json.encode(event))

    async def _send_invitations(self, guest: StreamGuest, state: SubscriberState, rows: list[TableEntity]) -> None:
        before, state.invited = state.invited, {row.id: row.version for row in rows}
        fresh = [row for row in rows if before.get(row.id) != row.version]
        fresh = [row for row in fresh if all(seat.person != guest.person for seat in row.seats)]
        away = await self._store.turned_away_from([row.id for row in fresh], guest.person) if fresh else ()
        for row in fresh:
            info = self._queries.table_info(row, guest.person)
            if isinstance(info, TableInfo) and row.id not in away:
                guest.tell(msgspec.json.encode(InvitedEvent(info, msgspec.Raw(row.setup.encode()))))


def _event(info: TableInfo) -> SeatedEvent | PlayingEvent | TurnEvent | RematchEvent | OverEvent:
    own = set(info.yours)
    if info.match is None:
        return SeatedEvent(info)
    if info.match.over or info.match.ended:
        return RematchEvent(info) if own & set(info.again) else OverEvent(info)
    return TurnEvent(info) if own & set(info.due) else PlayingEvent(info)


def _rows(db: Connection, known: set[str], fresh: set[str], since: int) -> Mapping[str, list[TableEntity]]:
    """Returns by bot the tables changed since then, and for new subscribers all tables without a finished match."""
    found = dict[str, dict[str, None]]()
    for bot in sorted(fresh):
        for person, table in db.execute(TABLES_GOING_ON, {"bots": [bot]}):
            found.setdefault(person, {})[table] = None
    for person, table in db.execute(TABLES_CHANGED, {"bots": sorted(known), "since": since}):
        found.setdefault(person, {})[table] = None
    ids = list({table for own in found.values() for table in own})
    rows = {row.id: row for row in read_tables(db, ids, statements.NEWEST_MATCHES)}
    return {person: [rows[table] for table in own if table in rows] for person, own in found.items()}
