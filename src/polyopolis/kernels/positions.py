"""Where kernels decide: the same questions in every game that has one."""

from collections.abc import Hashable
from typing import Any, Protocol

from polyopolis.kernels import cities, drafting, drafts, placing, tables
from polyopolis.kernels.compiled import Floats
from polyopolis.kernels.drafts import Material
from polyopolis.kernels.tables import LANDS, Land

Site = Land | Material
"""What a kernel knows of a game before it begins."""
DRAFTED = "pointcity"
KEYS = (*LANDS, DRAFTED)
"""The games that have a kernel."""


class Position(Protocol):
    """What one seat decides on. A choice is a number."""

    @property
    def site(self) -> Site: ...

    @property
    def part(self) -> str:
        """The part of a game whose weights hold."""

    @property
    def sight(self) -> Hashable:
        """All that it is decided on: in a game of one setup, equal for positions that are alike to whoever decides."""

    @property
    def stopping(self) -> list[tuple[float, int]]:
        """To stop, where that can be chosen, and what it is worth."""

    def action(self, choice: int) -> Any: ...

    def valued(self, weights: Floats) -> list[tuple[float, int]]:
        """Every choice but to stop, with what it is worth at sight."""

    def parts(self, weights: Floats, choice: int) -> dict[str, float]:
        """What a choice is worth at sight, feature by feature."""

    def futures(self, limit: int) -> int:
        """About how many ways there are to play on to the end, if they are fewer than this."""

    def solved(self) -> list[tuple[float, int]]:
        """Every choice with what it comes to if all that may come is looked at, the best first."""

    def searched(self, weights: Floats, simulations: int, width: int, seed: int) -> tuple[int, list[tuple[float, int]]]:
        """How many games it took, and so many choices, each with what it comes to on average, the best first.

        Simulations are those of a city: a game whose games are shorter or longer plays more or fewer.
        """


def features_of(key: str) -> tuple[str, ...]:
    return drafting.FEATURES if key == DRAFTED else placing.FEATURES


def has_kernel(key: str, state: Any, seat: int) -> bool:
    return drafts.has_kernel(state) if key == DRAFTED else tables.has_kernel(key, state, seat)


def position_of(key: str, state: Any, seat: int) -> Position:
    """What a seat decides on, in a state of a game with a kernel."""
    return drafts.position_of(state) if key == DRAFTED else cities.position_of(key, state, seat)
