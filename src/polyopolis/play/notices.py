"""Whom a change at a table concerns who may not be looking: a turn owed, a table that is full, a match that is over."""

from base64 import urlsafe_b64encode
from collections.abc import Callable, Collection
from dataclasses import dataclass
from hashlib import sha256

import msgspec

from polyopolis.play.rows import MatchRow, Notice, NoticeKind
from polyopolis.play.seating import Seating

PAUSE = 20.0
"""Seconds in which somebody may come by themselves before they are told."""
SEEN = 600.0
"""Seconds for those who had the table before their eyes when it happened: they know, unless their line was dead."""


@dataclass(frozen=True)
class Place:
    """Where and when it happened."""

    table: str
    number: int
    """Of log rows, with what has just happened."""
    now: int
    pause: float
    begins: bool = False
    """It is the first match of the table: those who waited for company learn that it is there."""


def owed(
    at: Place, row: MatchRow, seating: Seating, bots: Collection[int], watches: Callable[[str], bool]
) -> tuple[Notice, ...]:
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


def _notice(at: Place, row: MatchRow, person: str, kind: NoticeKind, seen: bool) -> Notice:
    """The name of a person is in its id and cannot be found out from it."""
    about = f"{kind}/{at.table}/{row.number}/{at.number}/{person}"
    key = urlsafe_b64encode(sha256(about.encode()).digest())[:22].decode()
    return Notice(key, person, kind, row.number, at.now + int(1000 * (SEEN if seen else at.pause)))
