"""MC-22 to MC-29: the eternal game."""

import pytest

from polyopolis.engine import CHANCE, Match, Reason
from polyopolis.games.mycity import rules
from polyopolis.games.mycity.actions import Ended, Forbidden, Pass, RaceWon, Reveal, Revealed, Stop
from polyopolis.games.mycity.content import COLOURS
from tests.games.mycity.positions import (
    ETERNAL,
    begin,
    city,
    field,
    finished_match,
    play,
    points,
    refusal,
    reveal,
    table,
    unbuilt_city,
)


@pytest.mark.rule("MC-22")
def test_there_are_27_buildings_and_28_cards() -> None:
    deck = [card.name for card in begin(mode="eternal").state.deck]
    kinds = [ETERNAL.cards[card].kind for card in deck]
    assert len(set(deck)) == 28
    assert {kind: kinds.count(kind) for kind in kinds} == {"yellow": 8, "red": 8, "blue": 8, "church": 3, "block": 1}
    assert sum(ETERNAL.cards[card].shape is not None for card in deck) == 27


@pytest.mark.rule("MC-22")
def test_the_base_rules_apply() -> None:
    match = begin(mode="eternal")
    assert [built.marker for built in match.state.cities] == [10, 10]
    match = reveal(match, "blue-i2")
    assert refusal(match, "h4 h5") == Reason("not-at-river")
    assert refusal(match, "e1 f1") == Reason("both-banks")
    assert match.decide(0, Pass()).decide(1, Stop()).state.cities[0].marker == 9


@pytest.mark.rule("MC-22")
def test_there_is_no_stop_at_50() -> None:
    grove = field("\n".join(["2 2 2 2 2|2 2 2"] * 4))
    match = finished_match(grove, unbuilt_city(grove), unbuilt_city(grove))
    assert match.result.scores == (10 + 64, 10 + 64)
    assert points(match, "limit") is None


PARK = """
    . . . .|. .
    . . . .|. .
    . . . .|. .
    . . . .|. .
"""
park = field(PARK)


@pytest.mark.rule("MC-23")
def test_the_largest_group_of_a_colour_counts_its_buildings() -> None:
    # A, B and E are red and connected: three buildings, regardless of their cells.
    built = city(
        park,
        """
        . A A .|. .
        E B B B|C C
        E E . B|. .
        . . D D|. .
        """,
        A="red-i2",
        B="red-j4",
        C="yellow-i2",
        D="blue-i2",
        E="red-l3",
    )
    match = finished_match(park, built, unbuilt_city(park))
    assert points(match, "group-red") == (3, 3)
    assert points(match, "group-yellow") == (1, 1)
    assert points(match, "group-blue") == (1, 1)
    assert points(match, "group-red", seat=1) == (0, 0)


@pytest.mark.rule("MC-23")
def test_buildings_that_face_each_other_across_the_river_are_a_group() -> None:
    built = city(
        park,
        """
        . . . .|. .
        . . A A|B B
        . . . .|. B
        . . . .|. .
        """,
        A="red-i2",
        B="red-l3",
    )
    assert points(finished_match(park, built, built), "group-red") == (2, 2)


@pytest.mark.rule("MC-23")
def test_a_corner_makes_no_group_and_only_the_largest_group_counts() -> None:
    # A and B are a group; D has but a corner in common with B. C is red.
    built = city(
        park,
        """
        A A . .|. .
        B B . .|. .
        B C C .|. .
        . D D .|. .
        """,
        A="yellow-i2",
        B="yellow-l3",
        C="red-i2",
        D="yellow-i2",
    )
    assert points(finished_match(park, built, built), "group-yellow") == (2, 2)


@pytest.mark.rule("MC-23")
def test_groups_grow_together_when_a_building_joins_them() -> None:
    # A and B lie apart; C, built last, touches both.
    built = city(
        park,
        """
        A A . .|. .
        . C C C|B B
        . . . C|. B
        . . . .|. .
        """,
        A="blue-i2",
        B="blue-l3",
        C="blue-j4",
    )
    assert points(finished_match(park, built, built), "group-blue") == (3, 3)


@pytest.mark.rule("MC-23")
def test_churches_have_no_colour_and_join_no_group() -> None:
    # A and B are red and touch the church C, not each other.
    built = city(
        park,
        """
        A A . .|. .
        C C C .|. .
        . C B .|. .
        . B B .|. .
        """,
        A="red-i2",
        C="church-t4",
        B="red-l3",
    )
    match = finished_match(park, built, built)
    assert [points(match, f"group-{colour}") for colour in COLOURS] == [(0, 0), (1, 1), (0, 0)]


@pytest.mark.rule("MC-24")
def test_a_church_that_all_three_colours_touch_is_worth_3() -> None:
    built = city(
        park,
        """
        A A B B|. .
        C C C D|. .
        . C . D|. .
        . . . .|. .
        """,
        A="yellow-i2",
        B="red-i2",
        C="church-t4",
        D="blue-i2",
    )
    assert points(finished_match(park, built, built), "churches") == (1, 3)


