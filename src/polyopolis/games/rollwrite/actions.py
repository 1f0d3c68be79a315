"""What a seat or chance does, and what came of it."""

from polyopolis.engine import Tagged
from polyopolis.games.placement import Pass, Place, Stop

__all__ = [
    "Action", "Built", "Ended", "Event", "Pass", "Passed", "Place", "RaceWon", "Roll", "Rolled", "Stop", "Stopped",
]  # fmt: skip


class Roll(Tagged, frozen=True, tag="roll"):
    """Chance rolls the dice: the two blue ones and the white one."""

    faces: tuple[str, str, str]


Action = Roll | Place | Pass | Stop


class Rolled(Tagged, frozen=True, tag="rolled"):
    """The dice, and the kind of building that they tell all to build."""

    faces: tuple[str, str, str]
    kind: str


class Built(Tagged, frozen=True, tag="built"):
    seat: int
    kind: str
    cells: tuple[str, ...]


class Passed(Tagged, frozen=True, tag="passed"):
    """The circles ticked so far."""

    seat: int
    circles: int


class Stopped(Tagged, frozen=True, tag="stopped"):
    seat: int


class RaceWon(Tagged, frozen=True, tag="race-won"):
    seat: int
    race: str
    points: int


class Ended(Tagged, frozen=True, tag="ended"):
    """Nobody decides any more; the score sheets are final."""


Event = Rolled | Built | Passed | Stopped | RaceWon | Ended
