"""Parts of the screens that the two placing games, My City and Roll & Write, share."""

from collections import Counter
from collections.abc import Iterable, Mapping

from rich.text import Text

from polyopolis.cli.terminal.box_drawing import OUTSIDE, Marks, Picture, Tile, beside, max_width
from polyopolis.geometry import Board, Mask

PREVIEW_STYLE = "bold #2c2a29 on #fff0a8"

Tiles = Mapping[str, Tile]
"""Tiles by cell, by terrain sign or by kind of building."""


def draw_board(board: Board, terrain: Tiles, over: Tiles) -> list[Text]:
    """Draws a board at full size. `terrain` maps signs to tiles; `over` maps cells to tiles that cover it."""
    names, width = board.grid.names, board.grid.width
    tiles = dict(zip(names, (terrain[sign] for row in board.rows for sign in row), strict=True)) | dict(over)
    grid = [[tiles[name] for name in names[at : at + width]] for at in range(0, len(names), width)]
    return Picture(grid, board.river_edges).lines()


def draw_small_board(board: Board, terrain: Tiles, over: Tiles, cell: int) -> list[Text]:
    """Draws a board with one sign for each cell; `cell` is the number of characters per cell."""
    names, width = board.grid.names, board.grid.width
    signs = "".join(board.rows)
    tiles = [over.get(name, terrain[sign]) for name, sign in zip(names, signs, strict=True)]
    return [
        Text.assemble(*((f"{tile.sign.strip(' ()')[0]:{cell}}", tile.style) for tile in tiles[at : at + width]))
        for at in range(0, len(tiles), width)
    ]


def legend_line(tiles: Iterable[tuple[Tile, str]]) -> Text:
    """Returns a line of a legend: tiles and their meanings."""
    return Text("  ").join(Text.assemble((tile.sign.strip(), tile.style), f" {name}") for tile, name in tiles)


def preview_tile(tile: Tile) -> Tile:
    """Returns the tile of a building that is not built yet."""
    return tile._replace(sign=tile.sign.replace(" ", "+"), style=PREVIEW_STYLE)


def counts(covered: Counter[str]) -> Marks:
    """Returns tiles that show for each cell the number of places that cover it."""
    return {cell: Tile(f"{n:^3}", PREVIEW_STYLE, "marked") for cell, n in covered.items()}


def draw_shape(tile: Tile, drawing: str) -> list[Text]:
    """Draws a building at the size of the board."""
    return Picture([[tile if sign == "#" else OUTSIDE for sign in row] for row in drawing.split()], framed=False).body()


def draw_small_shape(tile: Tile, drawing: str) -> list[Text]:
    square = tile.sign.strip() * 2
    return [
        Text.assemble(*((square, tile.style) if sign == "#" else ("  ", "") for sign in row))
        for row in drawing.split("\n")
    ]


def draw_row(drawings: Iterable[list[Text]], gap: int = 3) -> list[Text]:
    found: list[Text] = []
    for drawing in drawings:
        found = beside(found, drawing, gap) if found else drawing
    return found


def page(title: str, ground: list[Text], panel: list[Text], width: int) -> list[Text]:
    """Lays out a screen: the panel is beside the board if it fits, otherwise below."""
    fits = max_width(ground) + 3 + max_width(panel) <= width
    return [Text(title, "bold"), Text(), *(beside(ground, panel) if fits else [*ground, Text(), *panel])]


def board_summary(board: Board, ground: Mask) -> str:
    """Returns the size of a board as text."""
    banks = " + ".join(str((bank & ground).bit_count()) for bank in board.banks)
    return f"{board.grid.width} x {board.grid.height}, {ground.bit_count()} buildable cells, {banks} on its banks"
