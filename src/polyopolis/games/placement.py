"""Building on a board with a river: what the placing games share, to be called and not inherited from."""

import re
from collections.abc import Collection, Iterable, Sequence
from functools import lru_cache, reduce
from operator import or_
from typing import Protocol

from msgspec.structs import force_setattr

from polyopolis.engine import Reason, Sheet, Tagged
from polyopolis.geometry import Mask, Placement, Placements, Shape

_CELL = re.compile(r"([a-z])([1-9][0-9]?)")


class CountingRule(Protocol):
    """A line of the score sheet, and the points for each of what it counts."""

    @property
    def line(self) -> str: ...

    @property
    def points(self) -> int: ...


def shrinking(counting: Iterable[CountingRule]) -> tuple[str, ...]:
    """The lines by which one loses points: they count what is not built on, so they shrink while one builds."""
    return tuple(counted.line for counted in counting if counted.points < 0)


def lost_by(sheet: Sheet, lines: Collection[str]) -> int:
    """What a score sheet loses by these lines."""
    return sum(line.points for line in sheet if line.line in lines)


@lru_cache(8192)
def in_reading_order(cells: tuple[str, ...]) -> tuple[str, ...]:
    """The cells row by row; as they are if one of them cannot be a cell."""
    if not all(found := [_CELL.fullmatch(cell) for cell in cells]):
        return cells
    order = sorted((int(cell[2]), cell[1]) for cell in found if cell)
    return tuple(f"{column}{row}" for row, column in order)


class Place(Tagged, frozen=True, tag="place"):
    """Build on these cells. They may be named in any order and are kept in reading order."""

    cells: tuple[str, ...]

    def __post_init__(self) -> None:
        force_setattr(self, "cells", in_reading_order(self.cells))


class Pass(Tagged, frozen=True, tag="pass"):
    """Leave this building, at a price."""


class Stop(Tagged, frozen=True, tag="stop"):
    """End the game for oneself."""


Places = Placements[Place]


def why_not_build(
    places: Places, cells: tuple[str, ...], free: Mask, reach: Mask, ground: Mask | None = None
) -> Reason | None:
    """What forbids to build on these cells: the first rule that is broken, in the order of the rulebooks.

    The ground is that of the places unless a board has less of it.
    """
    if cells in places:
        mask = places[cells].mask
        if not mask & ~free and mask & reach:
            return None
    return _what_forbids(places, cells, free, places.ground if ground is None else ground)


def _what_forbids(places: Places, cells: tuple[str, ...], free: Mask, ground: Mask) -> Reason:
    grid = places.board.grid
    if unknown := tuple(cell for cell in cells if cell not in grid):
        return Reason("off-board", {"cells": unknown})
    if reason := _why_not_shape(places, cells):
        return reason
    mask = grid.mask(cells)
    if wild := mask & ~ground:
        return Reason("not-meadow", {"cells": grid.cells(wild)})
    if built := mask & ~free:
        return Reason("built-over", {"cells": grid.cells(built)})
    if all(mask & ~bank for bank in places.board.banks):
        return Reason("both-banks")
    return Reason("not-touching")


def _why_not_shape(places: Places, cells: tuple[str, ...]) -> Reason | None:
    if not cells or len(set(cells)) < len(cells):
        return Reason("not-the-shape")
    grid = places.board.grid
    shape = Shape(tuple((bit % grid.width, bit // grid.width) for bit in map(grid.names.index, cells)))
    if shape in places.orientations:
        return None
    return Reason("flipped" if shape.mirrored() in places.orientations else "not-the-shape")


def largest_group(buildings: Iterable[Placement[Place]]) -> tuple[int, Mask]:
    """Of the groups of touching buildings the largest: how many buildings it has, and the cells under them."""
    groups: list[tuple[int, Mask, Mask]] = []  # of each group its size, its cells and the cells around it
    for building in buildings:
        size, cells, around = 1, building.mask, building.halo
        apart = []
        for group in groups:
            if group[2] & building.mask:
                size, cells, around = size + group[0], cells | group[1], around | group[2]
            else:
                apart.append(group)
        groups = [*apart, (size, cells, around)]
    size, cells, _ = max(groups, default=(0, 0, 0))
    return size, cells


def in_sight(things: Iterable[tuple[Mask, int]], free: Mask) -> tuple[int, Mask]:
    """Of things on cells, so many on each, those not built over: how many they are, and their cells."""
    seen = [(where & free, each) for where, each in things]
    return sum(where.bit_count() * each for where, each in seen), reduce(or_, [where for where, _ in seen], 0)


def ringed(wells: Iterable[tuple[Mask, Mask]], free: Mask, buildings: Sequence[Placement[Place]]) -> tuple[int, Mask]:
    """Wells not built over, with a different building on each of the four sides: how many, and their cells."""
    found = [
        well
        for well, sides in wells
        if well & free and len([1 for building in buildings if building.mask & sides]) == 4
    ]
    return len(found), reduce(or_, found, 0)


def among_all(churches: Iterable[Placement[Place]], grounds: Sequence[Mask]) -> tuple[int, Mask]:
    """Churches that touch each of these grounds: how many, and the cells under them."""
    found = [church.mask for church in churches if all(church.halo & ground for ground in grounds)]
    return len(found), reduce(or_, found, 0)


def under(buildings: Iterable[Placement[Place]]) -> Mask:
    """The cells under buildings."""
    return reduce(or_, [building.mask for building in buildings], 0)
