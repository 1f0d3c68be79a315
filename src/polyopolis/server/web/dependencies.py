"""What the requests of the api need, by the names of their parameters."""

from typing import Any
from urllib.parse import urlsplit

from litestar import Request
from litestar.connection import ASGIConnection
from litestar.datastructures import Cookie, State
from litestar.di import NamedDependency, Provide
from litestar.params import FromPath
from litestar.types import Scope

from polyopolis.play.table.room import TableContext
from polyopolis.play.table.table import Table
from polyopolis.server.auth.accounts import RequestOrigin
from polyopolis.server.auth.bearer_auth import bearer, shown_token, unknown
from polyopolis.server.auth.session_cookies import COOKIE, COOKIE_SECONDS, SessionCookie
from polyopolis.server.auth.user_agents import browser_of
from polyopolis.server.auth.visitors import Visit
from polyopolis.server.limits.client_addresses import address_in
from polyopolis.server.limits.fair_queue import FairShareKey
from polyopolis.server.services import Services, services_of

ApiRequest = Request[Any, Any, State]
ServicesDep = NamedDependency[Services]
VisitDep = NamedDependency[Visit]
"""The person who asks, and their device."""
PersonDep = NamedDependency[str]
"""The id of the person who asks."""
BotDep = NamedDependency[Visit]
"""The external bot whose token the request shows."""
TableDep = NamedDependency[Table]
"""The table in the path."""
RoomDep = NamedDependency[TableContext]
"""The same table, for handlers that only read."""
OriginDep = NamedDependency[RequestOrigin]
GuessDep = NamedDependency[None]
"""Limits requests that could guess a secret."""
SpeakerDep = NamedDependency[Visit]
"""The person who asks; limits chat messages and reactions."""
LOCAL = ("localhost", "127.0.0.1", "::1")


async def provide_services(request: ApiRequest) -> Services:
    return services_of(request.app)


async def provide_table(services: ServicesDep, person: PersonDep, table: FromPath[str]) -> Table:
    return await services.lobby.visited(table, person)


async def provide_room(services: ServicesDep, person: PersonDep, table: FromPath[str]) -> TableContext:
    return await services.lobby.read(table, person)


async def provide_visit(request: ApiRequest) -> Visit:
    """Who asks, and on which device: a program by its token, anybody else by a cookie. A new guest gets an id, and the
    cookie with the answer."""
    if program := bearer(request):
        return _seen(request, program)
    visitors = services_of(request.app).visitors
    visit = await visitors.known(request.cookies.get(COOKIE)) or visitors.newcomer()
    if visit.cookie:
        bring_cookie(request, COOKIE, visit.cookie)
    return _seen(request, visit)


async def provide_program(request: ApiRequest) -> Visit:
    """The outside bot that asks; nobody else may."""
    if program := bearer(request):
        return _seen(request, program)
    raise unknown()


def _seen(request: ApiRequest, visit: Visit) -> Visit:
    """Programs, too: whoever has many of them at one address is one of those who share."""
    if request.client:
        services_of(request.app).addresses.seen(visit.person, address_in(request.scope))
    return visit


async def share_of(scope: Scope) -> FairShareKey:
    """Return whose share a request uses that is not routed yet.

    A cookie or token counts only if it is genuine; all other requests of an address are those of one person.
    """
    connection, address = ASGIConnection[Any, Any, Any, State](scope), address_in(scope)
    visitors = services_of(connection.app).visitors
    known: SessionCookie | Visit | None
    if token := shown_token(connection):
        known = await visitors.bearer(token)
    else:
        known = visitors.sessions.read(connection.cookies.get(COOKIE))
    return FairShareKey(address, known.person if known else address)


async def provide_person(visit: VisitDep) -> str:
    return visit.person


async def provide_place(request: ApiRequest, services: ServicesDep) -> RequestOrigin:
    """Where somebody asks from. A server that has no public address is for this machine alone."""
    origin = request.headers.get("origin", "")
    local = urlsplit(origin).hostname in LOCAL
    site = services.options.public_url or (origin if local else "")
    return RequestOrigin(origin, site.rstrip("/"), browser_of(request.headers.get("user-agent", "")))


async def provide_tried(request: ApiRequest, services: ServicesDep, visit: VisitDep) -> None:
    """Something that might be guessed is not tried too often."""
    services.limiters.guesses.spend(visit.person, address_in(request.scope))


async def provide_voice(request: ApiRequest, services: ServicesDep, visit: VisitDep) -> Visit:
    """Who says something to others, and not too often."""
    services.limiters.chat.spend(visit.person, address_in(request.scope))
    return visit


def bring_cookie(request: ApiRequest, name: str, value: str | None) -> None:
    """With the answer; no value takes it away."""
    secure = services_of(request.app).options.public_url.startswith("https://")
    seconds = COOKIE_SECONDS if value else 0
    cookie = Cookie(key=name, value=value or "", httponly=True, samesite="lax", secure=secure, max_age=seconds)
    request.scope["state"].setdefault("cookies", {})[name] = cookie.to_header(header="")


PROVIDED = {
    "services": Provide(provide_services),
    "at": Provide(provide_table),
    "room": Provide(provide_room),
    "visit": Provide(provide_visit),
    "program": Provide(provide_program),
    "person": Provide(provide_person),
    "place": Provide(provide_place),
    "tried": Provide(provide_tried),
    "voice": Provide(provide_voice),
}
