"""Requests about the game of the day, and what a server does for it by itself."""

import asyncio
import logging
from collections.abc import Callable

from litestar import get, post
from litestar.di import NamedDependency
from litestar.params import FromPath, JSONBody

from polyopolis.play.daily.daily_service import DailyService
from polyopolis.play.wire.requests import PlayDay
from polyopolis.play.wire.responses import DayInfo, MyDays, TableCreated
from polyopolis.server.web.error_handlers import PROBLEMS

logger = logging.getLogger(__name__)

TheDays = NamedDependency[DailyService]
Person = NamedDependency[str]
"""Who asks."""

OFTEN = 600.0
"""Seconds after which it is looked whether a new day has to be drawn."""
MOMENT = 5.0


@get("/daily", summary="One's own days, and the games of today", responses=PROBLEMS)
async def my_days(days: TheDays, person: Person) -> MyDays:
    return await days.mine(person)


@get("/daily/{day:str}", summary="The games of a day, and what all have come to", responses=PROBLEMS)
async def show_day(days: TheDays, person: Person, day: FromPath[str]) -> DayInfo:
    return await days.day(person, day)


@post("/daily/{day:str}/{key:str}", summary="Play the game of a day", responses=PROBLEMS)
async def play_day(
    days: TheDays, person: Person, day: FromPath[str], key: FromPath[str], data: JSONBody[PlayDay]
) -> TableCreated:
    return TableCreated((await days.play(person, data.name, day, key)).id)


ABOUT_DAYS = [my_days, show_day]
MAKING_DAYS = [play_day]
"""What makes a new table."""


async def draw_ahead(daily: DailyService) -> None:
    """For ever."""
    while True:
        try:
            await daily.draw()
        except Exception:
            logger.exception("no day could be drawn")
        await asyncio.sleep(OFTEN)


async def find_pars(daily: DailyService, ready: Callable[[], bool]) -> None:
    """For ever, once bots think as well as they can."""
    while not ready():
        await asyncio.sleep(MOMENT)
    await daily.find_pars()
