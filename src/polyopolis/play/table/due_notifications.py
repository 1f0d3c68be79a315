"""The notifications that a change of a table causes.

A player is notified of a turn, of a match that has begun or is over, and, in correspondence play, of a request and of
another player whose time is up.
"""

from base64 import urlsafe_b64encode
from collections.abc import Callable, Collection, Iterator
from dataclasses import dataclass
from hashlib import sha256

import msgspec
from msgspec.structs import replace

from polyopolis.play.entities import MatchEntity, NoticeKind, PendingNotification, TableEntity
from polyopolis.play.match import consent_requests
from polyopolis.play.match.consent_requests import ConsentRequest
from polyopolis.play.seats.seating import Seating
from polyopolis.play.table.attendance import Seats
from polyopolis.play.timing import clocks
from polyopolis.play.timing.clocks import Timing
from polyopolis.play.timing.pace import Correspondence

NOTIFICATION_DELAY_SECONDS = 20.0
"""Time in which a player may return unprompted before a notification is sent."""
REQUEST_INTERVAL_MS = 3_600_000
"""Shortest time between two notifications about requests of one player."""
SEEN_DELAY_SECONDS = 600.0
"""Delay for players who had the table in the foreground: they have seen the change unless their connection was dead."""


@dataclass(frozen=True)
class ChangeContext:
    """Where and when a change happened."""

    table: str
    number: int
    """Number of log rows after the change."""
    now: int
    delay: float
    begins: bool = False
    """Whether the first match of the table begins, for which players may have been waiting."""


@dataclass(frozen=True)
class OwnTurn:
    """Whether a match waits for a player."""

    waiting: bool
    """Whether the player is to decide in a seat where no bot stands in, or to answer a request."""
    deadline: int | None
    """The earliest deadline of these seats, in milliseconds since 1970; None if no clock runs."""


def notifications_for_change(
    at: ChangeContext, row: MatchEntity, seating: Seating, bots: Collection[int], watches: Callable[[str], bool]
) -> tuple[PendingNotification, ...]:
    """One notification for each player who is concerned. A single player among bots is never notified.

    `bots` are the seats where a bot decides.
    """
    people = dict.fromkeys(seating.people)
    if len(people) < 2:
        return ()
    due = msgspec.json.decode(row.due, type=tuple[int, ...])
    deciding = {seating.rows[seat].person for seat in due if seat not in bots}

    def kind(person: str) -> NoticeKind | None:
        if row.over:
            return "over"
        if person in deciding:
            return "turn"
        return "begun" if at.begins else None

    found = ((person, kind(person)) for person in people)
    return tuple(_notice(at, row, person, what, watches(person)) for person, what in found if what)


def request_notifications(
    at: ChangeContext, before: MatchEntity | None, row: MatchEntity, seating: Seating, watches: Callable[[str], bool]
) -> tuple[PendingNotification, ...]:
    """One notification for each player and each request or deadline that is new since `before`.

    Those for deadlines are created in advance. `at.number` must differ from that of every other change of the table.
    """
    return (*_asked(at, before, row, seating, watches), *_late(at, before, row, seating))


def pending_notifications(table: TableEntity, person: str, now: int) -> tuple[PendingNotification, ...]:
    """What a receiver that a player adds now would have been sent before, for a table with its newest match."""
    match = table.matches[-1]
    at = ChangeContext(table.id, table.version, now, NOTIFICATION_DELAY_SECONDS)
    seating = Seating(table.seats, table.typed)
    due = () if match.over else notifications_for_change(at, match, seating, seating.bots, lambda _: True)
    timing = clocks.read_timing(match.timing)
    by_correspondence = timing is not None and isinstance(timing.pace, Correspondence)
    asked = request_notifications(at, None, match, seating, lambda _: True) if by_correspondence else ()
    found = (each for each in (*due, *asked) if each.person == person)
    return tuple(each if each.kind == "late" else replace(each, id=_key(f"open/{each.id}")) for each in found)


def timing_after_request(at: ChangeContext, timing: Timing, seat: int) -> Timing:
    """Returns the timing after the player of a seat has made another request.

    The request is notified after `at.delay`, and no earlier than `REQUEST_INTERVAL_MS` after the previous one of this
    player. Until then, a newer request replaces it.
    """
    last = timing.told.get(seat)
    soon = at.now + int(1000 * at.delay)
    if last is not None:
        soon = last if at.now < last else max(soon, last + REQUEST_INTERVAL_MS)
    return replace(timing, told={**timing.told, seat: soon})


def _asked(
    at: ChangeContext, before: MatchEntity | None, row: MatchEntity, seating: Seating, watches: Callable[[str], bool]
) -> Iterator[PendingNotification]:
    known, asked, timing = request_in(before), request_in(row), clocks.read_timing(row.timing)
    if asked is None or timing is None or (known and known.is_same(asked)):
        return
    soon = timing.told.get(seating.first_of(asked.seat), at.now + int(1000 * at.delay))
    for person in sorted(asked.waiting):
        seen = watches(person)
        found = _notice(at, row, person, "asked", seen)
        yield replace(found, seat=asked.seat, look=max(found.look, soon) if seen else soon)


def _late(
    at: ChangeContext, before: MatchEntity | None, row: MatchEntity, seating: Seating
) -> Iterator[PendingNotification]:
    known, playing = deadlines_in(before), {each.person for each in seating.rows if each.person and not each.bot}
    for seat, deadline in deadlines_in(row).items():
        if deadline > at.now and deadline != known.get(seat):
            for person in sorted(playing - {seating.rows[seat].person}):
                key = _key(f"late/{at.table}/{row.number}/{seat}/{deadline}/{person}")
                yield PendingNotification(key, person, "late", row.number, deadline + int(1000 * at.delay), seat)


def is_waiting_for(table: TableEntity, person: str) -> bool:
    """Whether a player is to decide or to answer at a table with its newest match."""
    seating = Seating(table.seats, table.typed)
    return own_turn(table.matches[-1] if table.matches else None, seating, seating.held_by(person)).waiting


def own_turn(match: MatchEntity | None, seating: Seating, held: Seats) -> OwnTurn:
    """Returns whether the newest match waits for the player who holds these seats."""
    if match is None or not held:
        return OwnTurn(waiting=False, deadline=None)
    due = () if match.over else msgspec.json.decode(match.due, type=tuple[int, ...])
    deciding = [seat for seat in due if seat in held and seat not in seating.bots]
    asked, deadlines = request_in(match), deadlines_in(match)
    return OwnTurn(
        waiting=bool(deciding) or (asked is not None and seating.rows[held[0]].person in asked.waiting),
        deadline=min((deadlines[seat] for seat in deciding if seat in deadlines), default=None),
    )


def request_in(row: MatchEntity | None) -> ConsentRequest | None:
    return consent_requests.read_request(row.asked) if row else None


def deadlines_in(row: MatchEntity | None) -> dict[int, int]:
    """By seat, in milliseconds since 1970."""
    return msgspec.json.decode(row.deadlines, type=dict[int, int]) if row and row.deadlines else {}


def _notice(at: ChangeContext, row: MatchEntity, person: str, kind: NoticeKind, seen: bool) -> PendingNotification:
    key = _key(f"{kind}/{at.table}/{row.number}/{at.number}/{person}")
    return PendingNotification(
        key, person, kind, row.number, at.now + int(1000 * (SEEN_DELAY_SECONDS if seen else at.delay))
    )


def _key(about: str) -> str:
    """A hash, so that the id of a notification does not reveal the person."""
    return urlsafe_b64encode(sha256(about.encode()).digest())[:22].decode()
