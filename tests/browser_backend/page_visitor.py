"""Somebody in front of a page that is its own house, with the means of those who visit a server."""

import asyncio
import json
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import asynccontextmanager
from typing import Any, cast

from websockets.asyncio.client import ClientConnection

from polyopolis.browser_backend.backend import BrowserBackend, open_backend
from polyopolis.browser_backend.connections import PageConnection
from polyopolis.play.protocols import BotService
from tests.browser_backend.in_memory_storage import MemoryCupboard
from tests.server.support.server_process import Screen, Visitor


class Wire:
    """Both ends of a line."""

    def __init__(self, noticed: Callable[[bytes], None]) -> None:
        self.code = 0
        self.line: PageConnection | None = None
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
        assert self.line
        self.line.say(text)

    async def end(self) -> int:
        """The code with which the house ended the line."""
        assert self.line
        await self.line.ended
        return self.code


class PageVisitor:
    """A browser that is its own house. It can be killed and opened again with what it has kept."""

    def __init__(self, cupboard: MemoryCupboard | None = None, thinker: BotService | None = None) -> None:
        self.cupboard = cupboard or MemoryCupboard()
        self.told: list[tuple[bytes, Mapping[str, str]]] = []
        """Every message, and what was kept when it was told."""
        self._thinker = thinker
        self._house: BrowserBackend | None = None

    async def house(self) -> BrowserBackend:
        self._house = self._house or await open_backend(self.cupboard, self._thinker)
        return self._house

    async def ask(self, method: str, path: str, body: Any = None) -> tuple[int, Any]:
        status, answer = await (await self.house()).request(method, path, json.dumps(body).encode())
        return status, json.loads(answer)

    @asynccontextmanager
    async def at(self, table: str) -> AsyncIterator[Screen]:
        wire = Wire(lambda message: self.told.append((message, self.cupboard.rows)))
        wire.line = (await self.house()).connect(f"/tables/{table}/socket", wire)
        screen = Screen(cast("ClientConnection", wire))
        await screen.until(lambda: screen.info is not None)
        yield screen
        wire.line.leave()


async def ask_server(visitor: Visitor, method: str, path: str, body: Any = None) -> tuple[int, Any]:
    answer = await visitor.http.request(method, f"/api{path}", json=body if method == "POST" else None)
    return answer.status_code, answer.json()
