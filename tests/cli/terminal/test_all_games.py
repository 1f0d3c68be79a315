"""Every game that hangs out a spec is played, shown and checked in the terminal."""

from pathlib import Path

import pytest

from polyopolis.games import GAME_SPECS
from polyopolis.games.game_spec import GameSpec
from tests.cli.conftest import Run

every_game = pytest.mark.parametrize(
    "spec", [spec for spec in GAME_SPECS.values() if spec.terminal], ids=lambda spec: spec.key
)


@every_game
def test_the_terminal_plays_and_helps(run: Run, spec: GameSpec, tmp_path: Path) -> None:
    file = tmp_path / "begun.json"
    result = run(
        "play", spec.key, "--bots", "random", "--seed", "1", "--save", file, typed=["help", "deck", "sheet", "quit"]
    )
    assert (result.code, result.err) == (0, "")
    assert "total" in result.out
    assert run("replay", file).out.startswith(f"{file}: ok so far, {spec.key}, ")


@every_game
def test_the_terminal_shows_a_record_round_by_round(run: Run, spec: GameSpec, tmp_path: Path) -> None:
    assert run("arena", spec.key, "--bots", "random", "--games", 1, "--set", "seats=2", "--save", tmp_path).code == 0
    result = run("replay", "--step", tmp_path / "0001.json")
    assert (result.code, result.err) == (0, "")
    assert f": ok, {spec.key}, " in result.out


@every_game
def test_the_terminal_checks_the_content(run: Run, spec: GameSpec) -> None:
    for version in spec.versions:
        assert f"{spec.key} v{version}: {spec.digest(version)}\n" in run("check-content", spec.key).out
