"""What is agreed before the first roll, and everything that is true now."""

from msgspec import UNSET, Struct, UnsetType
from msgspec.structs import force_setattr

from polyopolis.games.placement import Place, in_reading_order
from polyopolis.games.rollwrite.content import NEWEST, Episode, Faces, Kind, Race, Site, Task
from polyopolis.geometry import Mask, Placement


class Setup(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Seats and episode. Bandits are those that a campaign carried over, for each seat, kept in reading order."""

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
    """Where one can build."""
    reach: Mask
    """The next building covers at least one of these cells."""
    buildings: tuple[Building, ...]
    """Those that are printed come first."""
    bandits: Mask
    circles: int = 0
    """Ticked for passing."""
    stopped: bool = False
    won: tuple[Race, ...] = ()


class State(Struct, frozen=True, gc=False):
    """Everything true now. The next roll is not: it does not exist before the dice are rolled."""

    setup: Setup
    episode: Episode
    cities: tuple[City, ...]
    acting: frozenset[int]
    """Who decides now."""
    faces: Faces | None = None
    """The dice."""
    task: Task | None = None
    """What all are building."""
    rolls: int = 0
    compasses: int = 0
    """How much of the row of the compass is used."""
    open_races: tuple[Race, ...] = ()
