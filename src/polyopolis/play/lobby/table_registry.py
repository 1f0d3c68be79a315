"""The tables that are in use, each loaded once."""

import asyncio
import logging
from weakref import WeakValueDictionary

from polyopolis.engine import PolyopolisError
from polyopolis.play.entities import TableEntity
from polyopolis.play.errors import NotFound, Sealed, readable
from polyopolis.play.match.stored_json import check_table
from polyopolis.play.table.room import SiteServices, TableContext
from polyopolis.play.table.table import Table

logger = logging.getLogger(__name__)


class TableRegistry:
    def __init__(self, house: SiteServices) -> None:
        self._house = house
        self._tables: WeakValueDictionary[str, Table] = WeakValueDictionary()
        self._loading = asyncio.Lock()
        self._broken = set[str]()
        """Tables that cannot be read, which has been logged."""

    @property
    def in_use(self) -> frozenset[str]:
        return frozenset(self._tables)

    def get(self, key: str) -> Table | None:
        """The table if it is in use."""
        return self._tables.get(key)

    def add(self, row: TableEntity) -> Table:
        """Puts a new table into use, whose first match the caller starts."""
        table = self._tables[row.id] = self.unopened(row)
        return table

    def unopened(self, row: TableEntity) -> Table:
        """A table without its match, which is not put into use. Raises `Unreadable` if its JSON is broken."""
        check_table(row)
        return Table(TableContext.of(row, self._house))

    async def table(self, key: str) -> Table:
        """Returns the table on its latest stored version. Raises `NotFound` or `Unreadable`."""
        async with self._loading:
            table = self._tables.get(key)
            if table is None:
                table = await self._stored(key)
                with readable(f"table {key}"):
                    await table.open()
                self._tables[key] = table
                if self._house.neighbours.any:
                    await table.update_attendance()
                return table
        if self._house.neighbours.any:
            with readable(f"table {key}"):
                await table.follow()
        return table

    async def context(self, key: str) -> TableContext:
        """The context of a table, to read from. No match is replayed for it."""
        table = self._tables.get(key) or await self._stored(key)
        return table.room

    async def _stored(self, key: str) -> Table:
        row = await self._house.keeper.table(key)
        if row is None:
            raise NotFound(f"there is no table {key!r}")
        with readable(f"table {key}"):
            table = self.unopened(row)
            table.info(None)  # fails here rather than in a later call
        return table

    async def visit(self, key: str, person: str | None) -> Table:
        """The table, for a person who is allowed to look on."""
        table = await self.table(key)
        await self._admit(person, table.room)
        return table

    async def read(self, key: str, person: str | None) -> TableContext:
        """The context of a table, for a person who is allowed to look on."""
        room = await self.context(key)
        await self._admit(person, room)
        return room

    async def _admit(self, person: str | None, room: TableContext) -> None:
        await self._check_sealed(person, room)
        if self._house.quotas:
            self._house.quotas.note_opened(room.table, room.changed)

    async def _check_sealed(self, person: str | None, room: TableContext) -> None:
        """Raises `Sealed` at a daily game of today for a person whose own try may still count."""
        day, almanac = room.chain.daily, self._house.almanac
        if not (day and room.sealed and almanac) or room.seating.held_by(person):
            return
        if not (person and await almanac.has_played(day, room.chain.game.key, person)):
            raise Sealed("this is today's game: play your own to its end first, or come back tomorrow")

    async def is_watching(self, person: str, key: str) -> bool:
        """Whether a person has the table in the foreground, at this or another node."""
        table = self._tables.get(key)
        here = table is not None and table.room.company.watches(person)
        return here or person in (await self._house.neighbours.crowd(key)).watching

    def note_broken(self, table: str, error: Exception) -> None:
        """Logs, once for each table, that it cannot be read."""
        if table not in self._broken:
            self._broken.add(table)
            problem = str(error) if isinstance(error, PolyopolisError) else type(error).__name__
            beginning = f"table {table} cannot be read: "
            logger.warning("%s%s", beginning, problem.removeprefix(beginning))
