"""Polyomino shapes: parsing from text, rotations, mirror images."""

from dataclasses import dataclass
from typing import Self

Square = tuple[int, int]
"""Column and row, from 0."""


@dataclass(frozen=True)
class Shape:
    """A set of squares, moved to the top left corner and sorted in reading order, so that `==` compares shapes."""

    squares: tuple[Square, ...]

    def __post_init__(self) -> None:
        if not self.squares:
            raise ValueError("a shape has at least one square")
        left, top = min(x for x, _ in self.squares), min(y for _, y in self.squares)
        moved = {(x - left, y - top) for x, y in self.squares}
        object.__setattr__(self, "squares", tuple(sorted(moved, key=lambda square: square[::-1])))

    @classmethod
    def from_text(cls, text: str) -> Self:
        """Parses a drawing: `#` for a square, `.` for none; rows are separated by line breaks or `/`."""
        rows = text.strip().replace("/", "\n").split("\n")
        if len({len(row) for row in rows}) > 1:
            raise ValueError(f"the rows of the drawing {text.strip()!r} differ in length")
        if unknown := set("".join(rows)) - set("#."):
            raise ValueError(f"a shape is drawn with '#' and '.', not with {min(unknown)!r}")
        return cls(tuple((x, y) for y, row in enumerate(rows) for x, sign in enumerate(row) if sign == "#"))

    def __str__(self) -> str:
        return "\n".join(
            "".join("#" if (x, y) in self.squares else "." for x in range(self.width)) for y in range(self.height)
        )

    def __len__(self) -> int:
        return len(self.squares)

    @property
    def width(self) -> int:
        return 1 + max(x for x, _ in self.squares)

    @property
    def height(self) -> int:
        return 1 + max(y for _, y in self.squares)

    @property
    def connected(self) -> bool:
        """Whether the squares are connected by common sides."""
        reached, edge = set(), {self.squares[0]}
        while edge:
            reached |= edge
            around = {(x + dx, y + dy) for x, y in edge for dx, dy in ((0, 1), (1, 0), (0, -1), (-1, 0))}
            edge = (around & set(self.squares)) - reached
        return len(reached) == len(self)

    def rotated(self) -> "Shape":
        """Returns the shape after a quarter turn clockwise."""
        return Shape(tuple((-y, x) for x, y in self.squares))

    def mirrored(self) -> "Shape":
        """Returns the mirror image, with left and right exchanged."""
        return Shape(tuple((-x, y) for x, y in self.squares))

    def rotations(self) -> tuple["Shape", ...]:
        """Returns the different rotations: 1, 2 or 4."""
        turns = [self]
        for _ in range(3):
            turns.append(turns[-1].rotated())
        return tuple(dict.fromkeys(turns))

    def orientations(self) -> tuple["Shape", ...]:
        """Returns the different rotations of the shape and its mirror image: 1, 2, 4 or 8."""
        return tuple(dict.fromkeys(self.rotations() + self.mirrored().rotations()))
