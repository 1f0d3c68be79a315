"""Counts committed decisions for Prometheus."""

from polyopolis.play.entities import MatchUpdate, TableChange
from polyopolis.server.ops.metrics import count_decision
from polyopolis.server.storage.match_repository import DatabaseMatchRepository


class MeteredMatchRepository(DatabaseMatchRepository):
    """A `DatabaseMatchRepository` that updates the metrics after each committed decision."""

    async def append(self, table: str, happened: MatchUpdate, entry: TableChange) -> None:
        await super().append(table, happened, entry)
        count_decision()
