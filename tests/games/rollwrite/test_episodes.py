"""RW-20 to RW-28 and RW-30 to RW-35: the rules of single episodes."""

import pytest

from polyopolis.engine import Line, Reason
from polyopolis.games.rollwrite import rules
from polyopolis.games.rollwrite.actions import Pass, Passed, RaceWon, Rolled, Stop
from polyopolis.geometry import Shape
from tests.games.rollwrite.positions import (
    EPISODES,
    begin,
    city,
    field,
    offered_places,
    play,
    points,
    refusal,
    roll,
    table,
    unbuilt_city,
    with_circles,
)

I1, I2, L3, T4, PLUS = "#", "##", "#./##", ".#./###", ".#./###/.#."
ROWS = {4: [I2, PLUS, L3, T4], 5: [I2, PLUS, L3, T4], 6: [I2, PLUS, L3, T4], 7: [I1, I2, L3], 8: [T4, PLUS]}


def lines(number: int) -> list[str]:
    return [counting.line for counting in EPISODES[number].rules.counting]


def where(number: int, sign: str) -> str:
    board = EPISODES[number].board
    return " ".join(board.grid.cells(board.where(sign)))


@pytest.mark.rule("RW-20")
def test_the_first_three_episodes() -> None:
    assert lines(1) == ["trees", "rocks", "empty"]
    assert lines(2) == [*lines(1), "groups"]
    assert lines(3) == [*lines(2), "wells"]
    assert where(3, "W") == "h4"
    assert EPISODES[1].board == EPISODES[2].board


@pytest.mark.rule("RW-21")
@pytest.mark.parametrize("number", range(1, 13))
def test_the_rows_of_churches(number: int) -> None:
    compass = EPISODES[number].rules.compass
    churches = EPISODES[number].row if compass and compass.builds == "church" else ()
    assert churches == tuple(map(Shape.from_text, ROWS.get(number, [])))


@pytest.mark.rule("RW-21")
def test_a_compass_builds_the_next_church_regardless_of_the_other_dice() -> None:
    match = roll(begin(4), "compass", "industrial")
    assert (match.state.task.kind, match.state.task.shape) == ("church", Shape.from_text(I2))
    assert match.events[-1] == Rolled(("single", "compass", "industrial"), "church")
    assert refusal(match, "e2 f2") is None
    assert refusal(match, "e2 f2", seat=1) is None
    assert refusal(match, "e2") == Reason("not-the-shape")


@pytest.mark.rule("RW-21")
def test_when_the_row_is_used_up_the_compass_is_a_blank() -> None:
    match = begin(8, seats=1)
    for shape in (T4, PLUS):
        match = roll(match, "compass")
        assert (match.state.task.kind, match.state.task.shape) == ("church", Shape.from_text(shape))
        match = match.decide(0, Pass())
    match = roll(match, "compass", "industrial")
    assert (match.state.task.kind, match.state.task.shape) == ("industrial", Shape.from_text(I1))


@pytest.mark.rule("RW-21")
@pytest.mark.parametrize("cells", ["f3 f4 g4", "f3 g3 g4", "g3 f4 g4", "f3 g3 f4"])
def test_a_church_may_be_rotated(cells: str) -> None:
    land = field("\n".join([". . . . .|. . . . ."] * 5), 4)
    assert refusal(roll(table(land, unbuilt_city(land), compasses=2), "compass"), cells) is None


@pytest.mark.rule("RW-22")
def test_passing_a_church_ticks_two_circles() -> None:
    match = play(begin(4), "compass", "pass", "e2 f2")
    assert [sheet.circles for sheet in match.state.cities] == [2, 0]
    assert match.events[1] == Passed(0, 2)
    assert points(match, "passes") == (2, -2)


@pytest.mark.rule("RW-22")
@pytest.mark.parametrize(("circles", "may"), [(4, True), (5, False), (6, False)])
def test_passing_a_church_requires_two_circles(circles: int, may: bool) -> None:
    episode = EPISODES[4]
    match = table(episode, with_circles(unbuilt_city(episode), circles))
    church, dwelling = roll(match, "compass"), roll(match, "i1")
    assert refusal(church, "pass") == (None if may else Reason("row-full", {"circles": 2}))
    assert (refusal(dwelling, "pass") is None) == (circles < 6)
    assert refusal(church, "stop") is None


