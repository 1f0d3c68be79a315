"""PC-21 to PC-24: solo games against the Automa."""

import pytest
from msgspec.structs import replace

from polyopolis.engine import CHANCE, Line, Match, Reason
from polyopolis.games.pointcity import rules
from polyopolis.games.pointcity.actions import (
    Built,
    LineAsDrawn,
    LinedUp,
    LineUp,
    ShowFace,
    TokenLaidOut,
    TokenTaken,
    Took,
)
from polyopolis.games.pointcity.content import MARKET, LevelName
from polyopolis.games.pointcity.market import automa_spaces
from polyopolis.games.pointcity.state import Setup
from tests.games.pointcity.positions import (
    MATERIAL,
    PLAIN,
    chance_odds,
    choosing,
    city,
    granting,
    opened_match,
    play,
    player,
    shows,
    stock,
    table,
)
from tests.support.random_play import finished

WAITING = """
    energy     industry  economy   ecology
    a1-economy energy    industry  economy
    a11-energy community energy    industry
    economy    ecology   community energy
"""
"""The Automa takes a2 and a3 next."""


def after_its_turn(market: str = WAITING, level: LevelName = "easy", tokens: str = "flat-5 missing") -> Match:
    match = table(market, player("ingenuity"), automa=level, tokens=tokens, top="energy", left=(20, 24, 18))
    return play(match, "draw", "face energy", "face economy")


@pytest.mark.rule("PC-21")
def test_a_solo_game_is_set_up_as_for_two_and_the_player_begins() -> None:
    match = opened_match(1, "easy")
    assert len(match.state.tokens) == 10
    assert stock(match, 0) == ["ingenuity"]
    assert match.due == {0}
    assert not [move for move in match.moves if move.seat != CHANCE]


@pytest.mark.rule("PC-21")
def test_the_player_sets_the_line_one_by_one_the_last_one_too() -> None:
    match = opened_match(1, "easy")
    names = [token.name for token in match.state.tokens]
    assert list(rules.legal(match.state, 0)) == [*map(LineUp, names), LineAsDrawn()]
    for left, name in zip(range(10, 0, -1), reversed(names), strict=True):
        assert len([choice for choice in rules.legal(match.state, 0) if isinstance(choice, LineUp)]) == left
        match = match.decide(0, LineUp(name))
    assert [token.name for token in match.state.tokens] == names[::-1]
    assert match.state.phase == "turn"
    assert match.events[-1] == LinedUp(0, names[0])


@pytest.mark.rule("PC-21")
def test_the_player_may_keep_the_line_as_drawn_before_setting_any_token() -> None:
    match = opened_match(1, "easy")
    names = [token.name for token in match.state.tokens]
    drawn = match.decide(0, LineAsDrawn())
    assert [token.name for token in drawn.state.tokens] == names
    assert drawn.state.phase == "turn"
    begun = match.decide(0, LineUp(names[3]))
    assert begun.why_not(0, LineAsDrawn()) == Reason("line-begun")
    assert begun.why_not(0, LineUp(names[3])) == Reason("no-token", {"token": names[3]})


@pytest.mark.rule("PC-21")
def test_the_player_may_choose_ten_of_all_tokens_in_line_order() -> None:
    match = choosing()
    assert match.state.phase == "choose"
    assert [move.action for move in match.moves] == [ShowFace(move.action.face) for move in match.moves]
    assert list(rules.legal(match.state, 0)) == [LineUp(name) for name in MATERIAL.tokens]
    names = ["missing", "flat-7", *[name for name in MATERIAL.tokens if "-" in name and "flat" not in name][:8]]
    for number, name in enumerate(names):
        assert len(rules.legal(match.state, 0)) == len(MATERIAL.tokens) - number
        assert rules.view(match.state, 0).table.to_line_up == 10 - number
        match = match.decide(0, LineUp(name))
        assert match.events[-1] == LinedUp(0, name)
    assert [token.name for token in match.state.tokens] == names
    assert (match.state.phase, match.state.line) == ("turn", ())
    assert match.due == {0}
    assert rules.view(match.state, 0).table.to_line_up == 0


@pytest.mark.rule("PC-21")
def test_where_tokens_are_chosen_none_is_drawn() -> None:
    match = choosing("hard")
    assert match.why_not(0, LineAsDrawn()) == Reason("not-now")
    assert match.why_not(0, LineUp("nothing")) == Reason("no-token", {"token": "nothing"})
    begun = match.decide(0, LineUp("flat-5"))
    assert begun.why_not(0, LineUp("flat-5")) == Reason("no-token", {"token": "flat-5"})
    assert not [event for event in match.events if isinstance(event, TokenLaidOut)]


@pytest.mark.rule("PC-21")
def test_cards_are_the_same_with_drawn_and_chosen_tokens() -> None:
    setup = Setup(seats=1, automa="easy")
    drawn, chosen = Match.start(rules, setup), Match.start(rules, replace(setup, tokens="chosen"))
    while drawn.state.phase == "tokens":
        drawn = drawn.decide(CHANCE, rules.odds(drawn.state)[0][0])
    assert rules.odds(drawn.state) == rules.odds(chosen.state)


