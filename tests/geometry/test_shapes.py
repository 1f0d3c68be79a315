"""Shapes: drawings, rotations and mirror images."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from polyopolis.geometry import Shape
from tests.geometry import naive

squares = st.frozensets(st.tuples(st.integers(0, 3), st.integers(0, 3)), min_size=1, max_size=7)
shapes = squares.map(lambda cells: Shape(tuple(cells)))


def quarter(cells: set[naive.Cell]) -> frozenset[naive.Cell]:
    """Returns a set of squares after a quarter turn clockwise: the left column, from bottom to top, is the top row."""
    bottom = max(y for _, y in cells)
    return home({(bottom - y, x) for x, y in cells})


def home(cells: set[naive.Cell]) -> frozenset[naive.Cell]:
    """Returns the squares moved to the top left corner."""
    left, top = min(x for x, _ in cells), min(y for _, y in cells)
    return frozenset((x - left, y - top) for x, y in cells)


def test_a_shape_is_read_from_its_drawing() -> None:
    # .##
    # ##.
    assert set(Shape.from_text(".##\n##.").squares) == {(1, 0), (2, 0), (0, 1), (1, 1)}


def test_a_drawing_may_be_written_on_one_line() -> None:
    assert Shape.from_text(".##/##.") == Shape.from_text("\n.##\n##.\n")


def test_a_shape_does_not_depend_on_its_position() -> None:
    assert Shape.from_text("..../.#../.##.") == Shape.from_text("#./##")


def test_a_shape_does_not_depend_on_the_order_of_squares() -> None:
    assert Shape(((5, 7), (4, 7), (4, 6))) == Shape(((0, 0), (0, 1), (1, 1)))
    assert Shape(((1, 1), (0, 0), (0, 1))).squares == ((0, 0), (0, 1), (1, 1))


@given(shapes)
def test_drawings_round_trip(shape: Shape) -> None:
    assert Shape.from_text(str(shape)) == shape
    assert str(shape).count("#") == len(shape)
    rows = str(shape).split("\n")
    assert (len(rows[0]), len(rows)) == (shape.width, shape.height)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("##/#", "the rows of the drawing '##/#' differ in length"),
        ("#x/##", "a shape is drawn with '#' and '.', not with 'x'"),
        ("../..", "a shape has at least one square"),
        ("", "a shape has at least one square"),
    ],
)
def test_a_bad_drawing_is_refused_with_its_reason(text: str, message: str) -> None:
    with pytest.raises(ValueError) as refused:  # noqa: PT011 the whole message is compared
        Shape.from_text(text)
    assert str(refused.value) == message


def test_a_quarter_turn_is_clockwise() -> None:
    # #..      ##
    # ###  ->  #.
    #          #.
    assert str(Shape.from_text("#../###").rotated()) == "##\n#.\n#."


def test_a_mirror_exchanges_left_and_right() -> None:
    # #..      ..#
    # ###  ->  ###
    assert str(Shape.from_text("#../###").mirrored()) == "..#\n###"


@pytest.mark.parametrize(
    ("drawing", "rotations", "orientations"),
    [
        ("####", 2, 2),
        ("##/##", 1, 1),
        (".#./###", 4, 4),
        (".##/##.", 2, 4),
        ("#../###", 4, 8),
        ("###/#.#", 4, 4),
        ("##", 2, 2),
        ("#./##", 4, 4),
        ("#", 1, 1),
        (".#./###/.#.", 1, 1),
        ("##./.##/.#.", 4, 8),
    ],
)
def test_a_shape_lies_in_1_2_or_4_ways_and_flipped_in_up_to_8(drawing: str, rotations: int, orientations: int) -> None:
    shape = Shape.from_text(drawing)
    assert len(shape.rotations()) == rotations
    assert len(shape.orientations()) == orientations


@given(shapes)
def test_turns_are_those_of_the_sets(shape: Shape) -> None:
    turn = home(set(shape.squares))
    expected = set()
    for _ in range(4):
        expected.add(turn)
        turn = quarter(set(turn))
    assert {frozenset(found.squares) for found in shape.rotations()} == expected
    assert len(shape.rotations()) == len(expected)


@given(shapes)
def test_flips_are_those_of_the_sets(shape: Shape) -> None:
    flipped = Shape(tuple((3 - x, y) for x, y in shape.squares))
    assert shape.mirrored() == flipped
    assert set(shape.orientations()) == set(shape.rotations()) | set(flipped.rotations())
    assert len(shape.orientations()) in (1, 2, 4, 8)


@given(shapes)
def test_four_turns_and_two_flips_lead_back(shape: Shape) -> None:
    assert shape.rotated().rotated().rotated().rotated() == shape
    assert shape.mirrored().mirrored() == shape


@pytest.mark.parametrize(
    ("drawing", "connected"),
    [("#", True), ("##/#.", True), ("#./.#", False), ("#.#", False), ("###/#.#", True), ("#.#/###", True)],
)
def test_squares_are_connected_by_sides_not_by_corners(drawing: str, connected: bool) -> None:
    assert Shape.from_text(drawing).connected is connected


@given(shapes)
def test_connected_means_one_piece(shape: Shape) -> None:
    assert shape.connected == (len(naive.pieces(shape.squares)) == 1)
