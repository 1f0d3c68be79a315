"""Titles for whoever plays alone: data beside the content, since nothing that is played depends on them."""

from bisect import bisect_right
from collections.abc import Mapping
from importlib.resources.abc import Traversable

from polyopolis.games.content_loader import ContentError, ContentStruct, read

Titles = tuple[int, ...]
"""The lower limits of the titles from the second on; the first is for every score below."""


class TitleFile(ContentStruct, frozen=True):
    """`titles.toml`: for each kind of match."""

    limits: dict[str, Titles]


def titles(folder: Traversable) -> Mapping[str, Titles]:
    """The titles that a game has; ContentError if their limits do not rise."""
    file = folder / "titles.toml"
    found = read(file, TitleFile).limits
    for kind, limits in found.items():
        if not limits or sorted(set(limits)) != list(limits):
            raise ContentError(file.name, f"limits.{kind}", "the limits of titles rise")
    return found


def earned(limits: Titles, score: int) -> tuple[int, int | None]:
    """The title of a score, from 1 up, and the score at which the next one begins."""
    reached = bisect_right(limits, score)
    return reached + 1, limits[reached] if reached < len(limits) else None
