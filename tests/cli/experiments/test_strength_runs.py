"""Tuning, ladders and warming up from the command line."""

from pathlib import Path

import pytest

from polyopolis.bots import feature_weights
from polyopolis.bots.levels import Level
from polyopolis.bots.tournaments import ladder, weight_tuning
from polyopolis.cli.experiments import strength_runs
from polyopolis.cli.hosting import serve
from polyopolis.kernels import FAST
from tests.cli.conftest import Run


@pytest.mark.slow
def test_tuning_writes_weights_that_name_their_command(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(feature_weights, "folder", lambda: tmp_path)
    monkeypatch.setattr(weight_tuning, "JUDGED", 5)
    monkeypatch.setattr(weight_tuning, "FIRST_GAMES", 1)
    feature_weights.read.cache_clear()
    said = run("tune", "rollwrite", "--part", "episode-3", "--seconds", 1, "--data", tmp_path / "kept")
    assert said.code == 0
    assert said.out.startswith("rollwrite episode-3: mean ")
    part = feature_weights.read("rollwrite").parts["episode-3"]
    assert part.command.startswith("polyopolis tune rollwrite --part episode-3 --seconds")
    assert (tmp_path / "kept" / "rollwrite-episode-3.json").exists()
    feature_weights.read.cache_clear()


def test_an_unknown_part_is_named(run: Run) -> None:
    said = run("tune", "mycity", "--part", "front")
    assert said.code == 2
    assert "--part front: mycity has no such part; there is all" in said.err


def test_a_ladder_is_told_and_written(run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ladder, "LEVELS", {"level-1": Level(sees=(1, 2)), "level-2": Level()})
    (tmp_path / "mycity.md").write_text("# My City\n")
    said = run("ladder", "mycity", "--decks", 1, "--data", tmp_path / "kept", "--docs", tmp_path)
    assert said.code == 0
    assert "Made by `polyopolis ladder mycity --seats 2 --decks 1 --seed ladder`" in said.out
    assert said.out.strip() in (tmp_path / "mycity.md").read_text()


def test_a_ladder_needs_its_document(run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ladder, "LEVELS", {"level-1": Level(sees=(1, 2)), "level-2": Level()})
    said = run("ladder", "mycity", "--decks", 1, "--data", tmp_path / "kept", "--docs", tmp_path)
    assert said.code == 2
    assert "there is no document" in said.err


@pytest.mark.parametrize("options", [(), ("--lab",)], ids=["bots", "with the laboratory"])
def test_warming_up_tells_how_long_it_took(options: tuple[str, ...], run: Run) -> None:
    said = run("warm-up", *options)
    assert said.code == 0
    assert ("ready in" if FAST else "plain Python") in said.out


SLOW = "levels search in plain Python, with fewer simulations; install polyopolis[fast] for more"


@pytest.mark.parametrize(
    ("command", "times"),
    [
        ("arena rollwrite --bots level-2,random --games 1", 1),
        ("arena rollwrite --bots greedy,random --games 1 --set episode=1", 0),
        ("play mycity --bots level-2,level-3", 1),
        ("play mycity --bots greedy", 0),
    ],
)
def test_whoever_waits_for_levels_in_plain_python_is_told_once(
    run: Run, monkeypatch: pytest.MonkeyPatch, command: str, times: int
) -> None:
    monkeypatch.setattr(strength_runs, "NOTICE", SLOW)
    assert run(*command.split()).err.count(SLOW) == times


def test_the_server_says_it_before_it_opens(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(strength_runs, "NOTICE", SLOW)
    monkeypatch.setattr(serve, "serve", lambda _, listener, *__: listener.close())
    assert run("serve").err == f"polyopolis: {SLOW}.\n"
