"""PC-17: the length and the end of a match."""

from collections import Counter

import pytest

from polyopolis.engine import CHANCE, Match, Reason
from polyopolis.games.pointcity import rules
from polyopolis.games.pointcity.actions import Draw, Ended, Skip, Skipped, Take
from polyopolis.games.pointcity.state import Setup
from tests.games.pointcity.positions import choices, granting, play, player, refusal, table
from tests.support.random_play import MOODS, Mood, finished

STRANDED = """
    c8-energy c8-industry c8-economy c8-ecology
    c7-energy c7-industry c7-economy c7-ecology
    c8-energy c8-industry c8-economy c8-ecology
    c6-energy c6-industry c6-economy energy
"""
"""No two resources are neighbours, and most players cannot pay any pair."""


def counted(match: Match) -> Counter[int]:
    """Returns the number of turns of each seat."""
    return Counter(move.seat for move in match.moves if isinstance(move.action, Take | Draw | Skip))


@pytest.mark.rule("PC-17")
@pytest.mark.parametrize("mood", MOODS)
@pytest.mark.parametrize("seats", [2, 3, 4])
def test_each_player_has_17_turns_and_14_cards_are_left(seats: int, mood: Mood) -> None:
    match = finished(rules, Setup(seats=seats), f"end {seats}", mood)
    assert counted(match) == dict.fromkeys(range(seats), 17)
    skipped = isinstance(match.moves[-1].action, Skip)
    assert sum(found is not None for found in match.state.market) == (16 if skipped else 14)
    assert match.state.deck.top is None
    assert match.state.deck.left == (0, 0, 0)


@pytest.mark.rule("PC-17")
@pytest.mark.parametrize("mood", MOODS)
def test_alone_both_have_17_turns(mood: Mood) -> None:
    match = finished(rules, Setup(seats=1, automa="medium"), "end alone", mood)
    assert counted(match) == {0: 17}
    automa = match.state.players[1]
    assert sum(automa.stock) + len(automa.city) == 34
    assert sum(found is not None for found in match.state.market) == 14


@pytest.mark.rule("PC-17")
def test_no_chance_event_follows_the_last_take() -> None:
    last = table(top=None)
    match = play(last, "take a1 b1")
    assert match.over
    assert match.events[-1] == Ended()


@pytest.mark.rule("PC-17")
@pytest.mark.rule("PC-14")
def test_the_game_ends_after_its_last_token() -> None:
    market = "a11-energy industry economy ecology " + "energy industry economy ecology " * 3
    match = play(table(market, player("community community community"), player(), top=None), "take a1 b1")
    assert not match.over
    assert play(match, "token flat-5").over


@pytest.mark.rule("PC-17")
def test_a_player_who_cannot_pay_any_pair_skips_the_last_turn() -> None:
    match = table(STRANDED, player(), player(), top=None)
    assert choices(match) == {Skip()}
    match = play(match, "skip")
    assert match.over
    assert match.events == (Skipped(0), Ended())
    assert None not in match.state.market


@pytest.mark.rule("PC-17")
def test_players_who_can_take_or_draw_cannot_skip() -> None:
    assert refusal(table(STRANDED, player(), player()), "skip") == Reason("must-take")
    assert choices(table(STRANDED, player(), player())) == {Draw()}
    rich = player("energy", granting(economy=3))
    match = table(STRANDED, rich, player(), top=None)  # the energy at d4 with c6-economy beside it
    assert choices(match) == {Take(("c4", "d4"))}
    assert refusal(match, "skip") == Reason("must-take")
    assert refusal(table(top=None), "skip") == Reason("must-take")


@pytest.mark.rule("PC-17")
def test_with_a_line_of_resources_a_pair_can_always_be_taken() -> None:
    """So a flip never leads to a skip."""
    market = "energy industry economy ecology " + STRANDED.split(maxsplit=4)[4]
    match = table(market, player(), player(), top=None)
    for cell, card in (("a1", "a1-energy"), ("b1", "a1-industry"), ("c1", "a1-economy"), ("d1", "a1-ecology")):
        after = play(match, f"flip {cell}", f"building {cell} {card}")
        assert any(isinstance(choice, Take) for choice in choices(after))


@pytest.mark.rule("PC-17")
def test_the_deck_is_even_at_the_start_of_every_turn() -> None:
    match = Match.start(rules, Setup(seats=3))
    while not match.over:
        seat = min(match.due)
        if seat == CHANCE:
            match = match.decide(CHANCE, rules.odds(match.state)[-1][0])
        else:
            if match.state.phase == "turn":
                cards = sum(match.state.deck.left) + bool(match.state.deck.top)
                assert cards % 2 == 0
                assert (Draw() in rules.legal(match.state, seat)) == bool(cards)
            match = match.decide(seat, rules.legal(match.state, seat)[0])
