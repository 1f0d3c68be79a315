"""Requests about the company of others: open tables, what people write to each other, and signs."""

from litestar import get, post
from litestar.di import NamedDependency
from litestar.params import FromPath, JSONBody

from polyopolis.play.lobby import Lobby
from polyopolis.play.social import chat, reactions
from polyopolis.play.table.table import Table
from polyopolis.play.wire.requests import Arrange, Ignore, React, Say
from polyopolis.play.wire.responses import Conversation, OpenTables, Remark, TableInfo
from polyopolis.server.auth.account_types import Nothing
from polyopolis.server.auth.bearer_auth import SCOPE
from polyopolis.server.auth.visitors import Visit
from polyopolis.server.web.error_handlers import PROBLEMS

TheLobby = NamedDependency[Lobby]
AtTable = NamedDependency[Table]
"""The table that the address names."""
Person = NamedDependency[str]
"""Who asks."""
Visiting = NamedDependency[Visit]
Voice = NamedDependency[Visit]
"""Who asks, and not too often."""
TALK = "/tables/{table:str}/talk"


@get("/open-tables", summary="Where everybody is invited and a seat is free", responses=PROBLEMS, opt={SCOPE: "watch"})
async def open_tables(lobby: TheLobby, person: Person) -> OpenTables:
    return await lobby.queries.open_tables(person)


@post(
    "/tables/{table:str}/arrangement",
    summary="Who is invited, and whether people may write",
    status_code=200,
    responses=PROBLEMS,
)
async def arrange(person: Person, at: AtTable, data: JSONBody[Arrange]) -> TableInfo:
    await at.arrange(person, data)
    return at.info(person)


@get(TALK, summary="What was written at a table lately", responses=PROBLEMS)
async def show_talk(visit: Visiting, at: AtTable) -> Conversation:
    return await chat.show(at.context, visit.person, muted=visit.muted)


@post(TALK, summary="Write something to those who have a seat", responses=PROBLEMS)
async def say(voice: Voice, at: AtTable, data: JSONBody[Say]) -> Remark:
    return await chat.say(at.context, voice.person, data.text, muted=voice.muted)


@post(TALK + "/ignored", summary="Hear somebody no more, or again", status_code=200, responses=PROBLEMS)
async def ignore(visit: Visiting, at: AtTable, data: JSONBody[Ignore]) -> Conversation:
    await chat.ignore(at.context, visit.person, data)
    return await chat.show(at.context, visit.person, muted=visit.muted)


@post(TALK + "/{remark:str}/reports", summary="Show the host what somebody wrote", responses=PROBLEMS)
async def report(voice: Voice, at: AtTable, remark: FromPath[str], data: JSONBody[Nothing]) -> Nothing:
    await chat.report(at.context, voice.person, remark)
    return data


@post("/tables/{table:str}/reactions", summary="Make a sign to all at a table", responses=PROBLEMS)
async def react(voice: Voice, at: AtTable, data: JSONBody[React]) -> React:
    await reactions.react(at.context, voice.person, data, muted=voice.muted)
    return data


ABOUT_COMPANY = [open_tables, arrange, show_talk, say, ignore, report, react]
