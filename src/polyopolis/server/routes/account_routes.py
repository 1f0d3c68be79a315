"""Requests about oneself: who I am here, how I come back, and what is kept of me."""

from typing import Any

from litestar import Request, get, post
from litestar.datastructures import State
from litestar.di import NamedDependency
from litestar.params import FromPath, JSONBody

from polyopolis.server.auth.account_types import (
    AskLetter,
    Belonging,
    CallMe,
    Enter,
    ForgetMail,
    LetterSent,
    Me,
    Nothing,
    OwnCode,
    PasskeyAsked,
    Proved,
    ShowPasskey,
    ShowWord,
)
from polyopolis.server.auth.accounts import Accounts, RequestOrigin
from polyopolis.server.auth.session_cookies import COOKIE, GUEST_COOKIE_NAME
from polyopolis.server.auth.visitors import Visit, Visitors
from polyopolis.server.limits.client_addresses import address_in
from polyopolis.server.limits.rate_limits import GuessLimiter, Letters
from polyopolis.server.web.dependencies import bring_cookie
from polyopolis.server.web.error_handlers import PROBLEMS

Asked = Request[Any, Any, State]
TheAccounts = NamedDependency[Accounts]
Visiting = NamedDependency[Visit]
"""Who asks, and on which device."""
From = NamedDependency[RequestOrigin]
Tried = NamedDependency[GuessLimiter]
"""Not too often."""

# Who I am


@get("/me", summary="Who asks, and how they can come back", responses=PROBLEMS)
async def show_me(accounts: TheAccounts, visit: Visiting) -> Me:
    return await accounts.me(visit)


@post("/me/name", summary="How somebody is called from now on", status_code=200, responses=PROBLEMS)
async def call_me(accounts: TheAccounts, visit: Visiting, data: JSONBody[CallMe]) -> Me:
    await accounts.call(visit, data.name)
    return await accounts.me(visit)


@get("/me/belongings", summary="All that is kept of somebody, to take along", responses=PROBLEMS)
async def show_belongings(accounts: TheAccounts, visit: Visiting) -> Belonging:
    return await accounts.belonging(visit)


# Ways to come back


@post("/me/passkeys/options", summary="Begin with a new passkey", status_code=200, responses=PROBLEMS)
async def ask_new_passkey(
    accounts: TheAccounts, visit: Visiting, place: From, data: JSONBody[Nothing], tried: Tried
) -> PasskeyAsked:
    return await accounts.ask_new_passkey(visit, place)


@post("/me/passkeys", summary="A passkey is a way to come back from now on", responses=PROBLEMS)
async def add_passkey(accounts: TheAccounts, visit: Visiting, place: From, data: JSONBody[ShowPasskey]) -> Me:
    await accounts.add_passkey(visit, place, data.credential)
    return await accounts.me(visit)


@post("/me/passkeys/{key:str}/forget", summary="It is no way any more", status_code=200, responses=PROBLEMS)
async def forget_passkey(accounts: TheAccounts, visit: Visiting, key: FromPath[str], data: JSONBody[Nothing]) -> Me:
    await accounts.forget_passkey(visit, key)
    return await accounts.me(visit)


@post("/me/mails/forget", summary="A mail address is no way any more", status_code=200, responses=PROBLEMS)
async def forget_mail(accounts: TheAccounts, visit: Visiting, data: JSONBody[ForgetMail]) -> Me:
    await accounts.forget_mail(visit, data.address)
    return await accounts.me(visit)


@post("/me/code", summary="A code of one's own, shown once", responses=PROBLEMS)
async def make_code(
    accounts: TheAccounts, visit: Visiting, place: From, data: JSONBody[Nothing], tried: Tried
) -> OwnCode:
    return await accounts.make_code(visit, place, "code")


@post("/me/code/forget", summary="It is no way any more", status_code=200, responses=PROBLEMS)
async def forget_code(accounts: TheAccounts, visit: Visiting, data: JSONBody[Nothing]) -> Me:
    await accounts.forget_code(visit)
    return await accounts.me(visit)


@post("/me/recovery", summary="A code for when nothing else is left, shown once", responses=PROBLEMS)
async def make_recovery(
    accounts: TheAccounts, visit: Visiting, place: From, data: JSONBody[Nothing], tried: Tried
) -> OwnCode:
    return await accounts.make_code(visit, place, "recovery")


