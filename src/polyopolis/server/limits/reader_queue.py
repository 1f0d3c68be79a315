"""Middleware that queues expensive requests fairly."""

from collections.abc import Awaitable, Callable
from time import monotonic

from litestar.middleware import ASGIMiddleware
from litestar.types import ASGIApp, Message, Receive, ReceiveMessage, Scope, Send

from polyopolis.server.limits.fair_queue import FairScheduler, FairShareKey, Job, QueueLimits

CONCURRENT_REQUESTS = 2
"""One request that the export process handles, and one that is ready for it."""
READER_LIMITS = QueueLimits(600, 60, 12, "too many replays and files are being read; try again in a moment", wait=5)
"""Limits of queued requests."""
UPLOAD_METHODS = ("POST",)
"""Methods whose request body is read before the request is queued."""


class ReaderQueueMiddleware(ASGIMiddleware):
    """Handles few requests at a time, in the order of a `FairQueue`; raises `Busy` if the queue is full.

    A request is queued when its body is complete and leaves when its response begins, so that slow clients do not
    block others. The time between is charged to the key that `share_of` returns.
    """

    def __init__(
        self, share_of: Callable[[Scope], Awaitable[FairShareKey]], clock: Callable[[], float] = monotonic
    ) -> None:
        self._share_of = share_of
        self._turns = FairScheduler[Job](READER_LIMITS, CONCURRENT_REQUESTS, clock)

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
            if scope.get("method") in UPLOAD_METHODS:
                await next_app(scope, hear, answer)
            else:
                await place.take()
                await next_app(scope, receive, answer)
        finally:
            place.leave()


class QueueTicket:
    """A run of a job that begins at most once and ends at most once."""

    def __init__(self, turns: FairScheduler[Job], job: Job) -> None:
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
