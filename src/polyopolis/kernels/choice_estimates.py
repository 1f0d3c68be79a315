"""What choices come to in the same futures, and how sure that is."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from math import inf, sqrt
from statistics import fmean, stdev
from typing import NamedTuple, Self


class Mean(NamedTuple):
    """A mean over futures."""

    mean: float
    error: float
    """Its standard error; one future says nothing of it."""

    @classmethod
    def of(cls, values: Sequence[float]) -> Self:
        return cls(fmean(values), stdev(values) / sqrt(len(values)) if len(values) > 1 else inf)


@dataclass(frozen=True)
class ChoiceEstimates:
    """What each choice comes to in each of the same futures."""

    points: Mapping[int, Sequence[float]]
    """By choice, future by future: the score of a city, the lead at one table."""
    hopes: Mapping[int, Sequence[float]]
    """What is sought: the score of a city, and at one table to win, which counts a lead the less the surer it is."""

    @cached_property
    def ranked(self) -> tuple[int, ...]:
        """All choices, the best first, by what is sought."""
        return tuple(sorted(self.hopes, key=lambda choice: -fmean(self.hopes[choice])))

    @property
    def best(self) -> int:
        return self.ranked[0]

    def mean(self, choice: int) -> Mean:
        """What a choice comes to, in points."""
        return Mean.of(self.points[choice])

    def lacking(self, choice: int) -> Mean:
        """What a choice lacks to the best one, in points, future by future. Where nobody answers, the same luck makes
        that surer than two means are."""
        return Mean.of(_differences(self.points[self.best], self.points[choice]))

    def missed(self, choice: int) -> Mean:
        """The same of what is sought: never less than nothing."""
        return Mean.of(_differences(self.hopes[self.best], self.hopes[choice]))


def rows_of(choices: Iterable[int], rows: Iterable[Iterable[float]]) -> dict[int, list[float]]:
    """What a kernel has written, by choice."""
    return {choice: [float(value) for value in row] for choice, row in zip(choices, rows, strict=True)}


def _differences(own: Sequence[float], other: Sequence[float]) -> list[float]:
    return [best - less for best, less in zip(own, other, strict=True)]
