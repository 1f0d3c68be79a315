"""Requests that need the consent of other players, as values."""

from dataclasses import dataclass, replace
from typing import Self

import msgspec

from polyopolis.engine import Tagged
from polyopolis.play.entities import as_json
from polyopolis.play.integer_types import Int32
from polyopolis.play.match.live_match import LiveMatch
from polyopolis.play.seats.seating import Seating
from polyopolis.play.timing.pace import Pace


class Takeback(Tagged, frozen=True, tag="go-back"):
    """Go back to a number of moves."""

    moves: int
    past_reveal: bool
    """Whether something was revealed since; the match becomes practice."""


class ChangePace(Tagged, frozen=True, tag="change-pace"):
    """Change the pace; all clocks start again."""

    pace: Pace


class EndEarly(Tagged, frozen=True, tag="end-early"):
    """Give up the match, which then counts for nothing. Players whose time is or was up need not agree."""


class AllowBotDecisions(Tagged, frozen=True, tag="entrust"):
    """Let a bot that stands in make lasting decisions. The player of its seat need not agree."""

    bot: Int32
    """The seat of the bot."""


class Rematch(Tagged, frozen=True, tag="play-again"):
    """Play another match after one that is over. Players for whom a bot stands in need not agree."""


Free = ChangePace | EndEarly | AllowBotDecisions
"""Requests that are possible at any time."""
Wish = Takeback | Free | Rematch


@dataclass(frozen=True)
class ConsentRequest:
    """An open request."""

    seat: int
    wish: Wish
    waiting: frozenset[str]
    """The people who have not agreed yet."""

    def with_consent(self, person: str) -> Self:
        return replace(self, waiting=self.waiting - {person})

    def is_same(self, other: "ConsentRequest") -> bool:
        """Whether both are the same request of the same player, whatever the answers."""
        return (self.seat, self.wish) == (other.seat, other.wish)


def read_request(kept: str | None) -> ConsentRequest | None:
    return msgspec.json.decode(kept, type=ConsentRequest) if kept else None


def request_after_moves(kept: str | None) -> str | None:
    """The request that stays open once the match has gone on: a change of pace, or none."""
    asked = read_request(kept)
    return kept if asked and isinstance(asked.wish, ChangePace) else None


def rematch_request(asked: ConsentRequest | None, seating: Seating, person: str) -> ConsentRequest:
    """The request for another match: a new one to all players without a stand-in, or the open one agreed to."""
    if asked and isinstance(asked.wish, Rematch):
        return asked.with_consent(person)
    return ConsentRequest(seating.held_by(person)[0], Rematch(), _playing(seating) - {person})


def request_after_reseating(kept: str | None, seating: Seating) -> str | None:
    """The request that stays open after a change of seats: one for another match, to the players who are left."""
    asked = read_request(kept)
    if not (asked and isinstance(asked.wish, Rematch)):
        return None
    return as_json(replace(asked, waiting=asked.waiting & _playing(seating)))


def _playing(seating: Seating) -> frozenset[str]:
    return frozenset(row.person for row in seating.rows if row.person and not row.bot)


def takeback_request(live: LiveMatch, seating: Seating, person: str | None, seat: int) -> ConsentRequest | None:
    """The request to go back to before the last decision of a seat; None if there is none.

    Past a reveal all other players have to agree, also those who are absent or for whom a bot stands in. Within a
    player's own turn, before a reveal, no consent is needed and the match does not become practice.
    """
    moves = live.before_last_decision(seat)
    if moves is None:
        return None
    past_reveal = not live.decided_last(seat)
    return ConsentRequest(seat, Takeback(moves, past_reveal), seating.others(person) if past_reveal else frozenset())


def consent_request(
    seating: Seating, person: str | None, seat: int, wish: Free, late: tuple[int, ...]
) -> ConsentRequest:
    """A request to all other players, except those who are late or for whom a bot stands in."""
    spared: tuple[int, ...] = late if isinstance(wish, EndEarly) else ()
    if isinstance(wish, AllowBotDecisions):
        spared = (wish.bot,)
    absent = {seating.row(other).person for other in spared}
    return ConsentRequest(seat, wish, seating.others(person) - absent)
