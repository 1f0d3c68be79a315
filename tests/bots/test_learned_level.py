"""Level 6 makes the same decisions on every runtime, and decisions of levels 1 to 5 do not change."""

from dataclasses import replace
from typing import Any

import pytest

from polyopolis.bots import LEVELS, bot, choose, effort, opponents
from polyopolis.bots.learned_level import MASTER, MASTER_GAMES
from polyopolis.bots.levels import BotLevel
from polyopolis.bots.net_files import load_model
from polyopolis.bots.tournaments.arena import play_out
from polyopolis.engine import Dealer, Match, describe_action, seed_of
from polyopolis.games import GAME_SPECS, game
from polyopolis.games.mycity.state import Legacy
from polyopolis.kernels import draft_position
from polyopolis.kernels.city_position import EPISODE_NET_FORMAT, ETERNAL_NET, ModelSearchSettings, position_of
from tests.games.rollwrite.positions import city, field, roll, table
from tests.kernels.comparisons import needs_numba, printed

pytestmark = pytest.mark.slow
SETUPS: dict[str, dict[str, Any]] = {
    "mycity": {},
    "mycity episode": {"mode": "episode", "episode": 8},
    "rollwrite": {"episode": 5},
    "pointcity": {},
}
OF_MASTER = """
from polyopolis.bots import bot, choose
from polyopolis.engine import seed_of
from tests.bots.test_learned_level import on_the_way
for name, rounds in (("mycity", 2), ("mycity", 14), ("mycity episode", 8), ("rollwrite", 4), ("rollwrite", 10)):
    print(choose(bot("{name}"), on_the_way(name, rounds), 0, seed_of("x")))
"""
OF_DRAFTING = """
from polyopolis.bots import bot, choose
from polyopolis.engine import seed_of
from tests.bots.test_learned_level import on_the_way
for rounds in (1, 20, 34):
    match = on_the_way("pointcity", rounds)
    print(choose(bot("master"), match, min(match.due), seed_of("x")))
"""
KEPT = {
    "mycity": ["place c9 d9", "place c9 d9", "place c6 c7", "place c9 d9", "place e3 f3"],
    "rollwrite": ["place g1", "place g1", "place f3", "place i7", "place f3"],
    "pointcity": ["flip d3", "flip c3", "flip a3", "take a3 a4", "flip a3"],
}
"""Decisions of levels 1 to 5 in the version in which they were published."""


def on_the_way(name: str, rounds: int) -> Match:
    """Returns a match of two bots without search after this number of rounds."""
    rules, dealer, sight = game(name.split(maxsplit=1)[0]), Dealer(seed_of("on the way")), bot("sight")
    match = Match.start(rules, rules.Setup(seats=2, **SETUPS[name])).deal(dealer)
    for _ in range(rounds):
        for seat in sorted(match.due):
            match = match.decide(seat, choose(sight, match, seat, seed_of("sight")))
        match = match.deal(dealer)
    return match


@needs_numba
@pytest.mark.parametrize("key", KEPT)
def test_decisions_of_levels_do_not_change(key: str) -> None:
    match = on_the_way(key, 6)
    seat = min(match.due)
    assert [describe_action(choose(level, match, seat, seed_of("kept"))) for level in LEVELS.values()] == KEPT[key]


def test_master_is_offered_in_games_with_trained_evaluations() -> None:
    assert {key for key in GAME_SPECS if "master" in opponents(key)} == {*MASTER_GAMES}
    assert all(opponents(key)[5:7] == ("level-5", "master") for key in MASTER_GAMES)
    learnt = [("rollwrite", number) for number in range(1, 13)] + [("mycity", number) for number in range(1, 25)]
    assert all(load_model(net) for net in (ETERNAL_NET, *(EPISODE_NET_FORMAT.format(*episode) for episode in learnt)))
    assert effort("master") > effort("level-5"), "cheaper bots are served first"


def test_boards_of_a_campaign_have_the_patterns_of_their_episode() -> None:
    rules = game("mycity")
    boards = (Legacy(stickers={"g1": "rock"}, circles=1), Legacy(stickers={"g1": "tree"}))
    setup = rules.Setup(mode="episode", play="campaign", episode=3, seats=2, boards=boards)
    match = Match.start(rules, setup).deal(Dealer(seed_of("campaign")))
    found = [position_of("mycity", match.state, seat) for seat in range(2)]
    assert [position.net for position in found] == [EPISODE_NET_FORMAT.format("mycity", 3)] * 2
    assert choose(bot("master"), match, 0, seed_of("x"))


def test_on_an_unknown_board_master_plays_like_level_5() -> None:
    """Patterns refer to fixed cells."""
    match = roll(table(small := field(". .|. ."), city(small, ". .|. .")), "i1")
    assert choose(bot("master"), match, 0, seed_of("x")) == choose(bot("level-5"), match, 0, seed_of("x"))


def test_a_purse_is_worth_more_to_trained_evaluations() -> None:
    """For levels 1 to 5 its value does not change."""
    rules = game("rollwrite")
    position = position_of("rollwrite", rules.start(rules.Setup(seats=2, episode=9)), 0)
    learnt = position.with_learned_purses
    assert position.city.features == learnt.city.features
    assert position.city.features["purses"] == 1, "a city without buildings has not passed"
    assert (position.city.outcome, learnt.city.outcome) == (position.city.score + 2.5, position.city.score + 5.0)


def test_shorter_simulations_are_more_numerous() -> None:
    way = ModelSearchSettings(decisions=1200, width=8)
    assert [way.simulations(left) for left in (24, 12, 1, 0)] == [50, 100, 1200, 1200]
    assert way._replace(horizon=4).simulations(24) == 300, "a horizon shortens them"
    assert way._replace(decisions=10**6).simulations(3) == way.max_simulations


@needs_numba
def test_master_decides_the_same_in_native_code_and_wasm() -> None:
    native, wasm = (printed(OF_MASTER.format(name="master"), way) for way in ("native", "wasm"))
    assert native.count("Place") == 5
    assert native == wasm


@needs_numba
def test_master_drafts_the_same_in_native_code_and_wasm() -> None:
    native, wasm = (printed(OF_DRAFTING, way) for way in ("native", "wasm"))
    assert len(native.splitlines()) == 3
    assert native == wasm


@needs_numba
def test_master_uses_more_simulations_and_a_larger_tree_in_point_city() -> None:
    for seats in (1, 2, 4):
        rules = game("pointcity")
        setup = rules.Setup(seats=seats, **({"automa": "hard"} if seats == 1 else {}))
        match = Match.start(rules, setup).deal(Dealer(seed_of("table")))
        position = draft_position.position_of(match.state)
        own, fifth = (position.effort(level.simulations) for level in (MASTER.drafting, LEVELS["level-5"]))
        assert own.nodes > fifth.nodes
        assert own.tolerance < fifth.tolerance
        assert (
            own.simulation_factor * MASTER.drafting.simulations
            > 2 * fifth.simulation_factor * LEVELS["level-5"].simulations
        )


@needs_numba
def test_master_finishes_a_draft() -> None:
    """With the lowest number of simulations that selects the same search settings."""
    quick = replace(MASTER, drafting=BotLevel(simulations=10_000, width=3))
    rules = game("pointcity")
    match = play_out(rules, rules.Setup(seats=2), [quick, bot("sight")], seed_of("draft"), seed_of("bots"))
    assert match.over


@needs_numba
def test_in_plain_python_master_plays_without_search() -> None:
    assert printed(OF_MASTER.format(name="master"), "plain") == printed(OF_MASTER.format(name="gaze"), "native")
