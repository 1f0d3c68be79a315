"""Features shared by the placing games."""

from collections.abc import Iterable, Sequence

from polyopolis.engine import Sheet
from polyopolis.games.placement import Place
from polyopolis.geometry import Board, Mask, Placement

MIN_GAP_CELLS = 3
"""Smaller gaps count as holes."""


def points_of(sheet: Sheet) -> dict[str, float]:
    """The points of a score sheet by line."""
    return {line.line: float(line.points) for line in sheet}


def count_hole_cells(board: Board, free: Mask, cells: Mask) -> int:
    """Number of these cells in gaps of fewer than `MIN_GAP_CELLS` free cells."""
    gaps = (gap for bank in board.banks for gap in board.grid.groups(free & bank))
    return sum((gap & cells).bit_count() for gap in gaps if gap.bit_count() < MIN_GAP_CELLS)


def count_at_wells(wells: Iterable[tuple[Mask, Mask]], free: Mask, buildings: Sequence[Placement[Place]]) -> int:
    """Number of buildings next to a well that is not built over, summed over wells."""
    return sum(len([1 for building in buildings if building.mask & sides]) for well, sides in wells if well & free)


def count_at_churches(churches: Iterable[Placement[Place]], grounds: Sequence[Mask]) -> int:
    """Number of these grounds that a church touches, summed over churches."""
    return sum(len([1 for ground in grounds if church.halo & ground]) for church in churches)
