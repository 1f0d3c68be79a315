"""PC-6 to PC-15: a turn."""

import pytest

from polyopolis.engine import CHANCE, Match, NotDue, Reason
from polyopolis.games.pointcity import rules
from polyopolis.games.pointcity.actions import (
    Built,
    Dealt,
    Draw,
    Drew,
    Flip,
    Flipped,
    Paid,
    Pay,
    PickToken,
    ShowBuilding,
    ShowFace,
    Take,
    TokenTaken,
    Took,
    TopShown,
    Turned,
)
from polyopolis.games.pointcity.content import MARKET
from tests.games.pointcity.positions import (
    PLAIN,
    action,
    cards_left,
    chance_odds,
    choices,
    city,
    granting,
    play,
    player,
    refusal,
    shows,
    stock,
    table,
)

ONE_ROW = """
    energy     industry   economy    ecology
    a1-energy  energy     a2-economy economy
    ecology    a3-energy  energy     a4-ecology
    economy    a5-energy  community  energy
"""
"""Only row 1 shows only resources; no column does."""


# Turning a card.


def flips(match: Match) -> set[str]:
    return {flip.at for flip in choices(match) if isinstance(flip, Flip)}


@pytest.mark.rule("PC-6")
def test_a_card_of_a_row_or_column_of_resources_may_be_turned() -> None:
    assert flips(table(ONE_ROW)) == {"a1", "b1", "c1", "d1"}
    assert flips(table(ONE_ROW.replace("a4-ecology", "ecology"))) == {"a1", "b1", "c1", "d1", "d2", "d3", "d4"}
    assert len(flips(table(PLAIN))) == 16


@pytest.mark.rule("PC-6")
def test_other_cards_may_not_be_turned() -> None:
    match = table(ONE_ROW)
    assert refusal(match, "flip b2") == Reason("no-resource-line", {"cells": ("b2",)})
    assert refusal(match, "flip a2") == Reason("building-already", {"cells": ("a2",)})
    assert refusal(match, "flip e1") == Reason("off-market", {"cells": ("e1",)})


@pytest.mark.rule("PC-6")
def test_a_turned_card_shows_its_building_and_the_same_player_goes_on() -> None:
    match = play(table(PLAIN), "flip a1")
    assert match.due == {CHANCE}
    match = play(match, "building a1 a7-energy")
    assert shows(match, "a1") == "a7-energy"
    assert match.due == {0}
    assert match.events == (Flipped(0, "a1"), Turned("a1", "a7-energy"))


@pytest.mark.rule("PC-6")
def test_one_card_in_a_turn_and_never_after_taking() -> None:
    match = play(table(PLAIN), "flip a1", "building a1 a7-energy")
    assert not flips(match)
    assert refusal(match, "flip c4") == Reason("flipped-already")
    picking = table("a11-energy " + PLAIN.split(maxsplit=1)[1], player("community community community"), player())
    match = play(picking, "take a1 b1")
    assert refusal(match, "flip c4") == Reason("not-now")


@pytest.mark.rule("PC-6")
def test_a_flip_does_not_restrict_the_take() -> None:
    match = play(table(PLAIN), "flip a1", "building a1 a7-energy")
    assert Draw() in choices(match)
    assert action("take c4 d4") in choices(match)


# Taking two cards.


@pytest.mark.rule("PC-7")
def test_a_player_takes_two_neighbours_or_the_top_two_cards() -> None:
    found = choices(table(PLAIN))
    takes = {choice.cells for choice in found if isinstance(choice, Take)}
    assert len(takes) == 24
    assert ("a1", "b1") in takes
    assert ("a1", "a2") in takes
    assert Draw() in found
    assert len(found) == 24 + 1 + 16


@pytest.mark.rule("PC-7")
@pytest.mark.parametrize(
    ("cells", "code"),
    [
        ("a1 b2", "not-neighbours"),
        ("a1 c1", "not-neighbours"),
        ("d1 a2", "not-neighbours"),
        ("a1 a1", "not-neighbours"),
        ("a1", "not-neighbours"),
        ("a1 b1 c1", "not-neighbours"),
        ("d4 e4", "off-market"),
        ("a0 a1", "off-market"),
    ],
)
def test_other_cells_cannot_be_taken(cells: str, code: str) -> None:
    reason = refusal(table(PLAIN), f"take {cells}")
    assert reason
    assert reason.code == code


@pytest.mark.rule("PC-7")
def test_cells_are_named_in_any_order_and_kept_in_reading_order() -> None:
    assert Take(("a2", "a1")) == Take(("a1", "a2"))
    assert Take(("c3", "b3")).cells == ("b3", "c3")
    match = play(table(PLAIN), "take b1 a1")
    assert match.moves[-1].action.cells == ("a1", "b1")


@pytest.mark.rule("PC-7")
def test_a_turn_takes_two_cards_once() -> None:
    match = play(table(PLAIN), "take a1 b1")
    with pytest.raises(NotDue):
        match.decide(0, action("take c1 d1"))


# Resources and buildings.


