"""MC-14 to MC-18 and MC-21: scoring an episode."""

import shutil
from importlib.resources import as_file, files
from pathlib import Path

import pytest
from msgspec.structs import replace

from polyopolis.engine import Line, Match
from polyopolis.games.mycity.campaign_rules import circles
from polyopolis.games.mycity.content import Episode, Race, load
from polyopolis.games.mycity.scoring import reached_limit
from tests.games.mycity.positions import (
    EPISODE_1,
    begin,
    city,
    field,
    finished_match,
    play,
    points,
    table,
    unbuilt_city,
    with_passes,
)

GROVE = """
    2 2 .|. r
    . 2 .|r r
"""


@pytest.mark.rule("MC-14")
def test_visible_trees_are_a_point_each_and_a_cell_has_two() -> None:
    # 2 2 .|. r      two of three cells with trees stay visible
    # . A A|r r
    grove = field(GROVE, EPISODE_1)
    match = finished_match(grove, unbuilt_city(grove), city(grove, "2 2 .|. r\n. A A|r r", A="red-i2"))
    assert points(match, "trees", seat=0) == (3, 6)
    assert points(match, "trees", seat=1) == (2, 4)


@pytest.mark.rule("MC-15")
def test_visible_rocks_cost_a_point_each_and_a_cell_has_two() -> None:
    # 2 2 .|. A      one of three cells with rocks stays visible
    # . 2 .|r A
    grove = field(GROVE, EPISODE_1)
    match = finished_match(grove, unbuilt_city(grove), city(grove, "2 2 .|. A\n. 2 .|r A", A="red-i2"))
    assert points(match, "rocks", seat=0) == (3, -6)
    assert points(match, "rocks", seat=1) == (1, -2)


@pytest.mark.rule("MC-16")
def test_only_meadow_without_anything_is_empty_and_costs_a_point() -> None:
    # 2 2 A|. r      a2 and d1 stay empty
    # . 2 A|r r
    grove = field(GROVE, EPISODE_1)
    match = finished_match(grove, unbuilt_city(grove), city(grove, "2 2 A|. r\n. 2 A|r r", A="red-i2"))
    assert points(match, "empty", seat=0) == (4, -4)
    assert points(match, "empty", seat=1) == (2, -2)


@pytest.mark.rule("MC-16")
def test_wells_gold_mountain_and_forest_are_not_empty_meadow() -> None:
    wild = field("W g|^ #\n. .|. W")
    match = finished_match(wild, unbuilt_city(wild), unbuilt_city(wild))
    assert points(match, "empty") == (3, -3)


@pytest.mark.rule("MC-14")
@pytest.mark.rule("MC-15")
@pytest.mark.rule("MC-16")
def test_an_untouched_front_board() -> None:
    # 4 cells with trees, 8 with rocks, 83 empty: 10 + 8 - 16 - 83.
    match = play(begin(), "blue-i2", "stop", "stop")
    assert [(line.line, line.count, line.points) for line in match.result.sheets[0]] == [
        ("start", 1, 10),
        ("passes", 0, 0),
        ("trees", 4, 8),
        ("rocks", 8, -16),
        ("empty", 83, -83),
    ]
    assert match.result.scores == (-81, -81)


def made_up(tmp_path: Path, drawing: str, river: str) -> Episode:
    """Returns episode 1 from a content folder whose front board is this drawing."""
    with as_file(files("polyopolis.games.mycity") / "content" / "v1") as folder:
        shutil.copytree(folder, tmp_path / "v1", ignore=shutil.ignore_patterns("episode-0[2-9]*", "episode-[12]*"))
    text = f'drawing = """{drawing}"""\nriver = {river}\n'
    (tmp_path / "v1" / "board-front.toml").write_text(text, "utf-8")
    return load(tmp_path / "v1").episodes["episode-01"]


FOREST_GARDEN = """
2 2 2 2 2 . r
2 2 2 2 2 . r
2 2 2 2 2 . .
2 2 2 2 2 . .
"""


