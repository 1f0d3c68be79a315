"""Playouts inside a kernel follow the rules, in machine code and in plain Python."""

from typing import Any

import pytest

from polyopolis.bots.feature_weights import flat_weights, weights_for
from polyopolis.engine import CHANCE, AnyGame, Dealer, Match, seed_of
from polyopolis.games import game
from polyopolis.games.mycity.actions import NoKiosk
from polyopolis.games.placement import Pass, Stop
from polyopolis.kernels.city_arrays import CitySite, NoKernel, city_site
from polyopolis.kernels.city_position import KernelCity, position_of, random_scores
from polyopolis.kernels.placing.build_moves import can_pass
from polyopolis.kernels.placing.layout import STOP
from polyopolis.kernels.placing.playouts import deal_tasks, random_placement
from polyopolis.kernels.runtime.jit import Words
from polyopolis.kernels.runtime.rng import new_rng
from tests.kernels.comparisons import assert_same_in_plain_python, needs_numba, printed

mycity, rollwrite = game("mycity"), game("rollwrite")
SETUPS = [
    (mycity, mycity.Setup(seats=2)),
    *((mycity, mycity.Setup(mode="episode", episode=n, seats=2)) for n in (16, 24, 12, 20, 22)),
    *((rollwrite, rollwrite.Setup(episode=n, seats=1)) for n in range(1, 13)),
]


def site_of(rules: AnyGame, setup: Any) -> CitySite:
    state = rules.start(setup)
    return city_site(rules.key, state.episode, state.cities[0].site)


def after_task(match: Match, site: CitySite, task: int) -> Match:
    """Returns the match after the chance event that gives this task."""
    for luck, _ in match.game.odds(match.state):
        dealt = match.decide(CHANCE, luck)
        if rules_task(dealt, site) == task:
            return dealt
    raise AssertionError(task)


def rules_task(match: Match, site: CitySite) -> int:
    state = match.state
    return site.tasks[state.revealed[-1] if match.game is mycity else state.task]


def replayed(rules: AnyGame, setup: Any, seed: int) -> int:
    """Replays the first game of a seed by the rules, with the kernel's random numbers and choices."""
    site, match = site_of(rules, setup), Match.start(rules, setup)
    luck, first = new_rng(seed), KernelCity.at_start(site)
    coming = first.scratch.coming
    length = deal_tasks(site.arrays.law, first.arrays.book, site.deck, luck, coming)
    for task in list(coming)[:length]:
        if match.over:
            break
        match = after_task(match, site, task)
        if match.due and match.due != {CHANCE}:
            action = any_action(rules, match, site, task, luck)
            for seat in sorted(match.due):
                match = match.decide(seat, action)
        if getattr(match.state, "asks", "building") == "kiosk":  # kernels do not build kiosks
            for seat in sorted(match.due):
                match = match.decide(seat, NoKiosk())
    assert match.over
    return match.result.scores[0]


def any_action(rules: AnyGame, match: Match, site: CitySite, task: int, luck: Words) -> Any:
    city = position_of(rules.key, match.state, 0).city
    choice = random_placement(*site.arrays, city.arrays.city, task, luck)
    if choice != STOP:
        return site.choices[int(choice)]
    return Pass() if can_pass(site.arrays.law, city.arrays.book, task) else Stop()


@pytest.mark.parametrize(("rules", "setup"), SETUPS, ids=lambda value: str(getattr(value, "episode", "")))
def test_playout_follows_the_rules(rules: AnyGame, setup: Any) -> None:
    for seed in range(5):
        scores, decisions = random_scores(site_of(rules, setup), 1, new_rng(seed))
        assert scores[0] == replayed(rules, setup, seed)
        assert decisions > 1


PLAYED = """
from tests.kernels.test_playouts import SETUPS, site_of
from polyopolis.kernels.city_position import random_scores
from polyopolis.kernels.runtime.rng import new_rng
print([list(map(int, random_scores(site_of(*pair), 20, new_rng(1))[0])) for pair in SETUPS])
"""

SEARCHED = """
from tests.kernels.test_playouts import SETUPS, search
print([search(*pair) for pair in SETUPS[:8]])
"""


def search(rules: AnyGame, setup: Any) -> list[tuple[float, int]]:
    """Returns a small search for the first decision of a game."""
    match = Match.start(rules, setup).deal(Dealer(seed_of("search")))
    position = position_of(rules.key, match.state, 0)
    weights = flat_weights(weights_for(rules.key, position.part, position.site))
    return [(round(mean, 6), choice) for mean, choice in position.search(weights, 24, 4, new_rng(7))[1]]


@pytest.mark.slow
@needs_numba
def test_plain_python_plays_identical_games() -> None:
    assert_same_in_plain_python(PLAYED)


@pytest.mark.slow
@needs_numba
def test_plain_python_searches_identically() -> None:
    assert_same_in_plain_python(SEARCHED)


HIDDEN = """
import sys
sys.modules["numba"] = None
from polyopolis.kernels import FAST, NOTICE
from polyopolis.bots.levels import LEVELS
print(FAST, "polyopolis[fast]" in NOTICE, LEVELS["level-5"]._simulation_budget < LEVELS["level-5"].simulations)
"""


def test_levels_search_less_without_numba() -> None:
    assert printed(HIDDEN, "native").split() == ["False", "True", "True"]


def test_game_without_city_kernel_is_refused() -> None:
    with pytest.raises(NoKernel, match="there is no city kernel for pointcity; available: mycity, roll"):
        city_site("pointcity", object())
