"""Selects the cluster link: a single node on SQLite, several nodes on PostgreSQL."""

import asyncio
from pathlib import Path
from typing import Protocol

from polyopolis.play.in_memory import NoCluster
from polyopolis.play.lobby.node_synchronizer import NodeSynchronizer
from polyopolis.play.protocols import ClusterLink
from polyopolis.server.storage.databases import is_shared
from polyopolis.server.storage.match_repository import DatabaseMatchRepository


class RunningClusterLink(ClusterLink, Protocol):
    """A `ClusterLink` that the server opens and closes."""

    async def open(self, synchronizer: NodeSynchronizer) -> None:
        """Starts the link and resumes bot turns that no node computes."""

    async def close(self) -> None: ...


class SingleNode(NoCluster):
    """The only node: every open bot turn was left by the previous run of the server."""

    async def open(self, synchronizer: NodeSynchronizer) -> None:
        self._task = asyncio.create_task(synchronizer.adopt_bots())

    async def close(self) -> None:
        self._task.cancel()


def cluster_for(database: Path | str, store: DatabaseMatchRepository) -> RunningClusterLink:
    if isinstance(database, Path) or not is_shared(database):
        return SingleNode()
    from polyopolis.server.cluster.nodes import PostgresCluster  # noqa: PLC0415 - its driver is an extra

    return PostgresCluster(database, store)
