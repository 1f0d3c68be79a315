"""The web application: everything under /api, the socket of a table, and the built client."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from io import BytesIO
from pathlib import Path
from typing import Any

import segno
from litestar import HttpMethod, Litestar, MediaType, Request, Response, Router, get, post, route
from litestar.config.compression import CompressionConfig
from litestar.connection import ASGIConnection
from litestar.datastructures import Cookie, MutableScopeHeaders, State
from litestar.di import NamedDependency, Provide
from litestar.exceptions import HTTPException, PermissionDeniedException
from litestar.handlers import BaseRouteHandler
from litestar.middleware.rate_limit import RateLimitConfig
from litestar.openapi import OpenAPIConfig
from litestar.openapi.datastructures import ResponseSpec
from litestar.params import FromPath, JSONBody
from litestar.types import Message, Scope

from polyopolis.engine import PolyopolisError
from polyopolis.records import CampaignRecord, Record, text_of
from polyopolis.server.lobby import Lobby, NotFound, beginning
from polyopolis.server.messages import (
    Beginning,
    Branch,
    CampaignInfo,
    CreateTable,
    Fork,
    Hello,
    Problem,
    Replay,
    SeatChange,
    SeatCode,
    Seated,
    TableCreated,
    TableInfo,
    UseCode,
)
from polyopolis.server.outlines import show_outline
from polyopolis.server.sessions import COOKIE, Sessions, from_own_page
from polyopolis.server.sockets import table_socket
from polyopolis.server.static import INDEX, NOT_BUILT, assets
from polyopolis.server.store import Store
from polyopolis.server.table import Forbidden
from polyopolis.server.thinking import Thinker
from polyopolis.server.version import VERSION

TheLobby = NamedDependency[Lobby]
Person = NamedDependency[str]
"""Who asks."""

LARGEST_BODY = 64 * 1024
COOKIE_SECONDS = 10 * 365 * 86400
SECURITY = {
    "content-security-policy": (
        "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; "
        "font-src 'self'; connect-src 'self'; manifest-src 'self'; base-uri 'none'; form-action 'none'; "
        "frame-ancestors 'none'"
    ),
    "x-frame-options": "DENY",
    "x-content-type-options": "nosniff",
    "referrer-policy": "no-referrer",
    "cross-origin-opener-policy": "same-origin",
    "permissions-policy": "camera=(), microphone=(), geolocation=()",
}


PROBLEMS = {
    status: ResponseSpec(Problem, description=what, generate_examples=False)
    for status, what in {
        400: "It cannot be meant",
        403: "It is not yours to do",
        404: "There is no such thing",
        413: "It is too large",
        429: "It is too much",
    }.items()
}


@dataclass(frozen=True)
class Options:
    """How a server is run."""

    data: Path
    public_url: str = ""
    """The address that people use, if it is not the one the server listens on."""
    bot_processes: int = 1
    requests_a_minute: int = 600


async def same_origin(connection: ASGIConnection[Any, Any, Any, Any], _: BaseRouteHandler) -> None:
    """Nobody else's page can make a browser change something here."""
    if connection.scope.get("method") in (None, "GET", "HEAD", "OPTIONS"):
        return
    if not from_own_page(connection) or "x-polyopolis" not in connection.headers:
        raise PermissionDeniedException("a change must come from a page of this server")


async def provide_lobby(state: State) -> Lobby:
    lobby: Lobby = state.lobby
    return lobby


async def provide_person(request: Request[Any, Any, State]) -> str:
    """Who asks. A new guest gets an id, and the cookie with the answer."""
    sessions: Sessions = request.app.state.sessions
    person = sessions.person(request.cookies.get(COOKIE))
    if person is None:
        person = sessions.fresh()
        secure = request.app.state.options.public_url.startswith("https://")
        cookie = Cookie(
            key=COOKIE,
            value=sessions.signed(person),
            httponly=True,
            samesite="lax",
            secure=secure,
            max_age=COOKIE_SECONDS,
        )
        request.scope["state"]["fresh_cookie"] = cookie.to_header(header="")
    return person


async def add_headers(message: Message, scope: Scope) -> None:
    """Every answer keeps browsers strict; the first answer to a guest brings the cookie."""
    if message["type"] == "http.response.start":
        headers = MutableScopeHeaders.from_message(message)
        for name, value in SECURITY.items():
            headers[name] = value
        if cookie := scope["state"].get("fresh_cookie"):
            headers.add("set-cookie", cookie)


