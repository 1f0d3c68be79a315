"""Routes of the account: sign-in, credentials, devices, data export and deletion."""

from litestar import get, post
from litestar.params import FromPath, JSONBody

from polyopolis.server.auth.account_types import (
    ChangeName,
    CodeProof,
    MailSent,
    Nothing,
    OwnAccount,
    PasskeyOptions,
    PasskeyProof,
    PersonalData,
    ProofResult,
    RemoveMail,
    RequestMail,
    SignIn,
    SignInCode,
)
from polyopolis.server.auth.session_cookies import COOKIE, GUEST_COOKIE_NAME
from polyopolis.server.auth.visitors import Visit, Visitors
from polyopolis.server.limits.client_addresses import client_address
from polyopolis.server.web.dependencies import ApiRequest, GuessDep, OriginDep, ServicesDep, VisitDep, set_cookie
from polyopolis.server.web.error_handlers import ERROR_RESPONSES

# Account


@get("/me", summary="Your account and its credentials", responses=ERROR_RESPONSES)
async def show_me(services: ServicesDep, visit: VisitDep) -> OwnAccount:
    return await services.accounts.me(visit)


@post("/me/name", summary="Change your name", status_code=200, responses=ERROR_RESPONSES)
async def call_me(services: ServicesDep, visit: VisitDep, data: JSONBody[ChangeName]) -> OwnAccount:
    await services.accounts.call(visit, data.name)
    return await services.accounts.me(visit)


@get("/me/belongings", summary="Export all data stored about you", responses=ERROR_RESPONSES)
async def show_belongings(services: ServicesDep, visit: VisitDep) -> PersonalData:
    return await services.accounts.belonging(visit)


# Credentials


@post("/me/passkeys/options", summary="Start the registration of a passkey", status_code=200, responses=ERROR_RESPONSES)
async def ask_new_passkey(
    services: ServicesDep, visit: VisitDep, origin: OriginDep, data: JSONBody[Nothing], guess_limit: GuessDep
) -> PasskeyOptions:
    return await services.accounts.ask_new_passkey(visit, origin)


@post("/me/passkeys", summary="Register a passkey", responses=ERROR_RESPONSES)
async def add_passkey(
    services: ServicesDep, visit: VisitDep, origin: OriginDep, data: JSONBody[PasskeyProof]
) -> OwnAccount:
    await services.accounts.add_passkey(visit, origin, data.credential)
    return await services.accounts.me(visit)


@post("/me/passkeys/{key:str}/forget", summary="Remove a passkey", status_code=200, responses=ERROR_RESPONSES)
async def forget_passkey(
    services: ServicesDep, visit: VisitDep, key: FromPath[str], data: JSONBody[Nothing]
) -> OwnAccount:
    await services.accounts.forget_passkey(visit, key)
    return await services.accounts.me(visit)


@post("/me/mails/forget", summary="Remove an email address", status_code=200, responses=ERROR_RESPONSES)
async def forget_mail(services: ServicesDep, visit: VisitDep, data: JSONBody[RemoveMail]) -> OwnAccount:
    await services.accounts.forget_mail(visit, data.address)
    return await services.accounts.me(visit)


@post("/me/code", summary="Create a sign-in code, shown once", responses=ERROR_RESPONSES)
async def make_code(
    services: ServicesDep, visit: VisitDep, origin: OriginDep, data: JSONBody[Nothing], guess_limit: GuessDep
) -> SignInCode:
    return await services.accounts.make_code(visit, origin, "code")


@post("/me/code/forget", summary="Remove the sign-in code", status_code=200, responses=ERROR_RESPONSES)
async def forget_code(services: ServicesDep, visit: VisitDep, data: JSONBody[Nothing]) -> OwnAccount:
    await services.accounts.forget_code(visit)
    return await services.accounts.me(visit)


@post("/me/recovery", summary="Create a recovery code, shown once", responses=ERROR_RESPONSES)
async def make_recovery(
    services: ServicesDep, visit: VisitDep, origin: OriginDep, data: JSONBody[Nothing], guess_limit: GuessDep
) -> SignInCode:
    return await services.accounts.make_code(visit, origin, "recovery")


# Verification


