"""Futures that are shared by all seats and moments of one match (common random numbers).

A future fixes all chance events of a match in advance: the place of every card. At a later moment the same future
applies, without the events that have happened. So two choices or two moments are always compared in the same futures.
If chance does not depend on decisions, the next chance event is not random but stratified: futures take its outcomes
in turn, so that each outcome is weighted by its exact probability.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from math import gcd
from typing import Any, Protocol

from polyopolis.kernels.runtime.jit import Floats, Words
from polyopolis.kernels.runtime.rng import new_rng, next_word, random_below

WeightsFor = Callable[[str, Any], Floats]
"""Returns the weights for a part of a game on a site."""


@dataclass
class FutureResults:
    """Final results of all players by future."""

    points: list[list[float]]
    """By player."""
    ranking_values: list[list[float]]
    """By player; a higher value is a better rank, equal values share a rank."""
    strata: list[int] = field(default_factory=list)
    """The next chance event by future, if it is stratified; else empty."""
    odds: Mapping[int, float] = field(default_factory=dict)
    """Probability of each stratum."""
    leads: list[float] = field(default_factory=list)
    """Lead of the deciding seat some turns later by future, if choices are evaluated at that point; else empty."""
    win_chances: list[float] = field(default_factory=list)
    """Estimated probability to win by future, derived from `leads`."""

    def __len__(self) -> int:
        return len(self.points[0])

    def extend(self, more: "FutureResults") -> None:
        """Appends the results of further futures."""
        self.points = [own + other for own, other in zip(self.points, more.points, strict=True)]
        self.ranking_values = [own + other for own, other in zip(self.ranking_values, more.ranking_values, strict=True)]
        self.strata = self.strata + more.strata
        self.odds = more.odds
        self.leads = self.leads + more.leads
        self.win_chances = self.win_chances + more.win_chances


class FutureSimulator(Protocol):
    """Simulates the futures of one match."""

    SEPARATE_CITIES: bool
    """Whether players build separate cities, so that points are the objective and not a lead."""
    LEARNS: bool
    """Whether an evaluation learns from one future to the next and must therefore always start with the first one."""

    def supports(self, state: Any) -> bool:
        """Returns whether it supports this state; setup phases of some games are not supported."""

    def expected(self, state: Any, futures: range) -> FutureResults:
        """Returns the results if all players play greedily from here on."""

    def after_choices(self, state: Any, seat: int, actions: Sequence[Any], futures: range) -> list[FutureResults]:
        """Returns the results after each of these actions of a seat."""

    def candidates(self, state: Any, seat: int, width: int) -> list[Any]:
        """Returns the actions of a seat that affect points, at most `width`, by static value."""

    def topic(self, state: Any) -> str:
        """Returns the kind of the decision."""

    def final(self, state: Any) -> list[float]:
        """Returns the final result of all players: points and the value of what counts later."""


def shuffled(items: Sequence[Any], rng: Words) -> list[Any]:
    """Returns the items in random order."""
    found: list[Any] = []
    for item in items:
        other = int(random_below(rng, len(found) + 1))
        found.append(item)
        found[other], found[-1] = found[-1], found[other]
    return found


def future_rng(seed: int, future: int) -> Words:
    """Returns the generator of a future. It does not depend on other futures."""
    return new_rng(int(next_word(new_rng(seed + 0x9E3779B97F4A7C15 * 2 * future))))


def stratum_of(future: int, number: int) -> int:
    """Returns the stratum of a future out of `number`. All strata are used in turn; neighbouring futures have distant
    ones."""
    stride = max(1, round(number * 0.618))
    while gcd(stride, number) != 1:
        stride += 1
    return future * stride % number
