"""A small sheet on which a reader tries where a building may lie."""

from collections.abc import Sequence
from dataclasses import replace

from polyopolis.games.rollwrite.content import Episode, Faces, content
from polyopolis.games.rollwrite.placement_rules import build, laid_out
from polyopolis.games.rollwrite.state import Setup, State
from polyopolis.games.rule_examples import Example, everywhere
from polyopolis.geometry import Board

BOARD = Board.drawn(
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
"""What stands there in the second example, one roll after the other."""


def examples(version: int) -> tuple[Example, ...]:
    """The first building has a side along the river, the next ones one in common with another (RW-7)."""
    land = replace(content(version).episodes[1], board=BOARD)
    return (
        _example("first", version, land, ("corner", "blank", "residential"), {}),
        _example("next", version, land, ("horizontal", "vertical", "administrative"), STANDING),
    )


def _example(name: str, version: int, land: Episode, faces: Faces, standing: dict[Faces, Sequence[str]]) -> Example:
    city = laid_out(land)
    for before, cells in standing.items():
        task = land.asked(before, 0)
        city = build(city, task, next(place.cells for place in task.places if set(place.cells) == set(cells)))
    task = land.asked(faces, 0)
    state = State(
        setup=Setup(episode=1, seats=1, content=version),
        episode=land,
        cities=(city,),
        acting=frozenset({0}),
        faces=faces,
        task=task,
        rolls=len(standing) + 1,
    )
    return Example(name, state, everywhere(BOARD.grid, task.shape.orientations()))
