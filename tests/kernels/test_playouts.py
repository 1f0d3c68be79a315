"""Whole games inside a kernel are games of the rules, in machine code and in plain Python alike."""

from typing import Any

import pytest

from polyopolis.bots.feature_weights import flat, weights_for
from polyopolis.engine import CHANCE, AnyGame, Dealer, Match, seed_of
from polyopolis.games import game
from polyopolis.games.mycity.actions import NoKiosk
from polyopolis.games.placement import Pass, Stop
from polyopolis.kernels.city_arrays import Land, NoKernel, land_of
from polyopolis.kernels.city_position import City, position_of, random_scores
from polyopolis.kernels.placing.build_moves import can_pass
from polyopolis.kernels.placing.layout import STOP
from polyopolis.kernels.placing.playouts import any_place, dealt
from polyopolis.kernels.runtime.jit import Words
from polyopolis.kernels.runtime.rng import luck_of
from tests.kernels.comparisons import assert_same_both_ways, both_ways, printed

mycity, rollwrite = game("mycity"), game("rollwrite")
SETUPS = [
    (mycity, mycity.Setup(seats=2)),
    *((mycity, mycity.Setup(mode="episode", episode=n, seats=2)) for n in (16, 24, 12, 20, 22)),
    *((rollwrite, rollwrite.Setup(episode=n, seats=1)) for n in range(1, 13)),
]


def site_of(rules: AnyGame, setup: Any) -> Land:
    state = rules.start(setup)
    return land_of(rules.key, state.episode, state.cities[0].site)


def turn_up(match: Match, site: Land, task: int) -> Match:
    """The match after the luck that asks this task."""
    for luck, _ in match.game.odds(match.state):
        dealt = match.decide(CHANCE, luck)
        if rules_task(dealt, site) == task:
            return dealt
    raise AssertionError(task)


def rules_task(match: Match, site: Land) -> int:
    state = match.state
    return site.tasks[state.revealed[-1] if match.game is mycity else state.task]


def replayed(rules: AnyGame, setup: Any, seed: int) -> int:
    """The first game of a seed, by the rules: with the kernel's luck and the kernel's choices."""
    site, match = site_of(rules, setup), Match.start(rules, setup)
    luck, first = luck_of(seed), City.laid_out(site)
    coming = first.yard.coming
    length = dealt(site.ground.law, first.town.book, site.deck, luck, coming)
    for task in list(coming)[:length]:
        if match.over:
            break
        match = turn_up(match, site, task)
        if match.due and match.due != {CHANCE}:
            action = any_action(rules, match, site, task, luck)
            for seat in sorted(match.due):
                match = match.decide(seat, action)
        if getattr(match.state, "asks", "building") == "kiosk":  # no kernel adds one
            for seat in sorted(match.due):
                match = match.decide(seat, NoKiosk())
    assert match.over
    return match.result.scores[0]


def any_action(rules: AnyGame, match: Match, site: Land, task: int, luck: Words) -> Any:
    city = position_of(rules.key, match.state, 0).city
    choice = any_place(*site.ground, city.town.city, task, luck)
    if choice != STOP:
        return site.choices[int(choice)]
    return Pass() if can_pass(site.ground.law, city.town.book, task) else Stop()


@pytest.mark.parametrize(("rules", "setup"), SETUPS, ids=lambda value: str(getattr(value, "episode", "")))
def test_a_game_inside_the_kernel_is_a_game_of_the_rules(rules: AnyGame, setup: Any) -> None:
    for seed in range(5):
        scores, decisions = random_scores(site_of(rules, setup), 1, luck_of(seed))
        assert scores[0] == replayed(rules, setup, seed)
        assert decisions > 1


PLAYED = """
from tests.kernels.test_playouts import SETUPS, site_of
from polyopolis.kernels.city_position import random_scores
from polyopolis.kernels.runtime.rng import luck_of
print([list(map(int, random_scores(site_of(*pair), 20, luck_of(1))[0])) for pair in SETUPS])
"""

SEARCHED = """
from tests.kernels.test_playouts import SETUPS, search
print([search(*pair) for pair in SETUPS[:8]])
"""


def search(rules: AnyGame, setup: Any) -> list[tuple[float, int]]:
    """A small search for the first decision of a game."""
    match = Match.start(rules, setup).deal(Dealer(seed_of("search")))
    position = position_of(rules.key, match.state, 0)
    weights = flat(weights_for(rules.key, position.part, position.site))
    return [(round(mean, 6), choice) for mean, choice in position.searched(weights, 24, 4, luck_of(7))[1]]


@pytest.mark.slow
@both_ways
def test_plain_python_plays_the_same_games() -> None:
    assert_same_both_ways(PLAYED)


@pytest.mark.slow
@both_ways
def test_plain_python_finds_the_same_in_a_search() -> None:
    assert_same_both_ways(SEARCHED)


HIDDEN = """
import sys
sys.modules["numba"] = None
from polyopolis.kernels import FAST, NOTICE
from polyopolis.bots.levels import LEVELS
print(FAST, "polyopolis[fast]" in NOTICE, LEVELS["level-5"]._affordable < LEVELS["level-5"].simulations)
"""


def test_without_numba_levels_search_less_and_say_so() -> None:
    assert printed(HIDDEN, "native").split() == ["False", "True", "True"]


def test_a_game_without_cities_is_named() -> None:
    with pytest.raises(NoKernel, match="no city of pointcity is built in a kernel; there are those of mycity, roll"):
        land_of("pointcity", object())
