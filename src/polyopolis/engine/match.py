"""A game being played, as a value."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Self

from msgspec import Struct

from polyopolis.engine.core import (
    CHANCE,
    AnyGame,
    GameOver,
    IllegalAction,
    NotDue,
    NothingStaged,
    Reason,
    Result,
    name_of,
    why_not_due,
)
from polyopolis.engine.dealer import Dealer


class Move(Struct, frozen=True, gc=False):
    """One line of the record."""

    seat: int
    action: Any


@dataclass(frozen=True)
class Match:
    """A state, the moves that led to it, and the decisions that are made but not yet open.

    It checks where the rules trust: whatever it accepts is legal, whatever it refuses leaves it as it was.
    """

    game: AnyGame
    setup: Any
    state: Any
    moves: tuple[Move, ...] = ()
    events: tuple[Struct, ...] = ()
    staged: Mapping[int, Any] = field(default_factory=dict)
    drawn: int = 0
    """How often chance has moved."""

    @classmethod
    def start(cls, game: AnyGame, setup: Any) -> Self:
        return cls(game, setup, game.start(setup))

    @classmethod
    def replay(cls, game: AnyGame, setup: Any, moves: Iterable[Move]) -> Self:
        """The match after these moves."""
        match = cls.start(game, setup)
        for move in moves:
            match = match.decide(move.seat, move.action)
        return match

    @property
    def due(self) -> frozenset[int]:
        """The seats that have not decided yet; chance, or nobody."""
        return self.game.to_act(self.state) - self.staged.keys()

    @property
    def over(self) -> bool:
        return not self.game.to_act(self.state)

    @property
    def result(self) -> Result:
        return self.game.scores(self.state)

    def why_not(self, seat: int, action: Any) -> Reason | None:
        """Why this decision would be refused now; None if it would be accepted."""
        if reason := why_not_due(self.game.to_act(self.state), seat):
            return reason
        if seat != CHANCE:
            return self.game.why_not(self.state, seat, action)
        return None if action in [luck for luck, _ in self.game.odds(self.state)] else Reason("impossible-luck")

    def decide(self, seat: int, action: Any) -> Self:
        """The match once this seat has decided.

        While others are due the decision is staged, and deciding again replaces it. With the last decision
        all of them become moves, in the order of the seats.
        """
        if reason := self.why_not(seat, action):
            kinds = {"game-over": GameOver, "not-due": NotDue}
            raise kinds.get(reason.code, IllegalAction)(seat, action, reason)
        staged = {**self.staged, seat: action}
        if len(staged) < len(self.game.to_act(self.state)):
            return replace(self, staged=staged)
        return self._open(staged)

    def _open(self, staged: Mapping[int, Any]) -> Self:
        state, events = self.state, self.events
        for seat in sorted(staged):
            step = self.game.apply(state, seat, staged[seat])
            state, events = step.state, events + step.events
        moves = self.moves + tuple(Move(seat, staged[seat]) for seat in sorted(staged))
        drawn = self.drawn + (CHANCE in staged)
        return replace(self, state=state, moves=moves, events=events, staged={}, drawn=drawn)

    def retract(self, seat: int) -> Self:
        """The match as if this seat had not decided yet."""
        if seat not in self.staged:
            raise NothingStaged(f"{name_of(seat)} has no decision to take back")
        return replace(self, staged={other: action for other, action in self.staged.items() if other != seat})

    def deal(self, dealer: Dealer) -> Self:
        """The match after all the luck that is due."""
        match = self
        while match.due == {CHANCE}:
            match = match.decide(CHANCE, dealer.pick(match.drawn, match.game.odds(match.state)))
        return match

    def rewound(self, moves: int) -> Self:
        """The match after its first so many moves. Inside a round these are staged again."""
        return self.replay(self.game, self.setup, self.moves[:moves])
