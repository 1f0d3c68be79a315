"""What a seat or chance does, and what came of it."""

from polyopolis.engine import Tagged
from polyopolis.games.placement import Pass, Place, Stop

__all__ = [
    "Action", "Built", "Ended", "Event", "Forbidden", "Gear", "Geared", "Kiosk", "Lost", "NoKiosk", "Pass", "Passed",
    "Place", "Planted", "RaceWon", "Received", "Reveal", "Revealed", "Scored", "Sticker", "Stop", "Stopped", "Stuck",
    "Ticked", "TookChurch",
]  # fmt: skip


class Reveal(Tagged, frozen=True, tag="reveal"):
    """Chance turns up the top card."""

    card: str


class Kiosk(Tagged, frozen=True, tag="kiosk"):
    """After a round: add a kiosk here."""

    cell: str

    @property
    def cells(self) -> tuple[str, ...]:
        return (self.cell,)


class NoKiosk(Tagged, frozen=True, tag="no-kiosk"):
    """Keep the kiosks for later."""


class Sticker(Tagged, frozen=True, tag="sticker"):
    """After an episode: put the next sticker here, for good."""

    kind: str
    cell: str

    @property
    def cells(self) -> tuple[str, ...]:
        return (self.cell,)


class Gear(Tagged, frozen=True, tag="gear"):
    """After an episode: make the blue building of this shape a factory, for good."""

    shape: str


Action = Reveal | Place | Pass | Stop | Kiosk | NoKiosk | Sticker | Gear


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


class Scored(Tagged, frozen=True, tag="scored"):
    """Points at once for a building."""

    seat: int
    line: str
    points: int


class RaceWon(Tagged, frozen=True, tag="race-won"):
    seat: int
    race: str
    points: int


class Received(Tagged, frozen=True, tag="received"):
    """Circles or nuggets, which are marked at once."""

    seat: int
    reward: str
    number: int


class Planted(Tagged, frozen=True, tag="planted"):
    """Parks that stay for good."""

    seat: int
    cells: tuple[str, ...]


class TookChurch(Tagged, frozen=True, tag="took-church"):
    seat: int
    church: str


class Ticked(Tagged, frozen=True, tag="ticked"):
    """Boxes of a shaft, and how far it is ticked now."""

    seat: int
    colour: str
    boxes: int
    box: int


class Stuck(Tagged, frozen=True, tag="stuck"):
    seat: int
    sticker: str
    cells: tuple[str, ...]


class Geared(Tagged, frozen=True, tag="geared"):
    seat: int
    card: str


class Lost(Tagged, frozen=True, tag="lost"):
    """There is no place for a reward."""

    seat: int
    reward: str


class Ended(Tagged, frozen=True, tag="ended"):
    """Nobody decides any more; the score sheets are final."""


Event = (
    Revealed | Forbidden | Built | Passed | Stopped | Scored | RaceWon | Received | Planted | TookChurch | Ticked
    | Stuck | Geared | Lost | Ended
)  # fmt: skip
