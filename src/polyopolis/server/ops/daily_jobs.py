"""Background jobs of the daily games: draws decks ahead and computes par scores."""

import asyncio
import logging
from collections.abc import Callable

from polyopolis.play.daily.daily_service import DailyService

logger = logging.getLogger(__name__)

DRAW_INTERVAL_SECONDS = 600.0
READY_POLL_SECONDS = 5.0


async def draw_ahead(daily: DailyService) -> None:
    """Draws the decks of coming days; runs until it is cancelled."""
    while True:
        try:
            await daily.draw()
        except Exception:
            logger.exception("the daily decks could not be drawn")
        await asyncio.sleep(DRAW_INTERVAL_SECONDS)


async def find_pars(daily: DailyService, ready: Callable[[], bool]) -> None:
    """Computes par scores as soon as the bots run compiled; runs until it is cancelled."""
    while not ready():
        await asyncio.sleep(READY_POLL_SECONDS)
    await daily.find_pars()
