"""Shared rules of the placing games: actions, reasons why a placement is refused, and common counts."""

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
    """A line of the score sheet and its points per item."""

    @property
    def line(self) -> str: ...

    @property
    def points(self) -> int: ...


def shrinking_lines(counting: Iterable[CountingRule]) -> tuple[str, ...]:
    """Returns the lines with negative points. They count cells without a building, so their losses shrink."""
    return tuple(counted.line for counted in counting if counted.points < 0)


def points_lost(sheet: Sheet, lines: Collection[str]) -> int:
    """Returns the sum of the points of these lines of a score sheet."""
    return sum(line.points for line in sheet if line.line in lines)


@lru_cache(8192)
def in_reading_order(cells: tuple[str, ...]) -> tuple[str, ...]:
    """Returns the cells sorted row by row; unchanged if one of them is not the name of a cell."""
    if not all(found := [_CELL.fullmatch(cell) for cell in cells]):
        return cells
    order = sorted((int(cell[2]), cell[1]) for cell in found if cell)
    return tuple(f"{column}{row}" for row, column in order)


class Place(Tagged, frozen=True, tag="place"):
    """Build on these cells, which are sorted in reading order."""

    cells: tuple[str, ...]

    def __post_init__(self) -> None:
        force_setattr(self, "cells", in_reading_order(self.cells))


class Pass(Tagged, frozen=True, tag="pass"):
    """Do not build this building, at a price."""


class Stop(Tagged, frozen=True, tag="stop"):
    """Stop playing this episode."""


Places = Placements[Place]


def why_not_build(
    places: Places, cells: tuple[str, ...], free: Mask, reach: Mask, ground: Mask | None = None
) -> Reason | None:
    """Returns the first rule, in the order of the rulebooks, that forbids to build on these cells; None if none does.

    `ground` is the ground of a board that has less than `places`.
    """
    if cells in places:
        mask = places[cells].mask
        if not mask & ~free and mask & reach:
            return None
    return _broken_rule(places, cells, free, places.ground if ground is None else ground)


def _broken_rule(places: Places, cells: tuple[str, ...], free: Mask, ground: Mask) -> Reason:
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
    """Returns the number of buildings in the largest group of touching buildings, and their cells."""
    groups: list[tuple[int, Mask, Mask]] = []  # size, cells and neighbouring cells of each group
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


def count_visible(things: Iterable[tuple[Mask, int]], free: Mask) -> tuple[int, Mask]:
    """Returns the number of things not built over, and their cells. `things` are cells with the number on each."""
    seen = [(where & free, each) for where, each in things]
    return sum(where.bit_count() * each for where, each in seen), reduce(or_, [where for where, _ in seen], 0)


def surrounded_wells(
    wells: Iterable[tuple[Mask, Mask]], free: Mask, buildings: Sequence[Placement[Place]]
) -> tuple[int, Mask]:
    """Returns the number of visible wells with a different building on each of the four sides, and their cells."""
    found = [
        well
        for well, sides in wells
        if well & free and len([1 for building in buildings if building.mask & sides]) == 4
    ]
    return len(found), reduce(or_, found, 0)


def touching_all(churches: Iterable[Placement[Place]], grounds: Sequence[Mask]) -> tuple[int, Mask]:
    """Returns the number of churches that touch each of these areas, and the cells under them."""
    found = [church.mask for church in churches if all(church.halo & ground for ground in grounds)]
    return len(found), reduce(or_, found, 0)


def cells_under(buildings: Iterable[Placement[Place]]) -> Mask:
    """Returns the cells under buildings."""
    return reduce(or_, [building.mask for building in buildings], 0)
