"""MC-5 to MC-13: a round, placements, passing and stopping."""

from collections import Counter

import pytest

from polyopolis.engine import CHANCE, NotDue, NothingStaged, Reason
from polyopolis.games.mycity import rules
from polyopolis.games.mycity.actions import Built, Ended, Pass, Passed, Place, Reveal, Revealed, Stop, Stopped
from tests.games.mycity.positions import (
    EPISODE_1,
    action,
    begin,
    city,
    field,
    play,
    refusal,
    reveal,
    table,
    unbuilt_city,
    with_passes,
)


@pytest.mark.rule("MC-5")
@pytest.mark.parametrize("seats", [2, 3, 4])
def test_players_start_with_10_points_and_no_buildings(seats: int) -> None:
    cities = begin(seats).state.cities
    assert [(city.marker, city.buildings, city.passes) for city in cities] == [(10, (), 0)] * seats


@pytest.mark.rule("MC-5")
def test_the_deck_is_shuffled_every_card_left_is_as_likely_as_the_others() -> None:
    match = begin()
    assert match.due == {CHANCE}
    assert rules.odds(match.state) == [(Reveal(card), 1) for card in EPISODE_1.cards]
    match = play(match, "red-o4", "pass", "pass")
    assert rules.odds(match.state) == [(Reveal(card), 1) for card in EPISODE_1.cards if card != "red-o4"]


@pytest.mark.rule("MC-5")
def test_all_players_build_the_same_building_on_their_own_boards() -> None:
    match = reveal(begin(3), "blue-i2")
    assert match.due == {0, 1, 2}
    match = match.decide(2, action("e1 e2")).decide(0, action("e1 e2")).decide(1, action("f1 f2"))
    built = [[(building.card.name, building.at.cells) for building in each.buildings] for each in match.state.cities]
    assert built == [[("blue-i2", ("e1", "e2"))], [("blue-i2", ("f1", "f2"))], [("blue-i2", ("e1", "e2"))]]
    assert match.events == (
        Revealed("blue-i2"),
        Built(0, "blue-i2", ("e1", "e2")),
        Built(1, "blue-i2", ("f1", "f2")),
        Built(2, "blue-i2", ("e1", "e2")),
    )


@pytest.mark.rule("MC-5")
def test_the_next_card_comes_when_all_have_decided() -> None:
    match = reveal(begin(), "blue-i2").decide(1, Pass())
    with pytest.raises(NotDue):
        reveal(match, "red-i2")
    assert reveal(match.decide(0, Pass()), "red-i2").state.card.name == "red-i2"


@pytest.mark.rule("MC-5")
def test_a_card_comes_once() -> None:
    match = play(begin(), "blue-i2", "pass", "pass")
    assert match.why_not(CHANCE, Reveal("blue-i2")) == Reason("impossible-luck")


WILD = """
    2 r|g W
    ^ .|. #
"""


@pytest.mark.rule("MC-6")
def test_meadow_is_built_on_with_trees_rocks_gold_or_a_well_on_it() -> None:
    wild = field(WILD)
    match = table(wild, unbuilt_city(wild), unbuilt_city(wild), card="yellow-i2")
    for cells in ("a1 b1", "c1 d1", "b1 b2", "c1 c2"):
        assert refusal(match, cells) is None


@pytest.mark.rule("MC-6")
def test_mountain_and_forest_are_never_built_on() -> None:
    wild = field(WILD)
    match = table(wild, unbuilt_city(wild), unbuilt_city(wild), card="yellow-i2")
    assert refusal(match, "a2 b2") == Reason("not-meadow", {"cells": ("a2",)})
    assert refusal(match, "c2 d2") == Reason("not-meadow", {"cells": ("d2",)})


@pytest.mark.rule("MC-6")
def test_buildings_are_not_built_over() -> None:
    match = reveal(play(begin(), "blue-i2", "e1 e2", "f1 f2"), "red-i2")
    assert refusal(match, "d2 e2") == Reason("built-over", {"cells": ("e2",)})
    assert refusal(match, "d2 e2", seat=1) is None  # on the other board e2 is free, and f2 faces it


@pytest.mark.rule("MC-6")
@pytest.mark.parametrize("cells", ["k12 k11", "a0 a1", "l1 k1", "x9 y9", "1a 2a"])
def test_cells_outside_the_board_are_refused(cells: str) -> None:
    reason = refusal(reveal(begin(), "blue-i2"), cells)
    assert reason is not None
    assert reason.code == "off-board"


