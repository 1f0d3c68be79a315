"""Requests about the game of the day."""

from litestar import get, post
from litestar.params import FromPath, JSONBody

from polyopolis.play.wire.requests import PlayDay
from polyopolis.play.wire.responses import DayInfo, MyDays, TableCreated
from polyopolis.server.web.dependencies import PersonDep, ServicesDep
from polyopolis.server.web.error_handlers import PROBLEMS


@get("/daily", summary="One's own days, and the games of today", responses=PROBLEMS)
async def my_days(services: ServicesDep, person: PersonDep) -> MyDays:
    return await services.daily.mine(person)


@get("/daily/{day:str}", summary="The games of a day, and what all have come to", responses=PROBLEMS)
async def show_day(services: ServicesDep, person: PersonDep, day: FromPath[str]) -> DayInfo:
    return await services.daily.day(person, day)


@post("/daily/{day:str}/{key:str}", summary="Play the game of a day", responses=PROBLEMS)
async def play_day(
    services: ServicesDep, person: PersonDep, day: FromPath[str], key: FromPath[str], data: JSONBody[PlayDay]
) -> TableCreated:
    return TableCreated((await services.daily.play(person, data.name, day, key)).id)


ABOUT_DAYS = [my_days, show_day]
MAKING_DAYS = [play_day]
"""What makes a new table."""