# Proving who one is


@post("/sign-in/letter", summary="A letter with a link and a code", status_code=202, responses=PROBLEMS)
async def ask_letter(  # noqa: PLR0913, PLR0917 - by their names
    request: Asked, accounts: TheAccounts, visit: Visiting, place: From, data: JSONBody[AskLetter], tried: Tried
) -> LetterSent:
    mail = await accounts.mail(place, data.address)
    letters: Letters = request.app.state.letters
    letters.spend_sign_in(mail, address_in(request.scope))
    return await accounts.write(visit, place, mail, data.language)


@post("/sign-in/passkey/options", summary="Begin to sign in with a passkey", status_code=200, responses=PROBLEMS)
async def ask_passkey(
    accounts: TheAccounts, visit: Visiting, place: From, data: JSONBody[Nothing], tried: Tried
) -> PasskeyAsked:
    return await accounts.ask_passkey(visit, place)


@post("/sign-in/passkey", summary="Show a passkey", status_code=200, responses=PROBLEMS)
async def show_passkey(accounts: TheAccounts, visit: Visiting, place: From, data: JSONBody[ShowPasskey]) -> Proved:
    return await accounts.show_passkey(visit, place, data.credential)


@post("/sign-in/code", summary="Show a code of one's own", status_code=200, responses=PROBLEMS)
async def show_code(accounts: TheAccounts, visit: Visiting, data: JSONBody[ShowWord], tried: Tried) -> Proved:
    return await accounts.show_code(visit, data.word)


@post("/sign-in/word", summary="Show what a letter said", status_code=200, responses=PROBLEMS)
async def show_letter(accounts: TheAccounts, visit: Visiting, data: JSONBody[ShowWord], tried: Tried) -> Proved:
    return await accounts.show_letter(visit, data.word)


# Entering and leaving


@post("/sign-in", summary="Sign in as it was proved", status_code=200, responses=PROBLEMS)
async def enter(request: Asked, accounts: TheAccounts, visit: Visiting, place: From, data: JSONBody[Enter]) -> Me:
    entered = await accounts.enter(visit, place, data.ticket, data.bring)
    if entered is not visit:
        bring_cookie(request, COOKIE, entered.cookie)
        if not visit.account and not data.bring:
            bring_cookie(request, GUEST_COOKIE_NAME, request.cookies.get(COOKIE))
    return await accounts.me(entered)


@post("/sign-out", summary="Sign out on this device", status_code=200, responses=PROBLEMS)
async def leave(request: Asked, accounts: TheAccounts, visit: Visiting, data: JSONBody[Nothing]) -> Me:
    """Whoever was a guest here before is one again."""
    await accounts.leave(visit)
    return await accounts.me(await _before(request))


@post("/me/devices/{device:str}/sign-out", summary="Sign out on another device", status_code=200, responses=PROBLEMS)
async def shut_out(accounts: TheAccounts, visit: Visiting, device: FromPath[str], data: JSONBody[Nothing]) -> Me:
    await accounts.shut_out(visit, device)
    return await accounts.me(visit)


@post("/me/delete", summary="Go for good", status_code=200, responses=PROBLEMS)
async def give_up(request: Asked, accounts: TheAccounts, visit: Visiting, data: JSONBody[Nothing], tried: Tried) -> Me:
    await accounts.give_up(visit)
    return await accounts.me(await _before(request))


async def _before(request: Asked) -> Visit:
    visitors: Visitors = request.app.state.visitors
    kept = request.cookies.get(GUEST_COOKIE_NAME)
    visit = await visitors.known(kept)
    if kept:
        bring_cookie(request, GUEST_COOKIE_NAME, None)
    if visit is None:
        visit = visitors.newcomer()
        kept = visit.cookie
    bring_cookie(request, COOKIE, visit.cookie or kept)
    return visit


ABOUT_ME = [
    show_me,
    call_me,
    ask_new_passkey,
    add_passkey,
    forget_passkey,
    forget_mail,
    make_code,
    forget_code,
    make_recovery,
    ask_letter,
    ask_passkey,
    show_passkey,
    show_code,
    show_letter,
    enter,
    leave,
    shut_out,
    give_up,
]
MUCH_OF_ME = [show_belongings]
"""What takes a while."""
