"""RW-5 to RW-13: placements, passing, stopping, simultaneous decisions."""

from collections import Counter

import pytest

from polyopolis.engine import CHANCE, NotDue, NothingStaged, Reason
from polyopolis.games.rollwrite import rules
from polyopolis.games.rollwrite.actions import Built, Ended, Pass, Passed, Place, Roll, Stop, Stopped
from tests.games.rollwrite.positions import (
    EPISODES,
    action,
    begin,
    city,
    faces,
    field,
    offered_places,
    play,
    refusal,
    roll,
    table,
    unbuilt_city,
    with_circles,
)

WILD = """
    2 r|. W
    ^ .|. #
"""


@pytest.mark.rule("RW-5")
def test_empty_cells_trees_rocks_and_wells_are_built_on() -> None:
    wild = field(WILD)
    match = roll(table(wild, unbuilt_city(wild)), "i2")
    assert offered_places(match) == {"a1 b1", "b1 b2", "c1 d1", "c1 c2"}


@pytest.mark.rule("RW-5")
@pytest.mark.parametrize(("drawing", "number"), [("h .|. h", 7), ("g .|. g", 9)])
def test_high_plains_and_gold_are_built_on(drawing: str, number: int) -> None:
    land = field(f"{drawing}\n. .|s s", number)
    match = roll(table(land, unbuilt_city(land)), "i2")
    assert refusal(match, "c1 d1") is None


@pytest.mark.rule("RW-5")
def test_mountain_and_forest_are_never_built_on() -> None:
    wild = field(WILD)
    match = roll(table(wild, unbuilt_city(wild)), "i2")
    assert refusal(match, "a2 b2") == Reason("not-meadow", {"cells": ("a2",)})
    assert refusal(match, "c2 d2") == Reason("not-meadow", {"cells": ("d2",)})


@pytest.mark.rule("RW-5")
def test_buildings_are_not_built_over() -> None:
    match = roll(play(begin(), "i2", "e1 d1", "f1 f2"), "i2")
    assert refusal(match, "c1 d1") == Reason("built-over", {"cells": ("d1",)})
    assert refusal(match, "d1 e1", seat=1) is None  # on the other sheet both are free, and f1 faces e1


@pytest.mark.rule("RW-5")
def test_printed_buildings_are_not_built_over() -> None:
    match = roll(begin(7), "i2")
    assert refusal(match, "h8 h7") == Reason("built-over", {"cells": ("h8",)})
    assert refusal(roll(begin(12), "i2"), "d3 c3") == Reason("built-over", {"cells": ("d3",)})


@pytest.mark.rule("RW-5")
def test_bandits_are_not_built_over() -> None:
    match = roll(begin(11, bandits=(("f1",), ())), "i2")
    assert refusal(match, "e2 e3") == Reason("bandit", {"cells": ("e2",)})
    assert refusal(match, "f1 g1") == Reason("bandit", {"cells": ("f1",)})
    assert refusal(match, "f1 g1", seat=1) == Reason("not-touching")


@pytest.mark.rule("RW-5")
@pytest.mark.parametrize("cells", ["k9 k8", "a0 a1", "l1 k1", "x9 y9", "1a 2a"])
def test_cells_outside_the_sheet_are_refused(cells: str) -> None:
    reason = refusal(roll(begin(), "i2"), cells)
    assert reason is not None
    assert reason.code == "off-board"


@pytest.mark.rule("RW-6")
@pytest.mark.parametrize("cells", ["e1 f1", "e1 e2", "d2 e2", "d3 d4", "c4 d4", "d4 d5", "e5 f5", "c8 d8"])
def test_a_building_may_not_lie_on_both_banks(cells: str) -> None:
    assert refusal(roll(begin(), "i2"), cells) == Reason("both-banks")


@pytest.mark.rule("RW-6")
@pytest.mark.parametrize("cells", ["d1 e1", "f1 f2", "d4 e4", "d5 e5", "b8 c8", "d8 e8"])
def test_a_building_may_lie_along_the_river(cells: str) -> None:
    assert refusal(roll(begin(), "i2"), cells) is None


