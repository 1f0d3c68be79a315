"""RW-14 to RW-17, RW-23, RW-33, RW-34: scoring a sheet."""

import pytest

from polyopolis.engine import Line
from tests.games.rollwrite.positions import begin, city, field, play, points, table, unbuilt_city, with_circles


@pytest.mark.rule("RW-14")
@pytest.mark.parametrize(("circles", "cost"), [(0, 0), (1, -1), (2, -2), (3, -3), (4, -5), (5, -7), (6, -10)])
def test_only_the_last_circle_ticked_counts(circles: int, cost: int) -> None:
    land = field(". .|. .")
    match = table(land, with_circles(unbuilt_city(land), circles))
    assert points(match, "passes") == (circles, cost)


GROVE = """
    2 2 .|. r
    . 2 .|r r
"""


@pytest.mark.rule("RW-15")
def test_visible_trees_are_a_point_each_and_a_cell_has_two() -> None:
    grove = field(GROVE)
    match = table(grove, unbuilt_city(grove), city(grove, "2 2 .|. r\n. A A|r r", A="industrial"))
    assert points(match, "trees", seat=0) == (3, 6)
    assert points(match, "trees", seat=1) == (2, 4)


@pytest.mark.rule("RW-15")
def test_visible_rocks_cost_a_point_each_and_a_cell_has_two() -> None:
    grove = field(GROVE)
    match = table(grove, unbuilt_city(grove), city(grove, "2 2 .|. A\n. 2 .|r A", A="industrial"))
    assert points(match, "rocks", seat=0) == (3, -6)
    assert points(match, "rocks", seat=1) == (1, -2)


@pytest.mark.rule("RW-15")
def test_only_cells_without_anything_are_empty_and_cost_a_point() -> None:
    # W, g, trees and rocks are not empty, mountain and forest do not count: a2 and d2 are left.
    wild = field("W g 2|r ^ #\n. . .|. r 2", 9)
    match = table(wild, city(wild, "W g 2|r ^ #\n. A A|. r 2", A="industrial"))
    assert points(match, "empty") == (2, -2)
    assert points(match, "trees") == (2, 4)
    assert points(match, "rocks") == (2, -4)


@pytest.mark.rule("RW-15")
def test_an_untouched_first_sheet() -> None:
    # 5 cells with trees, 6 with rocks, 61 empty: 10 - 12 - 61.
    match = play(begin(seats=1), "i1", "stop")
    assert match.result.sheets[0] == (
        Line("passes", 0, 0),
        Line("trees", 5, 10),
        Line("rocks", 6, -12),
        Line("empty", 61, -61),
    )
    assert match.result.scores == (-63,)


ROW = """
    . . . .|. . . .
    . . . .|. . . .
"""


@pytest.mark.rule("RW-16")
def test_the_largest_group_of_a_type_counts_its_buildings() -> None:
    # A and B touch, C is apart; A and E touch across the river: three residential buildings. D is alone.
    land = field(ROW, 2)
    built = city(
        land,
        """
        . B A A|E E . C
        D D . .|. . . .
        """,
        A="residential",
        B="residential",
        D="industrial",
        E="residential",
        C="residential",
    )
    match = table(land, built)
    assert points(match, "group-residential") == (3, 3)
    assert points(match, "group-industrial") == (1, 1)
    assert points(match, "group-administrative") == (0, 0)


@pytest.mark.rule("RW-16")
def test_of_two_groups_of_the_same_size_one_counts() -> None:
    land = field(ROW, 2)
    built = city(
        land, ". A B .|C D . .\n. . . .|. . . .", A="industrial", B="industrial", C="industrial", D="industrial"
    )
    assert points(table(land, built), "group-industrial") == (2, 2)


@pytest.mark.rule("RW-16")
@pytest.mark.rule("RW-20")
def test_in_episode_1_groups_do_not_count() -> None:
    assert points(begin(1), "group-residential") is None
    assert points(begin(2), "group-residential") == (0, 0)


SQUARE = """
    . . .|. .
    . W .|. .
    . . .|. .
"""


@pytest.mark.rule("RW-17")
def test_a_well_with_a_different_building_on_each_side() -> None:
    well = field(SQUARE, 3)
    ringed = city(
        well,
        """
        . A .|. .
        B W C|. .
        . D .|. .
        """,
        A="residential", B="residential", C="industrial", D="industrial",
    )  # fmt: skip
    twice = city(well, ". A A|. .\nB W A|. .\n. D .|. .", A="residential", B="residential", D="industrial")
    covered = city(well, ". . .|. .\n. A .|. .\n. . .|. .", A="residential")
    match = table(well, ringed, twice, covered)
    assert [points(match, "wells", seat) for seat in range(3)] == [(1, 4), (0, 0), (0, 0)]


