"""Lists of tables: those of a person, those that are open to all, and those where a person has to act."""

from collections import Counter
from collections.abc import Callable, Hashable
from typing import TypeVar

import msgspec

from polyopolis.games import GAME_SPECS
from polyopolis.games.game_spec import GameSpec
from polyopolis.play.entities import PendingNotification, TableEntity
from polyopolis.play.errors import ROW_ERRORS, NotFound
from polyopolis.play.lobby.table_registry import TableRegistry
from polyopolis.play.match.stored_json import check_table
from polyopolis.play.response_cache import ResponseCache
from polyopolis.play.table.due_notifications import is_waiting_for, pending_notifications
from polyopolis.play.table.table_context import SiteServices
from polyopolis.play.version import VERSION
from polyopolis.play.wire.responses import GameInfo, OpenTable, OpenTables, SiteInfo, TableInfo, UnreadableTable

Answer = TypeVar("Answer")

RECENT_TABLES = 20
"""Tables on the home page."""
MAX_WAITING_TABLES = 200
"""Older tables that are considered if other players wait there."""
MAX_OPEN_TABLES, MAX_OPEN_CANDIDATES = 40, 400
"""Tables on the list of open ones, and those from which they are selected."""
OPEN_TABLE_SECONDS = 7 * 86_400
"""Time after the last change until a table leaves that list."""


class TableQueries:
    """Answers from stored tables: no match is replayed."""

    def __init__(self, services: SiteServices, tables: TableRegistry, address: str = "") -> None:
        self._services = services
        self._repository = services.repository
        self._tables = tables
        self._address = address
        self.unreadable: tuple[UnreadableTable, ...] = ()
        """Further tables that `hello` reports as unreadable: imports of the browser backend that failed."""
        self._inviting: ResponseCache[tuple[()], tuple[TableEntity, ...]] = ResponseCache(
            services.clock, lambda _: self.inviting_tables()
        )

    # The list of a person

    async def hello(self, person: str) -> SiteInfo:
        rows = await self._listed(person)
        found = [self.table_info(row, person) for row in rows]
        seasoned = {row.game for row in rows if row.matches and (row.matches[-1].over or row.matches[-1].number)}
        return SiteInfo(
            version=VERSION,
            address=self._address,
            games=tuple(self._game_info(spec, newcomer=spec.key not in seasoned) for spec in GAME_SPECS.values()),
            name=await self._repository.name_of(person),
            tables=tuple(info for info in found if isinstance(info, TableInfo)),
            unreadable=(*(info for info in found if isinstance(info, UnreadableTable)), *self.unreadable),
        )

    async def _listed(self, person: str) -> tuple[TableEntity, ...]:
        """The most recent tables of a person, and older ones where the person has to act."""
        rows = await self._repository.tables_of(person, RECENT_TABLES)
        if len(rows) < RECENT_TABLES:
            return rows
        known, others = {row.id for row in rows}, await self._repository.tables_with_others(person, MAX_WAITING_TABLES)
        older = (row for row in others if row.id not in known)
        return (
            *rows,
            *(row for row in older if self._of_row(row, lambda row: is_waiting_for(row, person), broken=True)),
        )

    async def pending_notifications(self, person: str) -> tuple[tuple[str, PendingNotification], ...]:
        """The notifications, by table, that a receiver added now would have missed."""
        rows, now = await self._repository.tables_with_others(person, MAX_WAITING_TABLES), self._services.clock.now()
        none = tuple[PendingNotification, ...]()
        found = ((row.id, self._of_row(row, lambda row: pending_notifications(row, person, now), none)) for row in rows)
        return tuple((table, notice) for table, notices in found for notice in notices)

    async def count_waiting(self, person: str) -> int:
        """The number of tables on the list of a person where they are to decide or to answer."""
        rows = await self._listed(person)
        return sum(self._of_row(row, lambda row: is_waiting_for(row, person), broken=False) for row in rows)

    def _of_row(self, row: TableEntity, read: Callable[[TableEntity], Answer], broken: Answer) -> Answer:
        try:
            check_table(row)
            return read(row)
        except ROW_ERRORS as error:
            self._tables.note_broken(row.id, error)
            return broken

    def _game_info(self, spec: GameSpec, newcomer: bool) -> GameInfo:
        bot_service, ratings = self._services.bot_service, self._services.ratings
        plans = {name: tuple(plan) for name, plan in spec.plans(spec.versions[-1]).items()}
        seats, bots = tuple(spec.rules.seats), bot_service.opponents(spec.key)
        usual = bot_service.usual(spec.key)
        first = bot_service.beatable(spec.key) if newcomer else usual
        measured = tuple(bot for bot in bots if ratings and ratings.know(spec.key, bot))
        return GameInfo(spec.key, seats, bots, usual, first, plans, measured)

    async def list_table(self, person: str, key: str, listed: bool) -> None:
        """Puts a table on the list of a person, or takes it off. The table itself does not change."""
        row = await self._repository.table(key)
        if row is None:
            raise NotFound(f"there is no table {key!r}")
        if listed:
            await self._repository.relist(person, key)
        else:
            await self._repository.unlist(person, key, row.changed)
            if self._services.quotas:
                self._services.quotas.note_opened(key, row.changed)

    def table_info(self, row: TableEntity, person: str) -> TableInfo | UnreadableTable:
        try:
            return (self._tables.get(row.id) or self._tables.unopened(row)).info(person)
        except ROW_ERRORS as error:
            self._tables.note_broken(row.id, error)
            return UnreadableTable(row.id, row.game, str(error))

    # Open tables

    async def open_tables(self, person: str) -> OpenTables:
        """The tables with a free seat that invite all players, first those where a player is present."""
        rows = await self._inviting.get(())
        away = await self._repository.turned_away_from([row.id for row in rows], person)
        found = [(self.table_info(row, person), row) for row in rows if row.id not in away]
        free = [
            OpenTable(info, msgspec.Raw(row.setup.encode()))
            for info, row in found
            if isinstance(info, TableInfo) and not info.yours and _is_open(info)
        ]
        return OpenTables(tuple(sorted(free, key=lambda each: not any(seat.online for seat in each.table.seats))))

    async def inviting_tables(self) -> tuple[TableEntity, ...]:
        """Reads the tables with a free seat that invite all players, the last changed first.

        The list is shared fairly among networks: many tables from one of them do not displace those of others.
        """
        since = self._services.clock.now() // 1000 - OPEN_TABLE_SECONDS
        found = await self._repository.open_tables(since, MAX_OPEN_CANDIDATES)
        before, order = Counter[Hashable](), list[tuple[float, int]]()
        for place, row in enumerate(found):
            networks = self._services.networks_of(row.maker or row.id)
            order.append((max(before[network] / multiple for network, multiple in networks), place))
            before.update(network for network, _ in networks)
        return tuple(found[place] for place in sorted(place for _, place in sorted(order)[:MAX_OPEN_TABLES]))

    def forget_inviting(self) -> None:
        """Drops the cached list of open tables after a new one was created."""
        self._inviting.drop(())


def _is_open(info: TableInfo) -> bool:
    """Whether a table is still open: the list may be a second old."""
    return info.invites is not None and info.match is None and any(seat.kind == "open" for seat in info.seats)
