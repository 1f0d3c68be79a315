"""Hints: what a good bot would do in a seat, for its own people alone."""

import asyncio

import msgspec

from polyopolis.engine import CHANCE, Reason
from polyopolis.play.match.live_match import LiveMatch
from polyopolis.play.match.messages import Hint
from polyopolis.play.protocols import BotRequest, BotService, Subscriber
from polyopolis.play.seats.seating import Seating


class HintService:
    """One at a time for a seat."""

    def __init__(self, bot_service: BotService) -> None:
        self._bot_service = bot_service
        self._tasks: dict[int, asyncio.Task[None]] = {}

    def why_not(self, live: LiveMatch, seating: Seating, person: str | None, seat: int) -> Reason | None:
        """Where other people play in earnest nobody is helped, even while a bot plays in for one of them."""
        if seating.others(person) and not live.row.practice:
            return Reason("hint-among-people")
        if seat == CHANCE or seat not in live.due:
            return Reason("not-due")
        return Reason("hint-on-its-way") if seat in self._tasks else None

    def start(self, live: LiveMatch, guest: Subscriber, ask: int, request: BotRequest) -> None:
        """Sends the guest the hint for the seat of the request in the background."""
        self._tasks[request.seat] = asyncio.create_task(self._send(live, guest, ask, request))

    async def _send(self, live: LiveMatch, guest: Subscriber, ask: int, request: BotRequest) -> None:
        try:
            found = await self._bot_service.explain(request)
        finally:
            self._tasks.pop(request.seat, None)
        fresh = live.match.moves == request.match.moves and request.seat in live.due
        guest.tell(msgspec.json.encode(Hint(ask, found if fresh else None)))
