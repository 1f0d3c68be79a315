"""Turns feature differences into phrases for and against a choice: it gains, keeps, loses or misses a feature."""

from polyopolis.bots.explainer_protocol import FeaturePoints
from polyopolis.play.wire.explanation import Argument, How

MIN_POINTS = 0.1
"""Smaller differences get no phrase."""
MAX_SAYINGS = 3
"""Maximum number of phrases for a choice, and of phrases against it."""

LESS_IS_BETTER = frozenset(
    {"bandits", "dykes", "empty", "ends", "holes", "rocks", "singles", "threat", "threats", "twins"}
)
NEUTRAL = frozenset({"beside", "blocks", "bars", "doubles", "flip", "frontier", "houses", "openings", "parts"})
"""Features whose weight may have either sign. Their phrases must be true in both cases."""


def sayings(
    parts: FeaturePoints, usual: FeaturePoints, now: FeaturePoints
) -> tuple[tuple[Argument, ...], tuple[Argument, ...]]:
    """Returns the phrases for and against a choice, most important first.

    `parts` are the features of the choice, `usual` the mean of the choices, `now` the current position.
    """
    names = [name for name in dict.fromkeys([*parts, *usual]) if _has_expected_sign(name, parts, usual)]
    by_points = {name: parts.get(name, 0.0) - usual.get(name, 0.0) for name in names}
    ordered = sorted(by_points, key=lambda name: -abs(by_points[name]))
    notable = [name for name in ordered if abs(by_points[name]) >= MIN_POINTS]
    said = [(by_points[name], Argument(topic(name), _how(by_points[name], parts, now, name))) for name in notable]
    pro, con = ([saying for points, saying in said if (points > 0) == good] for good in (True, False))
    return tuple(pro[:MAX_SAYINGS]), tuple(con[:MAX_SAYINGS])


def topic(name: str) -> str:
    """Topic of a feature. All kinds of groups share one topic."""
    return "groups" if name.startswith("group-") else name


def _how(points: float, parts: FeaturePoints, now: FeaturePoints, name: str) -> How:
    change = parts.get(name, 0.0) - now.get(name, 0.0)
    if points > 0:
        return "gains" if change >= MIN_POINTS else "keeps"
    return "loses" if change <= -MIN_POINTS else "misses"


def _has_expected_sign(name: str, parts: FeaturePoints, usual: FeaturePoints) -> bool:
    """Whether the weight has the sign that the phrases assume; tuning may result in the opposite sign."""
    worth = parts.get(name) or usual.get(name, 0.0)
    return name in NEUTRAL or (worth < 0) == (name in LESS_IS_BETTER)
