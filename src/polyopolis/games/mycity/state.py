"""What is agreed before the first card, and everything that is true now."""

from typing import Literal

from msgspec import UNSET, Struct, UnsetType

from polyopolis.games.city_emblems import Animal, CityName
from polyopolis.games.mycity.content import NEWEST, Building, Card, Colour, Episode, Race, Reward, Site, Sticker
from polyopolis.geometry import Mask

__all__ = ["Building", "City", "Legacy", "Setup", "State"]


class Legacy(Struct, frozen=True, forbid_unknown_fields=True):
    """What a campaign has left on one board (MC-E28)."""

    circles: int = 0
    nuggets: int = 0
    stickers: dict[str, Sticker] = {}
    church: str | UnsetType = UNSET
    """The shape of the fourth one."""
    gears: tuple[str, ...] = ()
    """The shapes of the factories."""
    shafts: dict[Colour, int] = {}
    """How many boxes are ticked."""
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
    """Boxes of the shafts that nobody can win any more, as `blue-6`."""
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
    """The lines of points at once, one entry for each time."""
    kiosks: int = 0
    """How many are left."""


class State(Struct, frozen=True, gc=False):
    """Everything true now. The order of the deck is not: it does not exist before a card is revealed."""

    setup: Setup
    episode: Episode
    deck: tuple[Card, ...]
    """The cards not yet revealed, in the order of the material."""
    cities: tuple[City, ...]
    acting: frozenset[int]
    """Who decides now."""
    revealed: tuple[Card, ...] = ()
    card: Card | None = None
    """What all are building."""
    blocking: bool = False
    """The next card may be built by nobody."""
    open_races: tuple[Race, ...] = ()
    asks: Literal["building", "kiosk", "reward"] = "building"
    """What those who act decide on."""
    boards: tuple[Legacy, ...] = ()
    """What lies on the boards for good; in the eternal game nothing."""
    triangles: tuple[str, ...] = ()
    rewards: tuple[tuple[Reward, ...], ...] = ()
    """What each seat has still to place."""