@pytest.mark.rule("RW-22")
def test_a_church_has_no_type_and_is_a_building() -> None:
    # The church C stands at the well and the next building starts at it; no group has it.
    well = field(". . .|. .\n. W .|. .\n. . .|. .", 4)
    built = city(well, ". A .|. .\nB W C|. .\n. D .|. .", A="residential", B="residential", C="church", D="industrial")
    match = table(well, built)
    assert points(match, "wells") == (1, 4)
    assert points(match, "group-residential") == (1, 1)
    assert refusal(roll(match, "i1"), "d2") is None


@pytest.mark.rule("RW-24")
def test_episode_6_does_not_allow_passing() -> None:
    for rolled in ("i2", "compass"):
        match = roll(begin(6), rolled)
        assert refusal(match, "pass") == Reason("no-passing")
        assert Pass() not in rules.legal(match.state, 0)
        assert refusal(match, "stop") is None
    assert points(begin(6), "passes") is None


@pytest.mark.rule("RW-24")
def test_the_printed_church_is_the_first_building() -> None:
    match = roll(begin(6), "i1")
    assert where(6, "+") == "d4"
    assert offered_places(match) == {"d3", "c4", "e4", "d5"}
    assert refusal(match, "f5") == Reason("not-touching")  # at the river, but not at the church


@pytest.mark.rule("RW-24")
def test_the_printed_church_counts_among_all_types() -> None:
    match = begin(6, seats=1)
    for rolled, cell in (("i1 residential", "d3"), ("i1 industrial", "c4"), ("i1 administrative", "d5")):
        match = play(match, rolled, cell)
    assert points(match, "churches") == (1, 3)
    assert rules.view(match.state, None).table.cities[0].counted["churches"] == ("d4",)


@pytest.mark.rule("RW-25")
@pytest.mark.parametrize("number", [7, 8, 9])
def test_the_first_building_starts_at_the_sawmill(number: int) -> None:
    match = roll(begin(number), "i1")
    assert where(number, "s") == "h8 i8"
    assert offered_places(match) - {"j8"} == {"h7", "i7", "g8"}
    assert ("j8" in offered_places(match)) == (number == 8)  # forest
    match = play(begin(number, seats=1), "i1", "g8")
    assert {"h7", "i7"} < offered_places(roll(match, "i1"))
    assert match.state.cities[0].buildings[0].kind == "sawmill"


@pytest.mark.rule("RW-25")
@pytest.mark.parametrize("number", [7, 8, 9])
def test_players_who_never_passed_have_a_purse(number: int) -> None:
    match = play(begin(number), "i2", "pass", "stop")
    match = play(match, "i2", "stop")
    assert [points(match, "purses", seat) for seat in (0, 1)] == [(0, 0), (1, 0)]


@pytest.mark.rule("RW-25")
@pytest.mark.parametrize("number", range(1, 13))
def test_purses_and_the_sawmill_belong_to_chapter_3(number: int) -> None:
    assert (points(begin(number), "purses") is not None) == (number in (7, 8, 9))
    assert bool(where(number, "s")) == (number in (7, 8, 9))
    assert bool(where(number, "W")) == (number in (3, 4, 5, 6))


PLAINS = """
    h . .|. h
    . s .|. .
"""


@pytest.mark.rule("RW-26")
def test_all_players_who_cover_the_plains_in_the_same_round_get_5() -> None:
    land = field(PLAINS, 7)
    almost = city(
        land,
        """
        A B C|D h
        . s .|. .
        """,
        B="residential",
        A="residential",
        C="residential",
        D="residential",
    )
    match = play(table(land, almost, almost, almost), "i1", "e1", "e1", "pass")
    assert match.events[-2:] == (RaceWon(0, "plains", 5), RaceWon(1, "plains", 5))
    assert [points(match, "plains", seat) for seat in range(3)] == [(1, 5), (1, 5), None]
    later = play(match, "i1", "e2", "e2", "e1")
    assert points(later, "plains", 2) is None
    assert [points(later, "purses", seat) for seat in range(3)] == [(2, 0), (2, 0), (1, 0)]


@pytest.mark.rule("RW-26")
def test_a_high_plain_in_sight_is_an_empty_cell() -> None:
    land = field(PLAINS, 7)
    match = table(land, unbuilt_city(land))
    assert points(match, "empty") == (9, -9)


@pytest.mark.rule("RW-26")
def test_the_sheet_of_episode_7() -> None:
    assert where(7, "h") == "a2 b3 b5 a6"
    assert where(7, "~") == "d1 d2 d3 d6 e6"
    assert refusal(roll(begin(7), "i1"), "d2") == Reason("not-meadow", {"cells": ("d2",)})


