"""What a seat or chance does, and what came of it."""

import re

from msgspec.structs import force_setattr

from polyopolis.engine import Tagged

_CELL = re.compile(r"([a-z])([1-9][0-9]?)")


class Reveal(Tagged, frozen=True, tag="reveal"):
    """Chance turns up the top card."""

    card: str


class Place(Tagged, frozen=True, tag="place"):
    """Build on these cells. They may be named in any order and are kept in reading order."""

    cells: tuple[str, ...]

    def __post_init__(self) -> None:
        if all(found := [_CELL.fullmatch(cell) for cell in self.cells]):
            order = sorted((int(cell[2]), cell[1]) for cell in found if cell)
            force_setattr(self, "cells", tuple(f"{column}{row}" for row, column in order))


class Pass(Tagged, frozen=True, tag="pass"):
    """Leave this building and lose a point."""


class Stop(Tagged, frozen=True, tag="stop"):
    """End the episode for oneself."""


Action = Reveal | Place | Pass | Stop


class Revealed(Tagged, frozen=True, tag="revealed"):
    card: str


class Forbidden(Tagged, frozen=True, tag="forbidden"):
    """The card after the blocking card: nobody builds it."""

    card: str


class Built(Tagged, frozen=True, tag="built"):
    seat: int
    card: str
    cells: tuple[str, ...]


class Passed(Tagged, frozen=True, tag="passed"):
    seat: int
    marker: int


class Stopped(Tagged, frozen=True, tag="stopped"):
    seat: int


class RaceWon(Tagged, frozen=True, tag="race-won"):
    seat: int
    race: str
    points: int


class Ended(Tagged, frozen=True, tag="ended"):
    """Nobody decides any more; the score sheets are final."""


Event = Revealed | Forbidden | Built | Passed | Stopped | RaceWon | Ended