@get("/hello", summary="What the home page needs", responses=PROBLEMS)
async def hello(lobby: TheLobby, person: Person) -> Hello:
    return await lobby.hello(person)


@get("/games/{key:str}/beginning", summary="How a match begins; the setup as query", responses=PROBLEMS)
async def show_beginning(request: Request[Any, Any, State], key: FromPath[str]) -> Beginning:
    return beginning(key, dict(request.query_params))


@post("/tables", summary="Make a table", responses=PROBLEMS)
async def create_table(lobby: TheLobby, person: Person, data: JSONBody[CreateTable]) -> TableCreated:
    return TableCreated((await lobby.create(person, data)).id)


@get("/tables/{table:str}", summary="Who sits at a table", responses=PROBLEMS)
async def show_table(lobby: TheLobby, person: Person, table: FromPath[str]) -> TableInfo:
    return (await lobby.table(table)).info(person)


@post(
    "/tables/{table:str}/seats/{seat:int}",
    summary="Join, leave, put a bot in, return",
    responses=PROBLEMS,
    status_code=200,
)
async def change_seat(
    lobby: TheLobby, person: Person, table: FromPath[str], seat: FromPath[int], data: JSONBody[SeatChange]
) -> TableInfo:
    found = await lobby.table(table)
    await lobby.change_seat(person, found, seat, data)
    return found.info(person)


@post(
    "/tables/{table:str}/seats/{seat:int}/code",
    summary="A code that moves a seat to another device, once",
    responses=PROBLEMS,
)
async def seat_code(lobby: TheLobby, person: Person, table: FromPath[str], seat: FromPath[int]) -> SeatCode:
    return SeatCode(await lobby.code(person, await lobby.table(table), seat))


@post("/codes", summary="Use a code", responses=PROBLEMS)
async def use_code(lobby: TheLobby, person: Person, data: JSONBody[UseCode]) -> Seated:
    return await lobby.use_code(person, data)


@post("/tables/{table:str}/matches", summary="Another match at the same table", responses=PROBLEMS)
async def rematch(lobby: TheLobby, person: Person, table: FromPath[str]) -> TableInfo:
    found = await lobby.table(table)
    await lobby.rematch(person, found)
    return found.info(person)


@get(
    "/tables/{table:str}/matches/{number:int}/record",
    summary="The record of a match",
    responses=PROBLEMS,
    media_type=MediaType.JSON,
)
async def record(lobby: TheLobby, table: FromPath[str], number: FromPath[int]) -> Response[bytes]:
    return _file(await lobby.record(await lobby.table(table), number), f"polyopolis-{table}-{number}.json")


def _file(found: Record | CampaignRecord, name: str) -> Response[bytes]:
    headers = {"content-disposition": f'attachment; filename="{name}"'}
    return Response(text_of(found).encode(), media_type=MediaType.JSON, headers=headers)


@get("/tables/{table:str}/campaign", summary="The finished episodes of a campaign", responses=PROBLEMS)
async def campaign(lobby: TheLobby, table: FromPath[str]) -> CampaignInfo:
    return lobby.campaign(await lobby.table(table))


@get(
    "/tables/{table:str}/campaign.json",
    summary="A campaign as one file",
    responses=PROBLEMS,
    media_type=MediaType.JSON,
)
async def campaign_file(lobby: TheLobby, table: FromPath[str]) -> Response[bytes]:
    return _file(lobby.campaign_record(await lobby.table(table)), f"polyopolis-{table}-campaign.json")


@post("/tables/{table:str}/matches/{number:int}/forks", summary="Play on from a finished episode", responses=PROBLEMS)
async def fork(
    lobby: TheLobby, person: Person, table: FromPath[str], number: FromPath[int], data: JSONBody[Fork]
) -> TableCreated:
    return TableCreated((await lobby.fork(person, await lobby.table(table), number, data)).id)


@get("/tables/{table:str}/matches/{number:int}/replay", summary="Every position of a match", responses=PROBLEMS)
async def replay(lobby: TheLobby, table: FromPath[str], number: FromPath[int]) -> Replay:
    return await lobby.replay(await lobby.table(table), number)


