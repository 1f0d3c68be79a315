"""Means over futures, with what each future adds to them: sums and differences know how sure they are."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import sqrt
from typing import Self

from msgspec import Struct


class Figure(Struct, frozen=True):
    """A mean, and its standard error."""

    mean: float
    error: float = 0.0

    @property
    def sure(self) -> bool:
        """Whether it is more than nothing, by more than two standard errors."""
        return self.mean > SURELY * self.error and self.mean > NOTHING


SURELY = 2.0
"""Standard errors. A review tries 24 to 384 futures, where Student's t differs from this by less than 4 %; only plain
Python, which tries 4, calls more things sure than it should."""
NOTHING = 0.005


@dataclass(frozen=True)
class FutureSamples:
    """A mean over futures, and by how much each of them is off it."""

    mean: float
    off: Sequence[float]

    @classmethod
    def of(cls, values: Sequence[float], shares: Sequence[float] | None = None) -> Self:
        """Shares: how much each future counts, 1 on average."""
        if shares is None:
            mean = sum(values) / len(values)
            return cls(mean, [value - mean for value in values])
        mean = sum(value * share for value, share in zip(values, shares, strict=True)) / len(values)
        return cls(mean, [(value - mean) * share for value, share in zip(values, shares, strict=True)])

    @classmethod
    def exactly(cls, mean: float, futures: int) -> Self:
        return cls(mean, [0.0] * futures)

    def __add__(self, other: "FutureSamples") -> "FutureSamples":
        return FutureSamples(
            self.mean + other.mean, [own + more for own, more in zip(self.off, other.off, strict=True)]
        )

    def __sub__(self, other: "FutureSamples") -> "FutureSamples":
        return FutureSamples(
            self.mean - other.mean, [own - less for own, less in zip(self.off, other.off, strict=True)]
        )

    @property
    def figure(self) -> Figure:
        """One future says nothing of the error; then the mean itself is as unsure as it is large."""
        number = len(self.off)
        if number < 2:
            return Figure(self.mean, abs(self.mean))
        return Figure(self.mean, sqrt(sum(off * off for off in self.off) / (number * (number - 1))))


def shares_of(strata: Sequence[int], odds: Mapping[int, float]) -> list[float] | None:
    """What each future counts so that what comes next counts by its odds exactly. None: all count alike."""
    if not strata:
        return None
    counts: dict[int, int] = {}
    for stratum in strata:
        counts[stratum] = counts.get(stratum, 0) + 1
    there = sum(odds[stratum] for stratum in counts)
    return [odds[stratum] / counts[stratum] / there * len(strata) for stratum in strata]
