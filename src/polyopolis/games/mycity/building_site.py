"""Cards, and a player's board compiled to bit masks and placements."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import cache, cached_property, reduce
from operator import or_
from typing import Literal, get_args

from msgspec import Struct

from polyopolis.games.mycity.actions import Reveal
from polyopolis.games.placement import Place, Places
from polyopolis.geometry import Board, Corner, Grid, Mask, Placement, Placements, Shape, bits

SIGNS = {
    ".": "empty",
    "1": "tree",
    "2": "trees",
    "r": "rocks",
    "g": "gold",
    "W": "well",
    "^": "mountain",
    "#": "forest",
    "~": "water",
    "b": "blue-entrance",
    "d": "red-entrance",
    "y": "yellow-entrance",
    "S": "sawmill",
    "P": "port",
    "H": "palace",
}
SIGN_OF = {name: sign for sign, name in SIGNS.items()}
MEADOW = ".12rgW"
TREES = {"1": 1, "2": 2}
ROCKS = {"r": 2}
"""The number of rocks on a cell, by character; `TREES` likewise."""

Colour = Literal["yellow", "red", "blue"]
"""Residential, public, industrial."""
Piece = Literal["sawmill", "port", "palace"]
"""A building that lies on the board from the start."""
Start = Literal["river", "sawmill", "palace"]
Kind = Literal[Colour, "church", "block"]
COLOURS: tuple[Colour, ...] = get_args(Colour)
PIECES: tuple[Piece, ...] = get_args(Piece)


@dataclass(frozen=True, eq=False)
class Card:
    """A construction card, named like `yellow-i4`; the blocking card has no shape.

    The shape of the fourth church depends on the player. Pieces and kiosks are cards that are in no deck.
    """

    name: str
    kind: Kind | Piece
    shape: Shape | None

    @cached_property
    def odds(self) -> tuple[Reveal, int]:
        """The entry of the card in the odds of the next card."""
        return Reveal(self.name), 1


SQUARE = Shape.from_text("#")
KIOSK = Card("yellow-kiosk", "yellow", SQUARE)
PIECE_CARDS = {
    "sawmill": Card("sawmill", "sawmill", SQUARE),
    "port": Card("port", "port", SQUARE),
    "palace": Card("red-palace", "red", SQUARE),
}
"""Cards of the pieces. Sawmill and port have no colour; the palace is red (MC-E11, MC-E20, MC-E22)."""


class Building(Struct, frozen=True, gc=False):
    """A building on a board."""

    card: Card
    at: Placement[Place]


@dataclass(frozen=True)
class Site:
    """A player's board: its terrain as masks, and all placements of the player's buildings."""

    board: Board
    shapes: Mapping[str, Shape] = field(repr=False)
    """The player's buildings by card."""
    start: Start = "river"
    forest: bool = False
    """Whether forest may be built on."""
    gears: frozenset[str] = frozenset()
    """The cards of the player's factories."""
    parks: Mask = 0
    """Parks, which have become trees before scoring."""

    @cached_property
    def grid(self) -> Grid:
        return self.board.grid

    @cached_property
    def bare(self) -> Board:
        """The board without terrain, with the same river."""
        return bare_board(self.board.grid, self.board.river)

    @cached_property
    def ground(self) -> Mask:
        """The cells that may be built on (MC-6)."""
        return self.board.where(MEADOW + "#" * self.forest)

    @cached_property
    def empty(self) -> Mask:
        return self.board.where(".")

    @cached_property
    def water(self) -> Mask:
        return self.board.where("~")

    @cached_property
    def woods(self) -> Mask:
        return self.board.where("#")

    @cached_property
    def trees(self) -> tuple[tuple[Mask, int], ...]:
        return tuple((self.board.where(sign), each) for sign, each in TREES.items())

    @cached_property
    def rocks(self) -> tuple[tuple[Mask, int], ...]:
        return tuple((self.board.where(sign), each) for sign, each in ROCKS.items())

    @cached_property
    def stony(self) -> Mask:
        return self.board.where("".join(ROCKS))

    @cached_property
    def veins(self) -> Mask:
        return self.board.where("g")

    @cached_property
    def wells(self) -> tuple[tuple[Mask, Mask], ...]:
        """Each well with its neighbours."""
        return tuple((well, self.grid.neighbours(well)) for well in bits(self.board.where("W")))

    @cached_property
    def shore(self) -> Mask:
        """The building ground along the river."""
        return self.bare.riverside & self.ground

    @cached_property
    def track(self) -> Mask:
        """The railway track: the bottom row."""
        return self.grid.rows[-1]

    @cached_property
    def entrances(self) -> Mapping[Colour, Mask]:
        """The neighbours of the entrance of each shaft."""
        return {colour: self.grid.neighbours(self.board.where(SIGN_OF[f"{colour}-entrance"])) for colour in COLOURS}

    @cached_property
    def inland(self) -> Mask:
        """The cells with four neighbours."""
        rows, columns = self.grid.rows, self.grid.columns
        return self.grid.all & ~(rows[0] | rows[-1] | columns[0] | columns[-1])

    @cached_property
    def placements(self) -> Mapping[str, Places]:
        return {card: placements_of(self.grid, self.board.river, shape) for card, shape in self.shapes.items()}

    @cached_property
    def squares(self) -> Places:
        """All placements of a building of one cell."""
        return placements_of(self.grid, self.board.river, SQUARE)

    @cached_property
    def pieces(self) -> Mapping[Piece, Building]:
        """The buildings that lie on the board before the first card."""
        return {
            piece: Building(PIECE_CARDS[piece], self.squares[self.grid.cells(where)])
            for piece in PIECES
            if (where := self.board.where(SIGN_OF[piece]))
        }

    @cached_property
    def beside_pieces(self) -> Mask:
        return reduce(or_, (piece.at.halo for piece in self.pieces.values()), 0)

    @cached_property
    def first_reach(self) -> Mask:
        """The first building must cover one of these cells."""
        return self.bare.riverside if self.start == "river" else self.pieces[self.start].at.halo

    def planted(self, parks: Mask) -> "Site":
        """Returns the site with one tree on each of these cells."""
        if parks not in self._planted:
            land = with_signs(self.board, dict.fromkeys(self.grid.cells(parks), SIGN_OF["tree"]))
            self._planted[parks] = replace(self, board=land, parks=parks)
        return self._planted[parks]

    @cached_property
    def _planted(self) -> dict[Mask, "Site"]:
        return {0: self}


def with_signs(board: Board, signs: Mapping[str, str]) -> Board:
    """Returns the board with other terrain characters on some cells."""
    if not signs:
        return board
    names, width = board.grid.names, board.grid.width
    text = [signs.get(name, sign) for name, sign in zip(names, "".join(board.rows), strict=True)]
    return Board(tuple("".join(text[at : at + width]) for at in range(0, len(text), width)), board.river)


@cache
def bare_board(grid: Grid, river: tuple[Corner, ...]) -> Board:
    return Board(("." * grid.width,) * grid.height, river)


@cache
def placements_of(grid: Grid, river: tuple[Corner, ...], shape: Shape) -> Places:
    """Returns all placements of a shape on one bank of any terrain. Terrain changes; this is computed once."""
    return Placements(bare_board(grid, river), grid.all, shape.rotations(), Place)
