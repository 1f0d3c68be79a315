"""Reads daily.toml: which setup is the daily game on which day. It is no content, because no rule depends on it."""

from collections.abc import Sequence
from importlib.resources.abc import Traversable
from typing import Any

from polyopolis.games.content_loader import ContentError, ContentStruct, read


class DailyVariant(ContentStruct, frozen=True):
    """A setup of the daily game."""

    setup: dict[str, Any]
    """Without `seats`, which follows from the bots."""
    bots: tuple[str, ...] = ()
    """The bots in the other seats; the first seat is the player's."""

    @property
    def seats(self) -> int:
        return 1 + len(self.bots)


class DailyFile(ContentStruct, frozen=True):
    """`daily.toml`: the variants in their order, which repeats after the last one."""

    days: tuple[DailyVariant, ...]


def read_daily_variants(folder: Traversable) -> tuple[DailyVariant, ...]:
    """Returns the variants in `daily.toml` of a folder. Raises `ContentError` if there are none."""
    file = folder / "daily.toml"
    found = read(file, DailyFile).days
    if not found:
        raise ContentError(file.name, "days", "there is at least one variant")
    return found


def variant_of_day(found: Sequence[DailyVariant], day: int) -> DailyVariant:
    """Returns the variant of a day: a proleptic Gregorian ordinal, so that all servers agree."""
    return found[day % len(found)]
