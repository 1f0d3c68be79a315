"""A player of a browser backend, with the interface of players of a server."""

import asyncio
import json
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import asynccontextmanager
from typing import Any, cast

from websockets.asyncio.client import ClientConnection

from polyopolis.browser_backend.backend import BrowserBackend, open_backend
from polyopolis.browser_backend.connections import PageConnection
from polyopolis.play.protocols import BotService
from tests.browser_backend.in_memory_storage import MemoryStorage
from tests.server.support.server_process import Screen, Visitor


class Wire:
    """A page with its connection, in the interface of a WebSocket client."""

    def __init__(self, noticed: Callable[[bytes], None]) -> None:
        self.code = 0
        self.connection: PageConnection | None = None
        self._told: asyncio.Queue[bytes] = asyncio.Queue()
        self._noticed = noticed

    def opened(self) -> None:
        """Nothing to do yet."""

    def tell(self, message: bytes) -> None:
        self._noticed(message)
        self._told.put_nowait(message)

    def closed(self, code: int) -> None:
        self.code = code

    async def recv(self) -> bytes:
        return await self._told.get()

    async def send(self, text: str) -> None:
        assert self.connection
        self.connection.say(text)

    async def end(self) -> int:
        """Returns the code with which the backend closed the connection."""
        assert self.connection
        await self.connection.ended
        return self.code


class PageVisitor:
    """A browser with its own backend; opening another one with the same storage simulates a killed tab."""

    def __init__(self, storage: MemoryStorage | None = None, bots: BotService | None = None) -> None:
        self.storage = storage or MemoryStorage()
        self.told: list[tuple[bytes, Mapping[str, str]]] = []
        """Every message, and the stored rows when it was sent."""
        self._bots = bots
        self._backend: BrowserBackend | None = None

    async def backend(self) -> BrowserBackend:
        self._backend = self._backend or await open_backend(self.storage, self._bots)
        return self._backend

    async def ask(self, method: str, path: str, body: Any = None) -> tuple[int, Any]:
        status, answer = await (await self.backend()).request(method, path, json.dumps(body).encode())
        return status, json.loads(answer)

    @asynccontextmanager
    async def at(self, table: str) -> AsyncIterator[Screen]:
        wire = Wire(lambda message: self.told.append((message, self.storage.rows)))
        wire.connection = (await self.backend()).connect(f"/tables/{table}/socket", wire)
        screen = Screen(cast("ClientConnection", wire))
        await screen.until(lambda: screen.info is not None)
        yield screen
        wire.connection.leave()


async def ask_server(visitor: Visitor, method: str, path: str, body: Any = None) -> tuple[int, Any]:
    answer = await visitor.http.request(method, f"/api{path}", json=body if method == "POST" else None)
    return answer.status_code, answer.json()
