"""Point City for those who search it: everybody at the table, some turns ahead."""

from polyopolis.games.pointcity.content import content
from polyopolis.games.pointcity.state import Setup, State
from polyopolis.kernels import draft_position
from polyopolis.kernels.draft_arrays import Material, material_of
from polyopolis.kernels.draft_futures import DraftFutureSimulator
from polyopolis.kernels.drafting.layout import FEATURES
from polyopolis.kernels.match_futures import FutureSimulator, Weigh
from polyopolis.kernels.positions import Position
from polyopolis.kernels.runtime.jit import Floats, Words

__all__ = ["FEATURES", "FINAL", "about", "knows", "oracle", "outcomes", "parts", "position_of"]

FINAL = False
TABLES = {"all": Setup(seats=2), "seats-1": Setup(seats=1, automa="hard")}
"""Where weights are tuned: what holds for two holds for more."""


def knows(state: State, seat: int) -> bool:
    return draft_position.has_kernel(state)


def position_of(state: State, seat: int) -> Position:
    """The one whose turn it is decides."""
    return draft_position.position_of(state)


def oracle(seed: int, weigh: Weigh) -> FutureSimulator:
    return DraftFutureSimulator(seed, weigh)


def parts() -> dict[str, Material]:
    return {part: material_of(content(), setup) for part, setup in TABLES.items()}


def outcomes(site: Material, weights: Floats, rival: Floats, luck: Words) -> list[float]:
    """The lead of one who plays by these weights before those who play by the others."""
    return list(draft_position.good_leads(site, weights, rival, luck))


def about(site: Material) -> str:
    return "points ahead of the hard Automa" if site.setup.seats == 1 else "points ahead of the weights before"
