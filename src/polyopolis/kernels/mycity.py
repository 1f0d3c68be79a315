"""Kernel of My City: searches one city to the end of the game."""

from typing import Any

from polyopolis.games.mycity.content import content
from polyopolis.games.mycity.rules import Setup, start
from polyopolis.games.mycity.state import State
from polyopolis.kernels import city_arrays, city_position
from polyopolis.kernels.city_arrays import CitySite
from polyopolis.kernels.city_futures import CityFutureSimulator
from polyopolis.kernels.match_futures import FutureSimulator, WeightsFor
from polyopolis.kernels.placing.layout import FEATURES
from polyopolis.kernels.positions import Position
from polyopolis.kernels.runtime.jit import Floats, Words

__all__ = ["FEATURES", "FINAL", "about", "future_simulator", "outcomes", "parts", "position_of", "supports"]

FINAL = True


def supports(state: State, seat: int) -> bool:
    return city_arrays.has_kernel("mycity", state, seat)


def position_of(state: State, seat: int) -> Position:
    return city_position.position_of("mycity", state, seat)


def future_simulator(seed: int, weigh: WeightsFor) -> FutureSimulator:
    return CityFutureSimulator("mycity", seed, weigh)


def parts() -> dict[str, CitySite]:
    """Returns the eternal game and every episode as a single match."""
    boards = {f"episode-{number}": _board(mode="episode", episode=number) for number in content().numbers}
    return {"all": _board(), **boards}


def _board(**played: Any) -> CitySite:
    state = start(Setup(seats=2, **played))
    return city_arrays.city_site("mycity", state.episode, state.cities[0].site)


def outcomes(site: CitySite, weights: Floats, rival: Floats, seeds: Words) -> list[float]:
    """Returns the scores of a city that is built alone."""
    return [float(result) for result in city_position.greedy_outcomes(site, weights, seeds)]


def about(site: CitySite) -> str:
    return "alone"
