"""Requests about matches that were played: replays in pieces, events, courses, files, all packed by a scribe."""

import asyncio
import gzip
from typing import Any

from litestar import MediaType, Request, Response, get
from litestar.datastructures import State
from litestar.di import NamedDependency
from litestar.openapi.datastructures import ResponseSpec
from litestar.params import FromPath, FromQuery

from polyopolis.play.answers import CampaignInfo, Course, Frames, Heard, Replay
from polyopolis.play.library import Library
from polyopolis.play.room import Room
from polyopolis.records import CampaignRecord, Record
from polyopolis.server.problems import PROBLEMS

TheLibrary = NamedDependency[Library]
InRoom = NamedDependency[Room]
"""Where the table is that the address names."""
Asked = Request[Any, Any, State]
PACKED = {"compressed": True}
"""The answer is packed already."""


def _answers(kind: Any) -> dict[int, ResponseSpec]:
    return {**PROBLEMS, 200: ResponseSpec(kind, description="Here it is", generate_examples=False)}


async def _packed(request: Asked, data: bytes, name: str = "") -> Response[bytes]:
    """As the scribe has packed it, or unpacked for the few who cannot do that; with a name it is a file to keep."""
    headers = {"content-disposition": f'attachment; filename="{name}"'} if name else {}
    headers["vary"] = "accept-encoding"
    if "gzip" in request.headers.get("accept-encoding", ""):
        headers["content-encoding"] = "gzip"
    else:
        data = await asyncio.to_thread(gzip.decompress, data)
    return Response(data, media_type=MediaType.JSON, headers=headers)


@get("/tables/{table:str}/matches/{number:int}/record", summary="The record", responses=_answers(Record), opt=PACKED)
async def record(library: TheLibrary, request: Asked, room: InRoom, number: FromPath[int]) -> Response[bytes]:
    found = await library.record(room, number)
    return await _packed(request, found, f"polyopolis-{room.table}-{number}.json")


@get(
    "/tables/{table:str}/matches/{number:int}/replay",
    summary="A match to look at, with its first positions",
    responses=_answers(Replay),
    opt=PACKED,
)
async def replay(library: TheLibrary, request: Asked, room: InRoom, number: FromPath[int]) -> Response[bytes]:
    return await _packed(request, await library.replay(room, number))


@get(
    "/tables/{table:str}/matches/{number:int}/frames",
    summary="Some positions of a match, from this stop on",
    responses=_answers(Frames),
    opt=PACKED,
)
async def frames(
    library: TheLibrary, request: Asked, room: InRoom, number: FromPath[int], first: FromQuery[int] = 0
) -> Response[bytes]:
    return await _packed(request, await library.frames(room, number, first))


@get(
    "/tables/{table:str}/matches/{number:int}/events",
    summary="What happened after so many moves",
    responses=_answers(Heard),
    opt=PACKED,
)
async def events(
    library: TheLibrary, request: Asked, room: InRoom, number: FromPath[int], since: FromQuery[int] = 0
) -> Response[bytes]:
    return await _packed(request, await library.heard(room, number, since))


@get(
    "/tables/{table:str}/matches/{number:int}/course",
    summary="The scores from stop to stop",
    responses=_answers(Course),
    opt=PACKED,
)
async def course(library: TheLibrary, request: Asked, room: InRoom, number: FromPath[int]) -> Response[bytes]:
    return await _packed(request, await library.course(room, number))


@get(
    "/tables/{table:str}/campaign",
    summary="The finished episodes of a campaign",
    responses=_answers(CampaignInfo),
    opt=PACKED,
)
async def campaign(library: TheLibrary, request: Asked, room: InRoom) -> Response[bytes]:
    return await _packed(request, await library.campaign(room))


@get(
    "/tables/{table:str}/campaign.json",
    summary="A campaign as one file",
    responses=_answers(CampaignRecord),
    opt=PACKED,
)
async def campaign_file(library: TheLibrary, request: Asked, room: InRoom) -> Response[bytes]:
    found = await library.campaign_record(room)
    return await _packed(request, found, f"polyopolis-{room.table}-campaign.json")


ABOUT_MATCHES = [record, replay, frames, events, course, campaign, campaign_file]
