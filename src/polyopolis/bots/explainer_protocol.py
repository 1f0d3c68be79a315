"""Why a bot decides as it does, as data: what else it thought of, what it expects, and what speaks for each."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Protocol

from polyopolis.engine import AnyGame, Rng
from polyopolis.play.wire.explanation import Explanation, Option

__all__ = ["MOST", "NOTHING", "Explainer", "Explanation", "Option", "Parts", "average", "beside"]

MOST = 5
"""Options that an explanation tells."""
NOTHING = 0.005
"""A feature that makes less of a difference is left out."""

Parts = Mapping[str, float]
"""What a position is worth, feature by feature, in points."""


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
