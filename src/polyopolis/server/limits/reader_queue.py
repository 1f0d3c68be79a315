"""The line of requests that take a while: whoever reads or imports much keeps nobody else waiting."""

from collections.abc import Awaitable, Callable
from time import monotonic

from litestar.middleware import ASGIMiddleware
from litestar.types import ASGIApp, Message, Receive, ReceiveMessage, Scope, Send

from polyopolis.server.limits.fair_queue import Bounds, FairShareKey, Job, Turns

PLACES = 2
"""One request whose answer is being written, and one that is next."""
READING = Bounds(
    600, 60, 12, "so many replays and files are being read that this one has to wait; try again in a moment", wait=5
)
"""Requests that wait for a place."""
BRINGING = ("POST",)
"""Methods with which somebody brings something."""


class ReaderQueueMiddleware(ASGIMiddleware):
    """Answers few requests at a time, in the order of `FairQueue`; refuses with `Busy` those that must not wait.

    A request takes its place once its body is complete, and leaves it when the answer begins: a slow client keeps
    nobody waiting. `share_of` says who is charged for the time between.
    """

    def __init__(
        self, share_of: Callable[[Scope], Awaitable[FairShareKey]], clock: Callable[[], float] = monotonic
    ) -> None:
        self._share_of = share_of
        self._turns = Turns[Job](READING, PLACES, clock)

    async def handle(self, scope: Scope, receive: Receive, send: Send, next_app: ASGIApp) -> None:
        place = QueueTicket(self._turns, Job(await self._share_of(scope)))

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


class QueueTicket:
    """A turn that is taken at most once, and left at most once."""

    def __init__(self, turns: Turns[Job], job: Job) -> None:
        self._turns = turns
        self._job = job
        self._asked = self._taken = False

    async def take(self) -> None:
        if not self._asked:
            self._asked = True
            await self._turns.take(self._job)
            self._taken = True

    def leave(self) -> None:
        if self._taken:
            self._taken = False
            self._turns.leave(self._job)
