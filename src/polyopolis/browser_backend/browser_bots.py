"""Bots think where the house is: between two messages, never while one is answered."""

import asyncio
import logging

from polyopolis import bots
from polyopolis.bots import DEFAULT
from polyopolis.bots.roster import FALLBACK_BOT, LAST_RESORT_BOT, Roster
from polyopolis.play.protocols import BotDecision, BotRequest
from polyopolis.play.wire.explanation import Explanation

logger = logging.getLogger(__name__)

BREATH = 0.001
"""Seconds before each thought, in which what was said before is heard and answered."""


class PageThinker(Roster):
    """A `Thinker` in the thread of the house: one thought at a time."""

    def __init__(self) -> None:
        self._thinking = asyncio.Lock()

    async def choose(self, bot: str, question: BotRequest) -> BotDecision:
        """What the bot does; what `greedy` would do if it fails, or chance if even that fails."""
        for candidate in (bot, FALLBACK_BOT):
            try:
                return await self._chosen(candidate, question)
            except Exception:
                logger.exception("the bot %s failed in seat %s of %s", candidate, question.seat, question.place)
        return await self._chosen(LAST_RESORT_BOT, question)

    async def _chosen(self, bot: str, question: BotRequest) -> BotDecision:
        async with self._thinking:
            await asyncio.sleep(BREATH)
            action = bots.choose(bots.bot(bot), question.match, question.seat, question.seed)
        if reason := question.match.why_not(question.seat, action):
            raise ValueError(f"{bot} wants {action}: {reason}")
        return BotDecision(action, bot)

    async def explain(self, question: BotRequest) -> Explanation | None:
        """What the usual level would do in this seat, and why; or `greedy` if it fails."""
        for candidate in (DEFAULT, FALLBACK_BOT):
            try:
                async with self._thinking:
                    await asyncio.sleep(BREATH)
                    return bots.explain(candidate, question.match, question.seat, question.seed)
            except Exception:
                logger.exception("the bot %s cannot explain itself in %s", candidate, question.place)
        return None
