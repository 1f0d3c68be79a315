"""Roll & Write for those who search it: a sheet at a time, to its end."""

from polyopolis.games.rollwrite.content import content
from polyopolis.games.rollwrite.state import State
from polyopolis.kernels import city_arrays, city_position
from polyopolis.kernels.city_arrays import Land
from polyopolis.kernels.city_futures import CityFutureSimulator
from polyopolis.kernels.match_futures import FutureSimulator, Weigh
from polyopolis.kernels.placing.layout import FEATURES
from polyopolis.kernels.positions import Position
from polyopolis.kernels.runtime.jit import Floats, Words

__all__ = ["FEATURES", "FINAL", "about", "knows", "oracle", "outcomes", "parts", "position_of"]

FINAL = True


def knows(state: State, seat: int) -> bool:
    return city_arrays.has_kernel("rollwrite", state, seat)


def position_of(state: State, seat: int) -> Position:
    return city_position.position_of("rollwrite", state, seat)


def oracle(seed: int, weigh: Weigh) -> FutureSimulator:
    return CityFutureSimulator("rollwrite", seed, weigh)


def parts() -> dict[str, Land]:
    """Every episode: it has a sheet of its own."""
    return {
        f"episode-{number}": city_arrays.land_of("rollwrite", played) for number, played in content().episodes.items()
    }


def outcomes(site: Land, weights: Floats, rival: Floats, luck: Words) -> list[float]:
    """The scores of one who plays alone."""
    return [float(result) for result in city_position.good_outcomes(site, weights, luck)]


def about(site: Land) -> str:
    return "alone"
