"""Protocols `Kernel` and `Position`: how search code asks about a seat's decision, the same for every game."""

from collections.abc import Hashable, Mapping, Sequence
from typing import Any, Protocol

from polyopolis.games import spec_of
from polyopolis.kernels.choice_estimates import ChoiceEstimates
from polyopolis.kernels.city_arrays import CitySite, NoKernel
from polyopolis.kernels.draft_arrays import DraftSite
from polyopolis.kernels.match_futures import FutureSimulator, WeightsFor
from polyopolis.kernels.runtime.jit import Floats, Words

Site = CitySite | DraftSite
"""Constant data of a game for its kernel."""


class Position(Protocol):
    """A decision of one seat. Choices are numbers."""

    @property
    def site(self) -> Site: ...

    @property
    def part(self) -> str:
        """The part of a game whose weights apply."""

    @property
    def information_key(self) -> Hashable:
        """All information that the decision depends on. Within a game of one setup, positions with equal keys are
        equivalent."""

    @property
    def stop_values(self) -> list[tuple[float, int]]:
        """Stopping and its value; empty if a seat cannot stop now."""

    def action(self, choice: int) -> Any: ...

    def choice(self, action: Any) -> int:
        """Returns the number of an action of the rules."""

    def choice_values(self, weights: Floats) -> list[tuple[float, int]]:
        """Returns every choice except stopping with its static value."""

    def feature_values(self, weights: Floats, choice: int | None) -> dict[str, float]:
        """Returns the static value after a choice by feature. None: the value of the present position."""

    def count_continuations(self, limit: int) -> int:
        """Returns roughly the number of ways to play on to the end, at most `limit`."""

    def solve(self) -> list[tuple[float, int]]:
        """Returns every choice with its exact expected value, best first."""

    def search(self, weights: Floats, simulations: int, width: int, rng: Words) -> tuple[int, list[tuple[float, int]]]:
        """Returns the number of simulated games, and the `width` best choices with their mean values, best first.

        `simulations` counts those of a city: a kernel whose games are longer or shorter plays fewer or more. `rng` is
        advanced with every game.
        """

    def estimate_choices(self, weights: Floats, choices: Sequence[int], seeds: Words) -> ChoiceEstimates:
        """Evaluates these choices, possibly including stopping. `seeds` has one generator state per future and is not
        changed. All choices are played in the same futures (common random numbers), independent of the other choices.
        """


class Kernel(Protocol):
    """Search functions of a game: a module such as `kernels/mycity.py`. The `GameSpec` of the game names it."""

    FINAL: bool
    """Whether searches play to the end, so that their values are final scores."""

    @property
    def FEATURES(self) -> tuple[str, ...]:  # noqa: N802 - a constant of the module
        """Names of the features that it counts in a position."""

    def supports(self, state: Any, seat: int) -> bool:
        """Returns whether it supports the present decision of a seat."""

    def position_of(self, state: Any, seat: int) -> Position: ...

    def future_simulator(self, seed: int, weigh: WeightsFor) -> FutureSimulator:
        """Returns a simulator of the futures of one match, with its own seed."""

    def parts(self) -> Mapping[str, Site]:
        """Returns the parts of the game that have weights of their own."""

    def outcomes(self, site: Any, weights: Floats, rival: Floats, seeds: Words) -> Sequence[float]:
        """Plays one game per seed with these weights and returns the results. Opponents use the weights `rival`."""

    def about(self, site: Any) -> str:
        """Describes the results of `outcomes`."""


def find_kernel(key: str) -> Kernel | None:
    sign = spec_of(key)
    kernel: Kernel | None = sign.load_module(sign.kernel) if sign.kernel else None
    return kernel


def require_kernel(key: str) -> Kernel:
    if kernel := find_kernel(key):
        return kernel
    raise NoKernel(f"{key} has no kernel")


def features_of(key: str) -> tuple[str, ...]:
    return require_kernel(key).FEATURES


def has_kernel(key: str, state: Any, seat: int) -> bool:
    kernel = find_kernel(key)
    return kernel is not None and kernel.supports(state, seat)


def position_of(key: str, state: Any, seat: int) -> Position:
    """Returns the decision of a seat. The game must have a kernel."""
    return require_kernel(key).position_of(state, seat)
