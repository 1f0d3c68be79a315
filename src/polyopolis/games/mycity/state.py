"""Setup and state of a match."""

from typing import Literal

from msgspec import UNSET, Struct, UnsetType

from polyopolis.games.city_emblems import Animal, CityName
from polyopolis.games.mycity.content import NEWEST, Building, Card, Colour, Episode, Race, Reward, Site, Sticker
from polyopolis.geometry import Mask

__all__ = ["Building", "City", "Legacy", "Setup", "State"]


class Legacy(Struct, frozen=True, forbid_unknown_fields=True):
    """The permanent changes of one board in a campaign (MC-E28)."""

    circles: int = 0
    nuggets: int = 0
    stickers: dict[str, Sticker] = {}
    church: str | UnsetType = UNSET
    """The shape of the fourth church."""
    gears: tuple[str, ...] = ()
    """The shapes of the factories."""
    shafts: dict[Colour, int] = {}
    """The number of ticked boxes."""
    city: CityName | UnsetType = UNSET
    animal: Animal | UnsetType = UNSET


class Setup(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Seats, and the eternal game or an episode. Fields that do not apply are left out."""

    mode: Literal["eternal", "episode"] = "eternal"
    seats: int
    episode: int | UnsetType = UNSET
    play: Literal["single", "campaign"] | UnsetType = UNSET
    boards: tuple[Legacy, ...] | UnsetType = UNSET
    triangles: tuple[str, ...] | UnsetType = UNSET
    """Boxes with triangles that were won already, such as `blue-6`."""
    content: int = NEWEST


class City(Struct, frozen=True, gc=False):
    """One player's board and marker."""

    site: Site
    free: Mask
    """Ground without a building on it."""
    reach: Mask
    """The next building covers at least one of these cells."""
    marker: int
    buildings: tuple[Building, ...] = ()
    passes: int = 0
    stopped: bool = False
    won: tuple[Race, ...] = ()
    gained: tuple[str, ...] = ()
    """The lines of points scored at once, with an entry for each time."""
    kiosks: int = 0
    """The number of kiosks left."""


class State(Struct, frozen=True, gc=False):
    """The state of a match. It contains no order of the deck: chance picks each card when it is revealed."""

    setup: Setup
    episode: Episode
    deck: tuple[Card, ...]
    """The cards that are not revealed, in the order of the content."""
    cities: tuple[City, ...]
    acting: frozenset[int]
    """The seats that decide now."""
    revealed: tuple[Card, ...] = ()
    card: Card | None = None
    """The card that players build now."""
    blocking: bool = False
    """Whether the next card may not be built."""
    open_races: tuple[Race, ...] = ()
    asks: Literal["building", "kiosk", "reward"] = "building"
    """The kind of decision of the acting seats."""
    boards: tuple[Legacy, ...] = ()
    """The permanent changes of the boards; empty in the eternal game."""
    triangles: tuple[str, ...] = ()
    rewards: tuple[tuple[Reward, ...], ...] = ()
    """The rewards that each seat must still place."""
