"""Decides per notification: send, postpone or drop. The decision is made again each time a notification is due."""

from dataclasses import dataclass

import msgspec

from polyopolis.play.entities import MatchEntity, TableEntity
from polyopolis.play.table.due_notifications import deadlines_in, request_in
from polyopolis.server.notifications.message_texts import NotificationContent
from polyopolis.server.notifications.outbox import QueuedNotification
from polyopolis.server.notifications.quiet_hours import HOUR_MS, MAX_REMINDER_LEAD_MS, NotificationPreferences

PERSISTENT_KINDS = ("turn", "late", "asked")
"""Kinds that stay due until the person has answered: others are waiting."""


@dataclass(frozen=True)
class Drop:
    """The notification no longer applies, or the person has seen it."""


@dataclass(frozen=True)
class Postpone:
    """The notification is due again at this time."""

    until: int


@dataclass(frozen=True)
class SendNow:
    content: NotificationContent
    again: int | None
    """When to send a reminder."""


@dataclass(frozen=True)
class DeliveryContext:
    now: int
    watches: bool
    """Whether the person has the table open and visible."""
    again: int
    """Milliseconds until the next check in that case: the person may leave without answering."""


def decide_delivery(
    notification: QueuedNotification, table: TableEntity | None, manners: NotificationPreferences, at: DeliveryContext
) -> Drop | Postpone | SendNow:
    now = at.now
    match = table.matches[-1] if table and table.matches else None
    if table is None or match is None or match.number != notification.match:
        return Drop()
    own = {row.seat for row in table.seats if row.person == notification.person}
    due = own.intersection(msgspec.json.decode(match.due, type=tuple[int, ...]))
    if not own or not _still_applies(notification, match, due, now):
        return Drop()
    if at.watches:
        return Postpone(now + at.again) if notification.kind in PERSISTENT_KINDS else Drop()
    deadline = deadline_of(match, due)
    if notification.again:
        return _decide_reminder(notification, table, manners, deadline, now)
    if notification.tries == 0 and (moment := manners.delivery_time(notification.look)) > now:
        return Postpone(moment)
    if (resume := manners.after_quiet_hours(now)) > now:
        return Postpone(resume)
    again = manners.reminder_time(now, deadline) if notification.kind == "turn" else None
    return SendNow(_content(notification, table), again)


def _still_applies(notification: QueuedNotification, match: MatchEntity, due: set[int], now: int) -> bool:
    """Whether the notification still applies. A deadline that has moved has a notification of its own."""
    match notification.kind:
        case "turn":
            return bool(due) and not match.over
        case "asked":
            asked = request_in(match)
            return asked is not None and asked.seat == notification.seat and notification.person in asked.waiting
        case "late":
            return any(seat == notification.seat and time <= now for seat, time in deadlines_in(match).items())
        case "begun" | "over":
            return match.over or not due


def _decide_reminder(
    notification: QueuedNotification,
    table: TableEntity,
    manners: NotificationPreferences,
    deadline: int | None,
    now: int,
) -> Drop | Postpone | SendNow:
    """Decides about a reminder before the deadline, which may have moved since."""
    if deadline is None or deadline <= now:
        return Drop()
    if (moment := max(deadline - MAX_REMINDER_LEAD_MS, manners.after_quiet_hours(now))) > now:
        return Postpone(moment) if moment < deadline else Drop()
    return SendNow(_content(notification, table, hours=(deadline - now) // HOUR_MS), None)


def _content(notification: QueuedNotification, table: TableEntity, hours: int | None = None) -> NotificationContent:
    names = dict.fromkeys(row.name for row in table.seats if row.person and row.person != notification.person)
    about = "" if notification.seat is None else table.seats[notification.seat].name
    asked = request_in(table.matches[-1]) if notification.kind == "asked" else None
    wish = str(asked.wish.__struct_config__.tag) if asked else None
    # A reminder has an id of its own, so that programs that skip repeated ids do not skip it.
    key = f"{notification.id}-again" if notification.again else notification.id
    return NotificationContent(
        key, notification.kind, table.game, tuple(names), table.id, notification.again, hours, about, wish
    )


def deadline_of(match: MatchEntity, seats: set[int]) -> int | None:
    """Returns the earliest deadline of these seats; None without a clock."""
    return min((time for seat, time in deadlines_in(match).items() if seat in seats), default=None)
