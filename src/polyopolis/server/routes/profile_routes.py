"""Requests about what somebody has played, and how well they play."""

from litestar import get, post
from litestar.di import NamedDependency
from litestar.params import FromPath, JSONBody

from polyopolis.play.table.table_context import TableContext
from polyopolis.server.auth.bearer_auth import SCOPE
from polyopolis.server.stats.profile_types import ShareWho, TableRatings, Who
from polyopolis.server.stats.profiles import ProfileService
from polyopolis.server.web.error_handlers import PROBLEMS

TheWhos = NamedDependency[ProfileService]
Person = NamedDependency[str]
"""Who asks."""


@get("/me/who", summary="What one has played oneself", responses=PROBLEMS, opt={SCOPE: "watch"})
async def show_mine(whos: TheWhos, person: Person) -> Who:
    return await whos.mine(person)


@post(
    "/me/who",
    summary="Let everybody see it, or nobody else",
    status_code=200,
    responses=PROBLEMS,
    opt={SCOPE: "play"},
)
async def share_mine(whos: TheWhos, person: Person, data: JSONBody[ShareWho]) -> Who:
    return await whos.share(person, data.shared)


@get("/who/{word:str}", summary="What somebody has played who shares it", responses=PROBLEMS)
async def show_who(whos: TheWhos, word: FromPath[str]) -> Who:
    return await whos.shown(word)


@get(
    "/tables/{table:str}/ratings",
    summary="How well those play who sit at a rated table",
    responses=PROBLEMS,
    opt={SCOPE: "watch"},
)
async def show_ratings(whos: TheWhos, room: NamedDependency[TableContext]) -> TableRatings:
    return await whos.at(room)


ABOUT_WHO = [show_mine, share_mine, show_who, show_ratings]
