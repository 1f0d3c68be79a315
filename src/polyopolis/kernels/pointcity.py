"""Kernel of Point City: searches the whole table some turns ahead."""

from polyopolis.games.pointcity.content import content
from polyopolis.games.pointcity.state import Setup, State
from polyopolis.kernels import draft_position
from polyopolis.kernels.draft_arrays import DraftSite, draft_site
from polyopolis.kernels.draft_futures import DraftFutureSimulator
from polyopolis.kernels.drafting.layout import FEATURES
from polyopolis.kernels.match_futures import FutureSimulator, WeightsFor
from polyopolis.kernels.positions import Position
from polyopolis.kernels.runtime.jit import Floats, Words

__all__ = ["FEATURES", "FINAL", "about", "future_simulator", "outcomes", "parts", "position_of", "supports"]

FINAL = False
TUNING_SETUPS = {"all": Setup(seats=2), "seats-1": Setup(seats=1, automa="hard")}
"""Setups for which weights are tuned. The weights for two seats are also used for more."""


def supports(state: State, seat: int) -> bool:
    return draft_position.has_kernel(state)


def position_of(state: State, seat: int) -> Position:
    """Returns the decision of the seat whose turn it is."""
    return draft_position.position_of(state)


def future_simulator(seed: int, weigh: WeightsFor) -> FutureSimulator:
    return DraftFutureSimulator(seed, weigh)


def parts() -> dict[str, DraftSite]:
    return {part: draft_site(content(), setup) for part, setup in TUNING_SETUPS.items()}


def outcomes(site: DraftSite, weights: Floats, rival: Floats, seeds: Words) -> list[float]:
    """Returns the leads of a player with these weights over players with the weights `rival`."""
    return list(draft_position.greedy_leads(site, weights, rival, seeds))


def about(site: DraftSite) -> str:
    return "points ahead of the hard Automa" if site.setup.seats == 1 else "points ahead of the previous weights"
