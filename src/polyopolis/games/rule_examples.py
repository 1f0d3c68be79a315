"""Example positions on which readers of the rules try actions."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from polyopolis.games.placement import Place
from polyopolis.geometry import Grid, Shape


@dataclass(frozen=True)
class Example:
    """A position, the seat that decides, and the actions that can be tried, legal or not."""

    name: str
    state: Any
    actions: tuple[Any, ...]
    seat: int = 0


def all_positions(grid: Grid, orientations: Iterable[Shape]) -> tuple[Place, ...]:
    """Returns all positions of a shape on a board, legal or not."""
    return tuple(
        Place(tuple(grid.names[(top + y) * grid.width + left + x] for x, y in shape.squares))
        for shape in orientations
        for top in range(grid.height - shape.height + 1)
        for left in range(grid.width - shape.width + 1)
    )
