"""Drawings are complete without their colours."""

from textwrap import dedent

from rich.text import Text

from polyopolis.cli.terminal import mycity
from polyopolis.cli.terminal.box_drawing import Picture, Tile, beside, plain_text
from polyopolis.engine import Match
from polyopolis.games.mycity import rules
from polyopolis.games.mycity.actions import Place, Reveal
from polyopolis.geometry import Board


def expected(drawing: str) -> str:
    return dedent(drawing).strip("\n").rstrip()


def test_a_body_has_an_outline_and_no_lines_inside() -> None:
    land, house = Tile(" · "), Tile(" ⌂ ", body="house", walled=True)
    tiles = [[land, house, house], [land, land, house]]
    drawing = """
         a   b   c
       ┌───┬───────┐
     1 │ · │ ⌂   ⌂ │
       │   └───┐   │
     2 │ ·   · │ ⌂ │
       └───────┴───┘
    """
    assert dedent(plain_text(Picture(tiles).lines())) == expected(drawing)


def test_a_river_is_heavy_and_meets_walls() -> None:
    board = Board.from_text("...\n...", [(1, 0), (1, 1), (3, 1)])
    land, church = Tile(" · "), Tile(" † ", body="church", walled=True)
    tiles = [[land, church, land], [church, land, land]]
    drawing = """
         a   b   c
       ┌───┰───┬───┐
     1 │ · ┃ † │ · │
       ├───╄━━━┷━━━┥
     2 │ † │ ·   · │
       └───┴───────┘
    """
    assert dedent(plain_text(Picture(tiles, board.river_edges).lines())) == expected(drawing)


def test_drawings_stand_side_by_side() -> None:
    assert plain_text(beside([Text("ab"), Text("c")], [Text("1"), Text("2"), Text("3")], gap=1)) == "ab 1\nc  2\n   3"


def revealed(card: str) -> Match:
    return Match.start(rules, rules.Setup(seats=2)).decide(-1, Reveal(card))


def test_the_page_shows_all_public_facts() -> None:
    page = plain_text(mycity.page(rules.view(revealed("red-s4").state, 0), 0, ["Ann", "Ben"]))
    for text in ("card 1 of 28", "public S", "To come: 27 cards", "Ann", "Ben", "marker", "blocking card", "(w) well"):
        assert text in page
    assert max(map(len, page.splitlines())) <= 80


def test_a_narrow_terminal_has_the_panel_below() -> None:
    view = rules.view(revealed("red-s4").state, 0)
    wide, narrow = (mycity.page(view, 0, ["Ann", "Ben"], width=width) for width in (80, 60))
    assert len(narrow) > len(wide)
    assert max(map(len, plain_text(narrow).splitlines())) <= 60


def test_a_preview_is_marked_without_colour() -> None:
    match = revealed("yellow-i2")
    view = rules.view(match.state, 0)
    board = plain_text(mycity.board(view, 0, mycity.preview(view, 0, Place(("e1", "e2")))))
    assert board.count("+⌂+") == 2
    assert mycity.preview(view, 0, mycity.verbs["pass"]) == {}


def test_an_opponents_building_is_on_the_small_board() -> None:
    match = revealed("blue-o4").decide(0, mycity.verbs["pass"]).decide(1, Place(("f1", "g1", "f2", "g2")))
    view = rules.view(match.state, 0)
    page = plain_text(mycity.page(view, 0, ["Ann", "Ben"]))
    assert "· · ♣ · · ☼ ☼ · · · $" in page
    assert "┃ ☼   ☼ │" in plain_text(mycity.board(view, 1))


def test_the_deck_is_drawn() -> None:
    deck = plain_text(mycity.deck(rules.view(revealed("blue-u5").state, 0)))
    assert "corner" in deck
    assert "ΠΠ  ΠΠ" in deck
    assert "☼☼  ☼☼" not in deck
