"""Whoever wants much waits in a line: fifty who open a replay at once must not stand before anybody's move."""

import asyncio

from litestar.middleware import ASGIMiddleware
from litestar.types import ASGIApp, Message, Receive, Scope, Send

READERS = 2
"""One whose answer is being written, and one who is next."""


class ReadersLine(ASGIMiddleware):
    def __init__(self) -> None:
        self._places = asyncio.Semaphore(READERS)

    async def handle(self, scope: Scope, receive: Receive, send: Send, next_app: ASGIApp) -> None:
        """The place is free again as soon as the answer begins: who takes it in slowly keeps nobody waiting."""
        place = Place(self._places)

        async def answer(message: Message) -> None:
            place.leave()
            await send(message)

        await place.take()
        try:
            await next_app(scope, receive, answer)
        finally:
            place.leave()


class Place:
    """Taken once, and left once however often it is said."""

    def __init__(self, places: asyncio.Semaphore) -> None:
        self._places = places
        self._taken = False

    async def take(self) -> None:
        await self._places.acquire()
        self._taken = True

    def leave(self) -> None:
        if self._taken:
            self._taken = False
            self._places.release()
