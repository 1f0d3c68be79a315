"""Hindsight: the best city with the luck as it came, and a bound that no city can exceed.

Both are always told; the city is the best one only where they meet. No decision is judged by this: whoever decided did
not know what would come.
"""

from collections.abc import Generator, Iterator, Sequence
from functools import cached_property
from typing import Any, Self

from msgspec import Struct

from polyopolis.analysis.counterfactuals import BUILDING, Choice, Counterfactual, Decisions, as_decided, asked, walked
from polyopolis.bots.feature_weights import flat, weights_for
from polyopolis.engine import CHANCE, Dealer, Match, PolyopolisError
from polyopolis.kernels.city_arrays import has_kernel
from polyopolis.kernels.city_beam import Prospect
from polyopolis.kernels.city_position import City, CityPosition, position_of
from polyopolis.kernels.placing import layout
from polyopolis.kernels.positions import features_of
from polyopolis.kernels.runtime.jit import WAY, Way

BY_WAY: dict[Way, tuple[int, ...]] = {"native": (100, 1000, 10_000), "wasm": (100, 1000), "plain": (3, 30)}
WIDTHS = BY_WAY[WAY]
"""Cities side by side, from a first answer to a good one. 10,000 take 90 MB, which a page never gives back."""


class NoHindsight(PolyopolisError):
    """There is nothing to be known afterwards in a game without cities."""


class Hindsight(Struct, frozen=True):
    """What is known afterwards."""

    score: int
    """Of the best city that was found."""
    bound: int
    """No city can exceed it."""
    choices: tuple[Choice, ...]
    """That city, card by card."""
    width: int
    """How many cities were looked at side by side; none before the first search."""
    proven: bool
    """Whether the two meet, so that no city is better."""

    @classmethod
    def of(cls, score: int, bound: int, choices: tuple[Choice, ...], width: int) -> Self:
        return cls(score, bound, choices, width, score == bound)


def is_known_afterwards(match: Match) -> bool:
    """Whether its cities can be searched."""
    return has_kernel(match.game.key, match.game.start(match.setup), 0)


class Progress(Struct, frozen=True):
    """How far a search of this width has come, from 0 to 1."""

    width: int
    share: float


class HindsightSearch:
    """A seat of a match that was played. With the dealer of the match, luck goes on where everybody had stopped."""

    def __init__(self, match: Match, seat: int, dealer: Dealer | None = None) -> None:
        self._game, self._seat = match.game, seat
        self._start = match.game.start(match.setup)
        if not is_known_afterwards(match):
            raise NoHindsight(f"there is no hindsight in {match.game.key}")
        self.again = Counterfactual(match, seat, dealer)

    def known(self) -> Hindsight:
        """The best of what was played, by anybody, on this board: before anything is looked for."""
        told = [self._told(decisions, 0) for decisions in self.again.decisions]
        return max(told, key=lambda found: found.score)

    def found(self, widths: Sequence[int] = WIDTHS) -> Generator[Hindsight | Progress, None, None]:
        """What is known, then better and better with growing width, and in between how far that has come. Whoever
        closes it or does not go on asking has cancelled it."""
        best = self.known()
        yield best
        for width in widths:
            if best.proven:
                return
            best = yield from self._wider(best, width)
            yield best

    def built(self, found: Hindsight) -> Match:
        """The match with that city in this seat."""
        choices = iter(found.choices)
        return self.again.played(lambda _match, _seat: next(choices).action)[0]

    def _wider(self, best: Hindsight, width: int) -> Generator[Progress, None, Hindsight]:
        search = self._prospect.grown(width, best.score)
        while True:
            try:
                yield Progress(width, next(search))
            except StopIteration as end:
                grown = end.value
                break
        told = best if grown.choices is None else self._told(self._decisions(grown.choices), width)
        better = told if told.score > best.score else best
        return Hindsight.of(better.score, min(best.bound, grown.bound), better.choices, width)

    def _told(self, decisions: Decisions, width: int) -> Hindsight:
        """What comes of these decisions, by the rules."""
        match, choices = self.again.played(as_decided(decisions))
        return Hindsight.of(match.result.scores[self._seat], self._prospect.bound, choices, width)

    def _decisions(self, choices: Sequence[int]) -> Decisions:
        """The choices of a beam as the rules name them; it adds no kiosks."""
        position = self._position(self._start)
        return {BUILDING: [position.action(choice) for choice in choices if choice != layout.WAIT]}

    @cached_property
    def _prospect(self) -> Prospect:
        """The city of the seat before its first building, and all that comes. Purses are no points."""
        key, position, tasks = self._game.key, self._position(self._start), list(self._tasks())
        weights = weights_for(key, position.part, position.site) | {"purses": (0.0, 0.0)}
        kiosks = getattr(self._start.cities[self._seat], "kiosks", 0)
        return Prospect(position.city, tasks, self._shut(len(tasks)), flat(weights, features_of(key)), kiosks)

    def _position(self, state: Any, seat: int | None = None) -> CityPosition:
        return position_of(self._game.key, state, self._seat if seat is None else seat)

    def _tasks(self) -> Iterator[int]:
        """What the seat is asked to build with all that comes; WAIT if it is not asked."""
        for state in walked(self._game, self.again.match.setup, self.again.luck):
            due = self._seat in self._game.to_act(state)
            yield self._position(state).task if due else layout.WAIT

    def _shut(self, rounds: int) -> list[int]:
        """With which cards or rolls somebody else has reached the goal of a race."""
        shut, now, drawn = [0] * rounds, self._start, 0
        others = [seat for seat in range(len(now.cities)) if seat != self._seat]
        for move in self.again.match.moves if now.open_races and others else ():
            now = self._game.apply(now, move.seat, move.action).state
            drawn += move.seat == CHANCE
            if move.seat in others and asked(now) != "reward":
                shut[drawn - 1] |= _goals(self._position(now, move.seat).city)
        return shut


def _goals(city: City) -> int:
    """The races whose goal a city has reached, by bits."""
    (land, law), free = city.site.ground, city.free
    goal, woods = (int(land[at]) | int(land[at + 1]) << 64 for at in (layout.GOAL, layout.WOODS))
    felled = (woods & ~free).bit_count()
    return layout.SHUT_RACE * (goal > 0 and not goal & free) | layout.SHUT_FOREST * (0 < law[layout.FELLING] <= felled)