@pytest.mark.rule("RW-17")
@pytest.mark.parametrize("number", range(1, 13))
def test_wells_count_in_the_episodes_3_to_6(number: int) -> None:
    assert (points(begin(number), "wells") is not None) == (number in (3, 4, 5, 6))


@pytest.mark.rule("RW-23")
def test_a_church_among_all_three_types() -> None:
    # The church C has all types at its sides, one of them across the river; the church E has two.
    land = field(ROW, 5)
    built = city(
        land,
        """
        A A C C|D . E .
        . . B .|. F G .
        """,
        A="residential",
        C="church",
        D="industrial",
        B="administrative",
        F="industrial",
        G="administrative",
        E="church",
    )
    match = table(land, built)
    assert points(match, "churches") == (1, 3)


@pytest.mark.rule("RW-23")
@pytest.mark.parametrize("number", range(1, 13))
def test_churches_count_in_the_episodes_5_to_8(number: int) -> None:
    assert (points(begin(number), "churches") is not None) == (number in (5, 6, 7, 8))


FORTS = """
    F . . .|. . . .
    . . . .|. . . .
"""


@pytest.mark.rule("RW-33")
@pytest.mark.parametrize(("number", "each"), [(11, 3), (12, 6)])
def test_a_type_in_a_single_group_is_complete(number: int, each: int) -> None:
    # Residential A B: one group. Industrial C D: apart. Administrative: none.
    land = field(FORTS, number)
    built = city(
        land,
        """
        F A A B|D . . .
        . C . .|. . . .
        """,
        A="residential",
        B="residential",
        C="industrial",
        D="industrial",
    )
    assert points(table(land, built), "complete") == (1, each)


@pytest.mark.rule("RW-33")
@pytest.mark.rule("RW-35")
def test_a_single_building_is_a_complete_group_and_counts_as_a_group_too() -> None:
    land = field(FORTS, 11)
    match = table(land, city(land, "F A . .|. . . .\n. . . .|. . . .", A="residential"))
    assert points(match, "complete") == (1, 3)
    assert points(match, "group-residential") == (1, 1)


@pytest.mark.rule("RW-33")
@pytest.mark.parametrize("number", range(1, 13))
def test_complete_groups_count_in_the_episodes_11_and_12(number: int) -> None:
    assert (points(begin(number), "complete") is not None) == (number in (11, 12))


@pytest.mark.rule("RW-34")
def test_never_passing_is_worth_6() -> None:
    land = field(FORTS, 12)
    match = table(land, unbuilt_city(land), with_circles(unbuilt_city(land), 1))
    assert points(match, "never-passed", 0) == (1, 6)
    assert points(match, "never-passed", 1) == (0, 0)


@pytest.mark.rule("RW-34")
def test_all_14_trees_in_sight_are_worth_20() -> None:
    match = play(begin(12, seats=1), "i1", "stop")
    assert points(match, "trees") == (7, 14)
    assert points(match, "all-trees") == (1, 6)


@pytest.mark.rule("RW-34")
def test_one_tree_built_over_leaves_the_trees_at_their_points() -> None:
    land = field("F 2 2|. .", 12)
    match = table(land, unbuilt_city(land), city(land, "F A 2|. .", A="industrial"))
    assert [points(match, "all-trees", seat) for seat in (0, 1)] == [(1, 6), (0, 0)]
    assert points(match, "trees", 1) == (1, 2)


@pytest.mark.rule("RW-34")
def test_all_rocks_covered_are_worth_6() -> None:
    land = field("F r r|. .", 12)
    half, all_of_it = city(land, "F A r|. .", A="industrial"), city(land, "F A A|. .", A="industrial")
    match = table(land, half, all_of_it)
    assert [points(match, "no-rocks", seat) for seat in (0, 1)] == [(0, 0), (1, 6)]


@pytest.mark.rule("RW-34")
def test_no_empty_cell_is_worth_12_and_a_bandit_is_not_empty() -> None:
    land = field("F . 2|. x .", 12)
    most = city(land, "F A 2|. x .", A="industrial")
    # A bandit carried over stands on f1.
    full = city(land, "F A 2|B x .", carried="f1", A="fort", B="fort")
    match = table(land, most, full)
    assert [points(match, "no-empty", seat) for seat in (0, 1)] == [(0, 0), (1, 12)]
    assert points(match, "empty", 1) == (0, 0)


@pytest.mark.rule("RW-34")
@pytest.mark.parametrize("line", ["never-passed", "all-trees", "no-rocks", "no-empty"])
def test_the_bonuses_belong_to_episode_12(line: str) -> None:
    assert [number for number in range(1, 13) if points(begin(number), line)] == [12]
