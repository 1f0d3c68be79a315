"""An immutable match: decide, retract, deal, rewind, replay."""

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
    seat_name,
    why_not_due,
)
from polyopolis.engine.dealer import Dealer


class Move(Struct, frozen=True, gc=False):
    """A decision of a seat or of chance; records contain a line for each."""

    seat: int
    action: Any


@dataclass(frozen=True)
class Match:
    """A state, the moves that led to it, and the staged decisions, which are not public yet.

    Methods return a new match. They check that actions are legal, which the rules themselves do not.
    """

    game: AnyGame
    setup: Any
    state: Any
    moves: tuple[Move, ...] = ()
    events: tuple[Struct, ...] = ()
    staged: Mapping[int, Any] = field(default_factory=dict)
    drawn: int = 0
    """The number of moves of chance."""

    @classmethod
    def start(cls, game: AnyGame, setup: Any) -> Self:
        return cls(game, setup, game.start(setup))

    @classmethod
    def replay(cls, game: AnyGame, setup: Any, moves: Iterable[Move]) -> Self:
        """Returns the match after these moves. Raises `IllegalAction` at the first illegal one."""
        match = cls.start(game, setup)
        for move in moves:
            match = match.decide(move.seat, move.action)
        return match

    @property
    def due(self) -> frozenset[int]:
        """The seats that must still decide: players, chance alone, or none."""
        return self.game.to_act(self.state) - self.staged.keys()

    @property
    def over(self) -> bool:
        return not self.game.to_act(self.state)

    @property
    def result(self) -> Result:
        return self.game.scores(self.state)

    def why_not(self, seat: int, action: Any) -> Reason | None:
        """Returns why `decide` would refuse this action; None if it would accept it."""
        if reason := why_not_due(self.game.to_act(self.state), seat):
            return reason
        if seat != CHANCE:
            return self.game.why_not(self.state, seat, action)
        return None if action in [possible for possible, _ in self.game.odds(self.state)] else Reason("impossible-luck")

    def decide(self, seat: int, action: Any) -> Self:
        """Returns the match after a decision of this seat. Raises `IllegalAction`.

        While other seats are due, the decision is staged, and deciding again replaces it. With the last decision
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
        """Returns the match without the staged decision of this seat. Raises `NothingStaged`."""
        if seat not in self.staged:
            raise NothingStaged(f"{seat_name(seat)} has no decision to take back")
        return replace(self, staged={other: action for other, action in self.staged.items() if other != seat})

    def deal(self, dealer: Dealer) -> Self:
        """Returns the match after all chance events that are due."""
        match = self
        while match.due == {CHANCE}:
            match = match.decide(CHANCE, dealer.pick(match.drawn, match.game.odds(match.state)))
        return match

    def rewound(self, moves: int) -> Self:
        """Returns the match after its first `moves` moves. Moves of an incomplete round are staged again."""
        return self.replay(self.game, self.setup, self.moves[:moves])