@pytest.fixture
def garden(tmp_path: Path) -> Episode:
    """20 cells with trees: 10 and 40 are exactly 50."""
    return made_up(tmp_path, FOREST_GARDEN, "[[5, 0], [5, 4]]")


@pytest.mark.rule("MC-17")
def test_a_score_stays_at_50_despite_later_minus_points(garden: Episode) -> None:
    match = finished_match(garden, unbuilt_city(garden), unbuilt_city(garden))
    assert match.result.sheets[0] == (
        Line("start", 1, 10),
        Line("passes", 0, 0),
        Line("trees", 20, 40),
        Line("limit", 1, 0),
    )
    assert match.result.scores == (50, 50)


@pytest.mark.rule("MC-17")
def test_with_49_points_all_lines_are_counted(garden: Episode) -> None:
    match = finished_match(garden, with_passes(unbuilt_city(garden), 1), unbuilt_city(garden))
    assert match.result.sheets[0] == (
        Line("start", 1, 10),
        Line("passes", 1, -1),
        Line("trees", 20, 40),
        Line("rocks", 2, -4),
        Line("empty", 6, -6),
    )
    assert match.result.scores == (39, 50)


@pytest.mark.rule("MC-17")
def test_no_score_exceeds_50(tmp_path: Path) -> None:
    orchard = made_up(tmp_path, FOREST_GARDEN.replace(". r", "2 r", 1), "[[5, 0], [5, 4]]")
    match = finished_match(orchard, unbuilt_city(orchard), unbuilt_city(orchard))
    assert points(match, "trees") == (21, 42)
    assert points(match, "limit") == (1, -2)
    assert match.result.scores == (50, 50)


@pytest.mark.rule("MC-17")
def test_reaching_50_is_a_progress_circle_besides_those_of_the_rank(garden: Episode) -> None:
    over = finished_match(garden, *(with_passes(unbuilt_city(garden), passes) for passes in (0, 1, 2)))
    assert [reached_limit(sheet) for sheet in over.result.sheets] == [True, False, False]
    assert over.result.ranks == (1, 2, 3)
    assert circles(over.state) == (2 + 1, 1, 0)


@pytest.mark.rule("MC-17")
def test_all_who_reach_50_get_the_circle(garden: Episode) -> None:
    # The same score; the building in the top row makes the difference in the rank, and costs no tree.
    ahead = city(
        garden,
        """
        2 2 2 2 2|A r
        2 2 2 2 2|A r
        2 2 2 2 2|. .
        2 2 2 2 2|. .
        """,
        A="red-i2",
    )
    over = finished_match(garden, unbuilt_city(garden), ahead)
    assert over.result.scores == (50, 50)
    assert over.result.ranks == (2, 1)
    assert circles(over.state) == (1, 3)


def gold_at_48() -> Match:
    """Returns a match in which seat 0 covers both veins with its marker at 48; the race scores 3."""
    holds = replace(EPISODE_1.rules, marker=48, races=(Race(race="gold", points=3),))
    creek = field("g g|. .\n. .|. .", EPISODE_1, holds)
    match = table(creek, unbuilt_city(creek), unbuilt_city(creek), deck=["red-i2", "blue-i2", "blue-l3"])
    return play(match, "red-i2", "a1 b1", "pass")


@pytest.mark.rule("MC-17")
def test_50_reached_by_points_at_once_gives_a_circle_and_ends_the_counting() -> None:
    over = play(play(gold_at_48(), "blue-i2", "a2 b2", "pass"), "blue-l3", "stop", "pass")
    assert over.result.scores[0] == 50
    assert {line.line for line in over.result.sheets[0]} == {"start", "passes", "gold", "limit"}
    assert circles(over.state)[0] == 2 + 1


@pytest.mark.rule("MC-17")
def test_the_marker_stays_at_50_once_points_at_once_have_reached_it() -> None:
    match = gold_at_48()
    assert match.state.cities[0].marker == 50


