"""Titles that a solo score earns. They are no content, because no rule depends on them."""

from bisect import bisect_right
from collections.abc import Mapping
from importlib.resources.abc import Traversable

from polyopolis.games.content_loader import ContentError, ContentStruct, read

Titles = tuple[int, ...]
"""The lowest score for each title from the second on; every lower score earns the first title."""


class TitleFile(ContentStruct, frozen=True):
    """`titles.toml`: the limits for each kind of match."""

    limits: dict[str, Titles]


def read_titles(folder: Traversable) -> Mapping[str, Titles]:
    """Returns the limits of titles by kind of match. Raises `ContentError` if limits do not rise."""
    file = folder / "titles.toml"
    found = read(file, TitleFile).limits
    for kind, limits in found.items():
        if not limits or sorted(set(limits)) != list(limits):
            raise ContentError(file.name, f"limits.{kind}", "the limits of titles rise")
    return found


def earned_title(limits: Titles, score: int) -> tuple[int, int | None]:
    """Returns the number of the title that a score earns, from 1, and the score for the next one, if there is one."""
    reached = bisect_right(limits, score)
    return reached + 1, limits[reached] if reached < len(limits) else None
