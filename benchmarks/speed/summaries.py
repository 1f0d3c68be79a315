"""Summaries of measurements from several rounds."""

from collections.abc import Callable, Mapping, Sequence
from statistics import median


def format_spread(values: Sequence[float], digits: int = 2) -> str:
    """Returns the median with minimum and maximum as text."""
    low, middle, high = (f"{value:,.{digits}f}" for value in (min(values), median(values), max(values)))
    return f"{middle} ({low} - {high})"


def ratios(own: Sequence[float], peer: Sequence[float]) -> list[float]:
    """Returns the ratio of each round, because a temporarily slow machine slows both contenders."""
    return [here / there for here, there in zip(own, peer, strict=True)]


def run_interleaved(contenders: Mapping[str, Callable[[int], float]], rounds: int) -> dict[str, list[float]]:
    """Runs all contenders one after the other in each round; returns the measurements of each contender."""
    results: dict[str, list[float]] = {name: [] for name in contenders}
    for number in range(rounds):
        for name, measured in contenders.items():
            results[name].append(measured(number))
    return results
