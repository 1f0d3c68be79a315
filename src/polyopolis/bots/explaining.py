"""Why a bot decides as it does, as data: what else it thought of, what it expects, and what speaks for each."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Protocol

from msgspec import Struct

from polyopolis.engine import AnyGame, Rng

MOST = 5
"""Options that an explanation tells."""
NOTHING = 0.005
"""A feature that makes less of a difference is left out."""

Parts = Mapping[str, float]
"""What a position is worth, feature by feature, in points."""


class Option(Struct, frozen=True):
    """Something that a bot thought of doing."""

    action: Any
    expected: float
    """The final score of the seat, as the bot sees it, or what is only good for comparing: see `final`."""
    features: dict[str, float]
    """What speaks for it and against it: points by feature, beside what all choices come to on average."""


class Explanation(Struct, frozen=True):
    """What a bot would do, the first option, and what else it thought of, the best first."""

    bot: str
    simulations: int
    """Whole games that it played to find out; none if it decides at sight."""
    final: bool
    """Whether it expects final scores, since it played to the end. Who looks less far leaves out much that is the same
    for all options."""
    options: tuple[Option, ...]


class Explainer(Protocol):
    """The explaining side of a bot: with the same rng the first option is what the bot chooses."""

    def __call__(self, game: AnyGame, state: Any, seat: int, rng: Rng) -> tuple[int, Iterable[Option]]: ...


def average(parts: Sequence[Parts]) -> Parts:
    names = dict.fromkeys(name for option in parts for name in option)
    return {name: sum(option.get(name, 0.0) for option in parts) / len(parts) for name in names}


def beside(parts: Parts, usual: Parts) -> dict[str, float]:
    """What the parts come to beside the usual ones, the largest difference first."""
    names = dict.fromkeys([*parts, *usual])
    found = {name: round(parts.get(name, 0.0) - usual.get(name, 0.0), 2) for name in names}
    notable = {name: points for name, points in found.items() if abs(points) > NOTHING}
    return dict(sorted(notable.items(), key=lambda item: -abs(item[1])))
