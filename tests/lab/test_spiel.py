"""OpenSpiel games: its own checks, and chance nodes compared with the rules."""

from pathlib import Path
from typing import Any

import pytest

pyspiel = pytest.importorskip("pyspiel")
from absl import flags  # noqa: E402 - only with OpenSpiel
from open_spiel.python.algorithms import generate_playthrough  # noqa: E402

from polyopolis.engine import CHANCE, Rng, seed_of  # noqa: E402
from polyopolis.lab.environment_ids import offers  # noqa: E402
from polyopolis.lab.spiel import short_name  # noqa: E402

pytestmark = pytest.mark.slow
CHECKED = [
    "polyopolis_mycity_eternal_v0(seats=2)",
    "polyopolis_mycity_episode_23_v0(seats=3)",
    "polyopolis_mycity_chapter_1_v0",
    "polyopolis_rollwrite_episode_12_v0(seats=2)",
    "polyopolis_pointcity_v0(seats=2)",
    "polyopolis_pointcity_alone_hard_v0",
]


def test_every_id_is_registered() -> None:
    assert {short_name(offer) for offer in offers().values()} <= set(pyspiel.registered_names())


@pytest.mark.parametrize("name", CHECKED)
def test_game_passes_the_random_simulations_of_openspiel(name: str) -> None:
    pyspiel.random_sim_test(pyspiel.load_game(name), num_sims=1, serialize=False, verbose=False)


@pytest.mark.parametrize("name", [*CHECKED[:1], "polyopolis_rollwrite_episode_1_v0", CHECKED[-2]])
def test_playthrough_is_reproducible(name: str, tmp_path: Path) -> None:
    text = generate_playthrough.playthrough(name, None, seed=3)
    path = tmp_path / "playthrough.txt"
    path.write_text(text)
    flags.FLAGS.mark_as_parsed()
    first, again = generate_playthrough.replay(str(path))
    assert len(first) > 1000
    assert first == again


def walked(name: str, decisions: int) -> Any:
    state, rng = pyspiel.load_game(name).new_initial_state(), Rng(seed_of(name))
    while decisions and not state.is_terminal():
        decisions -= not state.is_chance_node()
        found = [number for number, _ in state.chance_outcomes()] if state.is_chance_node() else state.legal_actions()
        state.apply_action(rng.choice(found))
    return state


@pytest.mark.parametrize("name", CHECKED)
def test_chance_nodes_have_the_odds_of_the_rules(name: str) -> None:
    state = walked(name, 7)
    while not state.is_chance_node():
        state.apply_action(state.legal_actions()[0])
    odds = state.table.rules.odds(state.table.state)
    whole = sum(weight for _, weight in odds)
    probabilities = {
        state.action_to_string(pyspiel.PlayerId.CHANCE, number): chance for number, chance in state.chance_outcomes()
    }
    assert sum(probabilities.values()) == pytest.approx(1)
    assert sorted(probabilities.values()) == pytest.approx(sorted(weight / whole for _, weight in odds))


def test_copy_is_independent() -> None:
    state = walked("polyopolis_mycity_eternal_v0(seats=2)", 6)
    other = state.clone()
    before = str(state)
    while not other.is_terminal():
        other.apply_action(other.chance_outcomes()[0][0] if other.is_chance_node() else other.legal_actions()[0])
    assert str(state) == before
    assert other.returns() != state.returns() == [0.0, 0.0]


def test_simultaneous_decisions_are_hidden() -> None:
    """The second seat cannot distinguish the choices of the first one until both have decided."""
    state = walked("polyopolis_mycity_eternal_v0(seats=2)", 4)
    while state.is_chance_node():
        state.apply_action(state.chance_outcomes()[0][0])
    assert state.current_player() == 0
    after = [state.child(number) for number in state.legal_actions()[:3]]
    assert {child.current_player() for child in after} == {1}
    assert len({child.information_state_string(1) for child in after}) == 1
    assert len({child.observation_string(1) for child in after}) == 1
    assert len({tuple(child.observation_tensor(1)) for child in after}) == 1
    assert len({child.information_state_string(0) for child in after}) == len(after)
    assert CHANCE not in after[0].table.due
