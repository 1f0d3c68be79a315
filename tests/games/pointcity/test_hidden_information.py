"""PC-16: views and states contain no hidden information, and all public counts."""

from collections import Counter
from typing import Any

import msgspec
import pytest

from polyopolis.engine import CHANCE, Match
from polyopolis.games.pointcity import rules
from polyopolis.games.pointcity.actions import ShowBuilding, ShowFace
from polyopolis.games.pointcity.content import FACES
from polyopolis.games.pointcity.state import Setup
from tests.games.pointcity.positions import MATERIAL, PLAIN, chance_odds, play, player, table
from tests.support.random_play import moments


def words_in(value: Any) -> set[str]:
    """Returns all words of an encoded value."""
    found = msgspec.to_builtins(value)
    if isinstance(found, dict):
        return set(found) | {word for part in found.values() for word in words_in(part)}
    if isinstance(found, list | tuple):
        return {word for part in found for word in words_in(part)}
    return {found} if isinstance(found, str) else set()


def shown_in(match: Match) -> set[str]:
    return {move.action.card for move in match.moves if isinstance(move.action, ShowBuilding)}


@pytest.mark.rule("PC-16")
@pytest.mark.parametrize("seats", [1, 2, 3])
def test_no_event_and_no_view_names_a_building_that_was_not_shown(seats: int) -> None:
    setup = Setup(seats=1, automa="hard") if seats == 1 else Setup(seats=seats)
    for match in moments(rules, setup, f"hidden {seats}", "any"):
        shown = shown_in(match)
        for event in match.events[-12:]:
            assert words_in(event) & MATERIAL.cards.keys() <= shown
        for seat in (None, 0):
            table_view = rules.view(match.state, seat).table
            seen = [table_view.market, table_view.players, table_view.tokens, table_view.buying, table_view.result]
            assert {word for part in seen for word in words_in(part)} & MATERIAL.cards.keys() <= shown


@pytest.mark.rule("PC-16")
def test_a_card_in_a_stock_shows_only_its_face() -> None:
    match = play(table(PLAIN, player(), player()), "take a1 b1")
    assert set(rules.view(match.state, 1).table.players[0].stock) <= set(FACES)


@pytest.mark.rule("PC-16")
def test_behind_a_card_may_be_any_building_that_was_not_shown() -> None:
    match = play(table(PLAIN), "flip a1")
    behind = {luck.card: weight for luck, weight in chance_odds(match) if isinstance(luck, ShowBuilding)}
    assert behind == {f"a{n}-energy": 2 if n == 5 else 1 for n in range(1, 13)}


@pytest.mark.rule("PC-16")
def test_stocked_spent_and_left_out_cards_may_still_be_any_building() -> None:
    # Five cards with energy are visible; three of them go to stocks, and none of the thirteen buildings is ruled out.
    match = play(table(PLAIN, top="economy"), "take b2 b1", "building b1 a1-economy", "face economy")
    match = play(match, "building b2 a2-economy", "face economy")
    match = play(match, "flip a1")
    assert sum(weight for _, weight in chance_odds(match)) == 13


@pytest.mark.rule("PC-16")
def test_a_building_that_was_shown_is_not_behind_another_card() -> None:
    match = play(table(PLAIN), "flip a1", "building a1 a5-energy", "draw", "face economy", "face economy")
    match = play(match, "flip d4")
    assert Counter({luck.card: weight for luck, weight in chance_odds(match)})["a5-energy"] == 1
    match = play(match, "building d4 a5-energy", "draw", "face economy", "face economy", "flip c3")
    assert "a5-energy" not in {luck.card for luck, _ in chance_odds(match)}


@pytest.mark.rule("PC-16")
def test_the_face_behind_a_building_stays_known() -> None:
    match = play(table(PLAIN), "flip a1", "building a1 a5-energy")
    cell = rules.view(match.state, 1).table.market[0]
    assert (cell.face, cell.tier) == ("energy", 1)


@pytest.mark.rule("PC-16")
def test_states_contain_no_future_cards() -> None:
    """Two matches that have shown the same cards are equal, regardless of their seeds."""
    setup = Setup(seats=2)
    match = Match.start(rules, setup)
    while match.due == {CHANCE}:
        match = match.decide(CHANCE, chance_odds(match)[-1][0])
    again = Match.replay(rules, setup, match.moves)
    assert again.state == match.state
    top = match.state.deck.top
    assert top
    next_faces = [luck for luck, _ in chance_odds(play(match, "draw"))]
    assert all(isinstance(luck, ShowFace) for luck in next_faces)
    assert len(next_faces) > 1


@pytest.mark.rule("PC-16")
def test_the_table_contains_the_counts_of_unseen_cards() -> None:
    match = play(table(PLAIN, top="economy", left=(5, 24, 18)), "flip a1", "building a1 a5-energy")
    deck = rules.view(match.state, None).table.deck
    assert (deck.top, deck.tier, deck.cards) == ("economy", 1, 48)
    assert deck.left == {1: 6, 2: 24, 3: 18}
    assert deck.unseen[1] == {"community": 10, "ecology": 10, "economy": 9, "energy": 9, "industry": 10}
    assert sum(deck.unseen[3].values()) == 45
    assert deck.unshown[1]["energy"]["a5-energy"] == 1
    assert sum(deck.unshown[2]["ingenuity"].values()) == 20
    kinds = {cell.cell: cell.kinds for cell in rules.view(match.state, None).table.market}
    assert kinds["b1"] == ("resource", "points", "civic")
    assert kinds["a1"] == ("resource",)
