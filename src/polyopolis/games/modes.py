"""Parts of the outlines of all games: modes of play, and the ids of rules."""

from collections.abc import Mapping, Sequence
from typing import Any

from msgspec import UNSET, Struct, UnsetType


class Mode(Struct, frozen=True):
    """A mode of play that is offered when a table is created."""

    group: str
    """Modes of a group are offered together."""
    setup: dict[str, Any]
    """The setup without `seats`, which follows from the players."""
    plan: tuple[int, ...] | UnsetType = UNSET
    """The episodes in their order, for a campaign."""
    seats: tuple[int, ...] | UnsetType = UNSET
    """The possible numbers of seats; left out if the game has no others."""


class RuleIds(Struct, frozen=True):
    """Ids of the rules in docs/games/ for refusals and score lines."""

    reasons: dict[str, str]
    """The rule that forbids an action, by the code of the `Reason`."""
    lines: dict[str, str]
    """The rule that defines a line of the score sheet, by line."""


def episode_modes(numbers: Sequence[int], **setup: Any) -> tuple[Mode, ...]:
    """Returns a mode for each episode on its own."""
    return tuple(Mode("episode", {**setup, "episode": number}) for number in numbers)


def plan_modes(plans: Mapping[str, tuple[int, ...]], **setup: Any) -> dict[str, tuple[Mode, ...]]:
    """Returns the modes for plans of several episodes by group: `chapter` for one chapter, else `campaign`."""
    groups: dict[str, tuple[Mode, ...]] = {"chapter": (), "campaign": ()}
    for name, plan in plans.items():
        group = "chapter" if name.startswith("chapter-") else "campaign"
        groups[group] += (Mode(group, {**setup, "episode": plan[0]}, plan),)
    return groups
