"""What everybody at a table comes to in the same futures, from any moment of one match.

A future is the whole luck of a match, told in advance: every card has its place in it. At a later moment the same
future holds, without what has come. So whatever is compared, two choices or two moments, is compared in the same
futures. Where all meet the same luck whatever they do, what comes next is not left to them but taken in turn from all
that may come, so that it is weighed by its odds exactly.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from math import gcd
from typing import Any, Protocol

from polyopolis.kernels.runtime.jit import Floats, Words
from polyopolis.kernels.runtime.rng import below, drawn, luck_of

Weigh = Callable[[str, Any], Floats]
"""The weights that hold in a part of a game, on a site."""


@dataclass
class FutureResults:
    """How all players end, future by future."""

    points: list[list[float]]
    """By player."""
    standing: list[list[float]]
    """By player: who has more is before who has less; equals share."""
    strata: list[int] = field(default_factory=list)
    """By future what comes next, where that was taken in turn."""
    odds: Mapping[int, float] = field(default_factory=dict)
    """How likely each of that is."""
    leads: list[float] = field(default_factory=list)
    """By future how far whoever decides is ahead some turns later, where choices are weighed then; else none."""
    chances: list[float] = field(default_factory=list)
    """To win, as far as that lead tells."""

    def __len__(self) -> int:
        return len(self.points[0])

    def extend(self, more: "FutureResults") -> None:
        """More futures."""
        self.points = [own + other for own, other in zip(self.points, more.points, strict=True)]
        self.standing = [own + other for own, other in zip(self.standing, more.standing, strict=True)]
        self.strata = self.strata + more.strata
        self.odds = more.odds
        self.leads = self.leads + more.leads
        self.chances = self.chances + more.chances


class FutureSimulator(Protocol):
    """Tells the futures of one match."""

    APART: bool
    """Whether everybody builds a city of their own, so that points are sought and not a lead."""
    LEARNS: bool
    """Whether judging learns from one future to the next, so that it always begins with the first one."""

    def knows(self, state: Any) -> bool:
        """Whether it has anything to tell: some games are prepared before."""

    def expected(self, state: Any, futures: range) -> FutureResults:
        """If everybody does from here on what is worth most at sight."""

    def judged(self, state: Any, seat: int, actions: Sequence[Any], futures: range) -> list[FutureResults]:
        """What comes of it if a seat does one of these first."""

    def candidates(self, state: Any, seat: int, width: int) -> list[Any]:
        """What a seat may do, as far as points depend on it, by what is worth most at sight; no more than so many."""

    def topic(self, state: Any) -> str:
        """What is decided on."""

    def final(self, state: Any) -> list[float]:
        """What everybody has in the end: points, and what is worth points later."""


def shuffled(items: Sequence[Any], luck: Words) -> list[Any]:
    """In any order."""
    found: list[Any] = []
    for item in items:
        other = int(below(luck, len(found) + 1))
        found.append(item)
        found[other], found[-1] = found[-1], found[other]
    return found


def word_of(seed: int, future: int) -> Words:
    """The generator of a future, whichever others there are."""
    return luck_of(int(drawn(luck_of(seed + 0x9E3779B97F4A7C15 * 2 * future))))


def in_turn(future: int, number: int) -> int:
    """What a future takes of so many: all in turn, neighbours far apart."""
    stride = max(1, round(number * 0.618))
    while gcd(stride, number) != 1:
        stride += 1
    return future * stride % number
