"""What may still come of a city: features that the placing games share."""

from collections.abc import Iterable, Sequence

from polyopolis.engine import Sheet
from polyopolis.games.placement import Place
from polyopolis.geometry import Board, Mask, Placement

SMALL = 3


def points_of(sheet: Sheet) -> dict[str, float]:
    """The points of a score sheet by its lines."""
    return {line.line: float(line.points) for line in sheet}


def in_holes(board: Board, free: Mask, cells: Mask) -> int:
    """How many of the cells lie in gaps too small for most buildings."""
    gaps = (gap for bank in board.banks for gap in board.grid.groups(free & bank))
    return sum((gap & cells).bit_count() for gap in gaps if gap.bit_count() < SMALL)


def at_wells(wells: Iterable[tuple[Mask, Mask]], free: Mask, buildings: Sequence[Placement[Place]]) -> int:
    """Different buildings at the sides of wells that are not built over."""
    return sum(len([1 for building in buildings if building.mask & sides]) for well, sides in wells if well & free)


def at_churches(churches: Iterable[Placement[Place]], grounds: Sequence[Mask]) -> int:
    """How many of these grounds each church touches, in all."""
    return sum(len([1 for ground in grounds if church.halo & ground]) for church in churches)
