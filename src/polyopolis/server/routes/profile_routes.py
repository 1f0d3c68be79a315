"""Requests about what somebody has played, and how well they play."""

from litestar import get, post
from litestar.params import FromPath, JSONBody

from polyopolis.server.auth.bearer_auth import SCOPE
from polyopolis.server.stats.profile_types import ShareWho, TableRatings, Who
from polyopolis.server.web.dependencies import PersonDep, RoomDep, ServicesDep
from polyopolis.server.web.error_handlers import PROBLEMS


@get("/me/who", summary="What one has played oneself", responses=PROBLEMS, opt={SCOPE: "watch"})
async def show_mine(services: ServicesDep, person: PersonDep) -> Who:
    return await services.profiles.mine(person)


@post(
    "/me/who",
    summary="Let everybody see it, or nobody else",
    status_code=200,
    responses=PROBLEMS,
    opt={SCOPE: "play"},
)
async def share_mine(services: ServicesDep, person: PersonDep, data: JSONBody[ShareWho]) -> Who:
    return await services.profiles.share(person, data.shared)


@get("/who/{word:str}", summary="What somebody has played who shares it", responses=PROBLEMS)
async def show_who(services: ServicesDep, word: FromPath[str]) -> Who:
    return await services.profiles.shown(word)


@get(
    "/tables/{table:str}/ratings",
    summary="How well those play who sit at a rated table",
    responses=PROBLEMS,
    opt={SCOPE: "watch"},
)
async def show_ratings(services: ServicesDep, room: RoomDep) -> TableRatings:
    return await services.profiles.at(room)


ABOUT_WHO = [show_mine, share_mine, show_who, show_ratings]
