"""Numbers of several rounds: the middle one, and how far the others are from it."""

from collections.abc import Callable, Mapping, Sequence
from statistics import median


def spread(values: Sequence[float], digits: int = 2) -> str:
    """The middle one with the lowest and the highest."""
    low, middle, high = (f"{value:,.{digits}f}" for value in (min(values), median(values), max(values)))
    return f"{middle} ({low} - {high})"


def ratios(own: Sequence[float], peer: Sequence[float]) -> list[float]:
    """Round by round: a machine that is slower for a while is slower for both."""
    return [here / there for here, there in zip(own, peer, strict=True)]


def interleaved(contenders: Mapping[str, Callable[[int], float]], rounds: int) -> dict[str, list[float]]:
    """What each contender measures in each round; in every round all of them, one after the other."""
    found: dict[str, list[float]] = {name: [] for name in contenders}
    for number in range(rounds):
        for name, measured in contenders.items():
            found[name].append(measured(number))
    return found
