"""Boards drawn with box-drawing characters: cells of three characters, lines between them, a river along the lines.

A drawing is a list of lines of rich text. It contains the same information without its colours.
"""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from itertools import zip_longest
from string import ascii_lowercase
from types import MappingProxyType
from typing import NamedTuple

from rich.text import Text

from polyopolis.geometry import Edge

PAPER = "#6f8a4b on #d5e6b6"
WALL = "#2c2a29 on #d5e6b6"
RIVER = "bold #1d6fa5 on #d5e6b6"
MOUTH = "bold #1d6fa5"
"""Style of the river where it leaves the board."""
FRAME = "#8a8577"

_JUNCTIONS = " ╴╸╷┐┑╻┒┓╶─╾┌┬┭┎┰┱╺╼━┍┮┯┏┲┳╵┘┙│┤┥╽┧┪└┴┵├┼┽┟╁╅┕┶┷┝┾┿┢╆╈╹┚┛╿┦┩┃┨┫┖┸┹┞╀╃┠╂╉┗┺┻┡╄╇┣╊╋"
"""Junctions of lines. The index has four digits in base 3: the weights of the arms up, right, down and left."""
NO_LINE, THIN_LINE, HEAVY_LINE = range(3)
_ACROSS, _DOWN = " ─━", " │┃"


class Tile(NamedTuple):
    """The drawing of one cell."""

    sign: str
    """Three characters."""
    style: str = PAPER
    body: object = None
    """Neighbours with the same body have no line between them."""
    walled: bool = False
    """Whether the body has an outline."""


OUTSIDE = Tile("   ", "")

Marks = Mapping[str, Tile]
"""Tiles that replace those of some cells, for example to preview an action."""
NO_MARKS: Marks = MappingProxyType({})


class Picture:
    """A grid of tiles with lines between them, optionally with a frame."""

    def __init__(self, tiles: Sequence[Sequence[Tile]], river: Collection[Edge] = (), framed: bool = True) -> None:
        self._tiles = tiles
        self._river = river
        self._framed = framed
        self._width, self._height = len(tiles[0]), len(tiles)

    def lines(self) -> list[Text]:
        """Draws the grid with the letters of columns and the numbers of rows."""
        inner = self.body()
        letters = Text("     " + "   ".join(ascii_lowercase[: self._width]), "bold")
        margins = (f"{y // 2 + 1:>2} " if y % 2 else "   " for y in range(len(inner)))
        return [letters, *(Text.assemble((margin, "bold"), line) for margin, line in zip(margins, inner, strict=True))]

    def body(self) -> list[Text]:
        """Draws the grid without letters and numbers."""
        found = []
        for y in range(self._height + 1):
            found.append(Text.assemble(*self._between(y)))
            if y < self._height:
                found.append(Text.assemble(*self._row(y)))
        return found

    def _between(self, y: int) -> Iterator[tuple[str, str]]:
        for x in range(self._width + 1):
            yield self._junction(x, y)
            if x < self._width:
                weight = self._above(x, y)
                yield _ACROSS[weight] * 3, self._style([weight], [self._tile(x, y - 1), self._tile(x, y)])

    def _row(self, y: int) -> Iterator[tuple[str, str]]:
        for x in range(self._width + 1):
            weight = self._left(x, y)
            yield _DOWN[weight], self._style([weight], [self._tile(x - 1, y), self._tile(x, y)])
            if x < self._width:
                yield self._tile(x, y).sign, self._tile(x, y).style

    def _junction(self, x: int, y: int) -> tuple[str, str]:
        arms = self._left(x, y - 1), self._above(x, y), self._left(x, y), self._above(x - 1, y)
        around = [self._tile(x + dx, y + dy) for dx in (-1, 0) for dy in (-1, 0)]
        index = arms[0] * 27 + arms[1] * 9 + arms[2] * 3 + arms[3]
        return _JUNCTIONS[index], self._style(arms, around)

    def _style(self, weights: Iterable[int], around: Sequence[Tile]) -> str:
        """Returns the style of a line between tiles, or of the ground if there is no line."""
        heaviest = max(weights)
        inside = OUTSIDE not in around
        if heaviest == HEAVY_LINE:
            return RIVER if inside else MOUTH
        if heaviest == THIN_LINE:
            return (WALL if inside else FRAME) if self._framed else ""
        return around[0].style if inside and len({tile.body for tile in around}) == 1 else PAPER if self._framed else ""

    def _tile(self, x: int, y: int) -> Tile:
        return self._tiles[y][x] if 0 <= x < self._width and 0 <= y < self._height else OUTSIDE

    def _above(self, x: int, y: int) -> int:
        """Returns the weight of the line above the cell in column x and row y."""
        return self._weight(((x, y), (x + 1, y)), self._tile(x, y - 1), self._tile(x, y))

    def _left(self, x: int, y: int) -> int:
        return self._weight(((x, y), (x, y + 1)), self._tile(x - 1, y), self._tile(x, y))

    def _weight(self, edge: Edge, tile: Tile, other: Tile) -> int:
        if edge in self._river:
            return HEAVY_LINE
        if self._framed and (tile is OUTSIDE) != (other is OUTSIDE):
            return THIN_LINE
        return THIN_LINE if tile.body != other.body and (tile.walled or other.walled) else NO_LINE


def beside(left: Sequence[Text], right: Sequence[Text], gap: int = 3) -> list[Text]:
    """Joins two drawings side by side."""
    width = max((line.cell_len for line in left), default=0) + gap
    return [
        Text.assemble(line, " " * (width - line.cell_len), other)
        for line, other in zip_longest(left, right, fillvalue=Text())
    ]


def max_width(lines: Iterable[Text]) -> int:
    return max((line.cell_len for line in lines), default=0)


def plain_text(lines: Iterable[Text]) -> str:
    """Returns a drawing without its colours."""
    return "\n".join(line.plain.rstrip() for line in lines)
