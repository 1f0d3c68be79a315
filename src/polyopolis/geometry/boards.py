"""Boards drawn as text, rivers on grid lines, and all placements of a shape on a board."""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property, reduce
from itertools import pairwise
from operator import or_
from typing import Generic, Self, TypeVar

from polyopolis.geometry.cells import Grid, Mask, bits
from polyopolis.geometry.shapes import Shape

Corner = tuple[int, int]
"""Column and row of a crossing of grid lines; (0, 0) is the top left corner of the board."""
Edge = tuple[Corner, Corner]
"""A side of a cell: two adjacent corners, the smaller first."""

Choice = TypeVar("Choice")


@dataclass(frozen=True)
class Board:
    """Terrain, one character for each cell, and at most one river."""

    rows: tuple[str, ...]
    river: tuple[Corner, ...] = ()

    @classmethod
    def from_text(cls, text: str, river: Iterable[Corner] = ()) -> Self:
        """Parses a drawing: a line for each row, a character for each cell; spaces are ignored."""
        return cls(tuple("".join(line.split()) for line in text.strip().splitlines()), tuple(river))

    def __post_init__(self) -> None:
        width = len(self.rows[0]) if self.rows else 0
        for number, row in enumerate(self.rows, start=1):
            if len(row) != width:
                raise ValueError(f"row {number} has {len(row)} cells and row 1 has {width}")
        Grid(width, len(self.rows))
        if self.river:
            self._check_river()

    def _check_river(self) -> None:
        """Raises `ValueError` unless the river runs from border to border inside the board without meeting itself."""
        for corner in self.river:
            if not (0 <= corner[0] <= self.grid.width and 0 <= corner[1] <= self.grid.height):
                raise ValueError(f"the corner {corner} of the river is not on the board")
        for a, b in pairwise(self.river):
            if (a[0] == b[0]) == (a[1] == b[1]):
                raise ValueError(f"the river goes from {a} to {b}, which is not along one grid line")
        course = list(_course(self.river))
        if len(course) != len(set(course)):
            raise ValueError("the river meets itself")
        for corner in course[1:-1]:
            if self._on_border(corner):
                raise ValueError(f"the river runs along or beyond the border at {corner}")
        if len(course) < 2 or not (self._on_border(course[0]) and self._on_border(course[-1])):
            raise ValueError("the river does not reach two borders")
        if any(0 in sides for sides in self._river_sides):
            raise ValueError("the river runs along or beyond the border")

    def _on_border(self, corner: Corner) -> bool:
        return corner[0] in (0, self.grid.width) or corner[1] in (0, self.grid.height)

    @cached_property
    def grid(self) -> Grid:
        return Grid(len(self.rows[0]), len(self.rows))

    @cached_property
    def signs(self) -> frozenset[str]:
        return frozenset("".join(self.rows))

    def where(self, signs: str) -> Mask:
        """Returns the cells that are drawn with one of these characters."""
        return reduce(
            or_,
            (self.grid.at(x, y) for y, row in enumerate(self.rows) for x, sign in enumerate(row) if sign in signs),
            0,
        )

    @cached_property
    def river_edges(self) -> frozenset[Edge]:
        course = list(_course(self.river))
        return frozenset((min(a, b), max(a, b)) for a, b in pairwise(course))

    @cached_property
    def riverside(self) -> Mask:
        """The cells that share a side, not only a corner, with the river."""
        return reduce(or_, (a | b for a, b in self._river_sides), 0)

    @cached_property
    def _river_sides(self) -> tuple[tuple[Mask, Mask], ...]:
        """The two cells at each edge of the river."""
        return tuple(
            (self.grid.at(x - 1, y), self.grid.at(x, y)) if x == to_x else (self.grid.at(x, y - 1), self.grid.at(x, y))
            for (x, y), (to_x, _) in sorted(self.river_edges)
        )

    @cached_property
    def banks(self) -> tuple[Mask, ...]:
        """The parts into which the river cuts the board, in reading order of their first cells."""
        parts, left = [], self.grid.all
        while left:
            bank = left & -left
            while more := self._beside(bank) & left & ~bank:
                bank |= more
            parts.append(bank)
            left &= ~bank
        return tuple(parts)

    def _beside(self, mask: Mask) -> Mask:
        """Returns the neighbours of the cells that are on the same side of the river."""
        return reduce(or_, (self.grid.neighbours(cell) & ~self._across(cell) for cell in bits(mask)), 0)

    def _across(self, cell: Mask) -> Mask:
        return reduce(or_, (a ^ b ^ cell for a, b in self._river_sides if (a | b) & cell), 0)


