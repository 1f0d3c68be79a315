"""Every game that hangs out a sign is played, shown and checked in the terminal."""

from pathlib import Path

import pytest

from polyopolis.games import GAME_SPECS
from polyopolis.games.game_spec import GameSpec
from tests.cli.conftest import Run

every_sign = pytest.mark.parametrize(
    "sign", [sign for sign in GAME_SPECS.values() if sign.terminal], ids=lambda sign: sign.key
)


@every_sign
def test_the_terminal_plays_and_helps(run: Run, sign: GameSpec, tmp_path: Path) -> None:
    file = tmp_path / "begun.json"
    said = run(
        "play", sign.key, "--bots", "random", "--seed", "1", "--save", file, typed=["help", "deck", "sheet", "quit"]
    )
    assert (said.code, said.err) == (0, "")
    assert "total" in said.out
    assert run("replay", file).out.startswith(f"{file}: ok so far, {sign.key}, ")


@every_sign
def test_the_terminal_shows_a_record_round_by_round(run: Run, sign: GameSpec, tmp_path: Path) -> None:
    assert run("arena", sign.key, "--bots", "random", "--games", 1, "--set", "seats=2", "--save", tmp_path).code == 0
    said = run("replay", "--step", tmp_path / "0001.json")
    assert (said.code, said.err) == (0, "")
    assert f": ok, {sign.key}, " in said.out


@every_sign
def test_the_terminal_checks_the_content(run: Run, sign: GameSpec) -> None:
    for version in sign.versions:
        assert f"{sign.key} v{version}: {sign.digest(version)}\n" in run("check-content", sign.key).out
