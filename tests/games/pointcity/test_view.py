"""What a seat and a spectator see."""

import msgspec
import pytest

from polyopolis.engine import CHANCE, Match
from polyopolis.games.pointcity import rules
from polyopolis.games.pointcity.actions import LineAsDrawn, LineUp
from polyopolis.games.pointcity.state import Setup
from polyopolis.games.pointcity.view import View, Worth
from tests.games.pointcity.tables import PLAIN, choosing, granting, opened, play, player, table
from tests.play import finished

RICH = player("industry industry ingenuity", granting(energy=2))
A7 = "a7-energy " + PLAIN.split(maxsplit=1)[1]
CIVIC = "a11-energy " + PLAIN.split(maxsplit=1)[1]
SITUATIONS = {
    "before the first token": Match.start(rules, Setup(seats=3)),
    "the first turn": opened(3),
    "setting the line": opened(1, "hard"),
    "choosing tokens": choosing().decide(0, LineUp("missing")),
    "a turn": table(A7, RICH, player()),
    "being turned": play(table(PLAIN), "flip a1"),
    "to be paid": play(table(A7, RICH, player()), "take a1 b1"),
    "a token": play(table(CIVIC, player("community community community"), player()), "take a1 b1"),
    "filling up": play(table(PLAIN), "take a1 b1"),
    "over": play(table(top=None), "take a1 b1"),
    "alone": opened(1, "easy").decide(0, LineAsDrawn()),
}
situations = pytest.mark.parametrize("match", SITUATIONS.values(), ids=SITUATIONS.keys())


def seats(match: Match) -> list[int | None]:
    return [None, *range(match.setup.seats)]


@situations
def test_the_choices_of_a_seat_are_what_is_legal(match: Match) -> None:
    for seat in range(match.setup.seats):
        expected = tuple(rules.legal(match.state, seat)) if seat in match.due else ()
        assert rules.view(match.state, seat).choices == expected
        assert rules.view(match.state, seat).seat == seat


@situations
def test_a_spectator_sees_the_same_table_and_has_no_choices(match: Match) -> None:
    views = [rules.view(match.state, seat) for seat in seats(match)]
    assert (views[0].seat, views[0].choices) == (None, ())
    assert all(view.table == views[0].table for view in views)


@situations
def test_a_view_goes_to_json_and_back(match: Match) -> None:
    for seat in seats(match):
        view = rules.view(match.state, seat)
        assert msgspec.json.decode(msgspec.json.encode(view), type=View) == view


def test_the_market_shows_faces_and_buildings_with_cost_gain_and_points() -> None:
    cells = rules.view(SITUATIONS["a turn"].state, 0).table.market
    assert [cell.cell for cell in cells[:3]] == ["a1", "b1", "c1"]
    building = cells[0].building
    assert building
    assert (building.card, building.title, building.tier) == ("a7-energy", "1-resource-energy-1", 1)
    assert (building.cost, building.kind, building.resource, building.points) == (
        {"industry": 2},
        "resource",
        "energy",
        1,
    )
    assert (cells[0].face, cells[1].face, cells[1].building) == ("energy", "industry", None)


def test_a_space_in_the_middle_of_a_turn_is_empty() -> None:
    table_view = rules.view(SITUATIONS["to be paid"].state, 0).table
    assert [cell.cell for cell in table_view.market if cell.tier is None] == ["a1", "b1"]
    assert [card.card for card in table_view.buying] == ["a7-energy"]
    assert (table_view.phase, table_view.acting) == ("pay", (0,))


def test_stocks_cities_and_permanents_of_all() -> None:
    rich, other = rules.view(SITUATIONS["a turn"].state, 1).table.players
    assert rich.stock == {"industry": 2, "ingenuity": 1}
    assert rich.permanents == {"community": 0, "ecology": 0, "economy": 0, "energy": 2, "industry": 0}
    assert [card.card for card in rich.city] == ["a1-energy", "a2-energy"]
    assert (other.stock, other.tokens) == ({}, ())


def test_tokens_tell_what_they_are_worth_now_and_at_most() -> None:
    match = table(PLAIN, RICH, player(), tokens="flat-5 energy missing ingenuity", turns=32)
    tokens = {token.token: token.worth for token in rules.view(match.state, None).table.tokens}
    assert tokens["flat-5"] == (Worth(5, 5), Worth(5, 5))
    assert tokens["energy"] == (Worth(4, 8), Worth(0, 4))
    assert tokens["missing"] == (Worth(16, 16), Worth(20, 20))
    assert tokens["ingenuity"] == (Worth(2, 6), Worth(0, 4))


def test_the_automa_shows_what_it_takes_next() -> None:
    automa = rules.view(SITUATIONS["alone"].state, 0).table.automa
    assert automa
    assert (automa.level, automa.cells) == ("easy", ("a2", "a3"))
    later = rules.view(table(PLAIN, player(), automa="hard", turns=4).state, 0).table.automa
    assert later
    assert (later.level, later.cells) == ("hard", ("c1", "c4"))
    assert rules.view(SITUATIONS["a turn"].state, 0).table.automa is None


def test_while_its_cards_are_replaced_the_automa_shows_its_next_turn() -> None:
    match = play(table(PLAIN, player("ingenuity"), automa="easy"), "draw", "face energy", "face economy")
    assert match.state.seat == 1
    automa = rules.view(match.state, 0).table.automa
    assert automa
    assert automa.cells == ("b3", "b4")


def test_the_line_being_set() -> None:
    match = SITUATIONS["setting the line"]
    first = match.state.tokens[4].name
    table_view = rules.view(match.decide(0, LineUp(first)).state, 0).table
    assert table_view.line == (first,)
    assert first not in [token.token for token in table_view.tokens]


def test_whose_turn_it_is_and_how_many_are_left() -> None:
    table_view = rules.view(SITUATIONS["the first turn"].state, None).table
    assert (table_view.turn, table_view.turns, table_view.phase) == (0, 0, "turn")
    assert [player.turns_left for player in table_view.players] == [17, 17, 17]


def test_the_result_is_final_when_it_is_over() -> None:
    match = finished(rules, Setup(seats=2), "view", "any")
    table_view = rules.view(match.state, None).table
    assert table_view.over
    assert table_view.result == match.result
    assert [player.turns_left for player in table_view.players] == [0, 0]
    assert CHANCE not in rules.view(SITUATIONS["filling up"].state, None).table.acting
