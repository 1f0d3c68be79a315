"""PettingZoo environments: its own checks, rewards and errors."""

import warnings
from copy import deepcopy
from typing import Any

import numpy
import pettingzoo
import pytest
from pettingzoo.test import api_test, parallel_api_test, seed_test

from polyopolis.engine import Rng, seed_of
from polyopolis.lab.environment_ids import UnknownEnvironment, offers
from polyopolis.lab.rewards_per_seat import ILLEGAL_REWARD, UnknownReward
from polyopolis.lab.zoo import env, parallel_env

CHECKED = [
    ("mycity-eternal-v0", 2),
    ("mycity-eternal-v0", 4),
    ("mycity-episode-23-v0", 3),
    ("mycity-chapter-1-v0", 2),
    ("rollwrite-episode-1-v0", 1),
    ("rollwrite-episode-12-v0", 3),
    ("rollwrite-mini-v0", 2),
    ("pointcity-v0", 2),
    ("pointcity-v0", 4),
    ("pointcity-alone-hard-v0", 1),
    ("pointcity-chosen-easy-v0", 1),
]


@pytest.mark.parametrize(("name", "seats"), CHECKED)
def test_turn_environment_passes_the_checks_of_pettingzoo(name: str, seats: int) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # advice, such as other agent names
        api_test(env(name, seats), num_cycles=60)
        seed_test(lambda: env(name, seats), num_cycles=20)


@pytest.mark.parametrize(("name", "seats"), CHECKED)
def test_parallel_environment_passes_the_checks_of_pettingzoo(name: str, seats: int) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        parallel_api_test(parallel_env(name, seats), num_cycles=30)


def play_in_turns(name: str, seats: int, seed: int, **options: Any) -> dict[str, float]:
    table, rng = env(name, seats, **options), Rng(seed_of(f"play {seed}"))
    table.reset(seed=seed)
    total = dict.fromkeys(table.possible_agents, 0.0)
    for agent in table.agent_iter():
        seen, reward, over, cut, _ = table.last()
        total[agent] += reward
        table.step(None if over or cut else int(rng.choice(list(numpy.flatnonzero(seen["action_mask"])))))
    return total


def play_at_once(name: str, seats: int, seed: int) -> dict[str, float]:
    table, rng = parallel_env(name, seats), Rng(seed_of(f"play {seed}"))
    seen, _ = table.reset(seed=seed)
    total = dict.fromkeys(table.possible_agents, 0.0)
    while table.agents:
        masks = {agent: list(numpy.flatnonzero(seen[agent]["action_mask"])) for agent in table.agents}
        seen, rewards, *_ = table.step({agent: int(rng.choice(mask)) if mask else 0 for agent, mask in masks.items()})
        for agent, reward in rewards.items():
            total[agent] += reward
    return total


@pytest.mark.parametrize(("name", "seats"), CHECKED)
def test_turn_and_parallel_environments_play_the_same_game(name: str, seats: int) -> None:
    assert play_in_turns(name, seats, 3) == play_at_once(name, seats, 3)


def test_rewards_follow_from_scores() -> None:
    points = play_in_turns("mycity-eternal-v0", 2, 7)
    leads = play_in_turns("mycity-eternal-v0", 2, 7, reward="lead")
    wins = play_in_turns("mycity-eternal-v0", 2, 7, reward="win")
    first, second = points.values()
    assert list(leads.values()) == [first - second, second - first]
    assert list(wins.values()) == [numpy.sign(first - second), numpy.sign(second - first)]
    with pytest.raises(UnknownReward, match="available: points, lead, win"):
        env("mycity-eternal-v0", reward="money")


def test_illegal_action_ends_the_table() -> None:
    table = env("mycity-eternal-v0")
    table.reset(seed=1)
    mask = table.observe(table.agent_selection)["action_mask"]
    table.step(int(numpy.flatnonzero(mask == 0)[0]))
    assert table.unwrapped.rewards == {"seat_0": ILLEGAL_REWARD, "seat_1": 0.0}
    assert all(table.terminations.values())

    together = parallel_env("mycity-eternal-v0")
    seen, _ = together.reset(seed=1)
    right, wrong = (int(numpy.flatnonzero(seen["seat_0"]["action_mask"] == allowed)[0]) for allowed in (1, 0))
    _, rewards, overs, _, infos = together.step({"seat_0": right, "seat_1": wrong})
    assert rewards == {"seat_0": 0.0, "seat_1": ILLEGAL_REWARD}
    assert infos["seat_1"] == {"illegal": True}
    assert all(overs.values())
    assert together.agents == []


@pytest.mark.parametrize("name", ["mycity-eternal-v0", "mycity-chapter-1-v0", "pointcity-v0"])
def test_copy_is_independent(name: str) -> None:
    """As used by searches on copies."""
    together = parallel_env(name)
    seen, _ = together.reset(seed=1)
    other = deepcopy(together)
    actions = {agent: int(numpy.argmax(own["action_mask"])) for agent, own in seen.items()}
    first, second = other.step(actions)[0], together.step(actions)[0]
    assert all(numpy.array_equal(first[agent]["observation"], own["observation"]) for agent, own in second.items())
    before = together.render()
    other.step({agent: int(numpy.argmax(own["action_mask"])) for agent, own in first.items()})
    assert together.render() == before != other.render()

    table = env(name)
    table.reset(seed=1)
    other = deepcopy(table)
    other.step(int(numpy.argmax(other.observe(other.agent_selection)["action_mask"])))
    assert (table.agent_selection, other.unwrapped.table) != (other.agent_selection, table.unwrapped.table)


def test_table_is_rendered() -> None:
    table = env("mycity-eternal-v0", render_mode="ansi")
    table.reset(seed=1)
    text = table.render()
    assert "cards left" in text
    assert "due: seat 0, seat 1; scores: " in text


def test_pettingzoo_makes_environments_by_id() -> None:
    assert pettingzoo.make("aec", "polyopolis/pointcity-v0", seats=3).possible_agents == ["seat_0", "seat_1", "seat_2"]
    assert pettingzoo.make("parallel", "polyopolis/rollwrite-episode-3-v0").possible_agents == ["seat_0"]


def test_id_and_seats_are_checked() -> None:
    assert len(offers()) == 59
    with pytest.raises(UnknownEnvironment, match="for 2 to 4 seats, not for 5"):
        env("mycity-eternal-v0", 5)
    with pytest.raises(UnknownEnvironment, match="unknown environment 'chess-v0'"):
        env("chess-v0")


@pytest.mark.slow
@pytest.mark.parametrize("name", offers())
def test_every_environment_can_be_played_to_its_end(name: str) -> None:
    seats = offers()[name].seats[0]
    assert len(play_in_turns(name, seats, 1)) == seats