@post("/tables/{table:str}/matches/{number:int}/branches", summary="Play on from a position", responses=PROBLEMS)
async def branch(
    lobby: TheLobby, person: Person, table: FromPath[str], number: FromPath[int], data: JSONBody[Branch]
) -> TableCreated:
    return TableCreated((await lobby.branch(person, await lobby.table(table), number, data)).id)


@get(
    "/tables/{table:str}/qr.svg",
    summary="The address of a table as a QR code",
    responses=PROBLEMS,
    media_type="image/svg+xml",
)
async def qr(lobby: TheLobby, request: Request[Any, Any, State], table: FromPath[str]) -> bytes:
    found = await lobby.table(table)
    address = f"{request.app.state.options.public_url or str(request.base_url).rstrip('/')}/t/{found.id}"
    picture = BytesIO()
    segno.make(address, error="m").save(picture, kind="svg", scale=4, border=2, light="white")
    return picture.getvalue()


@route(
    ["/", "/{path:path}"],
    http_method=[HttpMethod.GET, HttpMethod.HEAD],
    include_in_schema=False,
    media_type="text/html",
    opt={"compressed": True},
)
async def page(request: Request[Any, Any, State], path: FromPath[str] = "") -> Response[bytes]:
    """A file of the client; every other address is a page of it.

    A page brings the cookie: two first requests of its scripts at the same time would make two guests of one.
    """
    files = request.app.state.assets
    name = path.strip("/")
    if not files:
        return Response(NOT_BUILT, status_code=503, media_type="text/plain")
    if name.startswith(("api/", "assets/")) and name not in files:
        raise NotFound(f"there is no {path}")
    asset = files.get(name) or files[INDEX]
    if asset is files[INDEX]:
        await provide_person(request)
    headers = {"cache-control": "public, max-age=31536000, immutable" if asset.forever else "no-cache"}
    if "gzip" in request.headers.get("accept-encoding", ""):
        headers |= {"content-encoding": "gzip", "vary": "accept-encoding"}
        return Response(asset.zipped, media_type=asset.media_type, headers=headers)
    return Response(asset.data, media_type=asset.media_type, headers=headers)


def told(_: Request[Any, Any, State], error: Exception) -> Response[Problem]:
    """Whatever is wrong is one sentence."""
    status = 404 if isinstance(error, NotFound) else 403 if isinstance(error, Forbidden) else 400
    return Response(Problem(str(error)), status_code=status, media_type=MediaType.JSON)


def told_http(_: Request[Any, Any, State], error: HTTPException) -> Response[Problem]:
    fields = [
        f"{field.get('key', 'body')}: {field['message']}" for field in error.extra or [] if isinstance(field, dict)
    ]
    sentence = "; ".join(fields) or error.detail
    return Response(Problem(sentence), status_code=error.status_code, media_type=MediaType.JSON, headers=error.headers)


def create_app(options: Options) -> Litestar:
    api = Router(
        "/api",
        route_handlers=[
            hello, show_beginning, create_table, show_table, change_seat, seat_code, use_code, rematch, record, replay,
            branch, qr, campaign, campaign_file, fork, table_socket, show_outline,
        ],
        dependencies={"lobby": Provide(provide_lobby), "person": Provide(provide_person)},
        guards=[same_origin],
        middleware=[RateLimitConfig(("minute", options.requests_a_minute)).middleware],
    )  # fmt: skip

    @asynccontextmanager
    async def open_house(app: Litestar) -> AsyncIterator[None]:
        store = Store(options.data / "polyopolis.sqlite")
        thinker = Thinker(options.bot_processes, options.data / "kernels")
        await store.open()
        app.state.sessions = Sessions(await store.secret("sessions"))
        app.state.lobby = Lobby(store, thinker, options.public_url)
        yield
        thinker.close()
        await store.close()

    return Litestar(
        [api, page],
        lifespan=[open_house],
        state=State({"options": options, "assets": assets()}),
        before_send=[add_headers],
        exception_handlers={PolyopolisError: told, HTTPException: told_http},
        request_max_body_size=LARGEST_BODY,
        compression_config=CompressionConfig("gzip", exclude_opt_key="compressed"),
        openapi_config=OpenAPIConfig("Polyopolis", VERSION, path="/api/schema"),
    )