WOOD = """
    . # .|. .
    s s .|. #
"""


@pytest.mark.rule("RW-27")
def test_forest_may_be_built_on_and_is_a_race() -> None:
    wood = field(WOOD, 8)
    built = city(wood, ". A .|. .\ns s B|C #", A="residential", B="industrial", C="industrial")
    match = table(wood, built)
    assert points(match, "empty") == (5, -5)  # four empty cells and a forest
    match = play(match, "i1", "e2")
    assert match.events[-1] == RaceWon(0, "forest", 5)
    assert points(match, "forest") == (1, 5)
    assert points(match, "purses") == (2, 0)


@pytest.mark.rule("RW-27")
@pytest.mark.parametrize("number", range(1, 13))
def test_only_in_episode_8_forest_is_open(number: int) -> None:
    episode = EPISODES[number]
    forest = episode.board.where("#")
    assert bool(forest & episode.site.ground) == (number == 8)
    assert bool(forest) == (number < 10)


@pytest.mark.rule("RW-27")
def test_the_forest_of_episode_8_has_two_zones() -> None:
    assert where(8, "#") == "a2 k2 b3 k3 b5 a6 j6 k6 j7 k7 j8 k8"


@pytest.mark.rule("RW-28")
def test_gold_is_a_race_and_visible_gold_costs_nothing() -> None:
    land = field("g . .|. g\n. s .|. .", 9)
    bare = table(land, unbuilt_city(land))
    assert points(bare, "empty") == (7, -7)
    built = city(land, "A B C|D g\n. s .|. .", B="residential", A="residential", C="industrial", D="industrial")
    match = play(table(land, built, unbuilt_city(land)), "i1", "e1", "pass")
    assert match.events[-1] == RaceWon(0, "gold", 5)
    assert [points(match, "purses", seat) for seat in (0, 1)] == [(3, 0), (0, 0)]


@pytest.mark.rule("RW-28")
def test_the_sheet_of_episode_9() -> None:
    assert where(9, "g") == "d1 g1 a2 b5 a8"
    assert EPISODES[9].row == ()
    match = roll(begin(9), "compass", "administrative")
    assert (match.state.task.kind, str(match.state.task.shape)) == ("administrative", "#")


LAIR = """
    F . x|. .
    . . .|. .
"""


@pytest.mark.rule("RW-30")
def test_a_bandit_is_caught_when_a_building_stands_on_every_side_also_across_the_river() -> None:
    land = field(LAIR, 11)
    two = city(land, "F A x|. .\n. B B|. .", A="residential", B="residential")
    three = city(land, "F A x|C .\n. B B|C .", A="residential", B="residential", C="industrial")
    match = table(land, unbuilt_city(land), two, three)
    assert [points(match, "bandits", seat) for seat in range(3)] == [(1, -3), (1, -3), (0, 0)]
    cities = rules.view(match.state, None).table.cities
    assert [sheet.caught for sheet in cities] == [(), (), ("c1",)]


@pytest.mark.rule("RW-30")
def test_mountains_other_bandits_and_forts_need_no_further_building() -> None:
    land = field("F x x|^ .\n. . .|. .", 11)
    built = city(land, "F x x|^ .\nA A A|. .", A="residential")
    match = table(land, built)
    assert points(match, "bandits") == (0, 0)


@pytest.mark.rule("RW-30")
@pytest.mark.parametrize(("number", "each"), [(10, -3), (11, -3), (12, -6)])
def test_the_points_of_a_free_bandit(number: int, each: int) -> None:
    match = begin(number)
    free = len(where(number, "x").split())
    assert points(match, "bandits") == (free, each * free)
    assert {10: 6, 11: 5, 12: 2}[number] == free


@pytest.mark.rule("RW-30")
def test_the_bandits_of_one_sheet_stand_on_empty_cells_of_the_next() -> None:
    tenth, eleventh, twelfth = (set(where(number, "x").split()) for number in (10, 11, 12))
    assert tenth <= set(where(11, ".").split())
    assert tenth | eleventh <= set(where(12, ".").split())
    assert not twelfth & (tenth | eleventh)


@pytest.mark.rule("RW-30")
def test_a_bandit_is_carried_over_only_for_its_player() -> None:
    match = begin(12, bandits=(("f1", "c8"), ()))
    assert [points(match, "bandits", seat) for seat in (0, 1)] == [(4, -24), (2, -12)]
    assert [points(match, "empty", seat) for seat in (0, 1)] == [(62, -62), (64, -64)]


