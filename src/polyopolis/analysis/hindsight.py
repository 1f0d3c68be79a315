"""Hindsight: the best city with the luck as it came, and an upper bound for all cities.

The found city is proven to be the best one only if its score equals the bound. Decisions are not graded by hindsight,
because the player did not know the luck.
"""

from collections.abc import Generator, Iterator, Sequence
from functools import cached_property
from typing import Any, Self

from msgspec import Struct

from polyopolis.analysis.counterfactuals import (
    BUILDING,
    Counterfactual,
    Decisions,
    ReplayedChoice,
    decision_kind,
    recorded_decider,
    states_after_chance,
)
from polyopolis.bots.feature_weights import flat_weights, weights_for
from polyopolis.engine import CHANCE, Dealer, Match, PolyopolisError
from polyopolis.kernels.city_arrays import has_kernel
from polyopolis.kernels.city_beam import BeamSearch
from polyopolis.kernels.city_position import CityPosition, KernelCity, position_of
from polyopolis.kernels.placing import layout
from polyopolis.kernels.positions import features_of
from polyopolis.kernels.runtime.jit import BACKEND, Backend

BEAM_WIDTHS_BY_RUNTIME: dict[Backend, tuple[int, ...]] = {
    "native": (100, 1000, 10_000),
    "wasm": (100, 1000),
    "plain": (3, 30),
}
BEAM_WIDTHS = BEAM_WIDTHS_BY_RUNTIME[BACKEND]
"""Beam widths of the successive searches. A width of 10,000 takes 90 MB, which a browser page never frees."""


class NoHindsight(PolyopolisError):
    """The game has no cities that can be searched."""


class Hindsight(Struct, frozen=True):
    """Best city found so far, and an upper bound."""

    score: int
    """Score of the best city found."""
    bound: int
    """No city can exceed it."""
    choices: tuple[ReplayedChoice, ...]
    """The choices of that city, card by card."""
    width: int
    """Beam width of the last search; 0 before the first one."""
    proven: bool
    """Whether score and bound are equal, so that no city is better."""

    @classmethod
    def of(cls, score: int, bound: int, choices: tuple[ReplayedChoice, ...], width: int) -> Self:
        return cls(score, bound, choices, width, score == bound)


def has_hindsight(match: Match) -> bool:
    """Whether the cities of a match can be searched in hindsight."""
    return has_kernel(match.game.key, match.game.start(match.setup), 0)


class BeamProgress(Struct, frozen=True):
    """Progress of a search with this beam width, from 0 to 1."""

    width: int
    share: float


class HindsightSearch:
    """Hindsight of one seat of a match. With its dealer the luck continues after all seats had stopped."""

    def __init__(self, match: Match, seat: int, dealer: Dealer | None = None) -> None:
        self._game, self._seat = match.game, seat
        self._start = match.game.start(match.setup)
        if not has_hindsight(match):
            raise NoHindsight(f"there is no hindsight in {match.game.key}")
        self.counterfactual = Counterfactual(match, seat, dealer)

    def best_played(self) -> Hindsight:
        """The best city that any seat built, evaluated on the board of this seat."""
        played = [self._evaluated(decisions, 0) for decisions in self.counterfactual.decisions]
        return max(played, key=lambda found: found.score)

    def search(self, widths: Sequence[int] = BEAM_WIDTHS) -> Generator[Hindsight | BeamProgress, None, None]:
        """Yields results that improve with growing beam width, and progress in between. Closing the generator cancels
        the search."""
        best = self.best_played()
        yield best
        for width in widths:
            if best.proven:
                return
            best = yield from self._widen(best, width)
            yield best

    def match_with(self, found: Hindsight) -> Match:
        """The match with the found city in this seat."""
        choices = iter(found.choices)
        return self.counterfactual.replay(lambda _match, _seat: next(choices).action)[0]

    def _widen(self, best: Hindsight, width: int) -> Generator[BeamProgress, None, Hindsight]:
        search = self._prospect.run(width, best.score)
        while True:
            try:
                yield BeamProgress(width, next(search))
            except StopIteration as end:
                result = end.value
                break
        found = best if result.choices is None else self._evaluated(self._beam_decisions(result.choices), width)
        better = found if found.score > best.score else best
        return Hindsight.of(better.score, min(best.bound, result.bound), better.choices, width)

    def _evaluated(self, decisions: Decisions, width: int) -> Hindsight:
        """Evaluates decisions of this seat by the rules."""
        match, choices = self.counterfactual.replay(recorded_decider(decisions))
        return Hindsight.of(match.result.scores[self._seat], self._prospect.bound, choices, width)

    def _beam_decisions(self, choices: Sequence[int]) -> Decisions:
        """Converts choices of a beam search into actions. The search builds no kiosks."""
        position = self._position(self._start)
        return {BUILDING: [position.action(choice) for choice in choices if choice != layout.WAIT]}

    @cached_property
    def _prospect(self) -> BeamSearch:
        """Input of the beam search: the city before its first building and all later tasks. Purses count no points."""
        key, position, tasks = self._game.key, self._position(self._start), list(self._tasks())
        weights = weights_for(key, position.part, position.site) | {"purses": (0.0, 0.0)}
        kiosks = getattr(self._start.cities[self._seat], "kiosks", 0)
        return BeamSearch(
            position.city, tasks, self._closed_races(len(tasks)), flat_weights(weights, features_of(key)), kiosks
        )

    def _position(self, state: Any, seat: int | None = None) -> CityPosition:
        return position_of(self._game.key, state, self._seat if seat is None else seat)

    def _tasks(self) -> Iterator[int]:
        """Yields the task of the seat for each card or roll; WAIT if it has no decision."""
        for state in states_after_chance(self._game, self.counterfactual.match.setup, self.counterfactual.luck):
            due = self._seat in self._game.to_act(state)
            yield self._position(state).task if due else layout.WAIT

    def _closed_races(self, rounds: int) -> list[int]:
        """For each card or roll, the races whose goal another seat reached with it, as bits."""
        shut, now, drawn = [0] * rounds, self._start, 0
        others = [seat for seat in range(len(now.cities)) if seat != self._seat]
        for move in self.counterfactual.match.moves if now.open_races and others else ():
            now = self._game.apply(now, move.seat, move.action).state
            drawn += move.seat == CHANCE
            if move.seat in others and decision_kind(now) != "reward":
                shut[drawn - 1] |= _goals(self._position(now, move.seat).city)
        return shut


def _goals(city: KernelCity) -> int:
    """The races whose goal a city has reached, as bits."""
    (land, law), free = city.site.arrays, city.free
    goal, woods = (int(land[at]) | int(land[at + 1]) << 64 for at in (layout.RACE_GOAL, layout.WOODS))
    felled = (woods & ~free).bit_count()
    return layout.CLOSE_RACE * (goal > 0 and not goal & free) | layout.CLOSE_FOREST_RACE * (
        0 < law[layout.FOREST_GOAL_CELLS] <= felled
    )