def _course(corners: tuple[Corner, ...]) -> Iterator[Corner]:
    """Yields every corner that the river passes."""
    yield from corners[:1]
    for (x, y), (to_x, to_y) in pairwise(corners):
        steps = max(abs(to_x - x), abs(to_y - y))
        dx, dy = (to_x - x) // steps, (to_y - y) // steps
        yield from ((x + dx * n, y + dy * n) for n in range(1, steps + 1))


@dataclass(frozen=True, slots=True)
class Placement(Generic[Choice]):
    """A shape on certain cells of a board."""

    cells: tuple[str, ...]
    mask: Mask
    halo: Mask
    """The cells outside that share a side with it."""
    choice: Choice
    """The action of a player that chooses it."""


class Placements(Generic[Choice]):
    """All placements of a shape on a board: on the given ground and on one bank of the river.

    They are computed once. Shifted masks then find the open ones: an orientation fits at an anchor if the free cells,
    shifted by each of its squares, all have the bit of the anchor.
    """

    def __init__(
        self, board: Board, ground: Mask, orientations: Iterable[Shape], choose: Callable[[tuple[str, ...]], Choice]
    ) -> None:
        self.board = board
        self.ground = ground
        self.orientations = tuple(orientations)
        self._turns: list[tuple[tuple[int, ...], Mask, dict[int, Choice]]] = []
        self._by_cells: dict[tuple[str, ...], Placement[Choice]] = {}
        grid = board.grid
        for shape in self.orientations:
            shifts = tuple(y * grid.width + x for x, y in shape.squares)
            anchors = 0
            choices: dict[int, Choice] = {}
            for anchor in bits(_anchors(grid, shape)):
                mask = reduce(or_, (anchor << shift for shift in shifts))
                if mask & ~ground or not any(mask & ~bank == 0 for bank in board.banks):
                    continue
                cells = grid.cells(mask)
                placement = Placement(cells, mask, grid.neighbours(mask), choose(cells))
                self._by_cells[cells] = placement
                choices[anchor.bit_length()] = placement.choice
                anchors |= anchor
            self._turns.append((shifts, anchors, choices))

    def __len__(self) -> int:
        return len(self._by_cells)

    def __iter__(self) -> Iterator[Placement[Choice]]:
        return iter(self._by_cells.values())

    def __getitem__(self, cells: tuple[str, ...]) -> Placement[Choice]:
        """Returns the placement on exactly these cells, which are in reading order."""
        return self._by_cells[cells]

    def __contains__(self, cells: object) -> bool:
        return cells in self._by_cells

    def open(self, free: Mask, reach: Mask) -> list[Choice]:
        """Returns the choices of the placements on free cells that cover at least one cell of `reach`."""
        found: list[Choice] = []
        add = found.append
        for shifts, anchors, choices in self._turns:
            fits = _fits(shifts, anchors, free, reach)
            while fits:
                length = fits.bit_length()
                add(choices[length])
                fits ^= 1 << length - 1
        return found

    def any_open(self, free: Mask, reach: Mask) -> bool:
        """Returns whether a placement on free cells covers a cell of `reach`."""
        return any(_fits(shifts, anchors, free, reach) for shifts, anchors, _ in self._turns)


def _fits(shifts: tuple[int, ...], anchors: Mask, free: Mask, reach: Mask) -> Mask:
    """Returns the anchors where an orientation lies on free cells and covers at least one cell of `reach`."""
    for shift in shifts:
        anchors &= free >> shift
    if not anchors:
        return 0
    reached = 0
    for shift in shifts:
        reached |= reach >> shift
    return anchors & reached


def _anchors(grid: Grid, shape: Shape) -> Mask:
    """Returns the possible cells of the top left corner of the shape's bounding box."""
    columns, rows = grid.width - shape.width + 1, grid.height - shape.height + 1
    return reduce(or_, (grid.at(x, y) for y in range(rows) for x in range(columns)), 0)
