"""Requests about oneself: who I am here, how I come back, and what is kept of me."""

from litestar import get, post
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
from polyopolis.server.auth.session_cookies import BEFORE, COOKIE
from polyopolis.server.auth.visitors import Visit, Visitors
from polyopolis.server.limits.client_addresses import address_in
from polyopolis.server.web.dependencies import ApiRequest, GuessDep, OriginDep, ServicesDep, VisitDep, bring_cookie
from polyopolis.server.web.error_handlers import PROBLEMS

# Who I am


@get("/me", summary="Who asks, and how they can come back", responses=PROBLEMS)
async def show_me(services: ServicesDep, visit: VisitDep) -> Me:
    return await services.accounts.me(visit)


@post("/me/name", summary="How somebody is called from now on", status_code=200, responses=PROBLEMS)
async def call_me(services: ServicesDep, visit: VisitDep, data: JSONBody[CallMe]) -> Me:
    await services.accounts.call(visit, data.name)
    return await services.accounts.me(visit)


@get("/me/belongings", summary="All that is kept of somebody, to take along", responses=PROBLEMS)
async def show_belongings(services: ServicesDep, visit: VisitDep) -> Belonging:
    return await services.accounts.belonging(visit)


# Ways to come back


@post("/me/passkeys/options", summary="Begin with a new passkey", status_code=200, responses=PROBLEMS)
async def ask_new_passkey(
    services: ServicesDep, visit: VisitDep, place: OriginDep, data: JSONBody[Nothing], tried: GuessDep
) -> PasskeyAsked:
    return await services.accounts.ask_new_passkey(visit, place)


@post("/me/passkeys", summary="A passkey is a way to come back from now on", responses=PROBLEMS)
async def add_passkey(services: ServicesDep, visit: VisitDep, place: OriginDep, data: JSONBody[ShowPasskey]) -> Me:
    await services.accounts.add_passkey(visit, place, data.credential)
    return await services.accounts.me(visit)


@post("/me/passkeys/{key:str}/forget", summary="It is no way any more", status_code=200, responses=PROBLEMS)
async def forget_passkey(services: ServicesDep, visit: VisitDep, key: FromPath[str], data: JSONBody[Nothing]) -> Me:
    await services.accounts.forget_passkey(visit, key)
    return await services.accounts.me(visit)


@post("/me/mails/forget", summary="A mail address is no way any more", status_code=200, responses=PROBLEMS)
async def forget_mail(services: ServicesDep, visit: VisitDep, data: JSONBody[ForgetMail]) -> Me:
    await services.accounts.forget_mail(visit, data.address)
    return await services.accounts.me(visit)


@post("/me/code", summary="A code of one's own, shown once", responses=PROBLEMS)
async def make_code(
    services: ServicesDep, visit: VisitDep, place: OriginDep, data: JSONBody[Nothing], tried: GuessDep
) -> OwnCode:
    return await services.accounts.make_code(visit, place, "code")


@post("/me/code/forget", summary="It is no way any more", status_code=200, responses=PROBLEMS)
async def forget_code(services: ServicesDep, visit: VisitDep, data: JSONBody[Nothing]) -> Me:
    await services.accounts.forget_code(visit)
    return await services.accounts.me(visit)


@post("/me/recovery", summary="A code for when nothing else is left, shown once", responses=PROBLEMS)
async def make_recovery(
    services: ServicesDep, visit: VisitDep, place: OriginDep, data: JSONBody[Nothing], tried: GuessDep
) -> OwnCode:
    return await services.accounts.make_code(visit, place, "recovery")


# Proving who one is


@post("/sign-in/letter", summary="A letter with a link and a code", status_code=202, responses=PROBLEMS)
async def ask_letter(  # noqa: PLR0913, PLR0917 - by their names
    request: ApiRequest,
    services: ServicesDep,
    visit: VisitDep,
    place: OriginDep,
    data: JSONBody[AskLetter],
    tried: GuessDep,
) -> LetterSent:
    mail = await services.accounts.mail(place, data.address)
    services.limiters.letters.spend_sign_in(mail, address_in(request.scope))
    return await services.accounts.write(visit, place, mail, data.language)


@post("/sign-in/passkey/options", summary="Begin to sign in with a passkey", status_code=200, responses=PROBLEMS)
async def ask_passkey(
    services: ServicesDep, visit: VisitDep, place: OriginDep, data: JSONBody[Nothing], tried: GuessDep
) -> PasskeyAsked:
    return await services.accounts.ask_passkey(visit, place)


@post("/sign-in/passkey", summary="Show a passkey", status_code=200, responses=PROBLEMS)
async def show_passkey(services: ServicesDep, visit: VisitDep, place: OriginDep, data: JSONBody[ShowPasskey]) -> Proved:
    return await services.accounts.show_passkey(visit, place, data.credential)


@post("/sign-in/code", summary="Show a code of one's own", status_code=200, responses=PROBLEMS)
async def show_code(services: ServicesDep, visit: VisitDep, data: JSONBody[ShowWord], tried: GuessDep) -> Proved:
    return await services.accounts.show_code(visit, data.word)


@post("/sign-in/word", summary="Show what a letter said", status_code=200, responses=PROBLEMS)
async def show_letter(services: ServicesDep, visit: VisitDep, data: JSONBody[ShowWord], tried: GuessDep) -> Proved:
    return await services.accounts.show_letter(visit, data.word)


# Entering and leaving


@post("/sign-in", summary="Sign in as it was proved", status_code=200, responses=PROBLEMS)
async def enter(
    request: ApiRequest, services: ServicesDep, visit: VisitDep, place: OriginDep, data: JSONBody[Enter]
) -> Me:
    entered = await services.accounts.enter(visit, place, data.ticket, data.bring)
    if entered is not visit:
        bring_cookie(request, COOKIE, entered.cookie)
        if not visit.account and not data.bring:
            bring_cookie(request, BEFORE, request.cookies.get(COOKIE))
    return await services.accounts.me(entered)


@post("/sign-out", summary="Sign out on this device", status_code=200, responses=PROBLEMS)
async def leave(request: ApiRequest, services: ServicesDep, visit: VisitDep, data: JSONBody[Nothing]) -> Me:
    """Whoever was a guest here before is one again."""
    await services.accounts.leave(visit)
    return await services.accounts.me(await _before(request, services.visitors))


@post("/me/devices/{device:str}/sign-out", summary="Sign out on another device", status_code=200, responses=PROBLEMS)
async def shut_out(services: ServicesDep, visit: VisitDep, device: FromPath[str], data: JSONBody[Nothing]) -> Me:
    await services.accounts.shut_out(visit, device)
    return await services.accounts.me(visit)


@post("/me/delete", summary="Go for good", status_code=200, responses=PROBLEMS)
async def give_up(
    request: ApiRequest, services: ServicesDep, visit: VisitDep, data: JSONBody[Nothing], tried: GuessDep
) -> Me:
    await services.accounts.give_up(visit)
    return await services.accounts.me(await _before(request, services.visitors))


async def _before(request: ApiRequest, visitors: Visitors) -> Visit:
    kept = request.cookies.get(BEFORE)
    visit = await visitors.known(kept)
    if kept:
        bring_cookie(request, BEFORE, None)
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
