"""The door to the kernels: the same questions in every game that has one."""

from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, Protocol

from polyopolis.kernels import cities, drafts, tables
from polyopolis.kernels.compiled import Floats, Words
from polyopolis.kernels.drafting.layout import FEATURES as DRAFT_FEATURES
from polyopolis.kernels.judging import Judgement
from polyopolis.kernels.materials import Material
from polyopolis.kernels.placing.layout import FEATURES as CITY_FEATURES
from polyopolis.kernels.tables import LANDS, Land

Site = Land | Material
"""What a kernel knows of a game before it begins."""
DRAFTED = "pointcity"


class Position(Protocol):
    """What one seat decides on. A choice is a number, luck is the word of a generator."""

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

    def choice(self, action: Any) -> int:
        """The number of a choice, as the rules name it."""

    def valued(self, weights: Floats) -> list[tuple[float, int]]:
        """Every choice but to stop, with what it is worth at sight."""

    def parts(self, weights: Floats, choice: int) -> dict[str, float]:
        """What a choice is worth at sight, feature by feature."""

    def futures(self, limit: int) -> int:
        """About how many ways there are to play on to the end, if they are fewer than this."""

    def solved(self) -> list[tuple[float, int]]:
        """Every choice with what it comes to if all that may come is looked at, the best first."""

    def searched(
        self, weights: Floats, simulations: int, width: int, luck: Words
    ) -> tuple[int, list[tuple[float, int]]]:
        """How many games it took, and so many choices, each with what it comes to on average, the best first.

        Simulations are those of a city: a game whose games are shorter or longer plays more or fewer. Luck is one
        generator, which goes on with every game.
        """

    def judged(self, weights: Floats, choices: Sequence[int], luck: Words) -> Judgement:
        """What these choices come to, to stop among them where that can be chosen. Luck is a generator for each future;
        all choices are played in the same futures, whichever others there are, and luck is left as it is.
        """


@dataclass(frozen=True)
class Kernel:
    """What the house asks of a kernel."""

    features: tuple[str, ...]
    """What it counts of a position, by names that weights and words use."""
    knows: Callable[[Any, int], bool]
    """Whether it can decide for a seat in a state."""
    position_of: Callable[[Any, int], Position]
    """What a seat decides on in a state that it knows."""


KERNELS: dict[str, Kernel] = {
    **{key: Kernel(CITY_FEATURES, partial(tables.has_kernel, key), partial(cities.position_of, key)) for key in LANDS},
    DRAFTED: Kernel(DRAFT_FEATURES, lambda _state, _seat: True, lambda state, _seat: drafts.position_of(state)),
}
KEYS = tuple(KERNELS)
"""The games that have a kernel."""


def features_of(key: str) -> tuple[str, ...]:
    return KERNELS[key].features


def has_kernel(key: str, state: Any, seat: int) -> bool:
    return key in KERNELS and KERNELS[key].knows(state, seat)


def position_of(key: str, state: Any, seat: int) -> Position:
    """What a seat decides on, in a state of a game with a kernel."""
    return KERNELS[key].position_of(state, seat)
