"""Routes of open tables, chat, reports and reactions."""

from litestar import get, post
from litestar.params import FromPath, JSONBody

from polyopolis.play.social import chat, reactions
from polyopolis.play.wire.requests import Arrange, Ignore, SendChatMessage, SendReaction
from polyopolis.play.wire.responses import ChatHistory, ChatMessageView, OpenTables, TableInfo
from polyopolis.server.auth.account_types import Nothing
from polyopolis.server.auth.bearer_auth import SCOPE
from polyopolis.server.web.dependencies import PersonDep, ServicesDep, SpeakerDep, TableDep, VisitDep
from polyopolis.server.web.error_handlers import ERROR_RESPONSES

TALK = "/tables/{table:str}/talk"


@get(
    "/open-tables",
    summary="Open tables with a free seat",
    responses=ERROR_RESPONSES,
    opt={SCOPE: "watch"},
)
async def open_tables(services: ServicesDep, person: PersonDep) -> OpenTables:
    return await services.lobby.queries.open_tables(person)


@post(
    "/tables/{table:str}/arrangement",
    summary="Open a table to all players, or change its chat setting",
    status_code=200,
    responses=ERROR_RESPONSES,
)
async def arrange(person: PersonDep, at: TableDep, data: JSONBody[Arrange]) -> TableInfo:
    await at.arrange(person, data)
    return at.info(person)


@get(TALK, summary="Recent chat messages of a table", responses=ERROR_RESPONSES)
async def show_talk(visit: VisitDep, at: TableDep) -> ChatHistory:
    return await chat.show(at.context, visit.person, muted=visit.muted)


@post(TALK, summary="Send a chat message to the players", responses=ERROR_RESPONSES)
async def say(speaker: SpeakerDep, at: TableDep, data: JSONBody[SendChatMessage]) -> ChatMessageView:
    return await chat.say(at.context, speaker.person, data.text, muted=speaker.muted)


@post(TALK + "/ignored", summary="Ignore a player, or stop ignoring them", status_code=200, responses=ERROR_RESPONSES)
async def ignore(visit: VisitDep, at: TableDep, data: JSONBody[Ignore]) -> ChatHistory:
    await chat.ignore(at.context, visit.person, data)
    return await chat.show(at.context, visit.person, muted=visit.muted)


@post(TALK + "/{remark:str}/reports", summary="Report a chat message to the host", responses=ERROR_RESPONSES)
async def report(speaker: SpeakerDep, at: TableDep, remark: FromPath[str], data: JSONBody[Nothing]) -> Nothing:
    await chat.report(at.context, speaker.person, remark)
    return data


@post("/tables/{table:str}/reactions", summary="Send a reaction to all at a table", responses=ERROR_RESPONSES)
async def react(speaker: SpeakerDep, at: TableDep, data: JSONBody[SendReaction]) -> SendReaction:
    await reactions.react(at.context, speaker.person, data, muted=speaker.muted)
    return data


SOCIAL_ROUTES = [open_tables, arrange, show_talk, say, ignore, report, react]
