"""Bots at a table: each that is due thinks, and what it decides is kept, however often that has to be tried."""

import asyncio
import logging
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from typing import Any

from polyopolis.engine import Match, PolyopolisError
from polyopolis.games.game_spec import GameSpec
from polyopolis.play.errors import Unwritable
from polyopolis.play.match.live_match import LiveMatch
from polyopolis.play.protocols import BotDecision, BotRequest, BotService, Clock
from polyopolis.play.seats.seating import Seating

logger = logging.getLogger(__name__)

FIRST_PAUSE, LONGEST_PAUSE = 0.5, 60.0
"""Seconds before a decision that could not be kept is tried again."""

STAND_IN_DELAY_SECONDS = 1.5
"""Seconds before each decision of a bot that plays in for somebody, who may want to see what it does."""

Decide = Callable[[int, Match, BotDecision], Awaitable[None]]
Ask = Callable[[int, Match], BotRequest]


@dataclass(frozen=True)
class ActingBot:
    """A bot in a seat, its own or somebody's."""

    bot: str
    for_somebody: bool


def deciding_bots(seating: Seating, sign: GameSpec, state: Any) -> dict[int, ActingBot]:
    """The bots that may decide. What stays for good is left to whoever holds the seat, unless all others agreed."""
    if not seating.bots:
        return {}
    rows = seating.rows
    bots = {seat: ActingBot(bot, for_somebody=bool(rows[seat].person)) for seat, bot in seating.bots.items()}
    if not sign.for_good(state):
        return bots
    return {seat: bot for seat, bot in bots.items() if rows[seat].entrusted or not bot.for_somebody}


class BotTurns:
    """One at a time for a seat. Only a thought holds those whom it serves: a table that nobody needs can go."""

    def __init__(self, thinker: BotService, clock: Clock, ask: Ask) -> None:
        self._thinker = thinker
        self._clock = clock
        self._ask = ask
        self._tasks: dict[int, asyncio.Task[None]] = {}

    def begin(self, live: LiveMatch, bots: Mapping[int, ActingBot], decide: Decide, after: Callable[[], None]) -> None:
        """Every bot that is due and does not think yet begins to; after each thought somebody else may be due."""
        for seat in live.due:
            if seat in bots and seat not in self._tasks:
                self._tasks[seat] = asyncio.create_task(self._think(live, seat, bots[seat], decide, after))

    def hand_in(self, seat: int, work: Callable[[], Awaitable[None]], after: Callable[[], None]) -> None:
        """What somebody has decided before is decided now, however often that has to be tried."""
        if seat not in self._tasks:
            self._tasks[seat] = asyncio.create_task(self._hand_in(seat, work, after))

    async def _hand_in(self, seat: int, work: Callable[[], Awaitable[None]], after: Callable[[], None]) -> None:
        pause = FIRST_PAUSE
        while True:
            try:
                await work()
                break
            except Unwritable:  # which the keeper logs
                pass
            except Exception:
                logger.exception("what seat %s has prepared could not be kept", seat)
            await asyncio.sleep(pause)
            pause = min(2 * pause, LONGEST_PAUSE)
        self._tasks.pop(seat, None)
        after()

    @property
    def any(self) -> bool:
        return bool(self._tasks)

    def stop(self) -> None:
        for task in self._tasks.values():
            task.cancel()
        self._tasks.clear()

    async def _think(
        self, live: LiveMatch, seat: int, by: ActingBot, decide: Decide, after: Callable[[], None]
    ) -> None:
        if by.for_somebody:
            await self._clock.pause(STAND_IN_DELAY_SECONDS)
        pause = FIRST_PAUSE
        while not await self._decided(live, seat, by.bot, decide):
            await asyncio.sleep(pause)
            pause = min(2 * pause, LONGEST_PAUSE)
        self._tasks.pop(seat, None)
        after()

    async def _decided(self, live: LiveMatch, seat: int, bot: str, decide: Decide) -> bool:
        """Whether it was kept, or is not asked for any more."""
        match = live.match
        question = self._ask(seat, match)
        try:
            await decide(seat, match, await self._thinker.choose(bot, question))
        except Unwritable:  # which the keeper logs
            return False
        except PolyopolisError as error:
            logger.warning("%s: %s in seat %s has to wait: %s", question.place, bot, seat, error)
            return False
        except Exception:
            logger.exception("%s: what %s decides in seat %s could not be kept", question.place, bot, seat)
            return False
        return True
