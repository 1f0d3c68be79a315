"""Routes for managing your external bots and their tokens."""

from litestar import get, post
from litestar.params import FromPath, JSONBody

from polyopolis.server.auth.account_types import Nothing
from polyopolis.server.auth.bot_account_types import CreateBot, CreatedToken, CreateToken, OwnBots
from polyopolis.server.web.dependencies import GuessDep, ServicesDep, VisitDep
from polyopolis.server.web.error_handlers import ERROR_RESPONSES

BOT = "/me/bots/{bot:str}"


@get("/me/bots", summary="Your external bots and their tokens", responses=ERROR_RESPONSES)
async def show_bots(services: ServicesDep, visit: VisitDep) -> OwnBots:
    return await services.bot_accounts.of(visit)


@post("/me/bots", summary="Create an external bot", responses=ERROR_RESPONSES)
async def make_bot(services: ServicesDep, visit: VisitDep, data: JSONBody[CreateBot], guess_limit: GuessDep) -> OwnBots:
    return await services.bot_accounts.make(visit, data.name)


@post(f"{BOT}/tokens", summary="Create a token, shown once", responses=ERROR_RESPONSES)
async def make_token(
    services: ServicesDep, visit: VisitDep, bot: FromPath[str], data: JSONBody[CreateToken], guess_limit: GuessDep
) -> CreatedToken:
    return await services.bot_accounts.make_token(visit, bot, data)


@post(BOT + "/tokens/{token:str}/revoke", summary="Revoke a token", status_code=200, responses=ERROR_RESPONSES)
async def revoke_token(
    services: ServicesDep, visit: VisitDep, bot: FromPath[str], token: FromPath[str], data: JSONBody[Nothing]
) -> OwnBots:
    return await services.bot_accounts.revoke(visit, bot, token)


@post(f"{BOT}/delete", summary="Delete an external bot", status_code=200, responses=ERROR_RESPONSES)
async def give_up_bot(services: ServicesDep, visit: VisitDep, bot: FromPath[str], data: JSONBody[Nothing]) -> OwnBots:
    return await services.bot_accounts.delete(visit, bot)


BOT_ACCOUNT_ROUTES = [show_bots, make_bot, make_token, revoke_token, give_up_bot]
