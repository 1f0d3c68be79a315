"""Setup and state of a match."""

from msgspec import UNSET, Struct, UnsetType
from msgspec.structs import force_setattr

from polyopolis.games.placement import Place, in_reading_order
from polyopolis.games.rollwrite.content import NEWEST, Episode, Faces, Kind, Race, Site, Task
from polyopolis.geometry import Mask, Placement


class Setup(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Seats and episode. `bandits` are the cells of bandits carried over in a campaign, by seat, in reading order."""

    episode: int = 1
    seats: int
    bandits: tuple[tuple[str, ...], ...] | UnsetType = UNSET
    content: int = NEWEST

    def __post_init__(self) -> None:
        if self.bandits is not UNSET:
            force_setattr(self, "bandits", tuple(map(in_reading_order, self.bandits)))


class Building(Struct, frozen=True, gc=False):
    """A building on a sheet, drawn or printed."""

    kind: Kind
    at: Placement[Place]


class City(Struct, frozen=True, gc=False):
    """One player's sheet."""

    site: Site
    free: Mask
    """Ground without a building or bandit on it."""
    reach: Mask
    """The next building covers at least one of these cells."""
    buildings: tuple[Building, ...]
    """All buildings; printed ones come first."""
    bandits: Mask
    circles: int = 0
    """The number of circles ticked for passing."""
    stopped: bool = False
    won: tuple[Race, ...] = ()


class State(Struct, frozen=True, gc=False):
    """The state of a match. It does not contain the next roll, which chance picks when the dice are rolled."""

    setup: Setup
    episode: Episode
    cities: tuple[City, ...]
    acting: frozenset[int]
    """The seats that decide now."""
    faces: Faces | None = None
    """The dice."""
    task: Task | None = None
    """The building that players build now."""
    rolls: int = 0
    compasses: int = 0
    """The number of used buildings of the compass row."""
    open_races: tuple[Race, ...] = ()
