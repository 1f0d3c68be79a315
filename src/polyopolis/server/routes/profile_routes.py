"""Routes of player profiles: statistics and ratings."""

from litestar import get, post
from litestar.params import FromPath, JSONBody

from polyopolis.server.auth.bearer_auth import SCOPE
from polyopolis.server.stats.profile_types import Profile, ShareProfile, TableRatings
from polyopolis.server.web.dependencies import PersonDep, ServicesDep, TableContextDep
from polyopolis.server.web.error_handlers import ERROR_RESPONSES


@get("/me/who", summary="Your profile: statistics and rating", responses=ERROR_RESPONSES, opt={SCOPE: "watch"})
async def show_mine(services: ServicesDep, person: PersonDep) -> Profile:
    return await services.profiles.mine(person)


@post(
    "/me/who",
    summary="Share your profile, or stop sharing it",
    status_code=200,
    responses=ERROR_RESPONSES,
    opt={SCOPE: "play"},
)
async def share_mine(services: ServicesDep, person: PersonDep, data: JSONBody[ShareProfile]) -> Profile:
    return await services.profiles.share(person, data.shared)


@get("/who/{word:str}", summary="Shared profile of another person", responses=ERROR_RESPONSES)
async def show_who(services: ServicesDep, word: FromPath[str]) -> Profile:
    return await services.profiles.shown(word)


@get(
    "/tables/{table:str}/ratings",
    summary="Ratings of the players at a rated table",
    responses=ERROR_RESPONSES,
    opt={SCOPE: "watch"},
)
async def show_ratings(services: ServicesDep, table_context: TableContextDep) -> TableRatings:
    return await services.profiles.at(table_context)


PROFILE_ROUTES = [show_mine, share_mine, show_who, show_ratings]
