"""The view of a seat and of a spectator."""

import pytest

from polyopolis.engine import CHANCE, Match
from polyopolis.games.pointcity import rules
from polyopolis.games.pointcity.actions import LineAsDrawn, LineUp, Take
from polyopolis.games.pointcity.pair_prices import Offer, Share, stock_by_face
from polyopolis.games.pointcity.state import Player, Setup
from polyopolis.games.pointcity.view import Worth
from tests.games.pointcity.positions import PLAIN, choosing, granting, opened_match, play, player, table
from tests.support.random_play import finished, moments

RICH = player("industry industry ingenuity", granting(energy=2))
A7 = "a7-energy " + PLAIN.split(maxsplit=1)[1]
CIVIC = "a11-energy " + PLAIN.split(maxsplit=1)[1]
SITUATIONS = {
    "before the first token": Match.start(rules, Setup(seats=3)),
    "the first turn": opened_match(3),
    "setting the line": opened_match(1, "hard"),
    "choosing tokens": choosing().decide(0, LineUp("missing")),
    "a turn": table(A7, RICH, player()),
    "being turned": play(table(PLAIN), "flip a1"),
    "to be paid": play(table(A7, RICH, player()), "take a1 b1"),
    "a token": play(table(CIVIC, player("community community community"), player()), "take a1 b1"),
    "filling up": play(table(PLAIN), "take a1 b1"),
    "over": play(table(top=None), "take a1 b1"),
    "alone": opened_match(1, "easy").decide(0, LineAsDrawn()),
}


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


def test_a_space_is_empty_during_a_turn() -> None:
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


def test_tokens_show_their_present_and_maximum_points() -> None:
    match = table(PLAIN, RICH, player(), tokens="flat-5 energy missing ingenuity", turns=32)
    tokens = {token.token: token.worth for token in rules.view(match.state, None).table.tokens}
    assert tokens["flat-5"] == (Worth(5, 5), Worth(5, 5))
    assert tokens["energy"] == (Worth(4, 8), Worth(0, 4))
    assert tokens["missing"] == (Worth(16, 16), Worth(20, 20))
    assert tokens["ingenuity"] == (Worth(2, 6), Worth(0, 4))


NEXT_TO = PLAIN.split(maxsplit=2)[2]
"""The plain market without its first two cards."""


def offer(own: Player, first: str, second: str = "community") -> Offer:
    """Returns the offer for the first two cards of the market."""
    return rules.view(table(f"{first} {second} {NEXT_TO}", own, player()).state, 0).table.offers[0]


def test_two_buildings_are_priced_together_permanents_first_and_jokers_last() -> None:
    """Each of them costs two Industry."""
    assert offer(player("industry"), "a7-energy", "a7-energy") == Offer(
        ("a1", "b1"), (Share("industry", 4, 0, 3),), 3, None
    )
    helped = offer(player("industry ingenuity ingenuity", granting(industry=1)), "a7-energy", "a7-energy")
    assert helped == Offer(("a1", "b1"), (Share("industry", 4, 1, 2),), 0, {})


def test_a_resource_taken_with_a_building_helps_to_pay_it() -> None:
    assert offer(player("industry"), "a7-energy", "industry") == Offer(("a1", "b1"), (Share("industry", 2),), 0, {})


def test_resources_are_free_and_kept() -> None:
    assert offer(player("energy"), "energy", "3:ecology-2") == Offer(("a1", "b1"), left={"ecology-2": 1, "energy": 2})


def test_offers_show_the_symbols_missing_with_all_ingenuity_cards() -> None:
    assert [offer(player(stock), "a11-community").short for stock in ("industry", "industry ingenuity")] == [2, 1]
    assert offer(player("industry ingenuity ingenuity"), "a11-community").short == 0


def test_offers_show_the_remaining_stock_if_there_is_one_way_to_pay() -> None:
    assert offer(player("industry-2"), "a7-energy").left == {"community": 1}
    assert offer(player("industry industry-2"), "a7-energy").left == {"community": 1, "industry": 1}
    assert offer(player("industry industry ingenuity"), "a7-energy").left is None
    assert offer(player("industry"), "a7-energy").left is None


@pytest.mark.parametrize("seed", ["one", "two", "three"])
def test_offers_agree_with_legal_takes_and_their_results(seed: str) -> None:
    compared = 0
    for at in moments(rules, Setup(seats=2), seed, "any"):
        if at.state.phase not in ("turn", "take"):
            continue
        offers = {Take(offer.cells): offer for offer in rules.view(at.state, None).table.offers}
        legal = {action for action in rules.legal(at.state, at.state.seat) if isinstance(action, Take)}
        assert {take for take, offer in offers.items() if not offer.short} == legal
        for take in legal:
            after = rules.apply(at.state, at.state.seat, take).state
            left = None if after.phase == "pay" else stock_by_face(after.players[at.state.seat].stock)
            assert offers[take].left == left
            compared += 1
    assert compared > 100


def test_the_bill_is_shown() -> None:
    seen = rules.view(SITUATIONS["to be paid"].state, 0).table
    assert (seen.bill, seen.offers) == ((Share("industry", 2),), ())


def test_an_emptied_space_takes_the_other_face_and_the_top_is_known() -> None:
    seen = rules.view(SITUATIONS["a turn"].state, 0).table
    assert [cell.next for cell in seen.market[:2]] == ["resource", "building"]
    assert seen.deck.coming == ("energy", None)
    assert rules.view(table(top="energy", left=(0, 0, 0)).state, 0).table.deck.coming == ("energy",)
    assert rules.view(table(top=None).state, 0).table.deck.coming == ()


def test_the_automa_shows_what_it_takes_next() -> None:
    automa = rules.view(SITUATIONS["alone"].state, 0).table.automa
    assert automa
    assert (automa.level, automa.cells) == ("easy", ("a2", "a3"))
    later = rules.view(table(PLAIN, player(), automa="hard", turns=4).state, 0).table.automa
    assert later
    assert (later.level, later.cells) == ("hard", ("c1", "c4"))
    assert rules.view(SITUATIONS["a turn"].state, 0).table.automa is None


def test_the_automa_shows_its_next_turn_while_its_cards_are_replaced() -> None:
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


def test_the_table_shows_the_current_player_and_the_turns_left() -> None:
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
