"""Example positions for the rules pages: a small sheet on which readers try placements."""

from collections.abc import Sequence
from dataclasses import replace

from polyopolis.games.rollwrite.content import Episode, Faces, content
from polyopolis.games.rollwrite.placement_rules import build, empty_city
from polyopolis.games.rollwrite.state import Setup, State
from polyopolis.games.rule_examples import Example, all_positions
from polyopolis.geometry import Board

BOARD = Board.from_text(
    """
    . . 2 . . r .
    # . . . . . .
    # . r . . 2 .
    . . . . . ^ ^
    . 2 . . . . .
    """,
    river=[(4, 0), (4, 2), (3, 2), (3, 4), (4, 4), (4, 5)],
)

STANDING: dict[Faces, Sequence[str]] = {
    ("corner", "blank", "residential"): ("c2", "d1", "d2"),
    ("vertical", "vertical", "industrial"): ("e1", "f1", "e2", "f2"),
}
"""The buildings of the second example by roll, in the order in which they were built."""


def examples(version: int) -> tuple[Example, ...]:
    """Returns an example of the first building, at the river, and of a later one, at another building (RW-7)."""
    land = replace(content(version).episodes[1], board=BOARD)
    return (
        _example("first", version, land, ("corner", "blank", "residential"), {}),
        _example("next", version, land, ("horizontal", "vertical", "administrative"), STANDING),
    )


def _example(name: str, version: int, land: Episode, faces: Faces, standing: dict[Faces, Sequence[str]]) -> Example:
    city = empty_city(land)
    for before, cells in standing.items():
        task = land.task_of(before, 0)
        city = build(city, task, next(place.cells for place in task.places if set(place.cells) == set(cells)))
    task = land.task_of(faces, 0)
    state = State(
        setup=Setup(episode=1, seats=1, content=version),
        episode=land,
        cities=(city,),
        acting=frozenset({0}),
        faces=faces,
        task=task,
        rolls=len(standing) + 1,
    )
    return Example(name, state, all_positions(BOARD.grid, task.shape.orientations()))
