"""The tables that are in use, each loaded once."""

import asyncio
import logging
from weakref import WeakValueDictionary

from polyopolis.engine import PolyopolisError
from polyopolis.play.entities import TableEntity
from polyopolis.play.errors import NotFound, Sealed, readable
from polyopolis.play.match.stored_json import check_table
from polyopolis.play.table.table import Table
from polyopolis.play.table.table_context import SiteServices, TableContext

logger = logging.getLogger(__name__)


class TableRegistry:
    def __init__(self, services: SiteServices) -> None:
        self._services = services
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
        return Table(TableContext(row, self._services))

    async def table(self, key: str) -> Table:
        """Returns the table on its latest stored version. Raises `NotFound` or `Unreadable`."""
        async with self._loading:
            table = self._tables.get(key)
            if table is None:
                table = await self._stored(key)
                with readable(f"table {key}"):
                    await table.open()
                self._tables[key] = table
                if self._services.cluster.any:
                    await table.update_attendance()
                return table
        if self._services.cluster.any:
            with readable(f"table {key}"):
                await table.follow()
        return table

    async def context(self, key: str) -> TableContext:
        """The context of a table, to read from. No match is replayed for it."""
        table = self._tables.get(key) or await self._stored(key)
        return table.context

    async def _stored(self, key: str) -> Table:
        row = await self._services.repository.table(key)
        if row is None:
            raise NotFound(f"there is no table {key!r}")
        with readable(f"table {key}"):
            table = self.unopened(row)
            table.info(None)  # fails here rather than in a later call
        return table

    async def visit(self, key: str, person: str | None) -> Table:
        """The table, for a person who is allowed to look on."""
        table = await self.table(key)
        await self._admit(person, table.context)
        return table

    async def read(self, key: str, person: str | None) -> TableContext:
        """The context of a table, for a person who is allowed to look on."""
        context = await self.context(key)
        await self._admit(person, context)
        return context

    async def _admit(self, person: str | None, context: TableContext) -> None:
        await self._check_sealed(person, context)
        if self._services.quotas:
            self._services.quotas.note_opened(context.table, context.changed)

    async def _check_sealed(self, person: str | None, context: TableContext) -> None:
        """Raises `Sealed` at a daily game of today for a person whose own try may still count."""
        day, daily_repository = context.chain.daily, self._services.daily_repository
        if not (day and context.sealed and daily_repository) or context.seating.held_by(person):
            return
        if not (person and await daily_repository.has_played(day, context.chain.game.key, person)):
            raise Sealed("this is today's game: play your own to its end first, or come back tomorrow")

    async def is_watching(self, person: str, key: str) -> bool:
        """Whether a person has the table in the foreground, at this or another node."""
        table = self._tables.get(key)
        here = table is not None and table.context.attendance.watches(person)
        return here or person in (await self._services.cluster.crowd(key)).watching

    def note_broken(self, table: str, error: Exception) -> None:
        """Logs, once for each table, that it cannot be read."""
        if table not in self._broken:
            self._broken.add(table)
            problem = str(error) if isinstance(error, PolyopolisError) else type(error).__name__
            beginning = f"table {table} cannot be read: "
            logger.warning("%s%s", beginning, problem.removeprefix(beginning))
