"""My City for those who search it: a city at a time, to its end."""

from typing import Any

from polyopolis.games.mycity.content import content
from polyopolis.games.mycity.rules import Setup, start
from polyopolis.games.mycity.state import State
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
    return city_arrays.has_kernel("mycity", state, seat)


def position_of(state: State, seat: int) -> Position:
    return city_position.position_of("mycity", state, seat)


def oracle(seed: int, weigh: Weigh) -> FutureSimulator:
    return CityFutureSimulator("mycity", seed, weigh)


def parts() -> dict[str, Land]:
    """The eternal game, and every episode as it is played on its own."""
    boards = {f"episode-{number}": _board(mode="episode", episode=number) for number in content().numbers}
    return {"all": _board(), **boards}


def _board(**played: Any) -> Land:
    state = start(Setup(seats=2, **played))
    return city_arrays.land_of("mycity", state.episode, state.cities[0].site)


def outcomes(site: Land, weights: Floats, rival: Floats, luck: Words) -> list[float]:
    """The scores of one who plays alone."""
    return [float(result) for result in city_position.good_outcomes(site, weights, luck)]


def about(site: Land) -> str:
    return "alone"
