"""Records that the site is up, and moves deadlines after outages."""

import asyncio
import logging

from polyopolis.play.entities import Outage
from polyopolis.play.errors import ROW_ERRORS
from polyopolis.play.lobby.table_registry import TableRegistry
from polyopolis.play.outages import OUTAGE_AFTER_MS, OUTAGE_HEARTBEAT_SECONDS
from polyopolis.play.table.table_context import SiteServices

logger = logging.getLogger(__name__)


class DeadlineService:
    def __init__(self, services: SiteServices, tables: TableRegistry) -> None:
        self._tables = tables
        self._repository, self._clock, self._outage_tracker = (
            services.repository,
            services.clock,
            services.outage_tracker,
        )
        self._lock = asyncio.Lock()
        self._counted: tuple[Outage, ...] | None = None
        """The outages after which all deadlines have been moved."""

    async def record_heartbeat(self, silence: int = OUTAGE_AFTER_MS) -> bool:
        """Records that the site is up. A gap of more than `silence` milliseconds was an outage: clocks stood still.

        Returns whether there are new outages.
        """
        return await self._outage_tracker.record_heartbeat(self._repository, self._clock, silence)

    async def run(self) -> None:
        """Runs until cancelled: records heartbeats and moves deadlines after outages."""
        try:
            await self.update()
        except Exception as error:  # the repository may be unreachable
            logger.warning("cannot move deadlines after outages: %s: %s", type(error).__name__, error)
        while True:
            await asyncio.sleep(OUTAGE_HEARTBEAT_SECONDS)
            try:
                if await self.record_heartbeat():
                    await self.update()
            except Exception as error:
                logger.warning("cannot record a heartbeat: %s: %s", type(error).__name__, error)

    async def update(self) -> None:
        """Moves all deadlines for outages up to now, including one that has not been recorded yet. Called before
        deadline notifications are sent."""
        async with self._lock:
            if self._outage_tracker.clock_jump(self._clock):
                await self.record_heartbeat()
            outages = self._outage_tracker.outages
            if self._counted != outages:
                await self.move_deadlines()
                self._counted = outages

    async def move_deadlines(self) -> None:
        """Moves the deadlines of all tables for the outages that are known."""
        for key in await self._repository.clocked():
            try:
                await (await self._tables.table(key)).update_deadlines()
            except ROW_ERRORS as error:
                self._tables.note_broken(key, error)
