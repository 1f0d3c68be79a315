"""What seats see, as numbers. A file for each game; the same page for all: docs/lab.md."""

from functools import cache

from polyopolis.lab.observations import mycity, pointcity, rollwrite
from polyopolis.lab.observations.observation_parts import Observer, Part

PARTS: dict[str, tuple[Part, ...]] = {
    "mycity": mycity.PARTS,
    "pointcity": pointcity.PARTS,
    "rollwrite": rollwrite.PARTS,
}


@cache
def observer_of(key: str, seats: int) -> Observer:
    return Observer(PARTS[key], seats)