@pytest.mark.rule("MC-7")
@pytest.mark.parametrize("cells", ["e1 f1", "e2 e3", "d4 e4", "d5 d6", "c10 c11", "b11 c11"])
def test_a_building_may_not_lie_on_both_banks(cells: str) -> None:
    assert refusal(reveal(begin(), "blue-i2"), cells) == Reason("both-banks")


@pytest.mark.rule("MC-7")
@pytest.mark.parametrize("cells", ["e1 e2", "f1 f2", "d6 e6", "d7 e7", "a11 b11", "c11 d11"])
def test_a_building_may_lie_along_the_river(cells: str) -> None:
    assert refusal(reveal(begin(), "blue-i2"), cells) is None


@pytest.mark.rule("MC-7")
def test_no_choice_that_is_offered_crosses_the_river() -> None:
    left = set(EPISODE_1.site.grid.cells(EPISODE_1.site.board.banks[0]))
    for card in EPISODE_1.cards:
        for choice in rules.legal(reveal(begin(), card).state, 0):
            if isinstance(choice, Place):
                assert set(choice.cells) <= left or not set(choice.cells) & left


@pytest.mark.rule("MC-8")
@pytest.mark.parametrize("cells", ["d1 e1", "f1 g1", "c3 d3", "e3 f3", "d5 c5", "e6 f6"])
def test_the_first_building_has_a_side_along_the_river(cells: str) -> None:
    assert refusal(reveal(begin(), "blue-i2"), cells) is None


@pytest.mark.rule("MC-8")
@pytest.mark.parametrize("cells", ["c2 d2", "f3 g3"])
def test_a_corner_at_the_river_is_not_enough_for_the_first_building(cells: str) -> None:
    #     c d e f g
    # 2   X X .|. .      The bend at the lower right corner of d2 and
    #         +-+        the one at the upper left corner of f3.
    # 3   . .|. X X
    assert refusal(reveal(begin(), "blue-i2"), cells) == Reason("not-at-river")


@pytest.mark.rule("MC-8")
def test_the_first_building_away_from_the_river_is_refused() -> None:
    assert refusal(reveal(begin(), "blue-i2"), "h5 h6") == Reason("not-at-river")


@pytest.mark.rule("MC-8")
def test_the_first_building_starts_at_the_river_after_a_pass() -> None:
    match = reveal(play(begin(), "blue-i2", "pass", "e1 e2"), "red-i2")
    assert refusal(match, "h5 h6") == Reason("not-at-river")
    assert refusal(match, "e1 e2") is None


STREAM = """
    . . .|. . .
    . . .|. . .
    . . .|. . .
"""
AT_THE_STREAM = """
    . . .|. . .
    . A A|. . .
    . . .|. . .
"""


@pytest.mark.rule("MC-9")
@pytest.mark.parametrize(
    ("cells", "reason"),
    [
        ("c1 b1", None),
        ("a2 a3", None),
        ("d2 e2", None),  # it faces c2 across the river
        ("d2 d3", None),
        ("d1 e1", Reason("not-touching")),  # a corner, and a side along the river
        ("d3 e3", Reason("not-touching")),
        ("a1 a2", None),
        ("e1 e2", Reason("not-touching")),
        ("f1 f2", Reason("not-touching")),
    ],
)
def test_a_later_building_has_a_side_at_another_also_across_the_river(cells: str, reason: Reason | None) -> None:
    stream = field(STREAM)
    built = city(stream, AT_THE_STREAM, A="yellow-i2")
    assert refusal(table(stream, built, built, card="red-i2"), cells) == reason


@pytest.mark.rule("MC-9")
def test_a_later_building_may_touch_any_earlier_one() -> None:
    stream = field(STREAM)
    built = city(
        stream,
        """
        . . .|. . .
        . A A|B B .
        . . .|. . .
        """,
        A="yellow-i2",
        B="red-i2",
    )
    match = table(stream, built, built, card="blue-i2")
    assert {"b1 c1", "d1 e1", "f1 f2", "a2 a3"} <= {
        " ".join(choice.cells) for choice in rules.legal(match.state, 0) if isinstance(choice, Place)
    }


@pytest.mark.rule("MC-10")
def test_players_may_change_their_decisions_until_all_have_decided() -> None:
    match = reveal(begin(), "blue-i2").decide(0, action("e1 e2")).decide(0, action("f1 f2"))
    match = match.retract(0).decide(1, action("stop")).decide(0, action("f1 g1"))
    assert match.state.cities[0].buildings[0].at.cells == ("f1", "g1")


