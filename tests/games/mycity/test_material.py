"""MC-1 to MC-4: buildings, cards and boards."""

import pytest

from polyopolis.engine import Reason
from polyopolis.games.mycity.content import COLOURS, content
from polyopolis.geometry import Shape
from tests.games.mycity.positions import EPISODE_1, ETERNAL, begin, field, refusal, reveal, table, unbuilt_city

SHAPES = {
    "i4": "####",
    "o4": "##/##",
    "t4": ".#./###",
    "s4": ".##/##.",
    "j4": "#../###",
    "u5": "###/#.#",
    "i2": "##",
    "l3": "#./##",
}
TURNS = {"i4": 2, "o4": 1, "t4": 4, "s4": 2, "j4": 4, "u5": 4, "i2": 2, "l3": 4}


@pytest.mark.rule("MC-1")
def test_there_are_eight_shapes_in_three_colours() -> None:
    found = {name: card.shape for name, card in EPISODE_1.cards.items()}
    assert found == {f"{colour}-{name}": Shape.from_text(text) for colour in COLOURS for name, text in SHAPES.items()}
    assert COLOURS == ("yellow", "red", "blue")
    assert len(found) == 24


@pytest.mark.rule("MC-1")
def test_all_buildings_together_cover_90_cells() -> None:
    assert sum(len(card.shape) for card in EPISODE_1.cards.values() if card.shape) == 90


@pytest.mark.rule("MC-1")
@pytest.mark.parametrize("name", SHAPES)
def test_a_building_may_be_turned(name: str) -> None:
    # On an empty board every different rotation has a placement.
    meadow = field("\n".join([". . . . .|. . . . ."] * 5))
    card = ETERNAL.cards[f"red-{name}"]
    turns = {
        Shape(tuple(("abcdefghij".index(cell[0]), int(cell[1])) for cell in placement.cells))
        for placement in meadow.site.placements[card.name]
    }
    assert card.shape in turns
    assert len(turns) == TURNS[name]


@pytest.mark.rule("MC-1")
@pytest.mark.parametrize(
    ("card", "flipped", "as_it_is"),
    [
        # S4 .##   flipped ##.
        #    ##.           .##
        ("blue-s4", "b1 c1 c2 d2", "c1 d1 b2 c2"),
        # J4 #..   flipped ..#
        #    ###           ###
        ("yellow-j4", "d1 b2 c2 d2", "b1 b2 c2 d2"),
    ],
)
def test_a_building_is_never_flipped(card: str, flipped: str, as_it_is: str) -> None:
    meadow = field("\n".join([". . . .|. ."] * 3))
    match = table(meadow, unbuilt_city(meadow), unbuilt_city(meadow), card=card)
    assert refusal(match, flipped) == Reason("flipped")
    assert refusal(match, as_it_is) is None


@pytest.mark.rule("MC-1")
@pytest.mark.parametrize("cells", ["e1", "e1 e2", "e1 e2 d1 d2", "e1 d2 c3", "e1 e2 e2"])
def test_other_cells_than_those_of_the_building_are_refused(cells: str) -> None:
    match = reveal(begin(), "yellow-l3")
    assert refusal(match, cells) == Reason("not-the-shape")


@pytest.mark.rule("MC-2")
def test_there_is_one_card_for_each_building_each_church_and_the_block() -> None:
    cards = list(content().cards)
    churches = ["church-t4", "church-z4", "church-l4"]
    assert cards == [f"{colour}-{name}" for colour in COLOURS for name in SHAPES] + [*churches, "block", "church-4th"]


@pytest.mark.rule("MC-2")
def test_the_three_churches_and_their_shapes() -> None:
    churches = {name: card.shape for name, card in ETERNAL.cards.items() if card.kind == "church"}
    drawn = {"t4": ".#./###", "z4": "##./.##", "l4": "..#/###"}
    assert churches == {f"church-{name}": Shape.from_text(text) for name, text in drawn.items()}


@pytest.mark.rule("MC-2")
def test_the_blocking_card_shows_no_building() -> None:
    assert content().cards["block"].shape is None


FRONT = """
    . . 2 . . . . . . . r
    r . . . . . . . 2 . #
    ^ . . . . . . . . . #
    ^ . . . . . . . . . #
    ^ . . . . . 2 . . . r
    ^ ^ . . . . . . . # #
    ^ r . . . . . . r # #
    ^ . . . . . . . # # #
    . . . . . . 2 . r # #
    r . . . . . . . # # #
    . . . . . . r # # # #
"""


@pytest.mark.rule("MC-3")
def test_the_terrain_of_the_front_board() -> None:
    assert EPISODE_1.site.board.rows == tuple(line.replace(" ", "") for line in FRONT.strip().splitlines())


@pytest.mark.rule("MC-3")
def test_95_of_121_cells_can_be_built_on() -> None:
    site = EPISODE_1.site
    assert len(site.grid.names) == 121
    assert site.ground.bit_count() == 95
    assert (site.grid.all & ~site.ground).bit_count() == 26


@pytest.mark.rule("MC-3")
def test_the_river_parts_the_front_board_into_37_and_58_cells() -> None:
    # The number of cells on the left bank, row by row.
    left_cells = [5, 5, 4, 4, 4, 3, 5, 5, 4, 3, 2]
    site = EPISODE_1.site
    left, right = site.board.banks
    assert [(row & left).bit_count() for row in site.grid.rows] == left_cells
    assert all(not left & row or "a" in site.grid.cells(row & left)[0] for row in site.grid.rows)
    assert (left & site.ground).bit_count() == 37
    assert (right & site.ground).bit_count() == 58


@pytest.mark.rule("MC-3")
def test_the_squares_for_stickers_on_the_front_board() -> None:
    squares = EPISODE_1.site.grid.cells(EPISODE_1.squares)
    assert " ".join(squares) == "g1 i1 g2 h3 i3 g4 h4 j4 f5 i5 f6 g7 f9 g10"
    assert EPISODE_1.squares & ~EPISODE_1.site.empty == 0


@pytest.mark.rule("MC-4")
def test_the_eternal_board_is_the_front_but_for_two_veins_and_a_well() -> None:
    front, back = EPISODE_1.site.board, ETERNAL.site.board
    pairs = zip(front.grid.names, "".join(front.rows), "".join(back.rows), strict=True)
    assert {name: (before, after) for name, before, after in pairs if before != after} == {
        "k1": ("r", "g"),
        "a10": ("r", "g"),
        "h6": (".", "W"),
    }
    assert front.river == back.river


@pytest.mark.rule("MC-4")
def test_the_eternal_game_is_played_on_the_eternal_board() -> None:
    site = ETERNAL.site
    assert site.grid.cells(site.veins) == ("k1", "a10")
    assert [site.grid.cells(well) for well, _ in site.wells] == [("h6",)]
    assert begin(mode="eternal").state.cities[0].site is site
