"""Whom a change at a table concerns who may not be looking: a turn owed, a table that is full, a match that is over,
and by correspondence what waits for their answer: somebody's time that is up, a question that takes their consent."""

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
from polyopolis.play.timing import clocks
from polyopolis.play.timing.clocks import Timing
from polyopolis.play.timing.pace import Correspondence

NOTIFICATION_DELAY_SECONDS = 20.0
"""Seconds in which somebody may come by themselves before they are told."""
REQUEST_INTERVAL_MS = 3_600_000
"""Others are told of the questions of one player once in so many milliseconds."""
SEEN_DELAY_SECONDS = 600.0
"""Seconds for those who had the table before their eyes when it happened: they know, unless their line was dead."""


@dataclass(frozen=True)
class ChangeContext:
    """Where and when it happened."""

    table: str
    number: int
    """Of log rows, with what has just happened."""
    now: int
    pause: float
    begins: bool = False
    """It is the first match of the table: those who waited for company learn that it is there."""


def notifications_for_change(
    at: ChangeContext, row: MatchEntity, seating: Seating, bots: Collection[int], watches: Callable[[str], bool]
) -> tuple[PendingNotification, ...]:
    """One for each person whom it concerns. `bots` are the seats where one decides. Where nobody else sits nobody
    waits: whoever plays with bots alone is left in peace."""
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
    """What is asked since a match was as before, one for each question and person: `number` of the place is one that
    no other change of the table has. Time is up later, so that is written down beforehand for each deadline."""
    return (*_asked(at, before, row, seating, watches), *_late(at, before, row, seating))


def pending_notifications(table: TableEntity, person: str, now: int) -> tuple[PendingNotification, ...]:
    """What somebody owes or waits for at a table already, as it is kept with its newest match: for a receiver that was
    not there when it happened. They have just been here, so it has time."""
    match = table.matches[-1]
    at, seating = (
        ChangeContext(table.id, table.version, now, NOTIFICATION_DELAY_SECONDS),
        Seating(table.seats, table.typed),
    )
    due = () if match.over else notifications_for_change(at, match, seating, seating.bots, lambda _: True)
    timing = clocks.read_timing(match.timing)
    by_correspondence = timing is not None and isinstance(timing.pace, Correspondence)
    asked = request_notifications(at, None, match, seating, lambda _: True) if by_correspondence else ()
    found = (each for each in (*due, *asked) if each.person == person)
    return tuple(each if each.kind == "late" else replace(each, id=_key(f"open/{each.id}")) for each in found)


def timing_after_request(at: ChangeContext, timing: Timing, seat: int) -> Timing:
    """Returns the timing after the player in a seat has asked others something else than before.

    Others are told when `at.pause` is over, or when `REQUEST_INTERVAL_MS` are over since they were told of another question of
    this player. Until they are told, the newest question takes the place of those before.
    """
    last = timing.told.get(seat)
    soon = at.now + int(1000 * at.pause)
    if last is not None:
        soon = last if at.now < last else max(soon, last + REQUEST_INTERVAL_MS)
    return replace(timing, told={**timing.told, seat: soon})


def _asked(
    at: ChangeContext, before: MatchEntity | None, row: MatchEntity, seating: Seating, watches: Callable[[str], bool]
) -> Iterator[PendingNotification]:
    known, asked, timing = request_in(before), request_in(row), clocks.read_timing(row.timing)
    if asked is None or timing is None or (known and known.is_same(asked)):
        return
    soon = timing.told.get(seating.first_of(asked.seat), at.now + int(1000 * at.pause))
    for person in sorted(asked.waiting):
        seen = watches(person)
        found = _notice(at, row, person, "asked", seen)
        yield replace(found, seat=asked.seat, look=max(found.look, soon) if seen else soon)


def _late(
    at: ChangeContext, before: MatchEntity | None, row: MatchEntity, seating: Seating
) -> Iterator[PendingNotification]:
    """For whoever plays and waits; not for those whom a bot plays for."""
    known, playing = deadlines_in(before), {each.person for each in seating.rows if each.person and not each.bot}
    for seat, deadline in deadlines_in(row).items():
        if deadline > at.now and deadline != known.get(seat):
            for person in sorted(playing - {seating.rows[seat].person}):
                key = _key(f"late/{at.table}/{row.number}/{seat}/{deadline}/{person}")
                yield PendingNotification(key, person, "late", row.number, deadline + int(1000 * at.pause), seat)


def is_waiting_for(table: TableEntity, person: str) -> bool:
    """Whether somebody is to decide or to answer at a table, as it is kept with its newest match."""
    match = table.matches[-1] if table.matches else None
    if match is None:
        return False
    asked, due = request_in(match), msgspec.json.decode(match.due, type=tuple[int, ...]) if not match.over else ()
    decides = any(table.seats[seat].person == person and not table.seats[seat].bot for seat in due if seat >= 0)
    return decides or (asked is not None and person in asked.waiting)


def request_in(row: MatchEntity | None) -> ConsentRequest | None:
    return consent_requests.read_request(row.asked) if row else None


def deadlines_in(row: MatchEntity | None) -> dict[int, int]:
    """By seat, in milliseconds since 1970."""
    return msgspec.json.decode(row.deadlines, type=dict[int, int]) if row and row.deadlines else {}


def _notice(at: ChangeContext, row: MatchEntity, person: str, kind: NoticeKind, seen: bool) -> PendingNotification:
    key = _key(f"{kind}/{at.table}/{row.number}/{at.number}/{person}")
    return PendingNotification(
        key, person, kind, row.number, at.now + int(1000 * (SEEN_DELAY_SECONDS if seen else at.pause))
    )


def _key(about: str) -> str:
    """The name of a person is in it and cannot be found out from it."""
    return urlsafe_b64encode(sha256(about.encode()).digest())[:22].decode()
