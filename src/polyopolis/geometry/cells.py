"""Cells and sets of cells of a rectangular grid, as bits of one integer.

A cell is named by column letter and row number; `a1` is at the top left. Bit `y * width + x` of a mask is the cell in
column x and row y, so ascending bits are in reading order.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cache, cached_property, reduce
from operator import or_
from string import ascii_lowercase

Mask = int
"""A set of cells."""


def bits(mask: Mask) -> Iterator[Mask]:
    """Yields each cell of a mask as a mask, in reading order."""
    while mask:
        low = mask & -mask
        yield low
        mask ^= low


@dataclass(frozen=True)
class Grid:
    width: int
    height: int

    def __post_init__(self) -> None:
        if not (0 < self.width <= len(ascii_lowercase) and self.height > 0):
            raise ValueError(f"a grid has 1 to {len(ascii_lowercase)} columns and at least one row")

    @cached_property
    def names(self) -> tuple[str, ...]:
        return tuple(f"{ascii_lowercase[x]}{y + 1}" for y in range(self.height) for x in range(self.width))

    @cached_property
    def _bit_of(self) -> dict[str, Mask]:
        return {name: 1 << i for i, name in enumerate(self.names)}

    @cached_property
    def all(self) -> Mask:
        return (1 << self.width * self.height) - 1

    @cached_property
    def rows(self) -> tuple[Mask, ...]:
        """The rows from top to bottom."""
        row = (1 << self.width) - 1
        return tuple(row << y * self.width for y in range(self.height))

    @cached_property
    def columns(self) -> tuple[Mask, ...]:
        """The columns from left to right."""
        column = sum(1 << y * self.width for y in range(self.height))
        return tuple(column << x for x in range(self.width))

    def __contains__(self, name: object) -> bool:
        return name in self._bit_of

    def at(self, x: int, y: int) -> Mask:
        """Returns the cell in column x and row y, both from 0; 0 outside the grid."""
        return 1 << y * self.width + x if 0 <= x < self.width and 0 <= y < self.height else 0

    def mask(self, names: Iterable[str]) -> Mask:
        """Returns the named cells. Raises `KeyError` for a name that is not on the grid."""
        return reduce(or_, (self._bit_of[name] for name in names), 0)

    def cells(self, mask: Mask) -> tuple[str, ...]:
        """Returns the names of the cells, in reading order."""
        found: list[str] = []
        for named, byte in zip(self._named, mask.to_bytes(len(self._named), "little"), strict=True):
            if byte:
                found += named[byte]
        return tuple(found)

    @cached_property
    def _named(self) -> tuple[tuple[tuple[str, ...], ...], ...]:
        """The names of the cells for each position and value of a byte of a mask. Most masks have many cells."""
        return _named_by_byte(self.names)

    def neighbours(self, mask: Mask) -> Mask:
        """Returns the cells outside the mask that share a side with one of its cells."""
        sideways = (mask & ~self.columns[-1]) << 1 | (mask & ~self.columns[0]) >> 1
        return (sideways | mask << self.width | mask >> self.width) & self.all & ~mask

    def groups(self, mask: Mask) -> list[Mask]:
        """Returns the connected parts of the mask, in reading order of their first cells."""
        found = []
        while mask:
            group = mask & -mask
            while more := self.neighbours(group) & mask:
                group |= more
            found.append(group)
            mask &= ~group
        return found


@cache
def _named_by_byte(names: tuple[str, ...]) -> tuple[tuple[tuple[str, ...], ...], ...]:
    eights = (names[first : first + 8] for first in range(0, len(names), 8))
    return tuple(tuple(_picked(eight, byte) for byte in range(1 << len(eight))) for eight in eights)


def _picked(names: tuple[str, ...], byte: int) -> tuple[str, ...]:
    return tuple(name for bit, name in enumerate(names) if byte >> bit & 1)
