"""The drawings of the sheets, and the counts of the rules page."""

import pytest

from polyopolis.games.rollwrite.content import SIGNS
from tests.games.rollwrite.positions import EPISODES

CHAPTERS_1_AND_4 = "5,0 5,1 4,1 4,3 3,3 3,4 5,4 5,6 4,6 4,7 3,7 3,8"
CHAPTER_2 = "4,0 4,3 3,3 3,4 5,4 5,6 3,6 3,7 0,7"
CHAPTER_3 = "4,0 4,3 3,3 3,4 5,4 5,6 0,6"
RIVERS = [CHAPTERS_1_AND_4] * 3 + [CHAPTER_2] * 3 + [CHAPTER_3] * 3 + [CHAPTERS_1_AND_4] * 3

COUNTS = {
    1: {"trees": 5, "rocks": 6, "mountain": 4, "forest": 12},
    2: {"trees": 5, "rocks": 6, "mountain": 4, "forest": 12},
    3: {"trees": 5, "rocks": 6, "well": 1, "mountain": 4, "forest": 12},
    4: {"trees": 5, "rocks": 8, "well": 1, "mountain": 4, "forest": 10},
    5: {"trees": 5, "rocks": 8, "well": 2, "mountain": 4, "forest": 10},
    6: {"trees": 5, "rocks": 8, "well": 2, "mountain": 4, "forest": 10, "church": 1},
    7: {"trees": 7, "rocks": 8, "plains": 4, "mountain": 4, "forest": 9, "flood": 5, "sawmill": 2},
    8: {"trees": 7, "rocks": 9, "mountain": 4, "forest": 12, "sawmill": 2},
    9: {"trees": 7, "rocks": 7, "gold": 5, "mountain": 4, "forest": 8, "sawmill": 2},
    10: {"trees": 7, "rocks": 11, "mountain": 4, "bandit": 6},
    11: {"trees": 7, "rocks": 11, "mountain": 4, "bandit": 5, "fort": 2},
    12: {"trees": 7, "rocks": 9, "mountain": 4, "bandit": 2, "fort": 2},
}


@pytest.mark.parametrize("number", EPISODES)
def test_a_sheet_has_eleven_columns_and_eight_rows(number: int) -> None:
    grid = EPISODES[number].board.grid
    assert (grid.width, grid.height) == (11, 8)


@pytest.mark.parametrize("number", EPISODES)
def test_the_river_of_each_chapter(number: int) -> None:
    assert " ".join(f"{x},{y}" for x, y in EPISODES[number].board.river) == RIVERS[number - 1]


@pytest.mark.parametrize("number", EPISODES)
def test_the_terrain_of_each_sheet(number: int) -> None:
    board = EPISODES[number].board
    found = {name: board.where(sign).bit_count() for sign, name in SIGNS.items() if sign != "."}
    assert {name: cells for name, cells in found.items() if cells} == COUNTS[number]


def test_there_are_twelve_episodes() -> None:
    assert list(EPISODES) == list(range(1, 13))
