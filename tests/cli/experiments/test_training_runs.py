"""Training from the command line."""

import json
from itertools import count
from pathlib import Path

import pytest

from polyopolis.cli.experiments import training_runs
from polyopolis.games import GAME_SPECS
from polyopolis.games.rollwrite.content import content
from polyopolis.kernels import FAST
from polyopolis.train import episode_courses, pattern_training
from tests.cli.conftest import Run

fast = pytest.mark.skipif(not FAST, reason="many games, which take machine code")


@pytest.fixture(autouse=True)
def looks(monkeypatch: pytest.MonkeyPatch) -> None:
    """The time that it takes is counted in looks at the clock."""
    clock = count()
    monkeypatch.setattr(pattern_training, "thread_time", lambda: float(next(clock)))
    monkeypatch.setattr(episode_courses, "MEASURED", 10)
    monkeypatch.setattr(episode_courses, "JUDGED", 20)


@pytest.mark.slow
@fast
def test_an_episode_is_learnt_and_goes_on(run: Run, tmp_path: Path) -> None:
    asked = "train", "rollwrite", "--part", "episode-3", "--data", tmp_path, "--minutes"
    said = run(*asked, 0.4)
    assert (said.code, said.err) == (0, "")
    first, second, last = said.out.splitlines()
    assert first.startswith("rollwrite episode-3: 10 of 24 s, 1,001 games, ")
    assert second.startswith("rollwrite episode-3: 20 of 24 s, 2,001 games, ")
    assert last.endswith("at sight over 20 games, alone; 2,401 games in 24 s")
    assert run(*asked, 0.4).out.endswith("at sight over 20 games, alone; it has learnt for 24 s already\n")
    first, last = run(*asked, 0.6).out.splitlines()
    assert first.startswith("rollwrite episode-3: 30 of 36 s, 3,001 games, ")
    assert last.endswith("3,601 games in 36 s")
    first, last = run(*asked, 0.1, "--seed", 2).out.splitlines()
    assert first.startswith("rollwrite episode-3: begun anew: ")
    assert last.endswith("601 games in 6 s")


@pytest.mark.slow
@fast
def test_all_episodes_share_the_time(run: Run, tmp_path: Path) -> None:
    numbers = list(content().episodes)
    said = run("train", "rollwrite", "--data", tmp_path, "--minutes", 0.2)
    assert [line.partition(":")[0] for line in said.out.splitlines()] == [f"rollwrite episode-{n}" for n in numbers]
    reports = [json.loads((tmp_path / f"rollwrite-episode-{n}" / "report.json").read_text()) for n in numbers]
    assert {(report["seconds"], report["games"]) for report in reports} == {(1, 101)}


def test_what_is_learnt_if_nothing_is_named() -> None:
    assert {key: training_runs.parts(key)[:2] for key in GAME_SPECS if training_runs.parts(key)} == {
        "mycity": ["eternal", "episodes"],
        "rollwrite": ["episodes", "episode-1"],
    }
    assert [len(training_runs.parts(key)) for key in ("mycity", "rollwrite")] == [2 + 24, 1 + 12]


def test_patterns_take_machine_code(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(training_runs, "FAST", False)
    said = run("train", "rollwrite", "--part", "episode-1")
    assert (said.code, said.err) == (2, "polyopolis: training needs numba: install polyopolis[fast].\n")


@pytest.mark.parametrize("option", ["--teacher", "--begun-with"])
def test_no_net_is_written_over_by_one_that_learns_from_it(run: Run, tmp_path: Path, option: str) -> None:
    (tmp_path / "slim").mkdir()
    (tmp_path / "slim" / "weights.pt").write_bytes(b"")
    said = run("train", "mycity", "--net", "slim", option, "slim", "--data", tmp_path)
    assert said.code == 2
    assert "a net that learns from slim needs another --name" in said.err
