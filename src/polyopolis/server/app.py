"""The web application: everything under /api, the socket of a table, and the built client."""

import asyncio
import logging
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

from litestar import HttpMethod, Litestar, Request, Response, Router, route
from litestar.config.compression import CompressionConfig
from litestar.connection import ASGIConnection
from litestar.datastructures import Cookie, MutableScopeHeaders, State
from litestar.di import NamedDependency, Provide
from litestar.exceptions import HTTPException, PermissionDeniedException
from litestar.handlers import BaseRouteHandler
from litestar.openapi import OpenAPIConfig
from litestar.params import FromPath
from litestar.types import Message, Scope

from polyopolis.engine import PolyopolisError
from polyopolis.play.library import Library
from polyopolis.play.lobby import Lobby
from polyopolis.play.memory import SystemClock
from polyopolis.play.problems import NotFound
from polyopolis.play.room import House, Room
from polyopolis.play.table import Table
from polyopolis.play.version import VERSION
from polyopolis.server.addresses import Addresses
from polyopolis.server.catching_up import catch_up
from polyopolis.server.codes import Codes
from polyopolis.server.devices import ABOUT_DEVICES
from polyopolis.server.hosts import KnownHosts
from polyopolis.server.housekeeping import settle_in
from polyopolis.server.limits import Credit, Turnstile
from polyopolis.server.lines import ReadersLine
from polyopolis.server.logs import Concerning
from polyopolis.server.metrics import counted, counted_requests, watched
from polyopolis.server.neighbours import neighbours_on
from polyopolis.server.options import Options
from polyopolis.server.probes import PROBES
from polyopolis.server.problems import our_fault, problem_of, problem_of_http, too_deep
from polyopolis.server.requests import ABOUT_MATCHES, ABOUT_TABLES
from polyopolis.server.retention import DAY, Today, retire
from polyopolis.server.scribes import ProcessScribe
from polyopolis.server.sessions import COOKIE, Sessions, from_own_page
from polyopolis.server.sockets import table_socket
from polyopolis.server.static import INDEX, NOT_BUILT, assets
from polyopolis.server.store import Store
from polyopolis.server.thinking import ProcessThinker

logger = logging.getLogger(__name__)

LARGEST_BODY = 64 * 1024
YEAR = 365 * 86400
COOKIE_SECONDS = 10 * YEAR
SECURITY = {
    "content-security-policy": (
        "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; worker-src 'self'; "
        "style-src 'self' 'unsafe-inline'; img-src 'self' data:; font-src 'self'; connect-src 'self'; "
        "manifest-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
    ),
    "x-frame-options": "DENY",
    "x-content-type-options": "nosniff",
    "referrer-policy": "no-referrer",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "permissions-policy": "camera=(), microphone=(), geolocation=()",
}


async def same_origin(connection: ASGIConnection[Any, Any, Any, Any], _: BaseRouteHandler) -> None:
    """Nobody else's page can make a browser change something here."""
    if connection.scope.get("method") in (None, "GET", "HEAD", "OPTIONS"):
        return
    if not from_own_page(connection) or "x-polyopolis" not in connection.headers:
        raise PermissionDeniedException("a change must come from a page of this server")


async def provide_lobby(state: State) -> Lobby:
    lobby: Lobby = state.lobby
    return lobby


async def provide_table(lobby: NamedDependency[Lobby], table: FromPath[str]) -> Table:
    return await lobby.table(table)


async def provide_room(lobby: NamedDependency[Lobby], table: FromPath[str]) -> Room:
    return await lobby.room(table)


async def provide_library(state: State) -> Library:
    library: Library = state.library
    return library


async def provide_codes(state: State) -> Codes:
    codes: Codes = state.codes
    return codes


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
    if request.client:
        request.app.state.addresses.seen(person, request.client.host)
    return person


async def add_headers(message: Message, scope: Scope) -> None:
    """Every answer keeps browsers strict; the first answer to a guest brings the cookie."""
    if message["type"] == "http.response.start":
        headers = MutableScopeHeaders.from_message(message)
        for name, value in SECURITY.items():
            headers[name] = value
        if scope["app"].state.options.public_url.startswith("https://"):
            headers["strict-transport-security"] = f"max-age={YEAR}"
        if scope["path"].startswith("/api/") and "cache-control" not in headers:
            headers["cache-control"] = "no-store"  # what a guest is told is nobody else's
        if cookie := scope["state"].get("fresh_cookie"):
            headers.add("set-cookie", cookie)


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


async def _retire_daily(store: Store, lobby: Lobby, today: Today, options: Options) -> None:
    while options.retention.any:
        try:
            await retire(store, options.data, options.retention, today, lobby.in_use)
        except Exception:
            logger.exception("tables that nobody needs could not be given up")
        await asyncio.sleep(DAY)


def create_app(options: Options) -> Litestar:
    reading = Router("", route_handlers=ABOUT_MATCHES, middleware=[Turnstile(options.limits.reading), ReadersLine()])
    api = Router(
        "/api",
        route_handlers=[*ABOUT_TABLES, *ABOUT_DEVICES, reading, table_socket],
        dependencies={
            "lobby": Provide(provide_lobby),
            "at": Provide(provide_table),
            "room": Provide(provide_room),
            "library": Provide(provide_library),
            "codes": Provide(provide_codes),
            "person": Provide(provide_person),
        },
        guards=[same_origin],
        middleware=[Turnstile(options.limits.requests)],
    )

    @asynccontextmanager
    async def open_house(app: Litestar) -> AsyncIterator[None]:
        store, clock = Store(options.kept_at), SystemClock()
        addresses, scribe = Addresses(), ProcessScribe()
        thinker = ProcessThinker(options.bot_processes, options.data / "kernels", address_of=addresses.of)
        await store.open()
        await catch_up(store)
        neighbours = neighbours_on(options.kept_at, store)
        lobby = Lobby(House(counted(store), thinker, clock, neighbours, options.absence), options.public_url)
        app.state.sessions = Sessions(await store.secret("sessions"))
        app.state.store, app.state.thinker, app.state.addresses = store, thinker, addresses
        app.state.sockets = Credit(options.limits.sockets)
        app.state.lobby = lobby
        app.state.library = Library(scribe)
        app.state.codes = Codes(store, lobby, clock)
        settle_in()
        await neighbours.open(lobby)
        retiring = asyncio.create_task(_retire_daily(store, lobby, Today(clock), options))
        yield
        retiring.cancel()
        await neighbours.close()
        thinker.close()
        scribe.close()
        await store.close()

    return Litestar(
        [api, page, *PROBES],
        lifespan=[open_house, watched],
        middleware=[Concerning(), KnownHosts(options.public_url), *counted_requests(options.metrics)],
        state=State({"options": options, "assets": assets()}),
        before_send=[add_headers],
        exception_handlers={
            PolyopolisError: problem_of,
            HTTPException: problem_of_http,
            RecursionError: too_deep,
            Exception: our_fault,
        },
        request_max_body_size=LARGEST_BODY,
        compression_config=CompressionConfig("gzip", exclude_opt_key="compressed"),
        openapi_config=OpenAPIConfig("Polyopolis", VERSION, path="/api/schema"),
        logging_config=None,  # whoever starts the server says where its log goes
    )
