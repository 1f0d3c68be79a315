"""A connection of a page to a table, which handles messages in order."""

import asyncio
import logging
from typing import Protocol

import msgspec

from polyopolis.engine import decode_json
from polyopolis.play.close_codes import BAD_MESSAGE, INTERNAL_ERROR, NO_TABLE, UNREADABLE
from polyopolis.play.errors import NotFound, Unreadable
from polyopolis.play.lobby.table_registry import TableRegistry
from polyopolis.play.match.messages import FromScreen

logger = logging.getLogger(__name__)

_decoder = msgspec.json.Decoder(FromScreen)


class PageCallbacks(Protocol):
    """How a connection reports to its page."""

    def opened(self) -> None: ...

    def tell(self, message: bytes) -> None: ...

    def closed(self, code: int) -> None: ...


class PageConnection:
    """A `Subscriber` at a table, and the task that handles its messages."""

    def __init__(self, tables: TableRegistry, person: str, page: PageCallbacks) -> None:
        self.person: str | None = person
        self._tables = tables
        self._page = page
        self._messages: asyncio.Queue[str | None] = asyncio.Queue()

    def open(self, table: str, since: int | None, match: int | None) -> None:
        """Joins a table; `since` is the number of the last update of a match that the page has received."""
        self.ended = asyncio.get_running_loop().create_task(self._listen(table, since, match))

    def tell(self, message: bytes) -> None:
        self._page.tell(message)

    def say(self, message: str) -> None:
        self._messages.put_nowait(message)

    def leave(self) -> None:
        """Leaves after earlier messages are handled."""
        self._messages.put_nowait(None)

    async def _listen(self, key: str, since: int | None, match: int | None) -> None:
        try:
            table = await self._tables.table(key)
        except NotFound:
            return self._page.closed(NO_TABLE)
        except Unreadable:
            return self._page.closed(UNREADABLE)
        self._page.opened()
        try:
            await table.arrive(self, since, match)
            while (message := await self._messages.get()) is not None:
                await table.handle(self, decode_json(message, _decoder))
        except msgspec.DecodeError:
            self._page.closed(BAD_MESSAGE)
        except Exception:
            logger.exception("table %s", key)
            self._page.closed(INTERNAL_ERROR)
        finally:
            table.depart(self)
