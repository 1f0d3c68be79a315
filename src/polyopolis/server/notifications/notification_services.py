"""Builds the notification services."""

from dataclasses import dataclass

from polyopolis.play.lobby import Lobby
from polyopolis.play.protocols import Clock
from polyopolis.server.mail.mailer import Mailer
from polyopolis.server.notifications.dispatcher import DispatcherStores, NotificationDispatcher
from polyopolis.server.notifications.outbox import Outbox
from polyopolis.server.notifications.receivers import Receivers
from polyopolis.server.notifications.safe_http import SafeHttpClient
from polyopolis.server.notifications.senders import HookSender, MailSender, PushSender, Senders
from polyopolis.server.options import Options
from polyopolis.server.storage.match_repository import DatabaseMatchRepository

FALLBACK_CONTACT = "mailto:nobody@polyopolis.invalid"
"""Contact for push services if the site has neither a public address nor a sender address."""


@dataclass(frozen=True)
class NotificationServices:
    """The notification services of a node."""

    clock: Clock
    receivers: Receivers
    http: SafeHttpClient
    push: PushSender
    mail: MailSender
    dispatcher: NotificationDispatcher


async def build_notification_services(
    store: DatabaseMatchRepository, lobby: Lobby, clock: Clock, node: str, options: Options
) -> NotificationServices:
    address = options.public_url.rstrip("/") or f"http://{options.host}:{options.port or 8000}"
    receivers = Receivers(store, await store.secret("notices"))
    http = SafeHttpClient(private=options.notices.reach == "anywhere")
    push = PushSender(http, await store.secret("push"), _contact(options))
    mail = MailSender(Mailer(options.smtp), receivers, address)
    senders: Senders = {"push": push, "mail": mail, "hook": HookSender(http, address, clock)}
    dispatcher = NotificationDispatcher(
        DispatcherStores(store, receivers, Outbox(store, node), options.notices.pause), lobby, senders, clock
    )
    return NotificationServices(clock, receivers, http, push, mail, dispatcher)


def _contact(options: Options) -> str:
    if options.public_url.startswith("https://"):
        return options.public_url
    return (
        f"mailto:{options.smtp.sender}" if "<" not in options.smtp.sender and options.smtp.sender else FALLBACK_CONTACT
    )
