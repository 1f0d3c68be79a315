"""Requests of a page about the outside bots of whoever asks."""

from litestar import get, post
from litestar.di import NamedDependency
from litestar.params import FromPath, JSONBody

from polyopolis.server.auth.account_types import Nothing
from polyopolis.server.auth.bot_account_types import MakeBot, MakeToken, OwnBots, TokenMade
from polyopolis.server.auth.bot_accounts import BotAccountService
from polyopolis.server.auth.visitors import Visit
from polyopolis.server.limits.rate_limits import GuessLimiter
from polyopolis.server.web.error_handlers import PROBLEMS

TheOutsiders = NamedDependency[BotAccountService]
Visiting = NamedDependency[Visit]
"""Who asks."""
Tried = NamedDependency[GuessLimiter]
"""Not too often."""
BOT = "/me/bots/{bot:str}"


@get("/me/bots", summary="One's own outside bots, and their tokens", responses=PROBLEMS)
async def show_bots(outsiders: TheOutsiders, visit: Visiting) -> OwnBots:
    return await outsiders.of(visit)


@post("/me/bots", summary="Make an outside bot", responses=PROBLEMS)
async def make_bot(outsiders: TheOutsiders, visit: Visiting, data: JSONBody[MakeBot], tried: Tried) -> OwnBots:
    return await outsiders.make(visit, data.name)


@post(f"{BOT}/tokens", summary="Make a token for it, shown once", responses=PROBLEMS)
async def make_token(
    outsiders: TheOutsiders, visit: Visiting, bot: FromPath[str], data: JSONBody[MakeToken], tried: Tried
) -> TokenMade:
    return await outsiders.make_token(visit, bot, data)


@post(BOT + "/tokens/{token:str}/revoke", summary="It lets nobody in any more", status_code=200, responses=PROBLEMS)
async def revoke_token(
    outsiders: TheOutsiders, visit: Visiting, bot: FromPath[str], token: FromPath[str], data: JSONBody[Nothing]
) -> OwnBots:
    return await outsiders.revoke(visit, bot, token)


@post(f"{BOT}/delete", summary="It goes for good", status_code=200, responses=PROBLEMS)
async def give_up_bot(outsiders: TheOutsiders, visit: Visiting, bot: FromPath[str], data: JSONBody[Nothing]) -> OwnBots:
    return await outsiders.give_up(visit, bot)


ABOUT_BOTS = [show_bots, make_bot, make_token, revoke_token, give_up_bot]