@pytest.mark.rule("MC-24")
def test_a_corner_does_not_touch_a_church() -> None:
    # D only has a corner at the church.
    built = city(
        park,
        """
        A A B B|. .
        C C C .|. .
        . C . D|. .
        . . . D|. .
        """,
        A="yellow-i2",
        B="red-i2",
        C="church-t4",
        D="blue-i2",
    )
    assert points(finished_match(park, built, built), "churches") == (0, 0)


@pytest.mark.rule("MC-24")
def test_a_church_is_touched_across_the_river_too() -> None:
    built = city(
        park,
        """
        . A A .|. .
        . C C C|D .
        . B C .|D .
        . B . .|. .
        """,
        A="yellow-i2",
        C="church-t4",
        B="red-i2",
        D="blue-i2",
    )
    assert points(finished_match(park, built, built), "churches") == (1, 3)


@pytest.mark.rule("MC-24")
def test_two_colours_and_another_church_are_not_three_colours() -> None:
    built = city(
        park,
        """
        A A B B|. .
        C C C E|. .
        . C E E|. .
        . . E .|. .
        """,
        A="yellow-i2",
        B="red-i2",
        C="church-t4",
        E="church-z4",
    )
    assert points(finished_match(park, built, built), "churches") == (0, 0)


@pytest.mark.rule("MC-25")
@pytest.mark.parametrize("church", ["church-t4", "church-z4", "church-l4"])
def test_a_church_must_be_built_or_the_player_stops(church: str) -> None:
    match = reveal(begin(mode="eternal"), church)
    assert refusal(match, "pass") == Reason("must-build", {"card": church})
    choices = rules.legal(match.state, 0)
    assert Pass() not in choices
    assert Stop() in choices


@pytest.mark.rule("MC-25")
def test_a_player_who_cannot_build_a_church_can_only_stop() -> None:
    lane = field(". .|. .\n. .|. .")
    match = table(lane, unbuilt_city(lane), unbuilt_city(lane), card="church-t4")
    assert rules.legal(match.state, 0) == [Stop()]


def blocked(card: str) -> Match:
    """Returns an eternal game in which this card follows the blocking card."""
    match = play(begin(mode="eternal"), "red-i2", "e1 e2", "pass")
    return reveal(reveal(match, "block"), card)


@pytest.mark.rule("MC-26")
@pytest.mark.parametrize("card", ["yellow-u5", "church-z4"])
def test_the_card_after_the_blocking_card_is_not_built_and_costs_nothing(card: str) -> None:
    match = blocked(card)
    assert match.events[-2:] == (Revealed("block"), Forbidden(card))
    assert match.due == {CHANCE}
    assert [(built.marker, len(built.buildings)) for built in match.state.cities] == [(10, 1), (9, 0)]
    assert match.why_not(CHANCE, Reveal(card)) == Reason("impossible-luck")


@pytest.mark.rule("MC-26")
def test_the_next_card_is_drawn_at_once() -> None:
    match = reveal(begin(mode="eternal"), "block")
    assert match.due == {CHANCE}
    assert match.state.card is None


@pytest.mark.rule("MC-26")
def test_the_card_after_the_blocked_one_is_built() -> None:
    match = reveal(blocked("church-z4"), "church-t4")
    assert match.due == {0, 1}
    assert match.events[-1] == Revealed("church-t4")


@pytest.mark.rule("MC-26")
def test_the_game_ends_with_the_blocking_card_when_it_is_the_last() -> None:
    match = table(park, unbuilt_city(park), unbuilt_city(park), deck=["red-i2", "block"])
    match = reveal(play(match, "red-i2", "pass", "pass"), "block")
    assert match.over
    assert match.events[-2:] == (Revealed("block"), Ended())


@pytest.mark.rule("MC-26")
def test_the_game_ends_with_the_blocked_card_when_it_is_the_last() -> None:
    match = table(park, unbuilt_city(park), unbuilt_city(park), deck=["red-i2", "block"])
    match = reveal(reveal(match, "block"), "red-i2")
    assert match.over
    assert match.events[-2:] == (Forbidden("red-i2"), Ended())


SQUARE = """
    . . . . .|.
    . . . . .|.
    . . W . .|.
    . . . . .|.
    . . . . .|.
"""
square = field(SQUARE)
AROUND = """
    . . . . .|.
    . D A A .|.
    D D W B B|.
    . D C C .|.
    . . . . .|.
"""


@pytest.mark.rule("MC-27")
@pytest.mark.parametrize("west", ["yellow-t4", "church-t4"])
def test_a_well_with_a_different_building_on_each_side_is_worth_4(west: str) -> None:
    built = city(square, AROUND, A="yellow-i2", B="red-i2", C="blue-i2", D=west)
    match = finished_match(square, built, unbuilt_city(square))
    assert points(match, "wells") == (1, 4)
    assert points(match, "wells", seat=1) == (0, 0)


