"""Whoever wants much waits in a line: fifty who open a replay at once must not stand before anybody's move."""

import asyncio

from litestar.middleware import ASGIMiddleware
from litestar.types import ASGIApp, Message, Receive, ReceiveMessage, Scope, Send

READERS = 2
"""One whose answer is being written, and one who is next."""
BRINGING = ("POST",)
"""Methods with which somebody brings something."""


class ReadersLine(ASGIMiddleware):
    def __init__(self) -> None:
        self._places = asyncio.Semaphore(READERS)

    async def handle(self, scope: Scope, receive: Receive, send: Send, next_app: ASGIApp) -> None:
        """A place is taken once all is there that somebody brings, and free again as soon as the answer begins: who is
        slow with either keeps nobody waiting."""
        place = Place(self._places)

        async def hear() -> ReceiveMessage:
            message = await receive()
            if message["type"] == "http.request" and not message.get("more_body"):
                await place.take()
            return message

        async def answer(message: Message) -> None:
            place.leave()
            await send(message)

        try:
            if scope.get("method") in BRINGING:
                await next_app(scope, hear, answer)
            else:
                await place.take()
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
