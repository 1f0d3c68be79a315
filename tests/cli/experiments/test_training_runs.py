"""`train`."""

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
def counted_clock(monkeypatch: pytest.MonkeyPatch) -> None:
    """Replaces the clock by one that advances a second with each call."""
    clock = count()
    monkeypatch.setattr(pattern_training, "thread_time", lambda: float(next(clock)))
    monkeypatch.setattr(episode_courses, "CURVE_GAMES", 10)
    monkeypatch.setattr(episode_courses, "FINAL_GAMES", 20)


@pytest.mark.slow
@fast
def test_training_an_episode_continues_from_the_checkpoint(run: Run, tmp_path: Path) -> None:
    asked = "train", "rollwrite", "--part", "episode-3", "--data", tmp_path, "--minutes"
    result = run(*asked, 0.4)
    assert (result.code, result.err) == (0, "")
    first, second, last = result.out.splitlines()
    assert first.startswith("rollwrite episode-3: 10 of 24 s, 1,001 games, ")
    assert second.startswith("rollwrite episode-3: 20 of 24 s, 2,001 games, ")
    assert last.endswith("without search over 20 games, alone; 2,401 games in 24 s")
    assert run(*asked, 0.4).out.endswith("without search over 20 games, alone; already trained for 24 s\n")
    first, last = run(*asked, 0.6).out.splitlines()
    assert first.startswith("rollwrite episode-3: 30 of 36 s, 3,001 games, ")
    assert last.endswith("3,601 games in 36 s")
    first, last = run(*asked, 0.1, "--seed", 2).out.splitlines()
    assert first.startswith("rollwrite episode-3: starting over, ")
    assert last.endswith("601 games in 6 s")


@pytest.mark.slow
@fast
def test_all_episodes_share_the_time(run: Run, tmp_path: Path) -> None:
    numbers = list(content().episodes)
    result = run("train", "rollwrite", "--data", tmp_path, "--minutes", 0.2)
    assert [line.partition(":")[0] for line in result.out.splitlines()] == [f"rollwrite episode-{n}" for n in numbers]
    reports = [json.loads((tmp_path / f"rollwrite-episode-{n}" / "report.json").read_text()) for n in numbers]
    assert {(report["seconds"], report["games"]) for report in reports} == {(1, 101)}


def test_the_default_part_comes_first() -> None:
    parts = {key: training_runs.trainable_parts(key) for key in GAME_SPECS}
    assert {key: found[:2] for key, found in parts.items() if found} == {
        "mycity": ["eternal", "episodes"],
        "rollwrite": ["episodes", "episode-1"],
    }
    assert [len(parts[key]) for key in ("mycity", "rollwrite")] == [2 + 24, 1 + 12]


def test_patterns_need_compiled_kernels(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(training_runs, "FAST", False)
    result = run("train", "rollwrite", "--part", "episode-1")
    assert (result.code, result.err) == (2, "polyopolis: training needs numba: install polyopolis[fast].\n")


@pytest.mark.parametrize("option", ["--teacher", "--begun-with"])
def test_a_net_does_not_overwrite_the_one_it_learns_from(run: Run, tmp_path: Path, option: str) -> None:
    (tmp_path / "slim").mkdir()
    (tmp_path / "slim" / "weights.pt").write_bytes(b"")
    result = run("train", "mycity", "--net", "slim", option, "slim", "--data", tmp_path)
    assert result.code == 2
    assert "a net that learns from slim needs another --name" in result.err
