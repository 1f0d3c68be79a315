"""Routes of notification receivers and preferences."""

from typing import Annotated, Literal

from litestar import Router, get, post
from litestar.params import FromPath, JSONBody
from msgspec import Meta, Struct

from polyopolis.engine import PolyopolisError, Tagged
from polyopolis.play.errors import Forbidden
from polyopolis.play.wire.requests import Body
from polyopolis.server.limits.client_addresses import client_address
from polyopolis.server.limits.rate_limits import Limits, RateLimitMiddleware
from polyopolis.server.mail.mailer import parse_address
from polyopolis.server.notifications import message_texts
from polyopolis.server.notifications.notification_services import NotificationServices
from polyopolis.server.notifications.quiet_hours import NotificationPreferences
from polyopolis.server.notifications.receivers import (
    HookTarget,
    Kind,
    MailTarget,
    PushTarget,
    ReceiverRow,
    new_receiver,
    new_secret,
)
from polyopolis.server.notifications.safe_http import MAX_URL_LENGTH
from polyopolis.server.web.dependencies import ApiRequest, PersonDep, ServicesDep
from polyopolis.server.web.error_handlers import ERROR_RESPONSES

Url = Annotated[str, Meta(max_length=MAX_URL_LENGTH)]
Key = Annotated[str, Meta(max_length=256)]


class NewPush(Tagged, frozen=True, tag="push"):
    """A web push subscription of a browser."""

    endpoint: Url
    p256dh: Key
    auth: Key
    language: Key = message_texts.DEFAULT_LANGUAGE


class NewMail(Tagged, frozen=True, tag="mail"):
    address: Key
    language: Key = message_texts.DEFAULT_LANGUAGE


class NewHook(Tagged, frozen=True, tag="hook"):
    """A webhook."""

    url: Url
    language: Key = message_texts.DEFAULT_LANGUAGE


NewReceiver = NewPush | NewMail | NewHook


class ReceiverInfo(Struct, frozen=True):
    """One of your notification receivers."""

    id: str
    kind: Kind
    where: str
    """The email address, the URL of the webhook, or the push endpoint."""
    proven: bool
    made: int
    """Time of creation in seconds since 1970."""
    secret: str | None = None
    """The key that signs requests to a webhook."""


class NotificationSettings(Struct, frozen=True):
    """Notification settings of a person."""

    receivers: tuple[ReceiverInfo, ...]
    manners: NotificationPreferences
    key: str
    """The VAPID key for push subscriptions."""
    mail: bool
    """Whether this site can send mail."""


class TestDelivery(Struct, frozen=True):
    """Result of a test notification."""

    how: Literal["told", "gone", "failed", "refused"]
    why: str


class Token(Body, frozen=True):
    """Token from the link in a mail."""

    token: Key


def _info(row: ReceiverRow) -> ReceiverInfo:
    where, secret = row.where, None
    match where:
        case PushTarget(endpoint):
            place = endpoint
        case MailTarget(box):
            place = box
        case HookTarget(url, key):
            place, secret = url, key
    return ReceiverInfo(row.id, row.kind, place, row.proven, row.made, secret)


async def _notices(inform: NotificationServices, person: str) -> NotificationSettings:
    rows = await inform.receivers.of(person)
    manners = await inform.receivers.preferences(person)
    return NotificationSettings(tuple(map(_info, rows)), manners, inform.push.public, inform.mail.any)


@get("/notices", summary="Your notification receivers and preferences", responses=ERROR_RESPONSES)
async def show_notices(services: ServicesDep, person: PersonDep) -> NotificationSettings:
    return await _notices(services.notifications, person)


@post("/notices/receivers", summary="Add a notification receiver", responses=ERROR_RESPONSES)
async def add_receiver(
    request: ApiRequest, services: ServicesDep, person: PersonDep, data: JSONBody[NewReceiver]
) -> NotificationSettings:
    inform = services.notifications
    now, language = inform.clock.now() // 1000, message_texts.language_of(data.language)
    match data:
        case NewPush(endpoint, p256dh, auth):
            await inform.http.check(endpoint)
            row = new_receiver(person, "push", PushTarget(endpoint, p256dh, auth), language, now)
        case NewHook(url):
            await inform.http.check(url)
            row = new_receiver(person, "hook", HookTarget(url, new_secret()), language, now)
        case NewMail(box):
            if not inform.mail.any:
                raise Forbidden("this site sends no mail")
            row = new_receiver(person, "mail", MailTarget(parse_address(box)), language, now)
    found = await inform.receivers.add(row)
    if isinstance(found.where, MailTarget) and not found.proven:
        services.limiters.letters.spend_proof(found.where.address, client_address(request.scope))
        outcome = await inform.mail.ask(found)
        if outcome.how != "told":
            raise PolyopolisError("the mail could not be sent; is the address right?")
    elif found is row:
        await inform.dispatcher.queue_due_notifications(row)
    return await _notices(inform, person)


@post("/notices/receivers/{receiver:str}/removal", summary="Remove a notification receiver", responses=ERROR_RESPONSES)
async def remove_receiver(services: ServicesDep, person: PersonDep, receiver: FromPath[str]) -> NotificationSettings:
    await services.notifications.receivers.remove((await services.notifications.receivers.one(person, receiver)).id)
    return await _notices(services.notifications, person)


@post("/notices/receivers/{receiver:str}/trial", summary="Send a test notification", responses=ERROR_RESPONSES)
async def try_receiver(services: ServicesDep, person: PersonDep, receiver: FromPath[str]) -> TestDelivery:
    row = await services.notifications.receivers.one(person, receiver)
    if not row.proven:
        raise Forbidden("this address is not confirmed")
    outcome = await services.notifications.dispatcher.send_trial(row)
    return TestDelivery(outcome.how, outcome.why)


@post("/notices/manners", summary="Change your notification preferences", responses=ERROR_RESPONSES)
async def behave(
    services: ServicesDep, person: PersonDep, data: JSONBody[NotificationPreferences]
) -> NotificationSettings:
    _ = data.timezone  # raises for an unknown time zone
    await services.notifications.receivers.set_preferences(person, data)
    return await _notices(services.notifications, person)


@post(
    "/notices/proofs",
    summary="Confirm an email address with the token of a mail",
    responses=ERROR_RESPONSES,
    status_code=200,
)
async def prove(services: ServicesDep, data: JSONBody[Token]) -> Token:
    await services.notifications.dispatcher.queue_due_notifications(
        await services.notifications.receivers.prove(data.token)
    )
    return data


@post(
    "/notices/stop/{token:str}",
    summary="Unsubscribe by one click (RFC 8058)",
    responses=ERROR_RESPONSES,
    status_code=200,
)
async def stop(services: ServicesDep, token: FromPath[str]) -> str:
    await services.notifications.receivers.stop(token)
    return "no more"


NOTIFICATION_ROUTES = [show_notices, remove_receiver, behave, prove]
UNSUBSCRIBE_ROUTES = [stop]
"""Routes for mail programs: they send no Origin header, and the URL contains the token."""


def receiver_router(limits: Limits) -> Router:
    """Returns the routes that make this server send requests, with their own rate limit."""
    return Router("", route_handlers=[add_receiver, try_receiver], middleware=[RateLimitMiddleware(limits.receivers)])
