"""Random boards with random rivers (Hypothesis)."""

from dataclasses import dataclass
from random import Random

from hypothesis import assume
from hypothesis import strategies as st

from polyopolis.geometry import Board, Corner


@dataclass(frozen=True)
class Watered:
    """A board and every corner that its river passes."""

    board: Board
    course: tuple[Corner, ...]


@st.composite
def watered_boards(draw: st.DrawFn, signs: str = ".") -> Watered:
    width, height = draw(st.integers(2, 9)), draw(st.integers(2, 9))
    rows = draw(st.lists(st.text(signs, min_size=width, max_size=width), min_size=height, max_size=height))
    course = wander(width, height, draw(st.randoms(use_true_random=False)))
    assume(len(course) > 1)
    return Watered(Board(tuple(rows), bends(course) if draw(st.booleans()) else course), course)


def wander(width: int, height: int, rng: Random) -> tuple[Corner, ...]:
    """Returns a random walk over corners from border to border that never meets itself; empty if it gets stuck."""
    top_and_left = [(x, 0) for x in range(1, width)] + [(0, y) for y in range(1, height)]
    course = [rng.choice(top_and_left)]
    x, y = course[0]
    course.append((x, 1) if y == 0 else (1, y))
    while inside(course[-1], width, height):
        x, y = course[-1]
        ways = [step for step in ((x + 1, y), (x - 1, y), (x, y + 1), (x, y - 1)) if step not in course]
        if not ways:
            return ()
        course.append(rng.choice(ways))
    return tuple(course)


def inside(corner: Corner, width: int, height: int) -> bool:
    return 0 < corner[0] < width and 0 < corner[1] < height


def bends(course: tuple[Corner, ...]) -> tuple[Corner, ...]:
    """Returns only the ends and bends of a course."""
    inner = zip(course, course[1:], course[2:], strict=False)
    turns = (here for before, here, after in inner if before[0] != after[0] and before[1] != after[1])
    return (course[0], *turns, course[-1])
