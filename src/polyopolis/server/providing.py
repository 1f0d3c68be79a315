"""What the requests of the api need, by the names of their parameters."""

from typing import Any

from litestar import Request
from litestar.datastructures import Cookie, State
from litestar.di import NamedDependency, Provide
from litestar.params import FromPath

from polyopolis.play.daily import Daily
from polyopolis.play.library import Library
from polyopolis.play.lobby import Lobby
from polyopolis.play.room import Room
from polyopolis.play.table import Table
from polyopolis.server.codes import Codes
from polyopolis.server.sessions import COOKIE, COOKIE_SECONDS, Sessions


async def provide_lobby(state: State) -> Lobby:
    lobby: Lobby = state.lobby
    return lobby


async def provide_table(lobby: NamedDependency[Lobby], person: NamedDependency[str], table: FromPath[str]) -> Table:
    return await lobby.visited(table, person)


async def provide_room(lobby: NamedDependency[Lobby], person: NamedDependency[str], table: FromPath[str]) -> Room:
    return await lobby.read(table, person)


async def provide_library(state: State) -> Library:
    library: Library = state.library
    return library


async def provide_codes(state: State) -> Codes:
    codes: Codes = state.codes
    return codes


async def provide_daily(state: State) -> Daily:
    daily: Daily = state.daily
    return daily


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


PROVIDED = {
    "lobby": Provide(provide_lobby),
    "at": Provide(provide_table),
    "room": Provide(provide_room),
    "library": Provide(provide_library),
    "codes": Provide(provide_codes),
    "daily": Provide(provide_daily),
    "person": Provide(provide_person),
}
