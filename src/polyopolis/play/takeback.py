"""Going back: who asks, how far, and who has to agree."""

from dataclasses import dataclass, replace
from typing import Self

from polyopolis.play.live import Live
from polyopolis.play.messages import TakebackAsked
from polyopolis.play.seating import Seating


@dataclass(frozen=True)
class Takeback:
    """Somebody asks to go back to so many moves."""

    seat: int
    moves: int
    past_reveal: bool
    """Something was revealed since: the match is practice from then on."""
    waiting: frozenset[str]
    """The people who have not agreed yet."""

    @classmethod
    def asked(cls, live: Live, seating: Seating, person: str | None, seat: int) -> Self | None:
        """Before the last decision of a seat; None if there is none.

        Past a reveal with the consent of all other people who hold a seat, also of those who are away and of those for
        whom a bot plays in. Within one's own turn, while nothing was revealed, it is nobody else's business and no
        practice.
        """
        moves = live.before_last_decision(seat)
        if moves is None:
            return None
        past_reveal = not live.decided_last(seat)
        return cls(seat, moves, past_reveal, seating.others(person) if past_reveal else frozenset())

    def agreed(self, person: str) -> Self:
        return replace(self, waiting=self.waiting - {person})

    def message(self, seating: Seating) -> TakebackAsked:
        return TakebackAsked(self.seat, seating.held_by_any(self.waiting))


def settled(takeback: Takeback) -> TakebackAsked:
    """It was refused, or something else happened."""
    return TakebackAsked(takeback.seat, ())
