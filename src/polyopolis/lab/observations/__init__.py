"""Observations by game; docs/lab.md lists their parts."""

from functools import cache

from polyopolis.lab.observations import mycity, pointcity, rollwrite
from polyopolis.lab.observations.observation_parts import ObservationPart, Observer

PARTS: dict[str, tuple[ObservationPart, ...]] = {
    "mycity": mycity.PARTS,
    "pointcity": pointcity.PARTS,
    "rollwrite": rollwrite.PARTS,
}


@cache
def observer_of(key: str, seats: int) -> Observer:
    return Observer(PARTS[key], seats)
