"""What the game of a day is: data beside the content, since no rule asks for it."""

from collections.abc import Sequence
from importlib.resources.abc import Traversable
from typing import Any

from polyopolis.games.content_loader import ContentError, ContentStruct, read


class DailyVariant(ContentStruct, frozen=True):
    """A way to play on some day."""

    setup: dict[str, Any]
    """Without the seats: they are counted."""
    bots: tuple[str, ...] = ()
    """Who sits in the other seats; the first is for whoever plays."""

    @property
    def seats(self) -> int:
        return 1 + len(self.bots)


class DailyFile(ContentStruct, frozen=True):
    """`daily.toml`: the occasions in their order. After the last one comes the first again."""

    days: tuple[DailyVariant, ...]


def occasions(folder: Traversable) -> tuple[DailyVariant, ...]:
    """ContentError if there is none."""
    file = folder / "daily.toml"
    found = read(file, DailyFile).days
    if not found:
        raise ContentError(file.name, "days", "there is something to play on every day")
    return found


def occasion_of(found: Sequence[DailyVariant], day: int) -> DailyVariant:
    """Days are counted from the first of our calendar, so that all servers agree."""
    return found[day % len(found)]
