"""Mean value of each choice over common futures, with standard errors."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from math import inf, sqrt
from statistics import fmean, stdev
from typing import NamedTuple, Self


class MeanEstimate(NamedTuple):
    """A mean over futures."""

    mean: float
    error: float
    """Standard error of the mean; infinite for one future."""

    @classmethod
    def of(cls, values: Sequence[float]) -> Self:
        return cls(fmean(values), stdev(values) / sqrt(len(values)) if len(values) > 1 else inf)


@dataclass(frozen=True)
class ChoiceEstimates:
    """Results of each choice in the same futures."""

    points: Mapping[int, Sequence[float]]
    """Points by choice and future: the score of a city, or the lead in a game with interaction."""
    utilities: Mapping[int, Sequence[float]]
    """The objective by choice and future: the score of a city, or the lead with a bonus for winning, in which points
    count less the surer the win is."""

    @cached_property
    def ranked(self) -> tuple[int, ...]:
        """All choices by mean utility, best first."""
        return tuple(sorted(self.utilities, key=lambda choice: -fmean(self.utilities[choice])))

    @property
    def best(self) -> int:
        return self.ranked[0]

    def mean(self, choice: int) -> MeanEstimate:
        """Mean points of a choice."""
        return MeanEstimate.of(self.points[choice])

    def points_behind(self, choice: int) -> MeanEstimate:
        """Mean points by which a choice is behind the best one, from paired differences. Where opponents do not
        react, common futures make its error smaller than that of two independent means."""
        return MeanEstimate.of(_differences(self.points[self.best], self.points[choice]))

    def utility_behind(self, choice: int) -> MeanEstimate:
        """Mean utility by which a choice is behind the best one; never negative."""
        return MeanEstimate.of(_differences(self.utilities[self.best], self.utilities[choice]))


def values_by_choice(choices: Iterable[int], rows: Iterable[Iterable[float]]) -> dict[int, list[float]]:
    """Converts rows that a kernel has written to lists by choice."""
    return {choice: [float(value) for value in row] for choice, row in zip(choices, rows, strict=True)}


def _differences(own: Sequence[float], other: Sequence[float]) -> list[float]:
    return [best - less for best, less in zip(own, other, strict=True)]
