"""Keeps the tables in use up to date with other nodes."""

import asyncio
import logging
from collections.abc import Iterable, Mapping

from polyopolis.play.errors import ROW_ERRORS
from polyopolis.play.lobby.table_registry import TableRegistry
from polyopolis.play.social import chat, reactions
from polyopolis.play.table.table import TURNED_AWAY, Table
from polyopolis.play.table.table_context import SiteServices

logger = logging.getLogger(__name__)


class NodeSynchronizer:
    def __init__(self, services: SiteServices, tables: TableRegistry) -> None:
        self._services = services
        self._tables = tables

    @property
    def in_use(self) -> frozenset[str]:
        return self._tables.in_use

    async def follow(self, versions: Mapping[str, int]) -> None:
        """Other nodes have written these versions. Refreshes the tables in use that are older, concurrently."""
        held = ((self._tables.get(key), version) for key, version in versions.items())
        behind = [table for table, version in held if table and table.context.version < version]
        await asyncio.gather(*map(self._follow, behind))

    async def _follow(self, table: Table) -> None:
        try:
            await table.follow()
        except ROW_ERRORS as error:
            table.context.uncertain = True
            self._tables.note_broken(table.id, error)
        except Exception:
            table.context.uncertain = True
            logger.exception("table %s cannot follow another node", table.id)

    async def update_attendance(self, tables: Iterable[str]) -> None:
        """People have arrived at these tables at another node, or have left them."""
        for table in [found for key in tables if (found := self._tables.get(key))]:
            await table.update_attendance()

    async def receive(self, key: str, word: str) -> None:
        """Handles a message of another node that is not stored with the table."""
        table = self._tables.get(key)
        if table is None:
            return
        kind, _, about = word.partition("/")
        if kind == TURNED_AWAY:
            table.seats.send_turned_away(about)
        elif kind == chat.SAID:
            await chat.receive(table.context, about)
        else:
            await reactions.receive(table.context, kind, about)

    async def adopt_bots(self) -> None:
        """Resumes, at this node, the bots that are due and run at no node."""
        node = self._services.cluster.node
        for key in await self._services.repository.adopt(node):
            try:
                table = await self._tables.table(key)
            except ROW_ERRORS as error:
                logger.warning("cannot resume bots of an adopted table: %s", error)
            else:
                if not table.adopt():
                    await self._services.repository.rest(key, node)
