"""Compiles all kernels and fills numba's cache, so that no player waits for the compiler."""

import os
from pathlib import Path

from polyopolis.engine import Dealer, Match
from polyopolis.games import game
from polyopolis.games.mycity.content import content
from polyopolis.games.pointcity.rules import start
from polyopolis.games.pointcity.state import Setup
from polyopolis.kernels import draft_position
from polyopolis.kernels.city_arrays import city_site
from polyopolis.kernels.city_beam import BeamSearch
from polyopolis.kernels.city_position import (
    CityPosition,
    KernelCity,
    ModelSearchSettings,
    greedy_outcomes,
    random_scores,
)
from polyopolis.kernels.placing.layout import IMPOSSIBLE, PASS, WAIT
from polyopolis.kernels.placing.net_inference import LAYERS_SIZE, ROWS_SIZE, ValueModel
from polyopolis.kernels.positions import Position, features_of, require_kernel
from polyopolis.kernels.runtime.jit import floats, ints, words
from polyopolis.kernels.runtime.rng import future_seeds, new_rng

CACHE_ENV_VAR = "NUMBA_CACHE_DIR"
"""Environment variable with numba's cache folder. Numba reads it when it is imported."""


def cache_environment(folder: Path) -> dict[str, str]:
    """Returns the environment for processes that cache machine code in this folder. It is empty if the folders of the
    kernels are writable: then numba caches there, for all processes."""
    beside = {path.parent for path in Path(__file__).parent.rglob("*.py")}
    writable = all(os.access(place, os.W_OK) for place in beside)
    return {} if CACHE_ENV_VAR in os.environ or writable else {CACHE_ENV_VAR: str(folder)}


def warm() -> None:
    """Calls every kernel function that play may need. Later calls load them from the cache."""
    warm_cities()
    warm_drafts()


def warm_cities() -> None:
    """Warms the kernels of placing games. The last episode has buildings on the board from the start."""
    KernelCity.at_start(city_site("mycity", content().episodes["episode-24"]))
    site = city_site("mycity", content().episodes["eternal"])
    random_scores(site, 1, new_rng(0))
    greedy_outcomes(site, floats([0.0] * 2 * len(features_of("mycity"))), future_seeds(0, 1))
    position = CityPosition(KernelCity.at_start(site), 0, ints([1]))
    warm_position(position, "mycity")
    position.solve()
    model = ValueModel(words([0] * ROWS_SIZE), floats([0.0] * LAYERS_SIZE), floats([]))
    position.model_values(model)
    position.model_search(model, ModelSearchSettings(1, 1), new_rng(0))
    position.city.legal(0)
    position.city.decide(0, PASS)
    warm_futures("mycity")
    tasks, zeros = [0, WAIT, 1], floats([0.0] * 2 * len(features_of("mycity")))
    list(BeamSearch(KernelCity.at_start(site), tasks, [0] * len(tasks), zeros).run(2, IMPOSSIBLE))


def warm_drafts() -> None:
    """Warms the kernel of Point City."""
    table = Setup(seats=2)
    zeros = floats([0.0] * 2 * len(features_of("pointcity")))
    draft_position.random_scores(table, 1, new_rng(0))
    position = draft_position.position_of(start(table))
    draft_position.greedy_leads(position.site, zeros, zeros, future_seeds(0, 1))
    draft_position.open_game(position.draft, new_rng(0))
    warm_position(position, "pointcity")
    position.draft.decide(position.choice_values(zeros)[0][1])
    warm_futures("pointcity")


def warm_futures(key: str) -> None:
    """Simulates one future of a new game, and of one choice in it."""
    rules, zeros = game(key), floats([0.0] * 2 * len(features_of(key)))
    match = Match.start(rules, rules.Setup(seats=2)).deal(Dealer(bytes(32)))
    simulator, seat = require_kernel(key).future_simulator(0, lambda part, site: zeros), min(match.due)
    simulator.expected(match.state, range(1))
    simulator.after_choices(match.state, seat, simulator.candidates(match.state, seat, 1), range(1))


def warm_position(position: Position, key: str) -> None:
    """Calls every method that all positions have."""
    zeros = floats([0.0] * 2 * len(features_of(key)))
    _, ((_, choice),) = position.search(zeros, 1, 1, new_rng(0))
    position.estimate_choices(zeros, [choice], future_seeds(0, 1))
    for asked in (choice, None):
        position.feature_values(zeros, asked)
    position.count_continuations(1)
    position.choice_values(zeros)
