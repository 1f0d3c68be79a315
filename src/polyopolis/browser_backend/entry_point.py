"""Where JavaScript comes in: a worker opens the house here and speaks with it in strings.

The other side of the door is `client/src/net/local/worker.ts`: it hands in a cupboard and a way to tell the page.
"""

from collections.abc import Awaitable, Callable, Mapping
from typing import Protocol

import msgspec

from polyopolis.browser_backend.backend import BrowserBackend, open_backend
from polyopolis.browser_backend.connections import PageConnection


class BrowserCupboard(Protocol):
    """As JavaScript fulfils it: rows travel as JSON."""

    def put(self, rows: str) -> Awaitable[None]: ...

    def below(self, folder: str) -> Awaitable[str]: ...


class JsBrowserStorage:
    """A `Cupboard` out of JavaScript's."""

    def __init__(self, browser: BrowserCupboard) -> None:
        self._browser = browser

    async def put(self, rows: Mapping[str, str | None]) -> None:
        await self._browser.put(msgspec.json.encode(rows).decode())

    async def below(self, folder: str) -> Mapping[str, str]:
        return msgspec.json.decode(await self._browser.below(folder), type=dict[str, str])


Tell = Callable[[int, str, str], None]
"""To the line with this number: `open`, `message` with a text, or `close` with a code."""


class Caller:
    """The page behind a line, by its number."""

    def __init__(self, number: int, tell: Tell) -> None:
        self._number = number
        self._tell = tell

    def opened(self) -> None:
        self._tell(self._number, "open", "")

    def tell(self, message: bytes) -> None:
        self._tell(self._number, "message", message.decode())

    def closed(self, code: int) -> None:
        self._tell(self._number, "close", str(code))


class BackendEntryPoint:
    def __init__(self, house: BrowserBackend, tell: Tell) -> None:
        self._house = house
        self._tell = tell
        self._lines: dict[int, PageConnection] = {}

    async def request(self, method: str, path: str, body: str) -> str:
        """The status, a blank, and the answer."""
        status, answer = await self._house.request(method, path, body)
        return f"{status} {answer.decode()}"

    def connect(self, number: int, path: str) -> None:
        self._lines[number] = self._house.connect(path, Caller(number, self._tell))

    def say(self, number: int, message: str) -> None:
        self._lines[number].say(message)

    def leave(self, number: int) -> None:
        self._lines.pop(number).leave()


async def open_entry_point(browser: BrowserCupboard, tell: Tell) -> BackendEntryPoint:
    return BackendEntryPoint(await open_backend(JsBrowserStorage(browser)), tell)
