"""What speaks for a choice and against it, as players say it: what it gains, keeps, loses or misses."""

from polyopolis.bots.explainer_protocol import Parts
from polyopolis.play.wire.explanation import How, Saying

ENOUGH = 0.1
"""Points that are worth a word."""
MOST = 3
"""Things that are said for a choice, and as many against it."""

LESS_IS_BETTER = frozenset(
    {"bandits", "dykes", "empty", "ends", "holes", "rocks", "singles", "threat", "threats", "twins"}
)
EITHER = frozenset({"beside", "blocks", "bars", "doubles", "flip", "frontier", "houses", "openings", "parts"})
"""More of these is good here and bad there: what is said of them must be true both ways."""


def sayings(parts: Parts, usual: Parts, now: Parts) -> tuple[tuple[Saying, ...], tuple[Saying, ...]]:
    """What is said for and against a choice with these parts, beside the usual ones; the weightiest first."""
    names = [name for name in dict.fromkeys([*parts, *usual]) if _is_plain(name, parts, usual)]
    by_points = {name: parts.get(name, 0.0) - usual.get(name, 0.0) for name in names}
    ordered = sorted(by_points, key=lambda name: -abs(by_points[name]))
    notable = [name for name in ordered if abs(by_points[name]) >= ENOUGH]
    said = [(by_points[name], Saying(topic(name), _how(by_points[name], parts, now, name))) for name in notable]
    pro, con = ([saying for points, saying in said if (points > 0) == good] for good in (True, False))
    return tuple(pro[:MOST]), tuple(con[:MOST])


def topic(name: str) -> str:
    """The groups of all kinds are one topic."""
    return "groups" if name.startswith("group-") else name


def _how(points: float, parts: Parts, now: Parts, name: str) -> How:
    change = parts.get(name, 0.0) - now.get(name, 0.0)
    if points > 0:
        return "gains" if change >= ENOUGH else "keeps"
    return "loses" if change <= -ENOUGH else "misses"


def _is_plain(name: str, parts: Parts, usual: Parts) -> bool:
    """Whether a feature is weighed as its words say: a weight may have come out the other way round."""
    worth = parts.get(name) or usual.get(name, 0.0)
    return name in EITHER or (worth < 0) == (name in LESS_IS_BETTER)
