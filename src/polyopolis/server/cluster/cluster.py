"""Who else works on the same database: nobody on a file, other servers on a PostgreSQL."""

import asyncio
from pathlib import Path
from typing import Protocol

from polyopolis.play.in_memory import Alone
from polyopolis.play.lobby import Lobby
from polyopolis.play.protocols import Neighbours
from polyopolis.server.storage.databases import is_shared
from polyopolis.server.storage.match_repository import Store


class Neighbourhood(Neighbours, Protocol):
    async def open(self, lobby: Lobby) -> None:
        """Bots that think nowhere any more go on."""

    async def close(self) -> None: ...


class OneServer(Alone):
    """Whatever waits for a bot has waited since the server before this one."""

    async def open(self, lobby: Lobby) -> None:
        self._task = asyncio.create_task(lobby.adopt())

    async def close(self) -> None:
        self._task.cancel()


def neighbours_on(database: Path | str, store: Store) -> Neighbourhood:
    if isinstance(database, Path) or not is_shared(database):
        return OneServer()
    from polyopolis.server.cluster.nodes import Nodes  # noqa: PLC0415 - its driver is an extra

    return Nodes(database, store)
