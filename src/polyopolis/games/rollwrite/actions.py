"""Actions and events of Roll & Write."""

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
    """The dice were rolled; `kind` is the kind of building that all players build."""

    faces: tuple[str, str, str]
    kind: str


class Built(Tagged, frozen=True, tag="built"):
    seat: int
    kind: str
    cells: tuple[str, ...]


class Passed(Tagged, frozen=True, tag="passed"):
    """A seat passed; `circles` is the number of circles ticked so far."""

    seat: int
    circles: int


class Stopped(Tagged, frozen=True, tag="stopped"):
    seat: int


class RaceWon(Tagged, frozen=True, tag="race-won"):
    seat: int
    race: str
    points: int


class Ended(Tagged, frozen=True, tag="ended"):
    """The episode is over; the score sheets are final."""


Event = Rolled | Built | Passed | Stopped | RaceWon | Ended
