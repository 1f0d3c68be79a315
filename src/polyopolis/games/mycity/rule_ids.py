"""Maps refusal codes and score lines to the ids of rules in docs/games/."""

from collections.abc import Mapping

REASONS: dict[str, str] = {
    "off-board": "MC-6",
    "not-the-shape": "MC-1",
    "flipped": "MC-1",
    "not-meadow": "MC-6",
    "built-over": "MC-6",
    "both-banks": "MC-7",
    "not-at-river": "MC-8",
    "not-touching": "MC-9",
    "marker-at-zero": "MC-11",
    "must-build": "MC-25",
    "no-sticker-here": "MC-33",
    "no-passing": "MC-E6",
    "flooded": "MC-E7",
    "not-at-sawmill": "MC-E11",
    "not-at-palace": "MC-E22",
    "no-gear-there": "MC-E13",
    "another-reward": "MC-33",
}

_GROUPS: Mapping[str, str] = dict.fromkeys(("groups", "group-yellow", "group-red", "group-blue"), "MC-23")

LINES: dict[str, str] = {
    "start": "MC-5",
    "passes": "MC-11",
    "trees": "MC-14",
    "rocks": "MC-15",
    "empty": "MC-16",
    "limit": "MC-17",
    **_GROUPS,
    "churches": "MC-24",
    "wells": "MC-27",
    "gold": "MC-28",
    "dykes": "MC-E8",
    "forest": "MC-E12",
    "investor": "MC-E13",
    "factories": "MC-E14",
    "track": "MC-E19",
    "stations": "MC-E19",
    "port": "MC-E20",
    "chain": "MC-E21",
    "parks": "MC-E22",
}
