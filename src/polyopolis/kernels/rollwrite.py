"""Kernel of Roll & Write: searches one sheet to the end of the game."""

from polyopolis.games.rollwrite.content import content
from polyopolis.games.rollwrite.state import State
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
    return city_arrays.has_kernel("rollwrite", state, seat)


def position_of(state: State, seat: int) -> Position:
    return city_position.position_of("rollwrite", state, seat)


def future_simulator(seed: int, weigh: WeightsFor) -> FutureSimulator:
    return CityFutureSimulator("rollwrite", seed, weigh)


def parts() -> dict[str, CitySite]:
    """Returns every episode, because each has its own sheet."""
    return {
        f"episode-{number}": city_arrays.city_site("rollwrite", played) for number, played in content().episodes.items()
    }


def outcomes(site: CitySite, weights: Floats, rival: Floats, seeds: Words) -> list[float]:
    """Returns the scores of a city that is built alone."""
    return [float(result) for result in city_position.greedy_outcomes(site, weights, seeds)]


def about(site: CitySite) -> str:
    return "alone"
