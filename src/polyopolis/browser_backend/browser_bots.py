"""Runs bots in the thread of the backend, between messages."""

import asyncio
import logging

from polyopolis import bots
from polyopolis.bots import DEFAULT
from polyopolis.bots.roster import FALLBACK_BOT, LAST_RESORT_BOT, Roster
from polyopolis.play.protocols import BotDecision, BotRequest
from polyopolis.play.wire.explanation import Explanation

logger = logging.getLogger(__name__)

PAUSE_SECONDS = 0.001
"""Pause before each bot request, in which earlier messages are handled."""


class BrowserBotService(Roster):
    """A `BotService` that handles one request at a time in the thread of the backend."""

    def __init__(self) -> None:
        self._thinking = asyncio.Lock()

    async def choose(self, bot: str, question: BotRequest) -> BotDecision:
        """Returns the decision of the bot, or of `greedy` if it fails, or of the random bot if that fails, too."""
        for candidate in (bot, FALLBACK_BOT):
            try:
                return await self._chosen(candidate, question)
            except Exception:
                logger.exception("the bot %s failed in seat %s of %s", candidate, question.seat, question.place)
        return await self._chosen(LAST_RESORT_BOT, question)

    async def _chosen(self, bot: str, question: BotRequest) -> BotDecision:
        async with self._thinking:
            await asyncio.sleep(PAUSE_SECONDS)
            action = bots.choose(bots.bot(bot), question.match, question.seat, question.seed)
        if reason := question.match.why_not(question.seat, action):
            raise ValueError(f"{bot} chose {action}: {reason}")
        return BotDecision(action, bot)

    async def explain(self, question: BotRequest) -> Explanation | None:
        """Explains the decision of the default level, or of `greedy` if it fails."""
        for candidate in (DEFAULT, FALLBACK_BOT):
            try:
                async with self._thinking:
                    await asyncio.sleep(PAUSE_SECONDS)
                    return bots.explain(candidate, question.match, question.seat, question.seed)
            except Exception:
                logger.exception("the bot %s could not explain a decision in %s", candidate, question.place)
        return None
