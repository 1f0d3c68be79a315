"""Cells: names, bits, reading order, neighbours, groups."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from polyopolis.geometry import Grid, Mask, bits
from tests.geometry import naive
from tests.support.property_budget import examples


@st.composite
def grids_with_cells(draw: st.DrawFn) -> tuple[Grid, Mask]:
    grid = Grid(draw(st.integers(1, 12)), draw(st.integers(1, 12)))
    return grid, draw(st.integers(0, grid.all))


def test_cells_are_named_in_reading_order_from_the_top_left() -> None:
    assert Grid(3, 2).names == ("a1", "b1", "c1", "a2", "b2", "c2")


def test_a_cell_is_the_bit_of_its_place_in_reading_order() -> None:
    grid = Grid(3, 2)
    assert [grid.mask([name]) for name in grid.names] == [1, 2, 4, 8, 16, 32]
    assert [grid.at(x, y) for y in range(2) for x in range(3)] == [1, 2, 4, 8, 16, 32]


def test_the_board_of_my_city_ends_at_k11() -> None:
    grid = Grid(11, 11)
    assert (grid.names[0], grid.names[10], grid.names[11], grid.names[-1]) == ("a1", "k1", "a2", "k11")


@pytest.mark.parametrize("cell", [(-1, 0), (0, -1), (3, 0), (0, 2), (-1, -1)])
def test_there_is_no_cell_outside(cell: tuple[int, int]) -> None:
    assert Grid(3, 2).at(*cell) == 0


@pytest.mark.parametrize("name", ["d1", "a3", "a0", "A1", "a01", "1a", "", "a1 "])
def test_only_names_on_the_grid_are_known(name: str) -> None:
    grid = Grid(3, 2)
    assert name not in grid
    with pytest.raises(KeyError):
        grid.mask(["a1", name])


def test_only_strings_are_names() -> None:
    assert "c2" in Grid(3, 2)
    assert 5 not in Grid(3, 2)


def test_named_cells_come_back_in_reading_order() -> None:
    grid = Grid(3, 3)
    assert grid.cells(grid.mask(["b3", "c1", "a2", "a1", "c1"])) == ("a1", "c1", "a2", "b3")


@pytest.mark.parametrize(("width", "height"), [(0, 3), (3, 0), (27, 1), (-1, 2)])
def test_a_grid_has_one_to_26_columns_and_a_row(width: int, height: int) -> None:
    with pytest.raises(ValueError, match="a grid has 1 to 26 columns and at least one row"):
        Grid(width, height)


def test_the_widest_grid_ends_at_z() -> None:
    assert Grid(26, 1).names[-1] == "z1"


def test_neighbours_share_a_side_and_never_wrap_around_the_border() -> None:
    # . n .      n . .      . . .
    # n # n      # n .      . . n
    # . n .      n . .      . n #
    grid = Grid(3, 3)
    assert grid.cells(grid.neighbours(grid.mask(["b2"]))) == ("b1", "a2", "c2", "b3")
    assert grid.cells(grid.neighbours(grid.mask(["a2"]))) == ("a1", "b2", "a3")
    assert grid.cells(grid.neighbours(grid.mask(["c3"]))) == ("c2", "b3")


def test_groups_are_connected_by_sides_and_a_corner_is_not_enough() -> None:
    # # # . #
    # . . # .
    # # . # .
    grid = Grid(4, 3)
    mask = grid.mask(["a1", "b1", "d1", "c2", "a3", "c3"])
    assert [grid.cells(group) for group in grid.groups(mask)] == [("a1", "b1"), ("d1",), ("c2", "c3"), ("a3",)]


@given(grids_with_cells())
def test_bits_are_the_cells_one_by_one(drawn: tuple[Grid, Mask]) -> None:
    grid, mask = drawn
    found = list(bits(mask))
    assert found == sorted(found)
    assert all(cell.bit_count() == 1 for cell in found)
    assert {grid.cells(cell) for cell in found} == {(naive.name(cell),) for cell in naive.cells_of(grid, mask)}
    assert sum(found) == mask


@given(grids_with_cells())
def test_names_round_trip(drawn: tuple[Grid, Mask]) -> None:
    grid, mask = drawn
    assert grid.cells(mask) == naive.names(naive.cells_of(grid, mask))
    assert grid.mask(grid.cells(mask)) == mask


@given(grids_with_cells())
def test_rows_and_columns_are_the_lines_of_the_grid(drawn: tuple[Grid, Mask]) -> None:
    grid, mask = drawn
    cells = naive.cells_of(grid, mask)
    assert len(grid.rows) == grid.height
    assert len(grid.columns) == grid.width
    assert [(row & mask).bit_count() for row in grid.rows] == [
        sum(cell[1] == y for cell in cells) for y in range(grid.height)
    ]
    assert [naive.cells_of(grid, column & mask) for column in grid.columns] == [
        {cell for cell in cells if cell[0] == x} for x in range(grid.width)
    ]


@examples(200)
@given(grids_with_cells())
def test_neighbours_are_those_of_the_sets(drawn: tuple[Grid, Mask]) -> None:
    grid, mask = drawn
    expected = naive.around(naive.cells_of(grid, mask), grid.width, grid.height)
    assert naive.cells_of(grid, grid.neighbours(mask)) == expected


@examples(200)
@given(grids_with_cells())
def test_groups_are_those_of_the_sets(drawn: tuple[Grid, Mask]) -> None:
    grid, mask = drawn
    found = [naive.cells_of(grid, group) for group in grid.groups(mask)]
    expected = naive.pieces(naive.cells_of(grid, mask))
    assert sorted(map(sorted, found)) == sorted(map(sorted, expected))
    first = [group & -group for group in grid.groups(mask)]
    assert first == sorted(first)
