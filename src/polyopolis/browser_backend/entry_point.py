"""Entry point for JavaScript: `client/src/net/local/worker.ts` opens the backend here and exchanges strings with it."""

from collections.abc import Awaitable, Callable, Mapping
from typing import Protocol

import msgspec

from polyopolis.browser_backend.backend import BrowserBackend, open_backend
from polyopolis.browser_backend.connections import PageConnection


class JsStorage(Protocol):
    """The storage object of JavaScript, with rows as JSON."""

    def put(self, rows: str) -> Awaitable[None]: ...

    def below(self, folder: str) -> Awaitable[str]: ...


class JsBrowserStorage:
    """Adapts a `JsStorage` to `BrowserStorage`."""

    def __init__(self, browser: JsStorage) -> None:
        self._browser = browser

    async def put(self, rows: Mapping[str, str | None]) -> None:
        await self._browser.put(msgspec.json.encode(rows).decode())

    async def below(self, folder: str) -> Mapping[str, str]:
        return msgspec.json.decode(await self._browser.below(folder), type=dict[str, str])


SendToPage = Callable[[int, str, str], None]
"""Called with the number of a connection, and `open`, `message` with a text, or `close` with a code."""


class ConnectionCallbacks:
    """Forwards events of a connection to the page, with its number."""

    def __init__(self, number: int, send: SendToPage) -> None:
        self._number = number
        self._send = send

    def opened(self) -> None:
        self._send(self._number, "open", "")

    def tell(self, message: bytes) -> None:
        self._send(self._number, "message", message.decode())

    def closed(self, code: int) -> None:
        self._send(self._number, "close", str(code))


class BackendEntryPoint:
    def __init__(self, backend: BrowserBackend, send: SendToPage) -> None:
        self._backend = backend
        self._send = send
        self._connections: dict[int, PageConnection] = {}

    async def request(self, method: str, path: str, body: str) -> str:
        """Returns the status, a space, and the response body."""
        status, response = await self._backend.request(method, path, body)
        return f"{status} {response.decode()}"

    def connect(self, number: int, path: str) -> None:
        self._connections[number] = self._backend.connect(path, ConnectionCallbacks(number, self._send))

    def say(self, number: int, message: str) -> None:
        self._connections[number].say(message)

    def leave(self, number: int) -> None:
        self._connections.pop(number).leave()


async def open_entry_point(browser: JsStorage, send: SendToPage) -> BackendEntryPoint:
    return BackendEntryPoint(await open_backend(JsBrowserStorage(browser)), send)