@pytest.mark.rule("PC-8")
def test_resources_are_free_and_public() -> None:
    match = play(table(PLAIN, player(), player()), "take a1 b1")
    assert stock(match) == ["energy", "industry"]
    assert match.events == (Took(0, ("a1", "b1"), ("energy", "industry")),)
    assert rules.view(match.state, 1).table.players[0].stock == {"energy": 1, "industry": 1}


A7 = "a7-energy " + PLAIN.split(maxsplit=1)[1]
"""The building at a1 costs two Industry; industry lies at b1, community at a2."""


@pytest.mark.rule("PC-9")
@pytest.mark.parametrize(
    ("market", "cost"), [(A7, "industry"), (A7.replace("a7-energy", "a6-energy"), "community")]
)  # fmt: skip
def test_a_building_is_taken_only_if_the_player_can_pay(market: str, cost: str) -> None:
    pair = "take a1 b1" if cost == "community" else "take a1 a2"
    assert refusal(table(market, player(cost), player()), pair) == Reason("cannot-pay", {"cells": action(pair).cells})  # type: ignore[union-attr]
    assert refusal(table(market, player(f"{cost} {cost}"), player()), pair) is None


@pytest.mark.rule("PC-9")
def test_spent_cards_are_removed_and_the_building_is_in_the_city() -> None:
    match = play(table(A7, player("industry industry energy"), player()), "take a1 a2")
    assert stock(match) == ["community", "energy"]
    assert city(match) == ["a7-energy"]
    assert match.state.players[0].permanents == (0, 0, 0, 1, 0)
    assert match.events[:3] == (
        Took(0, ("a1", "a2"), ("a7-energy", "community")),
        Paid(0, ("industry", "industry")),
        Built(0, "a7-energy"),
    )


@pytest.mark.rule("PC-9")
def test_permanents_pay_and_stay() -> None:
    owner = player("energy", granting(industry=2))
    match = play(table(A7, owner, player()), "take a1 a2")
    assert stock(match) == ["community", "energy"]
    assert match.state.players[0].permanents == (0, 0, 0, 1, 2)
    assert not [event for event in match.events if isinstance(event, Paid)]


@pytest.mark.rule("PC-9")
@pytest.mark.parametrize("order", ["take a1 b1", "take b1 a1"])
def test_a_resource_taken_with_it_may_pay(order: str) -> None:
    match = play(table(A7, player("industry"), player()), order)
    assert stock(match) == []
    assert city(match) == ["a7-energy"]


@pytest.mark.rule("PC-9")
@pytest.mark.rule("PC-12")
def test_an_ingenuity_card_taken_with_it_may_pay() -> None:
    market = A7.replace("industry", "ingenuity", 1)
    assert refusal(table(market, player("industry"), player()), "take a1 b1") is None
    assert refusal(table(market, player(), player()), "take a1 b1") is not None


TWO = """
    a7-energy a8-ecology economy   ecology
    community energy     industry  economy
    ecology   community  energy    industry
    economy   ecology    community energy
"""
"""a1 costs two Industry; b1 costs two Energy and one Community."""


@pytest.mark.rule("PC-10")
def test_two_buildings_are_paid_together() -> None:
    rich = player("industry industry energy energy community")
    match = play(table(TWO, rich, player()), "take a1 b1")
    assert city(match) == ["a7-energy", "a8-ecology"]
    assert stock(match) == []
    poor = player("industry industry energy energy")
    assert refusal(table(TWO, poor, player()), "take a1 b1") == Reason("cannot-pay", {"cells": ("a1", "b1")})


@pytest.mark.rule("PC-10")
def test_each_permanent_and_each_card_counts_once() -> None:
    twins = TWO.replace("a8-ecology", "a6-economy")  # b1 costs two Ecology
    twins = twins.replace("a7-energy", "a7-industry")  # a1 costs two Ecology
    assert refusal(table(twins, player("ecology ecology"), player()), "take a1 b1") is not None
    once = player("ecology ecology", granting(ecology=1))
    assert refusal(table(twins, once, player()), "take a1 b1") is not None
    twice = player("ecology ecology", granting(ecology=2))
    assert play(table(twins, twice, player()), "take a1 b1").state.players[0].stock == player().stock


@pytest.mark.rule("PC-10")
def test_new_permanents_do_not_pay_in_the_same_turn() -> None:
    # a7-energy grants the Energy that a8-ecology costs.
    almost = player("industry industry energy community")
    assert refusal(table(TWO, almost, player()), "take a1 b1") is not None
    later = play(table(TWO, almost, player()), "take a1 a2")
    assert later.state.players[0].permanents == (0, 0, 0, 1, 0)


# The deck.


@pytest.mark.rule("PC-13")
def test_cards_drawn_are_resources_and_the_market_stays() -> None:
    match = table(PLAIN, player(), player(), top="economy", left=(3, 24, 18))
    before = match.state.market
    match = play(match, "draw")
    assert match.events == (Drew(0, "economy"),)
    match = play(match, "face ecology")
    assert match.due == {CHANCE}
    match = play(match, "face industry")
    assert stock(match) == ["ecology", "economy"]
    assert match.state.market == before
    assert match.events[1:] == (Drew(0, "ecology"), TopShown("industry"))
    assert match.due == {1}


