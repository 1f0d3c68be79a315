"""PC-2 to PC-5: the setup before the first turn."""

import msgspec
import pytest

from polyopolis.engine import CHANCE, BadSetup, Match
from polyopolis.games.pointcity import rules
from polyopolis.games.pointcity.actions import Dealt, FirstNamed, NameFirst, PickToken, ShowFace, TopShown
from polyopolis.games.pointcity.content import MARKET, Side
from polyopolis.games.pointcity.state import Setup
from tests.games.pointcity.positions import MATERIAL, opened_match, stock

LEFT = {1: (40, 24, 18), 2: (40, 24, 18), 3: (52, 36, 28), 4: (64, 48, 38)}
every_number = pytest.mark.parametrize("seats", [1, 2, 3, 4])


def begun(seats: int) -> Match:
    return Match.start(rules, Setup(seats=seats, automa="easy") if seats == 1 else Setup(seats=seats))


def opening(seats: int) -> Match:
    return opened_match(seats, "easy" if seats == 1 else None)


@pytest.mark.parametrize(
    ("text", "setup"),
    [
        ('{"seats": 2}', Setup(seats=2)),
        ('{"seats": 4, "content": 1}', Setup(seats=4)),
        ('{"seats": 1, "automa": "hard"}', Setup(seats=1, automa="hard")),
        ('{"seats": 1, "automa": "easy", "tokens": "chosen"}', Setup(seats=1, automa="easy", tokens="chosen")),
    ],
)
def test_fields_that_do_not_apply_may_be_left_out(text: str, setup: Setup) -> None:
    assert msgspec.json.decode(text, type=Setup) == setup
    assert len(rules.start(setup).players) == max(setup.seats, 2)


def test_the_content_version_is_always_written() -> None:
    assert msgspec.to_builtins(Setup(seats=2)) == {"seats": 2, "content": 1}
    assert msgspec.to_builtins(Setup(seats=1, automa="easy")) == {"seats": 1, "automa": "easy", "content": 1}


@pytest.mark.parametrize(
    ("setup", "message"),
    [
        (Setup(seats=0), "Point City is for 1 to 4 seats, not for 0"),
        (Setup(seats=5), "Point City is for 1 to 4 seats, not for 5"),
        (Setup(seats=2, content=2), "Point City has content 1 to 1, not 2"),
        (Setup(seats=2, content=0), "Point City has content 1 to 1, not 0"),
        (Setup(seats=1), "one seat plays against the Automa; automa is one of easy, medium, hard"),
        (Setup(seats=2, automa="easy"), "the Automa plays against one seat, not against 2"),
        (Setup(seats=3, tokens="chosen"), "tokens can be chosen by one seat, not by 3"),
    ],
)
def test_an_impossible_setup_is_refused_with_a_reason(setup: Setup, message: str) -> None:
    with pytest.raises(BadSetup) as refused:
        rules.start(setup)
    assert str(refused.value) == message


def test_an_unknown_level_is_refused() -> None:
    with pytest.raises(msgspec.ValidationError):
        msgspec.json.decode('{"seats": 1, "automa": "brutal"}', type=Setup)


@pytest.mark.rule("PC-2")
@every_number
def test_the_number_of_cards_of_each_tier_depends_on_seats(seats: int) -> None:
    assert begun(seats).state.deck.left == LEFT[seats]


@pytest.mark.rule("PC-2")
@every_number
def test_any_card_may_be_left_out(seats: int) -> None:
    deck = begun(seats).state.deck
    assert [sum(count for _, count in pool) for pool in deck.unseen] == [65, 50, 45]
    assert sum(count for pool in deck.unshown for _, count in pool) == 160


@pytest.mark.rule("PC-2")
def test_tier_1_lies_on_top_of_tier_2_and_that_on_tier_3() -> None:
    match = opened_match(2)
    tiers = [1] * 17
    while not match.over:
        due = min(match.due)
        if due == CHANCE:
            odds = rules.odds(match.state)
            match = match.decide(CHANCE, odds[0][0])
            if match.state.phase == "turn" and match.state.deck.top:
                tiers.append(match.state.deck.top.tier)
        else:
            match = match.decide(due, rules.legal(match.state, due)[-1])
    assert tiers == sorted(tiers)
    assert set(tiers) == {1, 2, 3}


@pytest.mark.rule("PC-3")
@every_number
def test_the_market_is_laid_row_by_row_with_resource_faces_up(seats: int) -> None:
    match = opening(seats)
    dealt = [event for event in match.events if isinstance(event, Dealt)]
    assert [event.at for event in dealt] == list(MARKET.names)
    assert all(isinstance(found, Side) and found.tier == 1 for found in match.state.market)
    assert isinstance(match.events[-1], TopShown)


@pytest.mark.rule("PC-3")
def test_each_face_is_weighted_by_the_unseen_cards_of_its_tier() -> None:
    match = begun(2)
    while match.state.phase != "opening":
        match = match.decide(CHANCE, rules.odds(match.state)[0][0])
    faces = ["community", "ecology", "economy", "energy", "industry"]
    assert rules.odds(match.state) == [(ShowFace(face), 13) for face in faces]
    match = match.decide(CHANCE, ShowFace("economy"))
    assert rules.odds(match.state) == [(ShowFace(face), 12 if face == "economy" else 13) for face in faces]


@pytest.mark.rule("PC-4")
@pytest.mark.parametrize(("seats", "tokens"), [(1, 10), (2, 10), (3, 12), (4, 14)])
def test_the_number_of_tokens_depends_on_seats(seats: int, tokens: int) -> None:
    match = begun(seats)
    assert rules.odds(match.state) == [(PickToken(name), 1) for name in MATERIAL.tokens]
    match = opening(seats)
    assert len({token.name for token in match.state.tokens}) == tokens
    assert [move.action for move in match.moves[:tokens]] == [PickToken(token.name) for token in match.state.tokens]


@pytest.mark.rule("PC-5")
@every_number
def test_each_player_starts_with_one_ingenuity_card(seats: int) -> None:
    assert [stock(begun(seats), seat) for seat in range(seats)] == [["ingenuity"]] * seats


@pytest.mark.rule("PC-5")
@pytest.mark.parametrize("seats", [2, 3, 4])
def test_chance_picks_the_first_player_and_turns_go_round(seats: int) -> None:
    for first in range(seats):
        match = opened_match(seats, first=first)
        assert FirstNamed(first) in match.events
        order = []
        for _ in range(2 * seats):
            order.append(min(match.due))
            match = match.decide(order[-1], rules.legal(match.state, order[-1])[-1])
            while match.due == {CHANCE}:
                match = match.decide(CHANCE, rules.odds(match.state)[0][0])
        assert order == [(first + turn) % seats for turn in range(2 * seats)]


@pytest.mark.rule("PC-5")
@pytest.mark.parametrize("seats", [2, 3, 4])
def test_all_players_are_equally_likely_to_begin(seats: int) -> None:
    match = begun(seats)
    while match.state.phase == "tokens":
        match = match.decide(CHANCE, rules.odds(match.state)[0][0])
    assert rules.odds(match.state) == [(NameFirst(seat), 1) for seat in range(seats)]
