"""Loads the die and the limit."""

from functools import cache
from importlib.resources import files

from polyopolis.games.content_loader import ContentStruct, read

NEWEST = 1
FOLDER = files("tests.games.tiny") / "content"


class Content(ContentStruct, frozen=True):
    limit: int
    episodes: int
    sides: tuple[int, ...]

    @property
    def odds(self) -> dict[int, int]:
        """The number of sides by pips."""
        return {pips: self.sides.count(pips) for pips in self.sides}


@cache
def content(version: int = NEWEST) -> Content:
    return read(FOLDER / f"v{version}" / "die.toml", Content)
