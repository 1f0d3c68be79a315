"""Boards drawn as text, and rivers on grid lines."""

import pytest
from hypothesis import given

from polyopolis.geometry import Board, Corner
from tests.geometry import naive
from tests.geometry.rivers import Watered, watered_boards
from tests.support.property_budget import examples

FIELD = """
. . . .
. . . .
. . . .
"""


def test_a_board_is_drawn_with_a_sign_for_each_cell() -> None:
    board = Board.from_text("""
        . 2 r
        ^ # .
    """)
    assert board.rows == (".2r", "^#.")
    assert (board.grid.width, board.grid.height) == (3, 2)
    assert board.signs == set(".2r^#")


def test_spaces_between_the_signs_do_not_matter() -> None:
    assert Board.from_text(". 2 r\n^ # .") == Board.from_text(".2r\n^#.")


def test_where_finds_the_cells_of_some_signs() -> None:
    board = Board.from_text("""
        . 2 r
        2 # .
    """)
    assert board.grid.cells(board.where("2")) == ("b1", "a2")
    assert board.grid.cells(board.where(".r")) == ("a1", "c1", "c2")
    assert board.where("W") == 0


def refusal(text: str, river: list[Corner]) -> str:
    with pytest.raises(ValueError) as refused:  # noqa: PT011 the whole message is compared
        Board.from_text(text, river)
    return str(refused.value)


def test_rows_of_unequal_length_are_refused() -> None:
    assert refusal(". . .\n. .\n. . .", []) == "row 2 has 2 cells and row 1 has 3"


def test_a_board_without_a_row_is_refused() -> None:
    assert refusal("", []) == "a grid has 1 to 26 columns and at least one row"


def test_a_river_outside_the_board_is_refused() -> None:
    assert refusal(FIELD, [(2, 0), (2, 4)]) == "the corner (2, 4) of the river is not on the board"
    assert refusal(FIELD, [(-1, 1), (4, 1)]) == "the corner (-1, 1) of the river is not on the board"


@pytest.mark.parametrize("end", [(3, 3), (2, 0)], ids=["across the cells", "nowhere"])
def test_a_river_that_leaves_the_grid_lines_is_refused(end: Corner) -> None:
    assert refusal(FIELD, [(2, 0), end]) == f"the river goes from (2, 0) to {end}, which is not along one grid line"


def test_a_river_that_meets_itself_is_refused() -> None:
    #    0   1   2   3   4
    # 0  +   +   s   +   +
    # 1  +   +---+---+   +
    # 2  +   +---+---+   +      down, left, down, right and up again over its own course
    assert refusal(FIELD, [(2, 0), (2, 1), (1, 1), (1, 2), (3, 2), (3, 1), (2, 1), (2, 3)]) == "the river meets itself"
    assert refusal(FIELD, [(2, 0), (2, 2), (2, 1), (4, 1)]) == "the river meets itself"


@pytest.mark.parametrize("river", [[(2, 0), (2, 2)], [(2, 1), (2, 3)], [(1, 1), (3, 1)], [(2, 0)]])
def test_a_river_that_does_not_reach_two_borders_is_refused(river: list[Corner]) -> None:
    assert refusal(FIELD, river) == "the river does not reach two borders"


def test_a_river_along_the_border_is_refused() -> None:
    assert refusal(FIELD, [(0, 0), (4, 0)]) == "the river runs along or beyond the border at (1, 0)"
    assert refusal(FIELD, [(2, 0), (2, 3), (4, 3)]) == "the river runs along or beyond the border at (2, 3)"


@pytest.mark.parametrize("river", [[(0, 0), (1, 0)], [(1, 3), (2, 3)], [(4, 1), (4, 2)]])
def test_a_river_of_one_step_along_the_border_is_refused(river: list[Corner]) -> None:
    assert refusal(FIELD, river).startswith("the river runs along or beyond the border")


def test_a_river_of_one_step_may_cross_a_board_of_one_column() -> None:
    board = Board.from_text(".\n.", [(0, 1), (1, 1)])
    assert [board.grid.cells(bank) for bank in board.banks] == [("a1",), ("a2",)]


def test_a_board_may_have_no_river() -> None:
    board = Board.from_text(FIELD)
    assert board.riverside == 0
    assert board.banks == (board.grid.all,)
    assert board.river_edges == frozenset()


def test_riverside_cells_have_a_side_along_the_river_and_a_corner_is_not_enough() -> None:
    #   a b c d
    # 1 . *|* .
    #      +-+
    # 2 . . *|*      b2 only has a corner at the river
    # 3 . . *|*
    board = Board.from_text(FIELD, [(2, 0), (2, 1), (3, 1), (3, 3)])
    assert board.grid.cells(board.riverside) == ("b1", "c1", "c2", "d2", "c3", "d3")


def test_the_river_parts_the_board_into_two_banks() -> None:
    #   a b c d
    # 1 l l|r r
    #      +-+
    # 2 l l l|r
    # 3 l l l|r
    board = Board.from_text(FIELD, [(2, 0), (2, 1), (3, 1), (3, 3)])
    left, right = board.banks
    assert board.grid.cells(left) == ("a1", "b1", "a2", "b2", "c2", "a3", "b3", "c3")
    assert board.grid.cells(right) == ("c1", "d1", "d2", "d3")


def test_the_edges_of_the_river_are_single_steps() -> None:
    board = Board.from_text(FIELD, [(2, 0), (2, 1), (3, 1), (3, 3)])
    assert board.river_edges == {((2, 0), (2, 1)), ((2, 1), (3, 1)), ((3, 1), (3, 2)), ((3, 2), (3, 3))}


def test_a_river_is_the_same_river_upstream() -> None:
    down = Board.from_text(FIELD, [(2, 0), (2, 1), (3, 1), (3, 3)])
    up = Board.from_text(FIELD, [(3, 3), (3, 1), (2, 1), (2, 0)])
    assert (down.riverside, down.banks, down.river_edges) == (up.riverside, up.banks, up.river_edges)


@examples(100)
@given(watered_boards())
def test_riverside_and_banks_are_those_of_the_sets(drawn: Watered) -> None:
    board, course = drawn.board, drawn.course
    grid = board.grid
    parted = naive.walls(course)
    assert naive.cells_of(grid, board.riverside) == {cell for pair in parted for cell in pair}
    expected = naive.banks(grid.width, grid.height, parted)
    assert sorted(sorted(naive.cells_of(grid, bank)) for bank in board.banks) == sorted(map(sorted, expected))
    assert len(board.banks) == 2
    first = [bank & -bank for bank in board.banks]
    assert first == sorted(first)
