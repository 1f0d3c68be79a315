"""What a seat or chance does, and what came of it."""

from polyopolis.engine import Tagged
from polyopolis.games.building import Pass, Place, Stop

__all__ = [
    "Action", "Built", "Ended", "Event", "Forbidden", "Pass", "Passed", "Place", "RaceWon", "Reveal", "Revealed",
    "Stop", "Stopped",
]  # fmt: skip


class Reveal(Tagged, frozen=True, tag="reveal"):
    """Chance turns up the top card."""

    card: str


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
