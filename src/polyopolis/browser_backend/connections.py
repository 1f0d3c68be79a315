"""A line from a page to a table: what is said on it is heard one after the other."""

import asyncio
import logging
from typing import Protocol

import msgspec

from polyopolis.engine import decode_json
from polyopolis.play.errors import BAD_MESSAGE, NO_TABLE, OUR_FAULT, UNREADABLE, NotFound, Unreadable
from polyopolis.play.lobby.table_registry import TableRegistry
from polyopolis.play.match.messages import FromScreen

logger = logging.getLogger(__name__)

_decoder = msgspec.json.Decoder(FromScreen)


class PageEnd(Protocol):
    """The page at the other end."""

    def opened(self) -> None: ...

    def tell(self, message: bytes) -> None: ...

    def closed(self, code: int) -> None: ...


class PageConnection:
    """A `Guest`, and the task that listens to it."""

    def __init__(self, tables: TableRegistry, person: str, told: PageEnd) -> None:
        self.person: str | None = person
        self._tables = tables
        self._told = told
        self._said: asyncio.Queue[str | None] = asyncio.Queue()

    def open(self, table: str, since: int | None, match: int | None) -> None:
        """Arrives there, for the first time or with the number of the last news that was heard of a match."""
        self.ended = asyncio.get_running_loop().create_task(self._listen(table, since, match))

    def tell(self, message: bytes) -> None:
        self._told.tell(message)

    def say(self, message: str) -> None:
        self._said.put_nowait(message)

    def leave(self) -> None:
        """After what was said before."""
        self._said.put_nowait(None)

    async def _listen(self, key: str, since: int | None, match: int | None) -> None:
        try:
            table = await self._tables.table(key)
        except NotFound:
            return self._told.closed(NO_TABLE)
        except Unreadable:
            return self._told.closed(UNREADABLE)
        self._told.opened()
        try:
            await table.arrive(self, since, match)
            while (said := await self._said.get()) is not None:
                await table.handle(self, decode_json(said, _decoder))
        except msgspec.DecodeError:
            self._told.closed(BAD_MESSAGE)
        except Exception:
            logger.exception("table %s", key)
            self._told.closed(OUR_FAULT)
        finally:
            table.depart(self)
