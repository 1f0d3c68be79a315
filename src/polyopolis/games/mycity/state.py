"""What is agreed before the first card, and everything that is true now."""

from typing import Literal

from msgspec import UNSET, Struct, UnsetType

from polyopolis.games.building import Place
from polyopolis.games.mycity.content import NEWEST, Card, Episode, Race, Site
from polyopolis.geometry import Mask, Placement


class Legacy(Struct, frozen=True, forbid_unknown_fields=True):
    """What a campaign has left on one board."""

    circles: int = 0


class Setup(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Seats, and the eternal game or an episode. Fields that do not apply are left out."""

    mode: Literal["eternal", "episode"] = "eternal"
    seats: int
    episode: int | UnsetType = UNSET
    play: Literal["single", "campaign"] | UnsetType = UNSET
    boards: tuple[Legacy, ...] | UnsetType = UNSET
    content: int = NEWEST


class Building(Struct, frozen=True, gc=False):
    """A building on a board."""

    card: Card
    at: Placement[Place]


class City(Struct, frozen=True, gc=False):
    """One player's board and marker."""

    site: Site
    free: Mask
    """Meadow without a building on it."""
    reach: Mask
    """The next building covers at least one of these cells."""
    marker: int
    buildings: tuple[Building, ...] = ()
    passes: int = 0
    stopped: bool = False
    won: tuple[Race, ...] = ()


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
