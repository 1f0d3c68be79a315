"""What the game of a day is: data beside the content, since no rule asks for it."""

from collections.abc import Sequence
from importlib.resources.abc import Traversable
from typing import Any

from polyopolis.games.content_loader import ContentError, Entry, read


class Occasion(Entry, frozen=True):
    """A way to play on some day."""

    setup: dict[str, Any]
    """Without the seats: they are counted."""
    bots: tuple[str, ...] = ()
    """Who sits in the other seats; the first is for whoever plays."""

    @property
    def seats(self) -> int:
        return 1 + len(self.bots)


class DailyFile(Entry, frozen=True):
    """`daily.toml`: the occasions in their order. After the last one comes the first again."""

    days: tuple[Occasion, ...]


def occasions(folder: Traversable) -> tuple[Occasion, ...]:
    """ContentError if there is none."""
    file = folder / "daily.toml"
    found = read(file, DailyFile).days
    if not found:
        raise ContentError(file.name, "days", "there is something to play on every day")
    return found


def occasion_of(found: Sequence[Occasion], day: int) -> Occasion:
    """Days are counted from the first of our calendar, so that all servers agree."""
    return found[day % len(found)]
