"""What the requests of the api need, by the names of their parameters."""

from typing import Any
from urllib.parse import urlsplit

from litestar import Request
from litestar.connection import ASGIConnection
from litestar.datastructures import Cookie, State
from litestar.di import NamedDependency, Provide
from litestar.params import FromPath
from litestar.types import Scope

from polyopolis.play.daily.daily_service import DailyService
from polyopolis.play.history.archive import MatchArchive
from polyopolis.play.history.review_service import ReviewService
from polyopolis.play.lobby import Lobby
from polyopolis.play.table.table import Table
from polyopolis.play.table.table_context import TableContext
from polyopolis.server.auth.accounts import Accounts, RequestOrigin
from polyopolis.server.auth.bearer_auth import bearer_of, invalid_token, shown_token
from polyopolis.server.auth.bot_accounts import BotAccountService
from polyopolis.server.auth.seat_codes import SeatCodeService
from polyopolis.server.auth.session_cookies import COOKIE, COOKIE_SECONDS, SessionCookie
from polyopolis.server.auth.user_agents import browser_of
from polyopolis.server.auth.visitors import Visit, Visitors
from polyopolis.server.limits.client_addresses import address_in
from polyopolis.server.limits.fair_queue import FairShareKey
from polyopolis.server.limits.rate_limits import ChatLimiter, GuessLimiter
from polyopolis.server.notifications.notification_services import NotificationServices
from polyopolis.server.stats.profiles import ProfileService

Asked = Request[Any, Any, State]
LOCAL = ("localhost", "127.0.0.1", "::1")


async def provide_lobby(state: State) -> Lobby:
    lobby: Lobby = state.lobby
    return lobby


async def provide_table(lobby: NamedDependency[Lobby], person: NamedDependency[str], table: FromPath[str]) -> Table:
    return await lobby.tables.visit(table, person)


async def provide_room(
    lobby: NamedDependency[Lobby], person: NamedDependency[str], table: FromPath[str]
) -> TableContext:
    return await lobby.tables.read(table, person)


async def provide_library(state: State) -> MatchArchive:
    library: MatchArchive = state.library
    return library


async def provide_reviews(state: State) -> ReviewService:
    reviews: ReviewService = state.reviews
    return reviews


async def provide_codes(state: State) -> SeatCodeService:
    codes: SeatCodeService = state.codes
    return codes


async def provide_days(state: State) -> DailyService:
    daily: DailyService = state.daily
    return daily


async def provide_whos(state: State) -> ProfileService:
    whos: ProfileService = state.whos
    return whos


async def provide_accounts(state: State) -> Accounts:
    accounts: Accounts = state.accounts
    return accounts


async def provide_outsiders(state: State) -> BotAccountService:
    outsiders: BotAccountService = state.outsiders
    return outsiders


async def provide_visit(request: Asked) -> Visit:
    """Who asks, and on which device: a program by its token, anybody else by a cookie. A new guest gets an id, and the
    cookie with the answer."""
    if program := bearer_of(request):
        return _seen(request, program)
    visitors: Visitors = request.app.state.visitors
    visit = await visitors.known(request.cookies.get(COOKIE)) or visitors.newcomer()
    if visit.cookie:
        bring_cookie(request, COOKIE, visit.cookie)
    return _seen(request, visit)


async def provide_program(request: Asked) -> Visit:
    """The outside bot that asks; nobody else may."""
    if program := bearer_of(request):
        return _seen(request, program)
    raise invalid_token()


def _seen(request: Asked, visit: Visit) -> Visit:
    """Programs, too: whoever has many of them at one address is one of those who share."""
    if request.client:
        request.app.state.addresses.seen(visit.person, address_in(request.scope))
    return visit


async def share_of(scope: Scope) -> FairShareKey:
    """Return whose share a request uses that is not routed yet.

    A cookie or token counts only if it is genuine; all other requests of an address are those of one person.
    """
    connection, address = ASGIConnection[Any, Any, Any, State](scope), address_in(scope)
    visitors: Visitors = connection.app.state.visitors
    known: SessionCookie | Visit | None
    if token := shown_token(connection):
        known = await visitors.bearer(token)
    else:
        known = visitors.sessions.read(connection.cookies.get(COOKIE))
    return FairShareKey(address, known.person if known else address)


async def provide_person(visit: NamedDependency[Visit]) -> str:
    return visit.person


async def provide_place(request: Asked) -> RequestOrigin:
    """Where somebody asks from. A server that has no public address is for this machine alone."""
    origin = request.headers.get("origin", "")
    local = urlsplit(origin).hostname in LOCAL
    site = request.app.state.options.public_url or (origin if local else "")
    return RequestOrigin(origin, site.rstrip("/"), browser_of(request.headers.get("user-agent", "")))


async def provide_tried(request: Asked, visit: NamedDependency[Visit]) -> GuessLimiter:
    """Something that might be guessed is not tried too often."""
    tries: GuessLimiter = request.app.state.tries
    tries.spend(visit.person, address_in(request.scope))
    return tries


async def provide_voice(request: Asked, visit: NamedDependency[Visit]) -> Visit:
    """Who says something to others, and not too often."""
    voices: ChatLimiter = request.app.state.voices
    voices.spend(visit.person, address_in(request.scope))
    return visit


def bring_cookie(request: Asked, name: str, value: str | None) -> None:
    """With the answer; no value takes it away."""
    secure = request.app.state.options.public_url.startswith("https://")
    seconds = COOKIE_SECONDS if value else 0
    cookie = Cookie(key=name, value=value or "", httponly=True, samesite="lax", secure=secure, max_age=seconds)
    request.scope["state"].setdefault("cookies", {})[name] = cookie.to_header(header="")


async def provide_inform(state: State) -> NotificationServices:
    inform: NotificationServices = state.inform
    return inform


PROVIDED = {
    "lobby": Provide(provide_lobby),
    "at": Provide(provide_table),
    "room": Provide(provide_room),
    "library": Provide(provide_library),
    "reviews": Provide(provide_reviews),
    "codes": Provide(provide_codes),
    "days": Provide(provide_days),
    "whos": Provide(provide_whos),
    "accounts": Provide(provide_accounts),
    "visit": Provide(provide_visit),
    "program": Provide(provide_program),
    "outsiders": Provide(provide_outsiders),
    "person": Provide(provide_person),
    "place": Provide(provide_place),
    "tried": Provide(provide_tried),
    "voice": Provide(provide_voice),
    "inform": Provide(provide_inform),
}