@pytest.mark.rule("MC-27")
def test_a_building_on_two_sides_of_a_well_counts_once() -> None:
    # Every side is built on, but A lies on two of them.
    built = city(
        square,
        """
        . . . . .|.
        . A A . .|.
        . A W B B|.
        . . C C .|.
        . . . . .|.
        """,
        A="yellow-l3",
        B="red-i2",
        C="blue-i2",
    )
    assert points(finished_match(square, built, built), "wells") == (0, 0)


@pytest.mark.rule("MC-27")
def test_three_sides_and_a_corner_are_not_enough_for_a_well() -> None:
    built = city(
        square,
        """
        . . . . .|.
        . D A A .|.
        D D W B B|.
        . D . C C|.
        . . . . .|.
        """,
        A="yellow-i2",
        B="red-i2",
        C="blue-i2",
        D="yellow-t4",
    )
    assert points(finished_match(square, built, built), "wells") == (0, 0)


@pytest.mark.rule("MC-27")
def test_a_well_may_be_built_over_and_is_worth_nothing_then() -> None:
    # Four buildings around it, one of them over it.
    built = city(
        square,
        """
        . . . . .|.
        . D A A .|.
        D D E E .|.
        . D C C .|.
        . . . . .|.
        """,
        E="red-i2",
        A="yellow-i2",
        C="blue-i2",
        D="yellow-t4",
    )
    assert points(finished_match(square, built, built), "wells") == (0, 0)


CREEK = """
    g . g|. .
    . . .|. .
"""
creek = field(CREEK)


def prospectors(seats: int = 3) -> Match:
    """Returns a match in which all players have built over the vein at c1, and still need a building on a1."""
    near = city(
        creek,
        """
        g A A|. .
        . . .|. .
        """,
        A="yellow-i2",
    )
    return table(creek, *[near] * seats, deck=["red-i2", "blue-i2", "blue-l3"])


@pytest.mark.rule("MC-28")
def test_the_first_to_have_built_over_both_veins_gets_3_points_at_once() -> None:
    match = play(prospectors(), "red-i2", "d1 d2", "a1 a2", "d1 e1")
    assert [built.marker for built in match.state.cities] == [10, 13, 10]
    assert match.events[-1] == RaceWon(1, "gold", 3)
    assert points(match, "gold", seat=1) == (1, 3)
    assert points(match, "gold", seat=0) is None


@pytest.mark.rule("MC-28")
def test_one_vein_is_not_enough() -> None:
    match = play(prospectors(), "red-i2", "b2 a2", "d1 d2", "pass")
    assert [built.marker for built in match.state.cities] == [10, 10, 9]
    assert len(match.state.open_races) == 1


@pytest.mark.rule("MC-28")
def test_all_players_who_finish_in_the_same_round_get_the_points() -> None:
    match = play(prospectors(), "red-i2", "a1 a2", "d1 d2", "a1 a2")
    assert [built.marker for built in match.state.cities] == [13, 10, 13]
    assert match.events[-2:] == (RaceWon(0, "gold", 3), RaceWon(2, "gold", 3))


@pytest.mark.rule("MC-28")
def test_later_players_and_the_winner_get_no_further_points() -> None:
    match = play(prospectors(), "red-i2", "d1 d2", "a1 a2", "pass")
    match = play(match, "blue-i2", "a1 a2", "pass", "a1 a2")
    assert [built.marker for built in match.state.cities] == [10, 12, 9]
    assert points(match, "gold", seat=0) is None
    assert points(match, "gold", seat=1) == (1, 3)


@pytest.mark.rule("MC-28")
def test_a_stopped_player_with_both_veins_gets_no_further_points() -> None:
    match = play(prospectors(2), "red-i2", "a1 a2", "pass")
    match = play(play(match, "blue-i2", "stop", "pass"), "blue-l3", "stop")
    assert [built.marker for built in match.state.cities] == [13, 8]
    assert sum(isinstance(event, RaceWon) for event in match.events) == 1


@pytest.mark.rule("MC-29")
def test_the_order_of_counting() -> None:
    lines = [line.line for line in begin(mode="eternal").result.sheets[0]]
    groups = [f"group-{colour}" for colour in COLOURS]
    assert lines == ["start", "passes", "trees", "rocks", *groups, "churches", "wells", "empty"]


@pytest.mark.rule("MC-29")
def test_the_gold_line_comes_before_the_lines_counted_at_the_end() -> None:
    match = play(prospectors(), "red-i2", "a1 a2", "pass", "pass")
    assert [line.line for line in match.result.sheets[0]][:4] == ["start", "passes", "gold", "trees"]


@pytest.mark.rule("MC-29")
def test_the_highest_score_wins_and_a_tie_is_broken_by_the_rows() -> None:
    upper = city(park, PARK.replace(". . . .|. .", ". . . A|. .", 2), A="red-i2")
    lower = city(park, PARK[::-1].replace(". .|. . . .", ". .|A . . .", 2)[::-1], A="red-i2")
    match = finished_match(park, lower, unbuilt_city(park), upper)
    assert match.result.scores == (10 + 1 - 22, 10 - 24, 10 + 1 - 22)
    assert match.result.ranks == (2, 3, 1)
