"""Actions and events of My City."""

from polyopolis.engine import Tagged
from polyopolis.games.placement import Pass, Place, Stop

__all__ = [
    "Action", "Built", "Ended", "Event", "Forbidden", "Gear", "Geared", "Kiosk", "Lost", "NoKiosk", "Pass", "Passed",
    "Place", "Planted", "RaceWon", "Received", "Reveal", "Revealed", "Scored", "Sticker", "Stop", "Stopped", "Stuck",
    "Ticked", "TookChurch",
]  # fmt: skip


class Reveal(Tagged, frozen=True, tag="reveal"):
    """Chance reveals the top card."""

    card: str


class Kiosk(Tagged, frozen=True, tag="kiosk"):
    """Place a kiosk after a round."""

    cell: str

    @property
    def cells(self) -> tuple[str, ...]:
        return (self.cell,)


class NoKiosk(Tagged, frozen=True, tag="no-kiosk"):
    """Place no kiosk after this round."""


class Sticker(Tagged, frozen=True, tag="sticker"):
    """Place the next sticker after an episode, permanently."""

    kind: str
    cell: str

    @property
    def cells(self) -> tuple[str, ...]:
        return (self.cell,)


class Gear(Tagged, frozen=True, tag="gear"):
    """Make the blue building of this shape a factory after an episode, permanently."""

    shape: str


Action = Reveal | Place | Pass | Stop | Kiosk | NoKiosk | Sticker | Gear


class Revealed(Tagged, frozen=True, tag="revealed"):
    card: str


class Forbidden(Tagged, frozen=True, tag="forbidden"):
    """The card after the blocking card was revealed; no player builds it."""

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
    """A building scored points at once."""

    seat: int
    line: str
    points: int


class RaceWon(Tagged, frozen=True, tag="race-won"):
    seat: int
    race: str
    points: int


class Received(Tagged, frozen=True, tag="received"):
    """A seat received circles or nuggets, which are marked at once."""

    seat: int
    reward: str
    number: int


class Planted(Tagged, frozen=True, tag="planted"):
    """Parks became trees permanently."""

    seat: int
    cells: tuple[str, ...]


class TookChurch(Tagged, frozen=True, tag="took-church"):
    seat: int
    church: str


class Ticked(Tagged, frozen=True, tag="ticked"):
    """Boxes of a shaft were ticked: their number, and the last ticked box."""

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
    """A reward was lost, because there is no place for it."""

    seat: int
    reward: str


class Ended(Tagged, frozen=True, tag="ended"):
    """The episode is over; the score sheets are final."""


Event = (
    Revealed | Forbidden | Built | Passed | Stopped | Scored | RaceWon | Received | Planted | TookChurch | Ticked
    | Stuck | Geared | Lost | Ended
)  # fmt: skip