@pytest.mark.rule("RW-6")
@pytest.mark.parametrize("number", EPISODES)
def test_every_river_runs_from_border_to_border(number: int) -> None:
    board = EPISODES[number].board
    assert len(board.banks) == 2
    for end in (board.river[0], board.river[-1]):
        assert end[0] in (0, 11) or end[1] in (0, 8)


@pytest.mark.rule("RW-7")
@pytest.mark.parametrize("cells", ["d1 e1", "f1 g1", "e2 f2", "c4 c5", "f5 g5", "d8 e8"])
def test_the_first_building_has_a_side_along_the_river(cells: str) -> None:
    assert refusal(roll(begin(), "i2"), cells) is None


@pytest.mark.rule("RW-7")
@pytest.mark.parametrize("cells", ["f3 g3", "h5 h6", "a8 b8"])
def test_the_first_building_away_from_the_river_is_refused(cells: str) -> None:
    assert refusal(roll(begin(), "i2"), cells) == Reason("not-at-river")


STREAM = """
    . . .|. . .
    . . .|. . .
    . . .|. . .
"""


@pytest.mark.rule("RW-7")
def test_a_corner_at_the_river_is_not_enough_for_the_first_building() -> None:
    # The bend at the lower left corner of f1: the cell f2 lies at it with its corner alone, e2 with a side.
    #     d e f
    # 1   . .|.
    #       +-+
    # 2   .|. X
    match = roll(begin(), "i1")
    assert refusal(match, "f2") == Reason("not-at-river")
    assert refusal(match, "e2") is None


@pytest.mark.rule("RW-7")
@pytest.mark.parametrize(
    ("cells", "reason"),
    [
        ("c1 b1", None),
        ("a2 a3", None),
        ("a1 a2", None),
        ("d1 e1", Reason("not-touching")),  # a corner, and a side along the river
        ("d3 e3", Reason("not-touching")),
        ("e1 e2", Reason("not-touching")),
    ],
)
def test_a_later_building_has_a_side_at_another(cells: str, reason: Reason | None) -> None:
    stream = field(STREAM)
    built = city(stream, ". . .|. . .\n. A A|. . .\n. . .|. . .", A="residential")
    assert refusal(roll(table(stream, built), "i2"), cells) == reason


@pytest.mark.rule("RW-7")
def test_the_first_building_starts_at_the_river_after_a_pass() -> None:
    match = roll(play(begin(), "i2", "pass", "d1 e1"), "i2")
    assert refusal(match, "h5 h6") == Reason("not-at-river")
    assert refusal(match, "d1 e1") is None


@pytest.mark.rule("RW-8")
@pytest.mark.parametrize("cells", ["d2 e2", "d2 d3", "d1 d2"])
def test_across_the_river_buildings_touch(cells: str) -> None:
    stream = field(STREAM)
    built = city(stream, ". . .|. . .\n. A A|. . .\n. . .|. . .", A="residential")
    assert refusal(roll(table(stream, built), "i2"), cells) is None


@pytest.mark.rule("RW-8")
def test_across_a_flooded_cell_they_do_not() -> None:
    # The flooded cell b3 lies between A and b4.
    flood = field("s s .|. .\n. . .|. .\n. ~ .|. .\n. . .|. .", 7)
    built = city(flood, "s s .|. .\n. A .|. .\n. ~ .|. .\n. . .|. .", A="residential")
    match = roll(table(flood, built), "i1")
    assert refusal(match, "b4") == Reason("not-touching")
    assert refusal(match, "a2") is None


@pytest.mark.rule("RW-9")
def test_players_may_change_their_decisions_until_all_have_decided() -> None:
    match = roll(begin(), "i2").decide(0, action("d1 e1")).decide(0, action("stop")).retract(0)
    match = match.decide(1, action("stop")).decide(0, action("f1 g1"))
    assert match.state.cities[0].buildings[0].at.cells == ("f1", "g1")
    assert not match.state.cities[0].stopped


@pytest.mark.rule("RW-9")
def test_buildings_are_final_when_the_round_ends() -> None:
    match = play(begin(), "i2", "d1 e1", "f1 f2")
    with pytest.raises(NothingStaged):
        match.retract(0)
    with pytest.raises(NotDue):
        match.decide(0, action("f1 g1"))


