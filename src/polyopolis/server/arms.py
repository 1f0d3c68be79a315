"""What the cities of a campaign are called before their people have chosen."""

from collections.abc import Sequence
from typing import get_args

from msgspec.structs import replace

from polyopolis.engine import Arms
from polyopolis.games.mycity.state import Animal
from polyopolis.server.store import SeatRow

ANIMALS: tuple[Animal, ...] = get_args(Animal)
CITIES = ("Bramwick", "Oldmere", "Farrowby", "Thornleigh")


def with_arms(seats: Sequence[SeatRow]) -> tuple[SeatRow, ...]:
    """Every seat with a name and an animal, no two alike."""
    return tuple(
        replace(row, city=CITIES[row.seat % len(CITIES)], animal=ANIMALS[row.seat * 3 % len(ANIMALS)]) for row in seats
    )


def arms_of(seats: Sequence[SeatRow]) -> tuple[Arms, ...]:
    """The arms of all seats; none at a table where cities have no names."""
    return tuple(Arms(row.city, row.animal) for row in seats if row.city and row.animal)
