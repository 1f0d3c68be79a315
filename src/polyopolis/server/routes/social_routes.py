"""Requests about the company of others: open tables, what people write to each other, and signs."""

from litestar import get, post
from litestar.params import FromPath, JSONBody

from polyopolis.play.social import chat, reactions
from polyopolis.play.wire.requests import Arrange, Ignore, React, Say
from polyopolis.play.wire.responses import Conversation, OpenTables, Remark, TableInfo
from polyopolis.server.auth.account_types import Nothing
from polyopolis.server.auth.bearer_auth import SCOPE
from polyopolis.server.web.dependencies import PersonDep, ServicesDep, SpeakerDep, TableDep, VisitDep
from polyopolis.server.web.error_handlers import PROBLEMS

TALK = "/tables/{table:str}/talk"


@get("/open-tables", summary="Where everybody is invited and a seat is free", responses=PROBLEMS, opt={SCOPE: "watch"})
async def open_tables(services: ServicesDep, person: PersonDep) -> OpenTables:
    return await services.lobby.open_tables(person)


@post(
    "/tables/{table:str}/arrangement",
    summary="Who is invited, and whether people may write",
    status_code=200,
    responses=PROBLEMS,
)
async def arrange(person: PersonDep, at: TableDep, data: JSONBody[Arrange]) -> TableInfo:
    await at.arrange(person, data)
    return at.info(person)


@get(TALK, summary="What was written at a table lately", responses=PROBLEMS)
async def show_talk(visit: VisitDep, at: TableDep) -> Conversation:
    return await chat.show(at.room, visit.person, muted=visit.muted)


@post(TALK, summary="Write something to those who have a seat", responses=PROBLEMS)
async def say(voice: SpeakerDep, at: TableDep, data: JSONBody[Say]) -> Remark:
    return await chat.say(at.room, voice.person, data.text, muted=voice.muted)


@post(TALK + "/ignored", summary="Hear somebody no more, or again", status_code=200, responses=PROBLEMS)
async def ignore(visit: VisitDep, at: TableDep, data: JSONBody[Ignore]) -> Conversation:
    await chat.ignore(at.room, visit.person, data)
    return await chat.show(at.room, visit.person, muted=visit.muted)


@post(TALK + "/{remark:str}/reports", summary="Show the host what somebody wrote", responses=PROBLEMS)
async def report(voice: SpeakerDep, at: TableDep, remark: FromPath[str], data: JSONBody[Nothing]) -> Nothing:
    await chat.report(at.room, voice.person, remark)
    return data


@post("/tables/{table:str}/reactions", summary="Make a sign to all at a table", responses=PROBLEMS)
async def react(voice: SpeakerDep, at: TableDep, data: JSONBody[React]) -> React:
    await reactions.react(at.room, voice.person, data, muted=voice.muted)
    return data


ABOUT_COMPANY = [open_tables, arrange, show_talk, say, ignore, report, react]
