"""What takes the consent of others: to go back, another pace, to end a match, to leave all to a bot."""

from dataclasses import dataclass, replace
from typing import Self

import msgspec

from polyopolis.engine import Tagged
from polyopolis.play.entities import as_json
from polyopolis.play.integer_types import Int32
from polyopolis.play.match.live_match import LiveMatch
from polyopolis.play.seats.seating import Seating
from polyopolis.play.timing.pace import Pace


class GoBack(Tagged, frozen=True, tag="go-back"):
    """To so many moves."""

    moves: int
    past_reveal: bool
    """Something was revealed since: the match is practice from then on."""


class ChangePace(Tagged, frozen=True, tag="change-pace"):
    """All clocks begin anew."""

    pace: Pace


class EndEarly(Tagged, frozen=True, tag="end-early"):
    """The match is given up, and counts for nothing. Whose time is up or was, so that a bot plays in, is not asked."""


class Entrust(Tagged, frozen=True, tag="entrust"):
    """The bot that plays in for somebody may decide what stays for good. Whoever it plays for is not asked."""

    bot: Int32
    """Its seat."""


class PlayAgain(Tagged, frozen=True, tag="play-again"):
    """Another match, now that this one is over. Whoever a bot plays for is not asked."""


Free = ChangePace | EndEarly | Entrust
"""What can be wished for at any time."""
Wish = GoBack | Free | PlayAgain


@dataclass(frozen=True)
class ConsentRequest:
    """What somebody asks for."""

    seat: int
    wish: Wish
    waiting: frozenset[str]
    """The people who have not agreed yet."""

    def agreed(self, person: str) -> Self:
        return replace(self, waiting=self.waiting - {person})

    def is_same(self, other: "ConsentRequest") -> bool:
        """Whether the same player asks for the same, whoever has agreed to it."""
        return (self.seat, self.wish) == (other.seat, other.wish)


def read_request(kept: str | None) -> ConsentRequest | None:
    """As a match keeps it."""
    return msgspec.json.decode(kept, type=ConsentRequest) if kept else None


def request_after_moves(kept: str | None) -> str | None:
    """The request that remains once the match has gone on: only a change of pace is still asked for."""
    asked = read_request(kept)
    return kept if asked and isinstance(asked.wish, ChangePace) else None


def rematch_request(asked: ConsentRequest | None, seating: Seating, person: str) -> ConsentRequest:
    """Somebody wants another match: the first, who asks all others for whom no bot plays, or one of those."""
    if asked and isinstance(asked.wish, PlayAgain):
        return asked.agreed(person)
    return ConsentRequest(seating.held_by(person)[0], PlayAgain(), _playing(seating) - {person})


def request_after_reseating(kept: str | None, seating: Seating) -> str | None:
    """What is asked once seats are like this: another match, of those who are left. All else is asked anew."""
    asked = read_request(kept)
    if not (asked and isinstance(asked.wish, PlayAgain)):
        return None
    return as_json(replace(asked, waiting=asked.waiting & _playing(seating)))


def _playing(seating: Seating) -> frozenset[str]:
    """Those who decide for themselves."""
    return frozenset(row.person for row in seating.rows if row.person and not row.bot)


def takeback_request(live: LiveMatch, seating: Seating, person: str | None, seat: int) -> ConsentRequest | None:
    """Before the last decision of a seat; None if there is none.

    Past a reveal with the consent of all other people who hold a seat, also of those who are away and of those for
    whom a bot plays in. Within one's own turn, while nothing was revealed, it is nobody else's business and no
    practice.
    """
    moves = live.before_last_decision(seat)
    if moves is None:
        return None
    past_reveal = not live.decided_last(seat)
    return ConsentRequest(seat, GoBack(moves, past_reveal), seating.others(person) if past_reveal else frozenset())


def consent_request(
    seating: Seating, person: str | None, seat: int, wish: Free, late: tuple[int, ...]
) -> ConsentRequest:
    """With the consent of all other people who hold a seat, but those who are late or for whom a bot plays."""
    spared: tuple[int, ...] = late if isinstance(wish, EndEarly) else ()
    if isinstance(wish, Entrust):
        spared = (wish.bot,)
    absent = {seating.row(other).person for other in spared}
    return ConsentRequest(seat, wish, seating.others(person) - absent)