@post(
    "/sign-in/letter", summary="Send a sign-in mail with a link and a code", status_code=202, responses=ERROR_RESPONSES
)
async def ask_letter(  # noqa: PLR0913, PLR0917 - injected
    request: ApiRequest,
    services: ServicesDep,
    visit: VisitDep,
    origin: OriginDep,
    data: JSONBody[RequestMail],
    guess_limit: GuessDep,
) -> MailSent:
    mail = await services.accounts.mail(origin, data.address)
    services.limiters.letters.spend_sign_in(mail, client_address(request.scope))
    return await services.accounts.write(visit, origin, mail, data.language)


@post(
    "/sign-in/passkey/options",
    summary="Start the verification of a passkey",
    status_code=200,
    responses=ERROR_RESPONSES,
)
async def ask_passkey(
    services: ServicesDep, visit: VisitDep, origin: OriginDep, data: JSONBody[Nothing], guess_limit: GuessDep
) -> PasskeyOptions:
    return await services.accounts.ask_passkey(visit, origin)


@post("/sign-in/passkey", summary="Verify a passkey", status_code=200, responses=ERROR_RESPONSES)
async def show_passkey(
    services: ServicesDep, visit: VisitDep, origin: OriginDep, data: JSONBody[PasskeyProof]
) -> ProofResult:
    return await services.accounts.show_passkey(visit, origin, data.credential)


@post("/sign-in/code", summary="Verify a sign-in code", status_code=200, responses=ERROR_RESPONSES)
async def show_code(
    services: ServicesDep, visit: VisitDep, data: JSONBody[CodeProof], guess_limit: GuessDep
) -> ProofResult:
    return await services.accounts.show_code(visit, data.word)


@post("/sign-in/word", summary="Verify the code or link of a sign-in mail", status_code=200, responses=ERROR_RESPONSES)
async def show_letter(
    services: ServicesDep, visit: VisitDep, data: JSONBody[CodeProof], guess_limit: GuessDep
) -> ProofResult:
    return await services.accounts.show_letter(visit, data.word)


# Sessions


@post("/sign-in", summary="Sign in with the ticket of a verification", status_code=200, responses=ERROR_RESPONSES)
async def enter(
    request: ApiRequest, services: ServicesDep, visit: VisitDep, origin: OriginDep, data: JSONBody[SignIn]
) -> OwnAccount:
    entered = await services.accounts.enter(visit, origin, data.ticket, data.bring)
    if entered is not visit:
        set_cookie(request, COOKIE, entered.cookie)
        if not visit.account and not data.bring:
            set_cookie(request, GUEST_COOKIE_NAME, request.cookies.get(COOKIE))
    return await services.accounts.me(entered)


@post("/sign-out", summary="Sign out on this device", status_code=200, responses=ERROR_RESPONSES)
async def leave(request: ApiRequest, services: ServicesDep, visit: VisitDep, data: JSONBody[Nothing]) -> OwnAccount:
    """Restores the guest that this browser had before it signed in."""
    await services.accounts.leave(visit)
    return await services.accounts.me(await _restore_guest(request, services.visitors))


@post(
    "/me/devices/{device:str}/sign-out",
    summary="Sign out on another device",
    status_code=200,
    responses=ERROR_RESPONSES,
)
async def shut_out(
    services: ServicesDep, visit: VisitDep, device: FromPath[str], data: JSONBody[Nothing]
) -> OwnAccount:
    await services.accounts.sign_out_device(visit, device)
    return await services.accounts.me(visit)


@post("/me/delete", summary="Delete your account", status_code=200, responses=ERROR_RESPONSES)
async def give_up(
    request: ApiRequest, services: ServicesDep, visit: VisitDep, data: JSONBody[Nothing], guess_limit: GuessDep
) -> OwnAccount:
    await services.accounts.delete(visit)
    return await services.accounts.me(await _restore_guest(request, services.visitors))


async def _restore_guest(request: ApiRequest, visitors: Visitors) -> Visit:
    kept = request.cookies.get(GUEST_COOKIE_NAME)
    visit = await visitors.identify(kept)
    if kept:
        set_cookie(request, GUEST_COOKIE_NAME, None)
    if visit is None:
        visit = visitors.new_guest()
        kept = visit.cookie
    set_cookie(request, COOKIE, visit.cookie or kept)
    return visit


ACCOUNT_ROUTES = [
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
ACCOUNT_EXPORT_ROUTES = [show_belongings]
"""Expensive routes."""
