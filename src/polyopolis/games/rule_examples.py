"""Positions on which somebody who reads the rules tries out what they allow."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from polyopolis.games.placement import Place
from polyopolis.geometry import Grid, Shape


@dataclass(frozen=True)
class Example:
    """A position, who decides there, and everything that can be tried, allowed or not."""

    name: str
    state: Any
    actions: tuple[Any, ...]
    seat: int = 0


def everywhere(grid: Grid, orientations: Iterable[Shape]) -> tuple[Place, ...]:
    """Every way to lay a shape on a board, whatever lies there."""
    return tuple(
        Place(tuple(grid.names[(top + y) * grid.width + left + x] for x, y in shape.squares))
        for shape in orientations
        for top in range(grid.height - shape.height + 1)
        for left in range(grid.width - shape.width + 1)
    )
