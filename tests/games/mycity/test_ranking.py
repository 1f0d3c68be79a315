"""MC-19 and MC-20: ranks and progress circles."""

import pytest
from msgspec.structs import replace

from polyopolis.engine import Campaign, Line
from polyopolis.games.mycity import rules
from polyopolis.games.mycity.actions import Sticker
from polyopolis.games.mycity.campaign_rules import circles
from polyopolis.games.mycity.state import City, Legacy, Setup
from tests.games.mycity.positions import (
    EPISODE_1,
    ETERNAL,
    begin,
    city,
    field,
    finished_match,
    play,
    unbuilt_city,
    with_passes,
)

LAWN = """
    . . .|. .
    . . .|. .
    . . .|. .
"""
lawn = field(LAWN, EPISODE_1)

TOP = city(
    lawn,
    """
    . A A|. .
    . . .|. .
    . . .|. .
    """,
    A="red-i2",
)
TOP_ELSEWHERE = city(
    lawn,
    """
    . . .|A A
    . . .|. .
    . . .|. .
    """,
    A="red-i2",
)
TOP_AND_SECOND = city(
    lawn,
    """
    . . A|. .
    . . A|. .
    . . .|. .
    """,
    A="red-i2",
)
SECOND = city(
    lawn,
    """
    . . .|. .
    . A A|. .
    . . .|. .
    """,
    A="red-i2",
)
THIRD = city(
    lawn,
    """
    . . .|. .
    . . .|. .
    . A A|. .
    """,
    A="red-i2",
)
LARGER_IN_THIRD = city(
    lawn,
    """
    . . .|. .
    . . A|. .
    . A A|. .
    """,
    A="red-l3",
)


def ranked(*cities: City) -> tuple[int, ...]:
    return finished_match(lawn, *cities).result.ranks


@pytest.mark.rule("MC-19")
def test_the_higher_score_ranks_first_regardless_of_rows() -> None:
    match = finished_match(lawn, TOP, LARGER_IN_THIRD)
    assert match.result.scores == (10 - 13, 10 - 12)
    assert match.result.ranks == (2, 1)


@pytest.mark.rule("MC-19")
def test_a_tie_goes_to_fewer_empty_cells_in_the_top_row() -> None:
    assert finished_match(lawn, SECOND, TOP).result.scores == (-3, -3)
    assert ranked(SECOND, TOP) == (2, 1)
    assert ranked(TOP, TOP_AND_SECOND, SECOND) == (1, 2, 3)


@pytest.mark.rule("MC-19")
def test_then_to_fewer_in_the_second_row_and_so_on() -> None:
    assert ranked(THIRD, SECOND) == (2, 1)
    assert ranked(THIRD, SECOND, TOP_AND_SECOND, TOP) == (4, 3, 2, 1)


@pytest.mark.rule("MC-19")
def test_equal_in_all_rows_they_share_the_rank_and_the_next_is_left_out() -> None:
    assert ranked(TOP, TOP_ELSEWHERE, SECOND) == (1, 1, 3)
    assert ranked(SECOND, TOP, SECOND, THIRD) == (2, 1, 2, 4)


@pytest.mark.rule("MC-19")
def test_trees_and_rocks_left_in_the_top_row_do_not_count_for_a_tie() -> None:
    # r A|. .      r r|A .      The one has a rock cell less, the other two empty cells less, one of them in
    # . A|. .      . .|A .      the top row: the same score.
    stony = field("r r|. .\n. .|. .", EPISODE_1)
    rock_covered = city(stony, "r A|. .\n. A|. .", A="red-i2")
    meadow_covered = city(stony, "r r|A .\n. .|A .", A="red-i2")
    match = finished_match(stony, with_passes(rock_covered, 1), meadow_covered)
    assert match.result.scores == (10 - 1 - 2 - 5, 10 - 4 - 4)
    assert match.result.ranks == (2, 1)


@pytest.mark.rule("MC-20")
@pytest.mark.parametrize(
    ("cities", "expected"),
    [
        ((TOP, SECOND, THIRD), (2, 1, 0)),
        ((THIRD, SECOND, TOP), (0, 1, 2)),
        ((THIRD, unbuilt_city(lawn), TOP, SECOND), (0, 0, 2, 1)),
    ],
)
def test_among_three_and_four_the_first_gets_two_circles_and_the_second_one(
    cities: tuple[City, ...], expected: tuple[int, ...]
) -> None:
    assert circles(finished_match(lawn, *cities).state) == expected


@pytest.mark.rule("MC-20")
def test_of_two_players_the_first_gets_two_circles_and_the_other_none() -> None:
    assert circles(finished_match(lawn, SECOND, TOP).state) == (0, 2)


@pytest.mark.rule("MC-20")
@pytest.mark.rule("MC-19")
@pytest.mark.parametrize(
    ("cities", "expected"),
    [
        ((TOP, TOP_ELSEWHERE), (2, 2)),
        ((TOP, TOP_ELSEWHERE, SECOND), (2, 2, 0)),  # no second rank
        ((TOP, SECOND, SECOND, THIRD), (2, 1, 1, 0)),
        ((TOP, TOP, TOP, TOP), (2, 2, 2, 2)),
    ],
)
def test_players_who_share_a_rank_share_its_reward(cities: tuple[City, ...], expected: tuple[int, ...]) -> None:
    assert circles(finished_match(lawn, *cities).state) == expected


def first_setup(*before: int) -> Setup:
    boards = tuple(Legacy(number) for number in before)
    return Setup(mode="episode", episode=2, play="campaign", seats=len(before), boards=boards)


@pytest.mark.rule("MC-20")
def test_circles_add_up_over_a_campaign() -> None:
    campaign = Campaign(rules, (2,), first_setup(1, 3))
    setup = campaign.next_setup()
    assert setup == first_setup(1, 3)
    match = play(play(begin().replay(rules, setup, ()), "red-i2", "e1 e2", "stop"), "blue-i2", "stop")
    match = match.decide(0, Sticker("rock", "g1")).decide(1, Sticker("tree", "g1"))
    standings = campaign.add(match).standings()
    assert match.result.ranks == (1, 2)
    assert standings.sheets == (
        (Line("before", 1, 1), Line("episode-2", 1, 2)),
        (Line("before", 1, 3), Line("episode-2", 1, 0)),
    )
    assert standings.scores == (3, 3)
    assert standings.ranks == (1, 1)
    assert campaign.add(match).over


def test_before_the_first_episode_the_standings_are_those_of_the_setup() -> None:
    fresh = Setup(mode="episode", episode=1, play="campaign", seats=3)
    assert Campaign(rules, (1,), fresh).standings().scores == (0, 0, 0)
    assert Campaign(rules, (1,), first_setup(1, 3)).standings().ranks == (2, 1)


def test_no_episode_follows_the_last_one_a_single_one_or_the_eternal_game() -> None:
    over = play(begin(), "red-i2", "stop", "stop")
    assert rules.onward(over.setup, over.state) is None
    last = replace(first_setup(0, 0), episode=24)
    assert rules.onward(last, over.state) is None
    eternal = play(begin(mode="eternal"), "red-i2", "stop", "stop")
    assert rules.onward(eternal.setup, eternal.state) is None


@pytest.mark.rule("MC-22")
def test_the_eternal_game_gives_no_circles() -> None:
    meadow = field(LAWN, ETERNAL)
    assert circles(finished_match(meadow, *[unbuilt_city(meadow)] * 3).state) == (0, 0, 0)
