"""Named parts of an observation vector, with shapes and bounds."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import prod
from typing import Any

import numpy
from numpy.typing import NDArray

from polyopolis.geometry import Mask, Shape
from polyopolis.lab.game_table import GameTable

Floats = NDArray[numpy.float32]
FRAME_CELLS = 5
"""Rows and columns of the frame of a building."""


@dataclass(frozen=True)
class ObservationPart:
    """A part of an observation of a table by a seat."""

    name: str
    shape: tuple[int, ...]
    """Without the dimension of seats if `each` is set: it comes first, beginning with the observing seat."""
    of: Callable[[GameTable, int], Any]
    """Returns the values; for a part about each seat, those of the given seat."""
    about: str
    low: float = 0
    high: float = 1
    each: bool = False
    """Whether the part exists for each seat."""


@dataclass(frozen=True)
class Observer:
    """All parts of a game for a number of seats, as one row of numbers."""

    parts: tuple[ObservationPart, ...]
    seats: int

    def shape(self, part: ObservationPart) -> tuple[int, ...]:
        return (self.seats, *part.shape) if part.each else part.shape

    @property
    def slices(self) -> dict[str, tuple[slice, tuple[int, ...]]]:
        """Position and shape of each part in the row."""
        found, first = dict[str, tuple[slice, tuple[int, ...]]](), 0
        for part in self.parts:
            size = prod(self.shape(part))
            found[part.name] = slice(first, first + size), self.shape(part)
            first += size
        return found

    @property
    def size(self) -> int:
        return sum(prod(self.shape(part)) for part in self.parts)

    @property
    def bounds(self) -> tuple[Floats, Floats]:
        """Lowest and highest value of each number."""
        sizes = [prod(self.shape(part)) for part in self.parts]
        low, high = (numpy.repeat([getattr(part, end) for part in self.parts], sizes) for end in ("low", "high"))
        return low.astype(numpy.float32), high.astype(numpy.float32)

    def observe(self, table: GameTable, seat: int) -> Floats:
        """Returns the information of a seat. It contains no hidden decisions and no future chance events."""
        rows = list[Any]()
        for part in self.parts:
            if part.each:
                rows += [part.of(table, (seat + step) % self.seats) for step in range(self.seats)]
            else:
                rows.append(part.of(table, seat))
        return numpy.concatenate([numpy.asarray(row, dtype=numpy.float32).ravel() for row in rows])


def cell_plane(mask: Mask, cells: int) -> NDArray[numpy.uint8]:
    """Returns a 1 for each cell of a mask."""
    packed = numpy.frombuffer(mask.to_bytes((cells + 7) // 8, "little"), dtype=numpy.uint8)
    return numpy.unpackbits(packed, count=cells, bitorder="little")


def one_hot(names: Sequence[Any], name: Any) -> list[int]:
    """Returns a 1 at the position of the name; all zeros if it is missing."""
    return [int(other == name) for other in names]


def counts(names: Sequence[Any], things: Sequence[Any]) -> list[int]:
    return [things.count(name) for name in names]


def shape_frame(shape: Shape | None) -> NDArray[numpy.uint8]:
    """Returns a building in its first orientation."""
    frame = numpy.zeros((FRAME_CELLS, FRAME_CELLS), dtype=numpy.uint8)
    for column, row in shape.squares if shape else ():
        frame[row, column] = 1
    return frame
