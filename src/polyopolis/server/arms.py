"""What the cities of a table are called."""

from collections.abc import Sequence

from msgspec.structs import replace

from polyopolis.games.arms import Arms, first_arms
from polyopolis.server.store import SeatRow


def with_arms(seats: Sequence[SeatRow]) -> tuple[SeatRow, ...]:
    """Every seat with a name and an animal, no two alike."""
    return tuple(replace(row, city=arms.city, animal=arms.animal) for row in seats for arms in [first_arms(row.seat)])


def arms_of(seats: Sequence[SeatRow]) -> tuple[Arms, ...]:
    """The arms of all seats; none at a table where cities have no names."""
    return tuple(Arms(row.city, row.animal) for row in seats if row.city and row.animal)