@pytest.mark.rule("MC-17")
def test_a_marker_at_50_stays_there_despite_passes() -> None:
    over = play(play(gold_at_48(), "blue-i2", "pass", "pass"), "blue-l3", "pass", "pass")
    assert over.result.scores[0] == 50


@pytest.mark.rule("MC-18")
def test_below_0_is_remembered_and_set_against_later_plus_points() -> None:
    # 10, six cells of rocks -12, then +1 and +1 for two groups, eight empty cells.
    quarry = field("""
        . . .|. r r
        . . .|r r r
        . . .|r . .
    """)
    built = city(
        quarry,
        """
        A A B|. r r
        . . B|r r r
        . . .|r . .
        """,
        A="red-i2",
        B="yellow-i2",
    )
    match = finished_match(quarry, built, unbuilt_city(quarry))
    running = [line.points for line in match.result.sheets[0]]
    assert running[:6] == [10, 0, 0, -12, 1, 1]
    assert match.result.scores[0] == 10 - 12 + 1 + 1 - 8


@pytest.mark.rule("MC-18")
def test_a_final_score_may_be_negative() -> None:
    quarry = field("r r r|r r r\n. . .|. . .", EPISODE_1)
    match = finished_match(quarry, unbuilt_city(quarry), unbuilt_city(quarry))
    assert match.result.scores[0] == 10 - 12 - 6


EXAMPLE = [
    ("yellow-t4", "d1 c2 d2 e2"),
    ("yellow-o4", "a1 b1 a2 b2"),
    ("yellow-i4", "f1 f2 f3 f4"),
    ("yellow-u5", "g1 h1 h2 g3 h3"),
    ("red-u5", "i1 j1 j2 i3 j3"),
    ("blue-u5", "b3 d3 b4 c4 d4"),
    ("blue-o4", "pass"),
    ("red-i4", "e3 e4 e5 e6"),
    ("blue-i4", "g4 h4 i4 j4"),
    ("red-t4", "b5 c5 d5 c6"),
    ("yellow-j4", "f5 f6 g6 h6"),
    ("yellow-l3", "h5 i5 i6"),
    ("yellow-i2", "j5 k5"),
    ("red-j4", "c7 d7 e7 e8"),
    ("blue-j4", "b7 b8 c8 d8"),
    ("blue-t4", "f7 f8 g8 f9"),
    ("red-l3", "h7 i7 h8"),
    ("blue-s4", "pass"),
    ("red-o4", "a9 b9 a10 b10"),
    ("blue-l3", "c9 d9 c10"),
    ("yellow-s4", "h9 i9 g10 h10"),
    ("red-s4", "d10 e10 c11 d11"),
    ("red-i2", "a11 b11"),
    ("blue-i2", "f11 g11"),
]


@pytest.mark.rule("MC-21")
def test_the_example_of_the_rulebook() -> None:
    # Two passes leave 8 points; 8 trees, 2 rocks and 8 empty cells are visible at the end:
    #
    #     . . 2 x . x x x x x r      x built on
    #     x x x x x x . x 2 x #
    #     ^ x . x x x x x x x #
    #     ^ x x x x x x x x x #
    #     ^ x x x x x 2 x x x x
    #     ^ ^ x . x x x x x # #
    #     ^ x x x x x . x x # #
    #     ^ x x x x x x x # # #
    #     x x x x . x 2 x x # #
    #     x x x x x . x x # # #
    #     x x x x . x x # # # #
    first, *later = EXAMPLE
    match = play(begin(), *first, "stop")
    for card, choice in later:
        match = play(match, card, choice)
    assert match.over
    assert match.result.sheets[0] == (
        Line("start", 1, 10),
        Line("passes", 2, -2),
        Line("trees", 4, 8),
        Line("rocks", 1, -2),
        Line("empty", 8, -8),
    )
    assert match.state.cities[0].marker == 8
    assert match.result.scores[0] == 6
