"""What every game says of itself before anybody plays it."""

from collections.abc import Mapping, Sequence
from typing import Any

from msgspec import UNSET, Struct, UnsetType


class Mode(Struct, frozen=True):
    """A way to play that is offered when a table is made."""

    group: str
    """Modes of one group are offered together."""
    setup: dict[str, Any]
    """What the setup says, without the seats: they are counted."""
    plan: tuple[int, ...] | UnsetType = UNSET
    """The episodes in their order, where it is more than a single match."""
    seats: tuple[int, ...] | UnsetType = UNSET
    """The numbers of seats that it is for; left out: all of the game."""


class RuleIds(Struct, frozen=True):
    """The rules of docs/games/ that stand behind what a screen says."""

    reasons: dict[str, str]
    """For each reason of a refusal the rule that forbids it."""
    lines: dict[str, str]
    """For each line of a score sheet the rule that counts it."""


def single_episodes(numbers: Sequence[int], **setup: Any) -> tuple[Mode, ...]:
    """Each episode on its own."""
    return tuple(Mode("episode", {**setup, "episode": number}) for number in numbers)


def in_a_row(plans: Mapping[str, tuple[int, ...]], **setup: Any) -> dict[str, tuple[Mode, ...]]:
    """The ways to play several episodes in a row, by group: a chapter, or more than one."""
    groups: dict[str, tuple[Mode, ...]] = {"chapter": (), "campaign": ()}
    for name, plan in plans.items():
        group = "chapter" if name.startswith("chapter-") else "campaign"
        groups[group] += (Mode(group, {**setup, "episode": plan[0]}, plan),)
    return groups
