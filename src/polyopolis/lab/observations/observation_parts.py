"""What an observation is made of: parts with a name, a shape and the numbers that may stand in them."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import prod
from typing import Any

import numpy
from numpy.typing import NDArray

from polyopolis.geometry import Mask, Shape
from polyopolis.lab.game_table import GameTable

Floats = NDArray[numpy.float32]
FRAME = 5
"""Rows and columns of the frame in which a building is drawn."""


@dataclass(frozen=True)
class Part:
    """One of them, and what it shows of a table to a seat."""

    name: str
    shape: tuple[int, ...]
    """Without the seats, where it is about each seat: then those come first, one's own before the others."""
    of: Callable[[GameTable, int], Any]
    """For a part about each seat: what is known of that one."""
    about: str
    low: float = 0
    high: float = 1
    each: bool = False
    """Whether it is about each seat."""


@dataclass(frozen=True)
class Observer:
    """All parts of a game for a number of seats, as one row of numbers."""

    parts: tuple[Part, ...]
    seats: int

    def shape(self, part: Part) -> tuple[int, ...]:
        return (self.seats, *part.shape) if part.each else part.shape

    @property
    def slices(self) -> dict[str, tuple[slice, tuple[int, ...]]]:
        """Where each part stands in the row, and its shape."""
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
        """The lowest and the highest that may stand at each place."""
        sizes = [prod(self.shape(part)) for part in self.parts]
        low, high = (numpy.repeat([getattr(part, end) for part in self.parts], sizes) for end in ("low", "high"))
        return low.astype(numpy.float32), high.astype(numpy.float32)

    def observe(self, table: GameTable, seat: int) -> Floats:
        """What a seat knows. Decisions that are not open yet, and luck to come, are not in it."""
        rows = list[Any]()
        for part in self.parts:
            if part.each:
                rows += [part.of(table, (seat + step) % self.seats) for step in range(self.seats)]
            else:
                rows.append(part.of(table, seat))
        return numpy.concatenate([numpy.asarray(row, dtype=numpy.float32).ravel() for row in rows])


def plane(mask: Mask, cells: int) -> NDArray[numpy.uint8]:
    """A one for each cell of a mask."""
    packed = numpy.frombuffer(mask.to_bytes((cells + 7) // 8, "little"), dtype=numpy.uint8)
    return numpy.unpackbits(packed, count=cells, bitorder="little")


def one_of(names: Sequence[Any], name: Any) -> list[int]:
    """A one where the name stands, if anywhere."""
    return [int(other == name) for other in names]


def counts(names: Sequence[Any], things: Sequence[Any]) -> list[int]:
    return [things.count(name) for name in names]


def drawn(shape: Shape | None) -> NDArray[numpy.uint8]:
    """A building as it lies in the first of its ways."""
    frame = numpy.zeros((FRAME, FRAME), dtype=numpy.uint8)
    for column, row in shape.squares if shape else ():
        frame[row, column] = 1
    return frame
