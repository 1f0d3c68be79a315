"""Placements of a shape on a board: bit masks compared with sets of cells."""

from collections.abc import Iterable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from polyopolis.geometry import Board, Mask, Placements, Shape
from tests.geometry import naive
from tests.geometry.rivers import watered_boards
from tests.support.property_budget import examples

SHAPES = [
    Shape.from_text(drawing)
    for drawing in ("#", "##", "#./##", "####", "##/##", ".#./###", ".##/##.", "#../###", "###/#.#", "##./.#./.##")
]


def itself(cells: tuple[str, ...]) -> tuple[str, ...]:
    return cells


def placements(board: Board, orientations: Iterable[Shape], ground: str = ".") -> Placements[tuple[str, ...]]:
    return Placements(board, board.where(ground), orientations, itself)


@st.composite
def scenes(draw: st.DrawFn) -> tuple[Board, Shape, set[frozenset[naive.Cell]]]:
    """Draws a board with a river, a shape, and all its placements according to the naive implementation."""
    drawn = draw(watered_boards("..#"))
    shape = draw(st.sampled_from(SHAPES))
    grid = drawn.board.grid
    shores = naive.banks(grid.width, grid.height, naive.walls(drawn.course))
    ground = naive.cells_of(grid, drawn.board.where("."))
    turns = [turn.squares for turn in shape.rotations()]
    return drawn.board, shape, naive.places(grid.width, grid.height, turns, ground, shores)


def test_a_shape_lies_on_ground_that_allows_it() -> None:
    # . # .
    # . . .
    board = Board.from_text(". # .\n. . .")
    found = placements(board, Shape.from_text("##").rotations())
    assert set(found.open(board.grid.all, board.grid.all)) == {("a1", "a2"), ("c1", "c2"), ("a2", "b2"), ("b2", "c2")}


def test_a_shape_never_lies_on_both_banks() -> None:
    # . .|.
    board = Board.from_text(". . .", [(2, 0), (2, 1)])
    assert [placement.cells for placement in placements(board, [Shape.from_text("##")])] == [("a1", "b1")]


def test_two_turns_on_the_same_cells_are_one_placement() -> None:
    board = Board.from_text(". .\n. .")
    found = placements(board, Shape.from_text("##/##").rotations())
    assert len(found) == 1
    assert found.open(board.grid.all, board.grid.all) == [("a1", "b1", "a2", "b2")]


def test_an_open_place_is_free_and_within_reach() -> None:
    # free:  x x x .      reach:  . . * *
    board = Board.from_text(". . . .")
    found = placements(board, Shape.from_text("##").rotations())
    free, reach = board.grid.mask(["a1", "b1", "c1"]), board.grid.mask(["c1", "d1"])
    assert found.open(free, reach) == [("b1", "c1")]
    assert found.any_open(free, reach)
    assert not found.any_open(free, board.grid.mask(["d1"]))
    assert not found.any_open(board.grid.mask(["a1", "c1"]), board.grid.all)


def test_a_placement_is_found_by_its_cells_in_reading_order() -> None:
    board = Board.from_text(". .\n. .")
    found = placements(board, Shape.from_text("#./##").rotations())
    assert found["a1", "a2", "b2"].mask == board.grid.mask(["a1", "a2", "b2"])
    assert ("a1", "a2", "b2") in found
    assert ("a2", "a1", "b2") not in found
    with pytest.raises(KeyError):
        found["a1", "b2", "a2"]


def test_a_shape_larger_than_the_board_has_no_place() -> None:
    board = Board.from_text(". . .\n. . .")
    assert len(placements(board, Shape.from_text("####").rotations())) == 0


@examples(300)
@given(scenes(), st.data())
def test_open_places_are_those_of_the_sets(
    scene: tuple[Board, Shape, set[frozenset[naive.Cell]]], data: st.DataObject
) -> None:
    board, shape, places = scene
    found = placements(board, shape.rotations())
    free, reach = data.draw(mostly(board)), data.draw(st.integers(0, board.grid.all))
    free_cells, reach_cells = naive.cells_of(board.grid, free), naive.cells_of(board.grid, reach)
    expected = {naive.names(cells) for cells in places if cells <= free_cells and cells & reach_cells}
    opened = found.open(free, reach)
    assert set(opened) == expected
    assert len(opened) == len(expected)
    assert found.any_open(free, reach) == bool(expected)


def mostly(board: Board) -> st.SearchStrategy[Mask]:
    """Draws free cells, about three in four, so that larger shapes have placements."""
    some = st.integers(0, board.grid.all)
    return st.tuples(some, some).map(lambda pair: pair[0] | pair[1])


@examples(100)
@given(scenes())
def test_placements_are_those_of_the_sets(scene: tuple[Board, Shape, set[frozenset[naive.Cell]]]) -> None:
    board, shape, places = scene
    found = placements(board, shape.rotations())
    assert {placement.cells for placement in found} == {naive.names(cells) for cells in places}
    assert len(found) == len(places)
    assert set(found.open(board.grid.all, board.grid.all)) == {naive.names(cells) for cells in places}


@examples(100)
@given(scenes())
def test_every_placement_has_its_cells_and_their_neighbours(
    scene: tuple[Board, Shape, set[frozenset[naive.Cell]]],
) -> None:
    board, shape, _ = scene
    grid = board.grid
    for placement in placements(board, shape.rotations()):
        cells = naive.cells_of(grid, placement.mask)
        assert placement.cells == naive.names(cells)
        assert placement.choice == placement.cells
        assert naive.cells_of(grid, placement.halo) == naive.around(cells, grid.width, grid.height)