@pytest.mark.rule("RW-31")
def test_episode_10_starts_at_the_river_and_its_compass_is_a_blank() -> None:
    match = roll(begin(10), "compass")
    assert (match.state.task.kind, str(match.state.task.shape)) == ("residential", "#")
    assert refusal(match, "e1") is None
    assert refusal(match, "b2") == Reason("not-at-river")


@pytest.mark.rule("RW-32")
@pytest.mark.parametrize("number", [11, 12])
def test_the_first_building_starts_at_either_printed_fort(number: int) -> None:
    match = roll(begin(number), "i1")
    assert where(number, "F") == "d3 e7"
    beside = {"d2", "c3", "e3", "d4", "e6", "d7", "f7", "e8"} - set(where(number, "x").split())
    assert offered_places(match) == beside


@pytest.mark.rule("RW-32")
def test_a_fort_lies_anywhere_without_contact_on_trees_and_rocks_too() -> None:
    match = roll(begin(12, bandits=(("f1",), ())), "compass", "industrial")
    assert (match.state.task.kind, str(match.state.task.shape)) == ("fort", "#")
    assert offered_places(match) == set(EPISODES[12].site.grid.cells(EPISODES[12].site.ground)) - {"f1"}
    assert refusal(match, "c1") is None  # trees
    assert refusal(match, "a1") is None  # rocks
    assert refusal(match, "a3") == Reason("not-meadow", {"cells": ("a3",)})
    assert refusal(match, "d3") == Reason("built-over", {"cells": ("d3",)})
    assert refusal(match, "i4") == Reason("bandit", {"cells": ("i4",)})


@pytest.mark.rule("RW-32")
def test_a_fort_must_be_built() -> None:
    match = roll(begin(11), "compass")
    assert refusal(match, "pass") == Reason("must-build", {"kind": "fort"})
    assert refusal(match, "stop") is None
    full = field("F .|. .", 11)
    match = roll(table(full, city(full, "F A|B B", A="residential", B="residential")), "compass")
    assert list(rules.legal(match.state, 0)) == [Stop()]


@pytest.mark.rule("RW-32")
def test_after_four_forts_the_compass_is_a_blank() -> None:
    match = begin(11, seats=1)
    for cell in ("a8", "k8", "a6", "k1"):
        match = play(match, "compass", cell)
    match = roll(match, "compass", "administrative")
    assert match.state.task.kind == "administrative"


@pytest.mark.rule("RW-32")
@pytest.mark.rule("RW-35")
def test_a_fort_built_before_may_be_where_the_first_building_starts() -> None:
    match = play(begin(11, seats=1), "compass", "k4")
    assert {"j4", "k3", "k5"} < offered_places(roll(match, "i1"))


@pytest.mark.rule("RW-35")
def test_a_building_without_a_type_joins_no_group_and_links_none() -> None:
    # The fort B lies between two residential buildings.
    land = field("F . . .|. .", 11)
    built = city(land, "F A B C|. .", A="residential", B="fort", C="residential")
    match = table(land, built)
    assert points(match, "group-residential") == (1, 1)
    assert points(match, "complete") == (0, 0)


@pytest.mark.rule("RW-35")
def test_a_church_on_a_race_cell_covers_it() -> None:
    land = field(". s .|. .\n. h .|. .", 7)
    match = play(table(land, unbuilt_city(land)), "compass", "b2")
    assert match.state.cities[0].buildings[-1].kind == "church"
    assert points(match, "plains") == (1, 5)


@pytest.mark.rule("RW-35")
def test_alone_the_race_is_won_by_completing_it() -> None:
    land = field(". s .|. .\n. h .|. .", 7)
    match = play(table(land, unbuilt_city(land)), "i1", "a1")
    match = play(match, "i1", "b2")
    assert match.events[-1] == RaceWon(0, "plains", 5)


@pytest.mark.rule("RW-35")
def test_every_compass_uses_up_the_row_even_without_a_building() -> None:
    match = play(begin(4), "compass", "pass", "pass")
    match = roll(match, "compass")
    assert match.state.task.shape == Shape.from_text(PLUS)
    table_now = rules.view(match.state, None).table
    assert table_now.compass is not None
    assert table_now.compass.used == 2


@pytest.mark.rule("RW-35")
def test_a_player_who_stops_at_once_has_never_passed() -> None:
    match = play(begin(12, seats=1), "i1", "stop")
    assert Line("never-passed", 1, 6) in match.result.sheets[0]
