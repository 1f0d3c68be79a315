"""Requests about tables: making them, sitting down, another match."""

from io import BytesIO
from typing import Any

import segno
from litestar import Request, get, post
from litestar.datastructures import State
from litestar.di import NamedDependency
from litestar.params import FromPath, JSONBody

from polyopolis.play.answers import Beginning, Best, Hello, SeatCode, Seated, TableCreated, TableInfo
from polyopolis.play.lobby import Lobby, beginning
from polyopolis.play.table import Table
from polyopolis.play.wishes import Branch, CreateTable, Fork, Listing, SeatChange, UseCode
from polyopolis.server.codes import Codes
from polyopolis.server.problems import PROBLEMS

TheLobby = NamedDependency[Lobby]
TheCodes = NamedDependency[Codes]
AtTable = NamedDependency[Table]
"""The table that the address names."""
Person = NamedDependency[str]
"""Who asks."""


@get("/hello", summary="What the home page needs", responses=PROBLEMS)
async def hello(lobby: TheLobby, person: Person) -> Hello:
    return await lobby.hello(person)


@get("/games/{key:str}/beginning", summary="How a match begins; the setup as query", responses=PROBLEMS)
async def show_beginning(request: Request[Any, Any, State], key: FromPath[str]) -> Beginning:
    return beginning(key, dict(request.query_params))


@post("/tables", summary="Make a table", responses=PROBLEMS)
async def create_table(lobby: TheLobby, person: Person, data: JSONBody[CreateTable]) -> TableCreated:
    return TableCreated((await lobby.create(person, data)).id)


@post(
    "/tables/{table:str}/listing",
    summary="Take a table off one's own list, or put it back",
    responses=PROBLEMS,
    status_code=200,
)
async def list_table(lobby: TheLobby, person: Person, table: FromPath[str], data: JSONBody[Listing]) -> Listing:
    await lobby.list_table(person, table, data.listed)
    return data


@get("/tables/{table:str}", summary="Who sits at a table", responses=PROBLEMS)
async def show_table(person: Person, at: AtTable) -> TableInfo:
    return at.info(person)


@post(
    "/tables/{table:str}/seats/{seat:int}",
    summary="Join, leave, put a bot in, return",
    responses=PROBLEMS,
    status_code=200,
)
async def change_seat(
    lobby: TheLobby, person: Person, at: AtTable, seat: FromPath[int], data: JSONBody[SeatChange]
) -> TableInfo:
    await lobby.change_seat(person, at, seat, data)
    return at.info(person)


@post(
    "/tables/{table:str}/seats/{seat:int}/code",
    summary="A code that moves a seat to another device, once",
    responses=PROBLEMS,
)
async def seat_code(codes: TheCodes, person: Person, at: AtTable, seat: FromPath[int]) -> SeatCode:
    return SeatCode(await codes.make(person, at, seat))


@post("/codes", summary="Use a code", responses=PROBLEMS)
async def use_code(codes: TheCodes, person: Person, data: JSONBody[UseCode]) -> Seated:
    return await codes.use(person, data)


@post("/tables/{table:str}/matches", summary="Another match at the same table", responses=PROBLEMS)
async def rematch(person: Person, at: AtTable) -> TableInfo:
    await at.rematch(person)
    return at.info(person)


@post("/tables/{table:str}/matches/{number:int}/forks", summary="Play on from a finished episode", responses=PROBLEMS)
async def fork(
    lobby: TheLobby, person: Person, at: AtTable, number: FromPath[int], data: JSONBody[Fork]
) -> TableCreated:
    return TableCreated((await lobby.fork(person, at, number, data)).id)


@post("/tables/{table:str}/matches/{number:int}/branches", summary="Play on from a position", responses=PROBLEMS)
async def branch(
    lobby: TheLobby, person: Person, at: AtTable, number: FromPath[int], data: JSONBody[Branch]
) -> TableCreated:
    return TableCreated((await lobby.branch(person, at, number, data)).id)


@get(
    "/tables/{table:str}/qr.svg",
    summary="The address of a table as a QR code",
    responses=PROBLEMS,
    media_type="image/svg+xml",
)
async def qr(request: Request[Any, Any, State], at: AtTable) -> bytes:
    address = f"{request.app.state.options.public_url or str(request.base_url).rstrip('/')}/t/{at.id}"
    picture = BytesIO()
    segno.make(address, error="m").save(picture, kind="svg", scale=4, border=2, light="white")
    return picture.getvalue()


@get(
    "/tables/{table:str}/matches/{number:int}/best",
    summary="What a finished match is to the one who asks, beside their others",
    responses=PROBLEMS,
)
async def show_best(lobby: TheLobby, person: Person, at: AtTable, number: FromPath[int]) -> Best:
    return await lobby.best(person, at, number)


ABOUT_TABLES = [
    hello, show_beginning, create_table, list_table, show_table, change_seat, seat_code, use_code, rematch, fork,
    branch, qr, show_best,
]  # fmt: skip
