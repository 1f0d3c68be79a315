"""Independent naive implementation of the geometry with sets of (column, row), for differential tests."""

from collections.abc import Iterable
from itertools import pairwise

from polyopolis.geometry import Grid, Mask

Cell = tuple[int, int]


def sides(cell: Cell) -> set[Cell]:
    """Returns the four cells that share a side with a cell, on the board or not."""
    x, y = cell
    return {(x + 1, y), (x - 1, y), (x, y + 1), (x, y - 1)}


def around(cells: Iterable[Cell], width: int, height: int) -> set[Cell]:
    """Returns the cells of the board outside a set that share a side with one of its cells."""
    cells = set(cells)
    near = {side for cell in cells for side in sides(cell)} - cells
    return {(x, y) for x, y in near if 0 <= x < width and 0 <= y < height}


def pieces(cells: Iterable[Cell]) -> list[set[Cell]]:
    """Returns the connected parts of a set of cells."""
    left, found = set(cells), []
    while left:
        piece, edge = set(), {left.pop()}
        while edge:
            piece |= edge
            edge = {side for cell in edge for side in sides(cell)} & left
            left -= edge
        found.append(piece)
    return found


def name(cell: Cell) -> str:
    return "abcdefghijklmnopqrstuvwxyz"[cell[0]] + str(cell[1] + 1)


def names(cells: Iterable[Cell]) -> tuple[str, ...]:
    """Returns the names of the cells, row by row and each row from left to right."""
    return tuple(name(cell) for cell in sorted(cells, key=lambda cell: (cell[1], cell[0])))


def cells_of(grid: Grid, mask: Mask) -> set[Cell]:
    """The cells of a mask."""
    return {(x, y) for x in range(grid.width) for y in range(grid.height) if mask & grid.at(x, y)}


def mask_of(grid: Grid, cells: Iterable[Cell]) -> Mask:
    """The mask of some cells."""
    return sum(grid.at(x, y) for x, y in set(cells))


def walls(course: Iterable[Cell]) -> set[frozenset[Cell]]:
    """Returns the pairs of cells that a river separates. `course` is every grid corner that it passes."""
    corners = list(course)
    parted = set()
    for (x, y), (to_x, to_y) in pairwise(corners):
        if x == to_x:
            row = min(y, to_y)
            parted.add(frozenset({(x - 1, row), (x, row)}))
        else:
            column = min(x, to_x)
            parted.add(frozenset({(column, y - 1), (column, y)}))
    return parted


def banks(width: int, height: int, parted: set[frozenset[Cell]]) -> list[set[Cell]]:
    """Returns the parts of a board that are connected by sides without crossing the river."""
    left, found = {(x, y) for x in range(width) for y in range(height)}, []
    while left:
        bank, edge = set(), {left.pop()}
        while edge:
            bank |= edge
            edge = {side for cell in edge for side in sides(cell) & left if frozenset({cell, side}) not in parted}
            left -= edge
        found.append(bank)
    return found


def places(
    width: int, height: int, turns: Iterable[Iterable[Cell]], ground: set[Cell], shores: list[set[Cell]]
) -> set[frozenset[Cell]]:
    """Returns all sets of ground cells on one bank that an orientation of a shape covers."""
    found = set()
    for turn in turns:
        squares = list(turn)
        for dx in range(width):
            for dy in range(height):
                cells = frozenset((x + dx, y + dy) for x, y in squares)
                if cells <= ground and any(cells <= shore for shore in shores):
                    found.add(cells)
    return found
