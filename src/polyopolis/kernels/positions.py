"""The door to the kernels: the same questions in every game that has one."""

from collections.abc import Hashable, Mapping, Sequence
from typing import Any, Protocol

from polyopolis.games import spec_of
from polyopolis.kernels.choice_estimates import ChoiceEstimates
from polyopolis.kernels.city_arrays import Land, NoKernel
from polyopolis.kernels.draft_arrays import Material
from polyopolis.kernels.match_futures import FutureSimulator, Weigh
from polyopolis.kernels.runtime.jit import Floats, Words

Site = Land | Material
"""What a kernel knows of a game before it begins."""


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

    def parts(self, weights: Floats, choice: int | None) -> dict[str, float]:
        """What a choice is worth at sight, feature by feature; None: what is there before it."""

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

    def judged(self, weights: Floats, choices: Sequence[int], luck: Words) -> ChoiceEstimates:
        """What these choices come to, to stop among them where that can be chosen. Luck is a generator for each future;
        all choices are played in the same futures, whichever others there are, and luck is left as it is.
        """


class Kernel(Protocol):
    """What searches a game: a module of functions, as `kernels/mycity.py` is one. The sign of the game names it."""

    FINAL: bool
    """Whether a search plays to the end, so that it expects final scores."""

    @property
    def FEATURES(self) -> tuple[str, ...]:  # noqa: N802 - a constant of the module
        """What it counts in a position."""

    def knows(self, state: Any, seat: int) -> bool:
        """Whether it can decide for a seat now."""

    def position_of(self, state: Any, seat: int) -> Position: ...

    def oracle(self, seed: int, weigh: Weigh) -> FutureSimulator:
        """Tells the futures of a match, by a seed of its own."""

    def parts(self) -> Mapping[str, Site]:
        """The parts of the game that have weights of their own."""

    def outcomes(self, site: Any, weights: Floats, rival: Floats, luck: Words) -> Sequence[float]:
        """What comes of these weights, a figure for each luck; whoever else sits at the table has the rival's."""

    def about(self, site: Any) -> str:
        """What the figures are about."""


def kernel_of(key: str) -> Kernel | None:
    sign = spec_of(key)
    kernel: Kernel | None = sign.upstairs(sign.kernel) if sign.kernel else None
    return kernel


def needed(key: str) -> Kernel:
    if kernel := kernel_of(key):
        return kernel
    raise NoKernel(f"there is no kernel for {key}")


def features_of(key: str) -> tuple[str, ...]:
    return needed(key).FEATURES


def has_kernel(key: str, state: Any, seat: int) -> bool:
    kernel = kernel_of(key)
    return kernel is not None and kernel.knows(state, seat)


def position_of(key: str, state: Any, seat: int) -> Position:
    """What a seat decides on, in a state of a game with a kernel."""
    return needed(key).position_of(state, seat)
