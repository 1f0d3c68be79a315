"""Server options of notifications."""

from dataclasses import dataclass
from typing import Annotated, Literal

from msgspec import Meta

from polyopolis.play.table.due_notifications import NOTIFICATION_DELAY_SECONDS
from polyopolis.server.settings import About


@dataclass(frozen=True)
class NotificationOptions:
    pause: Annotated[
        Annotated[float, Meta(ge=0)],
        About("SECONDS", "a number of seconds", "Seconds to wait before a notification, in case the player returns."),
    ] = NOTIFICATION_DELAY_SECONDS
    reach: Annotated[
        Literal["public", "anywhere"],
        About(
            "WHERE",
            "public or anywhere",
            "Allowed targets of web push and webhooks; anywhere is for trusted home networks.",
        ),
    ] = "public"
