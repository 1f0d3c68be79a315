"""Gymnasium environments: its own checks, and bots in the other seats."""

import warnings
from copy import deepcopy

import gymnasium
import numpy
import pytest
from gymnasium.utils.env_checker import check_env

from polyopolis.bots import bot
from polyopolis.bots.tournaments.arena import play
from polyopolis.engine import Rng, derive_seed, seed_of
from polyopolis.games import game
from polyopolis.lab.action_numbers import numbering_of
from polyopolis.lab.environment_ids import NAMESPACE, UnknownEnvironment, offers
from polyopolis.lab.gym import Against

CHECKED = [
    "mycity-eternal-v0", "mycity-chapter-1-v0", "rollwrite-episode-5-v0", "pointcity-v0", "pointcity-alone-easy-v0",
]  # fmt: skip


@pytest.mark.parametrize("name", CHECKED)
def test_environment_passes_the_checks_of_gymnasium(name: str) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # advice, such as on what images are
        check_env(gymnasium.make(f"{NAMESPACE}/{name}", against="random").unwrapped, skip_render_check=False)


def test_every_id_can_be_made() -> None:
    for name in offers():
        assert f"{NAMESPACE}/{name}" in gymnasium.registry


@pytest.mark.parametrize("own", [0, 1])
def test_game_against_a_bot_equals_an_arena_game(own: int) -> None:
    """A game that a bot plays through action numbers equals the game between the two bots."""
    table = Against("mycity-eternal-v0", seats=2, against="greedy", seat=own)
    table.reset(seed=5)
    rewarded, over = 0.0, False
    while not over:
        action = table.table.asked(bot("greedy"), own, table.bots)
        number = numbering_of("mycity").number(table.table.state, own, action)
        _, rewarded, over, _, _ = table.step(number)
    luck, bots = derive_seed(seed_of("5"), "match", 0), derive_seed(seed_of("5"), "bots", 0)
    match = play(game("mycity"), game("mycity").Setup(seats=2), ("greedy", "greedy"), luck, bots)
    assert table.table.match.moves == match.moves
    assert rewarded == match.result.scores[own]


@pytest.mark.parametrize("own", [-1, 2, 7])
def test_seat_must_exist(own: int) -> None:
    """Otherwise bots would play the whole game before the agent decides."""
    with pytest.raises(UnknownEnvironment, match=f"seat {own} does not exist at a table for 2"):
        Against("mycity-eternal-v0", seats=2, seat=own)


def test_copy_is_independent() -> None:
    table = gymnasium.make(f"{NAMESPACE}/rollwrite-episode-1-v0")
    seen, _ = table.reset(seed=9)
    action = int(numpy.argmax(seen["action_mask"]))
    other = deepcopy(table)
    ahead = other.step(action)[0]["observation"]
    assert not numpy.array_equal(ahead, seen["observation"])
    assert numpy.array_equal(ahead, table.step(action)[0]["observation"])


def test_seed_determines_the_sequence_of_games() -> None:
    table = Against("rollwrite-episode-1-v0")
    first = [table.reset(seed=9)[0], table.reset()[0], table.reset()[0]]
    again = [table.reset(seed=9)[0], table.reset()[0], table.reset()[0]]
    for one, other in zip(first, again, strict=True):
        assert numpy.array_equal(one["observation"], other["observation"])
    assert not all(numpy.array_equal(first[0]["observation"], other["observation"]) for other in first[1:])


def test_masked_actions_are_legal() -> None:
    table, rng = Against("pointcity-alone-hard-v0"), Rng(seed_of("masks"))
    seen, _ = table.reset(seed=2)
    over, steps = False, 0
    while not over:
        number = rng.choice(list(numpy.flatnonzero(seen["action_mask"])))
        seen, _, over, _, info = table.step(int(number))
        assert not info
        steps += 1
    assert steps > 20