@pytest.mark.rule("PC-13")
def test_the_last_two_cards_are_drawn_and_there_is_no_new_top() -> None:
    match = table(PLAIN, top="3:energy-2", left=(0, 0, 1))
    match = play(match, "draw", "face economy-2")
    assert match.due == {1}
    assert match.state.deck.top is None
    assert cards_left(match) == 0
    assert refusal(match, "draw") == Reason("deck-empty")


# Civic buildings.

CIVIC = """
    a11-energy a12-ecology economy   ecology
    community  energy      industry  economy
    ecology    community   energy    industry
    economy    ecology     community energy
"""
"""a1 costs three Community, b1 three Industry."""


@pytest.mark.rule("PC-14")
def test_a_civic_building_gives_a_token_before_the_refill() -> None:
    match = play(table(CIVIC, player("community community"), player()), "take a1 a2")
    assert match.due == {0}
    assert choices(match) == {PickToken("flat-5"), PickToken("flat-7"), PickToken("missing")}
    assert refusal(match, "token economy") == Reason("no-token", {"token": "economy"})
    match = play(match, "token flat-7")
    assert match.due == {CHANCE}
    assert [token.name for token in match.state.tokens] == ["flat-5", "missing"]
    assert match.events[-2:] == (TokenTaken(0, "flat-7"), Dealt("a1", "energy"))
    assert match.result.scores[0] == 7
    assert match.state.players[0].permanents == (0,) * 5


@pytest.mark.rule("PC-14")
def test_two_civic_buildings_give_two_tokens() -> None:
    rich = player("community community community industry industry industry")
    match = play(table(CIVIC, rich, player()), "take a1 b1", "token flat-7")
    assert choices(match) == {PickToken("flat-5"), PickToken("missing")}
    match = play(match, "token flat-5")
    assert match.due == {CHANCE}
    assert match.result.scores[0] == 12


@pytest.mark.rule("PC-14")
def test_civic_buildings_give_no_token_when_none_is_left() -> None:
    rich = player("community community community industry industry industry")
    match = play(table(CIVIC, rich, player(), tokens="missing"), "take a1 b1")
    assert choices(match) == {PickToken("missing")}
    match = play(match, "token missing")
    assert match.due == {CHANCE}
    match = play(table(CIVIC, player("community community"), player(), tokens=""), "take a1 a2")
    assert city(match) == ["a11-energy"]
    assert match.due == {CHANCE}


# The refill.


@pytest.mark.rule("PC-15")
def test_a_space_is_refilled_with_the_opposite_side() -> None:
    match = play(table(A7, player("industry industry"), player(), top="economy"), "take a1 a2")
    # a1 showed a building: the economy is dealt with its resource face up, and a new top is shown.
    assert shows(match, "a1") == "economy"
    assert match.events[-1] == Dealt("a1", "economy")
    match = play(match, "face ecology")
    # a2 showed a resource: the ecology comes with its building, then the next top.
    assert match.state.phase == "refill"
    match = play(match, "building a2 a9-ecology", "face energy")
    assert shows(match, "a2") == "a9-ecology"
    assert match.state.deck.top
    assert match.state.deck.top.face == "energy"
    assert match.due == {1}


@pytest.mark.rule("PC-15")
def test_spaces_are_filled_in_reading_order() -> None:
    match = play(table(PLAIN, top="economy"), "take b2 c2")
    odds = chance_odds(match)
    assert {luck.at for luck, _ in odds if isinstance(luck, ShowBuilding)} == {"b2"}
    match = play(match, "building b2 a1-economy", "face energy")
    assert {luck.at for luck, _ in chance_odds(match) if isinstance(luck, ShowBuilding)} == {"c2"}
    upright = play(table(PLAIN, top="economy"), "take c3 c4", "building c3 a1-economy")
    assert shows(upright, "c3") == "a1-economy"


@pytest.mark.rule("PC-15")
def test_a_card_turned_in_the_same_turn_counts_as_a_building() -> None:
    match = table(PLAIN, player("industry industry"), player(), top="economy")
    match = play(match, "flip a1", "building a1 a7-energy", "take a1 a2")
    assert shows(match, "a1") == "economy"
    match = play(match, "face ecology")
    assert match.state.phase == "refill"


@pytest.mark.rule("PC-15")
@pytest.mark.rule("PC-13")
def test_the_next_tier_follows_when_one_is_used_up() -> None:
    match = play(table(PLAIN, top="economy", left=(0, 4, 18)), "take a1 b1", "building a1 a1-economy")
    faces = {luck.face for luck, _ in chance_odds(match) if isinstance(luck, ShowFace)}
    assert faces == {"community-2", "ecology-2", "economy-2", "energy-2", "industry-2", "ingenuity"}


def test_the_cells_of_the_market() -> None:
    assert MARKET.names[:5] == ("a1", "b1", "c1", "d1", "a2")
    assert Pay(("b", "a")) == Pay(("a", "b"))
