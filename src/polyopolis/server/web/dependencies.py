"""Provides services, visitors and tables to handlers of the API."""

from typing import Any
from urllib.parse import urlsplit

from litestar import Request
from litestar.connection import ASGIConnection
from litestar.datastructures import Cookie, State
from litestar.di import NamedDependency, Provide
from litestar.params import FromPath
from litestar.types import Scope

from polyopolis.play.table.table import Table
from polyopolis.play.table.table_context import TableContext
from polyopolis.server.auth.accounts import RequestOrigin
from polyopolis.server.auth.bearer_auth import bearer_of, invalid_token, shown_token
from polyopolis.server.auth.session_cookies import COOKIE, COOKIE_SECONDS, SessionCookie
from polyopolis.server.auth.user_agents import browser_of
from polyopolis.server.auth.visitors import Visit
from polyopolis.server.limits.client_addresses import client_address
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
TableContextDep = NamedDependency[TableContext]
"""The same table, for handlers that only read."""
OriginDep = NamedDependency[RequestOrigin]
GuessDep = NamedDependency[None]
"""Rate-limits requests that could guess a secret."""
SpeakerDep = NamedDependency[Visit]
"""The person who asks; limits chat messages and reactions."""
LOCAL_HOSTS = ("localhost", "127.0.0.1", "::1")


async def provide_services(request: ApiRequest) -> Services:
    return services_of(request.app)


async def provide_table(services: ServicesDep, person: PersonDep, table: FromPath[str]) -> Table:
    return await services.lobby.tables.visit(table, person)


async def provide_table_context(services: ServicesDep, person: PersonDep, table: FromPath[str]) -> TableContext:
    return await services.lobby.tables.read(table, person)


async def provide_visit(request: ApiRequest) -> Visit:
    """Returns the visit of a bearer token or a session cookie; a new guest gets a cookie with the response."""
    if program := bearer_of(request):
        return _seen(request, program)
    visitors = services_of(request.app).visitors
    visit = await visitors.identify(request.cookies.get(COOKIE)) or visitors.new_guest()
    if visit.cookie:
        set_cookie(request, COOKIE, visit.cookie)
    return _seen(request, visit)


async def provide_bot(request: ApiRequest) -> Visit:
    """Returns the visit of an external bot; raises `NotAuthorizedException` without a valid token."""
    if program := bearer_of(request):
        return _seen(request, program)
    raise invalid_token()


def _seen(request: ApiRequest, visit: Visit) -> Visit:
    """Records the client address, also of external bots: all bots of an address share its limits."""
    if request.client:
        services_of(request.app).addresses.seen(visit.person, client_address(request.scope))
    return visit


async def fair_share_key(scope: Scope) -> FairShareKey:
    """Returns the key to which a request is charged before it is routed.

    Only valid cookies and tokens identify a person; all other requests of an address count as one person.
    """
    connection, address = ASGIConnection[Any, Any, Any, State](scope), client_address(scope)
    visitors = services_of(connection.app).visitors
    known: SessionCookie | Visit | None
    if token := shown_token(connection):
        known = await visitors.identify_bearer(token)
    else:
        known = visitors.sessions.read(connection.cookies.get(COOKIE))
    return FairShareKey(address, known.person if known else address)


async def provide_person(visit: VisitDep) -> str:
    return visit.person


async def provide_origin(request: ApiRequest, services: ServicesDep) -> RequestOrigin:
    """Returns the origin of a request. Without a public URL only local pages may sign in."""
    origin = request.headers.get("origin", "")
    local = urlsplit(origin).hostname in LOCAL_HOSTS
    site = services.options.public_url or (origin if local else "")
    return RequestOrigin(origin, site.rstrip("/"), browser_of(request.headers.get("user-agent", "")))


async def limit_guesses(request: ApiRequest, services: ServicesDep, visit: VisitDep) -> None:
    services.limiters.guesses.spend(visit.person, client_address(request.scope))


async def provide_speaker(request: ApiRequest, services: ServicesDep, visit: VisitDep) -> Visit:
    services.limiters.chat.spend(visit.person, client_address(request.scope))
    return visit


def set_cookie(request: ApiRequest, name: str, value: str | None) -> None:
    """Queues a cookie for the response; None deletes it."""
    secure = services_of(request.app).options.public_url.startswith("https://")
    seconds = COOKIE_SECONDS if value else 0
    cookie = Cookie(key=name, value=value or "", httponly=True, samesite="lax", secure=secure, max_age=seconds)
    request.scope["state"].setdefault("cookies", {})[name] = cookie.to_header(header="")


DEPENDENCIES = {
    "services": Provide(provide_services),
    "at": Provide(provide_table),
    "table_context": Provide(provide_table_context),
    "visit": Provide(provide_visit),
    "bot_visit": Provide(provide_bot),
    "person": Provide(provide_person),
    "origin": Provide(provide_origin),
    "guess_limit": Provide(limit_guesses),
    "speaker": Provide(provide_speaker),
}
