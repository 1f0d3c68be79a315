"""Routes of the daily games."""

from litestar import get, post
from litestar.params import FromPath, JSONBody

from polyopolis.play.wire.requests import PlayDaily
from polyopolis.play.wire.responses import DailyCalendar, DailyInfo, TableCreated
from polyopolis.server.web.dependencies import PersonDep, ServicesDep
from polyopolis.server.web.error_handlers import ERROR_RESPONSES


@get("/daily", summary="Today's games and your previous days", responses=ERROR_RESPONSES)
async def my_days(services: ServicesDep, person: PersonDep) -> DailyCalendar:
    return await services.daily.mine(person)


@get("/daily/{day:str}", summary="Games and leaderboards of a day", responses=ERROR_RESPONSES)
async def show_day(services: ServicesDep, person: PersonDep, day: FromPath[str]) -> DailyInfo:
    return await services.daily.day(person, day)


@post("/daily/{day:str}/{key:str}", summary="Play a daily game", responses=ERROR_RESPONSES)
async def play_day(
    services: ServicesDep, person: PersonDep, day: FromPath[str], key: FromPath[str], data: JSONBody[PlayDaily]
) -> TableCreated:
    return TableCreated((await services.daily.play(person, data.name, day, key)).id)


DAILY_ROUTES = [my_days, show_day]
DAILY_PLAY_ROUTES = [play_day]
"""Routes that create a table."""