@pytest.mark.rule("PC-23")
def test_the_automa_takes_the_leftmost_token_of_a_line_that_was_chosen() -> None:
    match = finished(rules, Setup(seats=1, automa="easy", tokens="chosen"), "chosen", "busy")
    named = [event.token for event in match.events if isinstance(event, LinedUp)]
    left, taken = [*named], [event for event in match.events if isinstance(event, TokenTaken)]
    assert any(event.seat == 1 for event in taken)
    for event in taken:
        assert event.seat == 0 or event.token == left[0]
        left.remove(event.token)


@pytest.mark.rule("PC-22")
def test_the_spaces_that_the_automa_takes() -> None:
    cells = [MARKET.names[number] for turn in range(5) for number in automa_spaces("a2", turn)]
    assert cells == ["a2", "a3", "b3", "b4", "c4", "c1", "d1", "d2", "a2", "a3"]


@pytest.mark.rule("PC-22")
def test_the_automa_takes_after_all_chance_events_without_a_move() -> None:
    match = after_its_turn()
    assert [move.seat for move in match.moves] == [0, CHANCE, CHANCE]
    took = Took(1, ("a2", "a3"), ("a1-economy", "a11-energy"))
    assert match.events[3:] == (
        took,
        Built(1, "a1-economy"),
        Built(1, "a11-energy"),
        TokenTaken(1, "flat-5"),
        match.events[-1],
    )
    assert shows(match, "a2") == "economy"
    assert match.due == {CHANCE}
    match = play(match, "face ecology", "face industry")
    assert shows(match, "a3") == "ecology"
    assert match.due == {0}


@pytest.mark.rule("PC-22")
def test_spaces_of_the_automa_are_filled_in_reading_order() -> None:
    match = table(PLAIN, player("ingenuity"), automa="easy", turns=4)
    match = play(match, "draw", "face energy", "face economy")  # the Automa's third turn: c4 and c1
    assert chance_odds(match)[0][0].at == "c1"
    match = play(match, "building c1 a1-economy", "face energy")
    assert chance_odds(match)[0][0].at == "c4"


@pytest.mark.rule("PC-22")
def test_the_automa_never_pays_turns_or_draws() -> None:
    match = finished(rules, Setup(seats=1, automa="hard"), "automa", "any")
    tags = {type(event).__name__ for event in match.events if getattr(event, "seat", 0) == 1}
    assert tags <= {"Took", "Built", "TokenTaken"}
    assert len([event for event in match.events if isinstance(event, Took) and event.seat == 1]) == 17


@pytest.mark.rule("PC-23")
def test_the_automa_takes_resources_buildings_and_leftmost_tokens() -> None:
    match = after_its_turn()
    assert city(match, 1) == ["a1-economy", "a11-energy"]
    assert [token.name for token in match.state.players[1].tokens] == ["flat-5"]
    assert [token.name for token in match.state.tokens] == ["missing"]
    plain = after_its_turn(PLAIN)
    assert stock(plain, 1) == ["community", "ecology"]
    assert city(plain, 1) == []


@pytest.mark.rule("PC-23")
def test_the_automa_takes_no_token_if_none_is_left_and_starts_with_an_empty_stock() -> None:
    match = after_its_turn(tokens="")
    assert match.state.players[1].tokens == ()
    assert stock(opened_match(1, "easy"), 1) == []


@pytest.mark.rule("PC-23")
def test_two_civic_buildings_give_the_automa_two_tokens() -> None:
    match = after_its_turn(WAITING.replace("a1-economy", "a12-energy"))
    assert [token.name for token in match.state.players[1].tokens] == ["flat-5", "missing"]


AUTOMA = player(
    "ingenuity ingenuity energy", f"{granting(energy=4, economy=2, ecology=1)} a10-energy", "flat-7 missing"
)


@pytest.mark.rule("PC-24")
@pytest.mark.parametrize(
    ("level", "permanents", "tokens", "ingenuity"), [("easy", 7, 6, 0), ("medium", 6, 10, 0), ("hard", 10, 14, 2)]
)
def test_the_points_of_the_automa_by_level(level: LevelName, permanents: int, tokens: int, ingenuity: int) -> None:
    match = table(PLAIN, player(), AUTOMA, automa=level)
    assert match.result.sheets[1] == (
        Line("buildings", 8, 4),
        Line("permanents", 7, permanents),
        Line("tokens", 2, tokens),
        Line("ingenuity", 2, ingenuity),
    )
    assert match.result.scores[1] == 4 + permanents + tokens + ingenuity


@pytest.mark.rule("PC-24")
def test_a_tie_goes_to_more_unspent_cards_and_a_full_tie_is_no_win() -> None:
    automa = player("energy energy")
    assert table(PLAIN, player("energy energy energy"), automa, automa="easy").result.ranks == (1, 2)
    assert table(PLAIN, player("energy energy"), automa, automa="easy").result.ranks == (2, 1)
    assert table(PLAIN, player("energy"), automa, automa="easy").result.ranks == (2, 1)
    ahead = replace(player("energy"), tokens=(MATERIAL.tokens["flat-5"],))
    assert table(PLAIN, ahead, automa, automa="easy").result.ranks == (1, 2)


def test_there_is_no_campaign() -> None:
    match = finished(rules, Setup(seats=1, automa="easy"), "standings", "any")
    assert rules.onward(match.setup, match.state) is None
    found = rules.standings(match.setup, [match.state, match.state])
    assert found.scores == tuple(2 * score for score in match.result.scores)
    assert [line.line for line in found.sheets[1]] == ["match-1", "match-2"]
    assert rules.standings(match.setup, []).scores == (0, 0)
