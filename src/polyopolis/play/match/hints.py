"""Hints: what a good bot would do in a seat, for its own people alone."""

import asyncio
from collections.abc import Callable

import msgspec

from polyopolis.engine import CHANCE, Match, Reason
from polyopolis.play.match.live_match import LiveMatch
from polyopolis.play.match.messages import Hint
from polyopolis.play.protocols import BotRequest, BotService, Subscriber
from polyopolis.play.seats.seating import Seating


class HintService:
    """One at a time for a seat."""

    def __init__(self, thinker: BotService, ask: Callable[[int, Match], BotRequest]) -> None:
        self._thinker = thinker
        self._ask = ask
        self._tasks: dict[int, asyncio.Task[None]] = {}

    def why_not(self, live: LiveMatch, seating: Seating, person: str | None, seat: int) -> Reason | None:
        """Where other people play in earnest nobody is helped, even while a bot plays in for one of them."""
        if seating.others(person) and not live.row.practice:
            return Reason("hint-among-people")
        if seat == CHANCE or seat not in live.due:
            return Reason("not-due")
        return Reason("hint-on-its-way") if seat in self._tasks else None

    def begin(self, live: LiveMatch, guest: Subscriber, ask: int, seat: int) -> None:
        self._tasks[seat] = asyncio.create_task(self._advise(live, guest, ask, seat))

    async def _advise(self, live: LiveMatch, guest: Subscriber, ask: int, seat: int) -> None:
        """What the bot thinks of the moves: what others have decided and not opened is not among them."""
        match = live.match
        try:
            found = await self._thinker.explain(self._ask(seat, match))
        finally:
            self._tasks.pop(seat, None)
        fresh = live.match.moves == match.moves and seat in live.due
        guest.tell(msgspec.json.encode(Hint(ask, found if fresh else None)))
