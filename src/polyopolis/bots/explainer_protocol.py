"""Explanations of bot decisions as data: the considered options, their expected points and their features."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Protocol

from polyopolis.engine import AnyGame, Rng
from polyopolis.play.wire.explanation import ConsideredAction, Explanation

__all__ = [
    "MAX_OPTIONS",
    "NEGLIGIBLE_POINTS",
    "ConsideredAction",
    "Explainer",
    "Explanation",
    "FeaturePoints",
    "feature_differences",
    "mean_features",
]

MAX_OPTIONS = 5
"""Number of options in an explanation."""
NEGLIGIBLE_POINTS = 0.005
"""Features with a smaller difference are omitted."""

FeaturePoints = Mapping[str, float]
"""Value of a position by feature, in points."""


class Explainer(Protocol):
    """Returns the number of simulations and the options of a bot, best first. With the same rng the first option is the
    choice of the bot."""

    def __call__(self, game: AnyGame, state: Any, seat: int, rng: Rng) -> tuple[int, Iterable[ConsideredAction]]: ...


def mean_features(parts: Sequence[FeaturePoints]) -> FeaturePoints:
    names = dict.fromkeys(name for option in parts for name in option)
    return {name: sum(option.get(name, 0.0) for option in parts) / len(parts) for name in names}


def feature_differences(parts: FeaturePoints, usual: FeaturePoints) -> dict[str, float]:
    """Differences of `parts` from `usual`, largest first, without negligible ones."""
    names = dict.fromkeys([*parts, *usual])
    found = {name: round(parts.get(name, 0.0) - usual.get(name, 0.0), 2) for name in names}
    notable = {name: points for name, points in found.items() if abs(points) > NEGLIGIBLE_POINTS}
    return dict(sorted(notable.items(), key=lambda item: -abs(item[1])))
