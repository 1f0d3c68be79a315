"""Whether something that was to be told is still to be told, and when: looked at anew each time it is taken up."""

from dataclasses import dataclass

import msgspec

from polyopolis.play.entities import MatchEntity, TableEntity
from polyopolis.play.table.due_notifications import deadlines_in, request_in
from polyopolis.server.notifications.message_texts import NotificationContent
from polyopolis.server.notifications.outbox import QueuedNotification
from polyopolis.server.notifications.quiet_hours import EARLIEST, HOUR, Manners

WAITING = ("turn", "late", "asked")
"""What others wait for."""


@dataclass(frozen=True)
class Drop:
    """It was answered, or seen, or is about something that is no more."""


@dataclass(frozen=True)
class Wait:
    """Not before this time."""

    until: int


@dataclass(frozen=True)
class SendNow:
    told: NotificationContent
    again: int | None
    """When to tell it once more."""


@dataclass(frozen=True)
class DeliveryContext:
    now: int
    watches: bool
    """The table is open before the eyes of whoever is to be told."""
    again: int
    """Then it is looked at again after so many milliseconds: they may leave without an answer."""


def decide_delivery(
    letter: QueuedNotification, table: TableEntity | None, manners: Manners, at: DeliveryContext
) -> Drop | Wait | SendNow:
    now = at.now
    match = table.matches[-1] if table and table.matches else None
    if table is None or match is None or match.number != letter.match:
        return Drop()
    own = {row.seat for row in table.seats if row.person == letter.person}
    due = own.intersection(msgspec.json.decode(match.due, type=tuple[int, ...]))
    if not own or not _holds(letter, match, due, now):
        return Drop()
    if at.watches:
        return Wait(now + at.again) if letter.kind in WAITING else Drop()
    deadline = deadline_of(match, due)
    if letter.again:
        return _again(letter, table, manners, deadline, now)
    if letter.tries == 0 and (moment := manners.told_at(letter.look)) > now:
        return Wait(moment)
    if (awake := manners.awake(now)) > now:
        return Wait(awake)
    again = manners.told_again_at(now, deadline) if letter.kind == "turn" else None
    return SendNow(_told(letter, table), again)


def _holds(letter: QueuedNotification, match: MatchEntity, due: set[int], now: int) -> bool:
    """Whether it is still so. A deadline that is later now has a letter of its own."""
    match letter.kind:
        case "turn":
            return bool(due) and not match.over
        case "asked":
            asked = request_in(match)
            return asked is not None and asked.seat == letter.seat and letter.person in asked.waiting
        case "late":
            return any(seat == letter.seat and time <= now for seat, time in deadlines_in(match).items())
        case "begun" | "over":
            return match.over or not due


def _again(
    letter: QueuedNotification, table: TableEntity, manners: Manners, deadline: int | None, now: int
) -> Drop | Wait | SendNow:
    """Once more before time is up; if there is more time now than there was, later."""
    if deadline is None or deadline <= now:
        return Drop()
    if (moment := max(deadline - EARLIEST, manners.awake(now))) > now:
        return Wait(moment) if moment < deadline else Drop()
    return SendNow(_told(letter, table, hours=(deadline - now) // HOUR), None)


def _told(letter: QueuedNotification, table: TableEntity, hours: int | None = None) -> NotificationContent:
    names = dict.fromkeys(row.name for row in table.seats if row.person and row.person != letter.person)
    about = "" if letter.seat is None else table.seats[letter.seat].name
    asked = request_in(table.matches[-1]) if letter.kind == "asked" else None
    wish = str(asked.wish.__struct_config__.tag) if asked else None
    key = f"{letter.id}-again" if letter.again else letter.id  # no repeat: whoever leaves these out hears of it
    return NotificationContent(key, letter.kind, table.game, tuple(names), table.id, letter.again, hours, about, wish)


def deadline_of(match: MatchEntity, seats: set[int]) -> int | None:
    """When time is up for the first of these; None where no time is counted."""
    return min((time for seat, time in deadlines_in(match).items() if seat in seats), default=None)