@pytest.mark.rule("RW-10")
def test_a_pass_ticks_the_next_circle() -> None:
    match = play(play(begin(), "i2", "pass", "d1 e1"), "i2", "pass", "pass")
    assert [sheet.circles for sheet in match.state.cities] == [2, 1]
    assert match.events[-2:] == (Passed(0, 2), Passed(1, 1))
    assert not match.state.cities[0].buildings


@pytest.mark.rule("RW-10")
def test_with_all_six_circles_ticked_players_build_or_stop() -> None:
    match = play(begin(), "i2", "pass", "stop")
    for _ in range(5):
        match = play(match, "i2", "pass")
    assert match.state.cities[0].circles == 6
    match = roll(match, "i2")
    assert refusal(match, "pass") == Reason("row-full", {"circles": 1})
    kinds = Counter(type(choice) for choice in rules.legal(match.state, 0))
    assert (kinds[Pass], kinds[Stop]) == (0, 1)
    assert kinds[Place] > 1


@pytest.mark.rule("RW-11")
def test_stopping_ticks_no_circle_and_ends_all_decisions() -> None:
    match = play(begin(seats=3), "i2", "d1 e1", "stop", "pass")
    assert [sheet.circles for sheet in match.state.cities] == [0, 0, 1]
    assert match.events[2] == Stopped(1)
    match = roll(match, "i2")
    assert match.due == {0, 2}
    assert match.why_not(1, Stop()) == Reason("not-due", {"due": ("seat 0", "seat 2")})


@pytest.mark.rule("RW-11")
def test_players_stop_only_after_a_roll() -> None:
    assert begin().why_not(0, Stop()) == Reason("not-due", {"due": ("chance",)})
    assert roll(begin(), "i2").why_not(0, Stop()) is None


@pytest.mark.rule("RW-12")
def test_the_episode_ends_when_all_have_stopped() -> None:
    match = play(begin(), "i2", "stop", "d1 e1")
    assert not match.over
    match = play(match, "i2", "stop")
    assert match.over
    assert match.events[-2:] == (Stopped(1), Ended())


@pytest.mark.rule("RW-12")
def test_a_player_who_cannot_build_or_pass_must_stop() -> None:
    full = field(". .|. .")
    built = with_circles(city(full, "A A|B B", A="residential", B="industrial"), 6)
    match = roll(table(full, built), "i1")
    assert list(rules.legal(match.state, 0)) == [Stop()]
    assert match.due == {0}
    assert not match.over


@pytest.mark.rule("RW-13")
def test_players_decide_on_the_same_roll_without_seeing_other_decisions() -> None:
    match = roll(begin(seats=3), "i2", "industrial")
    assert match.due == {0, 1, 2}
    staged = match.decide(2, action("d1 e1"))
    assert [rules.view(staged.state, seat) for seat in range(3)] == [rules.view(match.state, seat) for seat in range(3)]
    match = staged.decide(0, action("d1 e1")).decide(1, action("f1 f2"))
    assert match.events[1:] == (
        Built(0, "industrial", ("d1", "e1")),
        Built(1, "industrial", ("f1", "f2")),
        Built(2, "industrial", ("d1", "e1")),
    )


@pytest.mark.rule("RW-13")
def test_the_next_roll_comes_when_all_have_decided() -> None:
    match = roll(begin(), "i2").decide(1, Pass())
    with pytest.raises(NotDue):
        match.decide(CHANCE, Roll(faces("i1")))
    assert match.decide(0, Pass()).due == {CHANCE}


def test_legal_actions_do_not_depend_on_the_number_of_seats() -> None:
    alone, many = roll(begin(seats=1), "l4"), roll(begin(seats=12), "l4")
    assert rules.legal(alone.state, 0) == rules.legal(many.state, 11)
    assert rules.view(alone.state, 0).choices == rules.view(many.state, 11).choices


def test_impossible_rolls_are_refused() -> None:
    assert begin().why_not(CHANCE, Roll(("corner", "corner", "industrial"))) == Reason("impossible-luck")
    assert roll(begin(), "i2").why_not(0, Roll(faces("i1"))) == Reason("not-an-action")
