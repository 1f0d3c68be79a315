"""Maps refusal codes and score lines to the ids of rules in docs/games/."""

from collections.abc import Mapping

from polyopolis.games.rollwrite.content import TYPES

REASONS: dict[str, str] = {
    "not-the-shape": "RW-4",
    "flipped": "RW-4",
    "off-board": "RW-5",
    "not-meadow": "RW-5",
    "built-over": "RW-5",
    "both-banks": "RW-6",
    "not-at-river": "RW-7",
    "not-touching": "RW-7",
    "row-full": "RW-10",
    "no-passing": "RW-24",
    "bandit": "RW-30",
    "must-build": "RW-32",
}

_GROUPS: Mapping[str, str] = {f"group-{kind}": "RW-16" for kind in TYPES}
_LAST: Mapping[str, str] = dict.fromkeys(("never-passed", "all-trees", "no-rocks", "no-empty"), "RW-34")

LINES: dict[str, str] = {
    "passes": "RW-14",
    "trees": "RW-15",
    "rocks": "RW-15",
    "empty": "RW-15",
    "groups": "RW-16",
    **_GROUPS,
    "wells": "RW-17",
    "churches": "RW-23",
    "purses": "RW-25",
    "plains": "RW-26",
    "forest": "RW-27",
    "gold": "RW-28",
    "bandits": "RW-30",
    "complete": "RW-33",
    **_LAST,
}
