"""What the terminal draws alike in the games that build on a board with a river."""

from collections import Counter
from collections.abc import Iterable, Mapping

from rich.text import Text

from polyopolis.cli.terminal.box_drawing import OUTSIDE, Marks, Picture, Tile, beside, widest
from polyopolis.geometry import Board, Mask

MARKED = "bold #2c2a29 on #fff0a8"

Tiles = Mapping[str, Tile]
"""Tiles by cell, by sign or by kind."""


def land(board: Board, terrain: Tiles, over: Tiles) -> list[Text]:
    """A board in full: its terrain by sign, and what lies over it by cell."""
    names, width = board.grid.names, board.grid.width
    tiles = dict(zip(names, (terrain[sign] for row in board.rows for sign in row), strict=True)) | dict(over)
    grid = [[tiles[name] for name in names[at : at + width]] for at in range(0, len(names), width)]
    return Picture(grid, board.river_edges).lines()


def small(board: Board, terrain: Tiles, over: Tiles, cell: int) -> list[Text]:
    """A board with one sign for each cell, so many characters wide."""
    names, width = board.grid.names, board.grid.width
    signs = "".join(board.rows)
    tiles = [over.get(name, terrain[sign]) for name, sign in zip(names, signs, strict=True)]
    return [
        Text.assemble(*((f"{tile.sign.strip(' ()')[0]:{cell}}", tile.style) for tile in tiles[at : at + width]))
        for at in range(0, len(tiles), width)
    ]


def named(tiles: Iterable[tuple[Tile, str]]) -> Text:
    """Signs and what they mean, in one line."""
    return Text("  ").join(Text.assemble((tile.sign.strip(), tile.style), f" {name}") for tile, name in tiles)


def planned(tile: Tile) -> Tile:
    """A building that is not yet built."""
    return tile._replace(sign=tile.sign.replace(" ", "+"), style=MARKED)


def counts(covered: Counter[str]) -> Marks:
    """For each cell how many places cover it."""
    return {cell: Tile(f"{n:^3}", MARKED, "marked") for cell, n in covered.items()}


def shape(tile: Tile, drawing: str) -> list[Text]:
    """A building as large as on the board."""
    return Picture([[tile if sign == "#" else OUTSIDE for sign in row] for row in drawing.split()], framed=False).body()


def small_shape(tile: Tile, drawing: str) -> list[Text]:
    square = tile.sign.strip() * 2
    return [
        Text.assemble(*((square, tile.style) if sign == "#" else ("  ", "") for sign in row))
        for row in drawing.split("\n")
    ]


def in_a_row(drawings: Iterable[list[Text]], gap: int = 3) -> list[Text]:
    found: list[Text] = []
    for drawing in drawings:
        found = beside(found, drawing, gap) if found else drawing
    return found


def page(title: str, ground: list[Text], panel: list[Text], width: int) -> list[Text]:
    """A board, and beside it, if there is room, all that is known."""
    fits = widest(ground) + 3 + widest(panel) <= width
    return [Text(title, "bold"), Text(), *(beside(ground, panel) if fits else [*ground, Text(), *panel])]


def worded(board: Board, ground: Mask) -> str:
    """The size of a board, in one line."""
    banks = " + ".join(str((bank & ground).bit_count()) for bank in board.banks)
    return f"{board.grid.width} x {board.grid.height}, {ground.bit_count()} buildable cells, {banks} on its banks"