@pytest.mark.rule("MC-10")
def test_buildings_are_final_when_the_round_ends() -> None:
    match = play(begin(), "blue-i2", "e1 e2", "f1 f2")
    with pytest.raises(NothingStaged):
        match.retract(0)
    with pytest.raises(NotDue):
        match.decide(0, action("f1 g1"))
    later = play(match, "red-i2", "d1 d2", "f3 f4")
    assert later.state.cities[0].buildings[0] == match.state.cities[0].buildings[0]


@pytest.mark.rule("MC-11")
def test_a_pass_costs_one_point() -> None:
    match = play(begin(), "blue-i2", "pass", "e1 e2")
    assert [city.marker for city in match.state.cities] == [9, 10]
    assert match.events[1] == Passed(0, 9)
    assert not match.state.cities[0].buildings


@pytest.mark.rule("MC-11")
def test_with_the_marker_at_0_players_build_or_stop() -> None:
    match = play(begin(), "yellow-i4", "pass", "stop")
    others = [card for card in EPISODE_1.cards if card != "yellow-i4"]
    for card in others[:9]:
        match = play(match, card, "pass")
    assert match.state.cities[0].marker == 0
    match = reveal(match, "blue-i2")
    assert refusal(match, "pass") == Reason("marker-at-zero")
    kinds = Counter(type(choice) for choice in rules.legal(match.state, 0))
    assert (kinds[Pass], kinds[Stop]) == (0, 1)
    assert kinds[Place] > 1


@pytest.mark.rule("MC-11")
def test_the_last_point_can_be_passed_away() -> None:
    stream = field(STREAM)
    nearly = with_passes(unbuilt_city(stream), 9)
    match = table(stream, nearly, nearly, card="red-i2")
    assert refusal(match, "pass") is None
    assert Pass() in rules.legal(match.state, 0)


@pytest.mark.rule("MC-12")
def test_stopping_costs_nothing_and_ends_all_decisions() -> None:
    match = play(begin(3), "blue-i2", "e1 e2", "stop", "e1 e2")
    assert [city.marker for city in match.state.cities] == [10, 10, 10]
    assert match.events[2] == Stopped(1)
    match = reveal(match, "red-i2")
    assert match.due == {0, 2}
    assert match.why_not(1, Stop()) == Reason("not-due", {"due": ("seat 0", "seat 2")})


@pytest.mark.rule("MC-12")
def test_players_stop_only_after_a_card_is_revealed() -> None:
    assert begin().why_not(0, Stop()) == Reason("not-due", {"due": ("chance",)})
    assert reveal(begin(), "blue-i2").why_not(0, Stop()) is None


@pytest.mark.rule("MC-12")
def test_the_city_of_a_stopped_player_is_scored() -> None:
    match = play(begin(), "blue-i2", "e1 e2", "e1 e2")
    stopped = play(match, "red-i2", "stop", "pass")
    assert stopped.result.scores[0] == match.result.scores[0]
    assert stopped.result.scores[1] == match.result.scores[1] - 1


@pytest.mark.rule("MC-13")
def test_the_episode_ends_when_all_have_stopped() -> None:
    match = play(begin(), "blue-i2", "stop", "pass")
    assert not match.over
    match = play(match, "red-i2", "stop")
    assert match.over
    assert match.events[-2:] == (Stopped(1), Ended())


@pytest.mark.rule("MC-13")
def test_the_episode_ends_when_all_cards_were_revealed() -> None:
    stream = field(STREAM, EPISODE_1)
    match = table(stream, unbuilt_city(stream), unbuilt_city(stream), deck=["red-i2", "blue-i2"])
    match = play(match, "red-i2", "c1 c2", "pass")
    assert not match.over
    match = play(match, "blue-i2", "b1 b2", "d1 d2")
    assert match.over
    assert match.events[-1] == Ended()


@pytest.mark.rule("MC-13")
def test_a_whole_episode_has_24_rounds() -> None:
    match = begin()
    for card in EPISODE_1.cards:
        assert not match.over
        match = reveal(match, card)
        for seat in (0, 1):
            match = match.decide(seat, rules.legal(match.state, seat)[0])
            if Stop() in match.staged.values():
                match = match.decide(seat, Pass())
    assert match.over
    assert len(match.moves) == 24 * 3
