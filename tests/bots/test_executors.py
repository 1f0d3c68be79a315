"""Executors return the same results as a single process, in order, also if a worker dies."""

import os
import re
import signal
import subprocess
import sys
import time
from contextlib import suppress
from importlib.util import find_spec
from itertools import count, islice
from multiprocessing import active_children
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import msgspec
import pytest
from msgspec.structs import replace

import polyopolis
from polyopolis.bots.tournaments import executors, ladder, ray_executor, weight_tuning
from polyopolis.bots.tournaments.arena import Contest, run_contest
from polyopolis.bots.tournaments.executors import (
    BATCHES_PER_WORKER,
    Executor,
    InlineExecutor,
    ParallelExecutor,
    ProcessExecutor,
    WorkersLost,
    local_executor,
)
from polyopolis.bots.tournaments.ladder import Ladder
from polyopolis.bots.tournaments.ray_executor import LOCAL, TEMPORARY_FOLDER, RayExecutor
from polyopolis.cli import main
from polyopolis.cli.arguments import BadOption, executor_for
from polyopolis.engine import PolyopolisError
from polyopolis.games import game
from polyopolis.records import record_text
from tools.processes import Guard

needs_ray = pytest.mark.skipif(find_spec("ray") is None, reason="Ray is not installed: no game was played on a cluster")


def double(number: int) -> int:
    return 2 * number


def deadly(task: tuple[int, str]) -> int:
    """Kills the first worker that runs it, or every worker if the trace file cannot be written."""
    number, trace = task
    if trace and not Path(trace).exists():
        with suppress(FileNotFoundError):
            Path(trace).touch()
        os.kill(os.getpid(), signal.SIGKILL)
    return number


def large(number: int) -> bytes:
    return bytes(64_000_000)


def wrong(number: int) -> int:
    raise PolyopolisError(f"cannot run {number}")


def assert_executor(executor: ParallelExecutor[Any], folder: Path) -> None:
    """Checks the contract of an executor."""
    assert list(executor.map(double, range(50), 3)) == list(range(0, 100, 2))
    asked = count()
    assert list(islice(executor.map(double, asked, 5), 3)) == [0, 2, 4]
    assert next(asked) <= 5 * BATCHES_PER_WORKER * executor.worker_count(), "only some batches are in flight"
    tasks = [(number, str(folder / "killed") if number == 7 else "") for number in range(20)]
    assert list(executor.map(deadly, tasks, 2)) == list(range(20))
    assert (folder / "killed").exists()
    with pytest.raises(PolyopolisError, match=r"^cannot run 1$"):
        list(executor.map(wrong, [1]))
    with pytest.raises(WorkersLost):
        list(executor.map(deadly, [(1, str(folder / "nowhere" / "at-all"))]))


@pytest.mark.slow
def test_processes_return_results_in_order_and_survive_crashes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(executors, "MAX_RETRIES", 1)
    before = set(active_children())  # of other tests
    with ProcessExecutor(2) as processes:
        assert_executor(processes, tmp_path)
        assert len(list(islice(processes.map(large, count()), 2))) == 2
    assert set(active_children()) <= before, "workers also end while they send a result"


def test_jobs_and_ray_exclude_each_other() -> None:
    assert isinstance(executor_for(1, ""), InlineExecutor)
    assert isinstance(executor_for(1, LOCAL), RayExecutor)
    with pytest.raises(BadOption, match="--jobs and --ray cannot be combined"):
        executor_for(2, LOCAL)


def test_without_ray_the_error_names_the_package_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "ray", None)
    with pytest.raises(WorkersLost, match=r"not installed; install polyopolis\[ray\]$"), RayExecutor(LOCAL):
        pass


def test_workers_with_another_version_are_refused() -> None:
    assert ray_executor.run_checked_batch(ray_executor.behaviour_digest(True), double, [1], True) == [2]
    assert ray_executor.behaviour_digest(True) != ray_executor.behaviour_digest(False)
    with pytest.raises(WorkersLost, match="has a different version of Polyopolis"):
        ray_executor.run_checked_batch("another", double, [1], True)


@pytest.mark.parametrize("learnt", ["weights/some.toml", "nets/some.net", "nets/some.patterns"])
def test_workers_with_other_weights_are_refused(learnt: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Unless the task contains its weights."""
    path = tmp_path / "bots" / learnt
    path.parent.mkdir(parents=True)
    monkeypatch.setattr(polyopolis, "__path__", [str(tmp_path)])
    found = []
    for content in (b"one", b"another"):
        path.write_bytes(content)
        found.append([ray_executor.behaviour_digest.__wrapped__(weighed) for weighed in (True, False)])
    (weighed, plain), (otherwise, still) = found
    assert weighed != otherwise
    assert plain == still


def records(contest: Contest, executor: Executor) -> list[str]:
    return [record_text(played.record) for played in run_contest(contest, executor)]


def played_ladder(executor: Executor, path: Path) -> bytes:
    """Plays a ladder of two decks in which only the games of levels 1 and 2 are missing."""
    two = Ladder("rollwrite", decks=2, seed="hands")
    missing = [task for task in two.tasks if task[0] == ("level-1", "level-2")]
    known = [ladder.LadderGame(levels, number, levels, (0, 0), (1, 1)) for levels, number in two.tasks]
    games = [found for found in known if (found.levels, found.number) not in missing]
    path.write_bytes(b"".join(msgspec.json.encode(found) + b"\n" for found in games))
    assert len(list(ladder.play_ladder(two, executor, path))) == len(two.tasks)
    return path.read_bytes()


def tuned(executor: Executor) -> weight_tuning.SamplingDistribution:
    target = weight_tuning.tuning_targets("rollwrite")["episode-1"]
    first = weight_tuning.next_generation(target, weight_tuning.initial_distribution(target), "hands", executor)
    return replace(weight_tuning.next_generation(target, first, "hands", executor), seconds=0)


@needs_ray
@pytest.mark.slow
def test_a_ray_cluster_returns_the_same_results_as_processes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """One test for all, because a cluster starts slowly."""
    contest = Contest("rollwrite", game("rollwrite").Setup(seats=2), ("greedy", "level-1"), 9, "hands")
    campaigns = Contest("rollwrite", game("rollwrite").Setup(seats=2), ("random",), 2, "hands", plan=(1, 2))
    with (
        pytest.raises(WorkersLost, match=r"cluster at 127\.0\.0\.1:1 cannot be joined: .*refused"),
        RayExecutor("127.0.0.1:1"),
    ):
        pass
    monkeypatch.setattr(ray_executor, "MAX_RETRIES", 1)
    with RayExecutor(LOCAL) as workers, local_executor(2) as processes:
        for played in (contest, campaigns):
            assert records(played, workers) == records(played, processes)
        assert played_ladder(workers, tmp_path / "ray") == played_ladder(processes, tmp_path / "processes")
        assert tuned(workers) == tuned(processes)
        assert_executor(workers, tmp_path)


ARENA = ("arena", "mycity", "--bots", "random,uniform")
COMMAND = (sys.executable, "-c", "import sys; from polyopolis.cli import main; sys.exit(main())")
OF_RAY = re.compile(rb"^\[[^]]+ E \d+ \d+\] task_manager\.cc:\d+: Failed to push error to driver .*\n", re.MULTILINE)
"""A line that Ray prints itself, bypassing all loggers, if a worker ends a moment before the others."""


@needs_ray
@pytest.mark.slow
def test_ctrl_c_ends_a_private_cluster_without_output_or_files(tmp_path: Path) -> None:
    many, one = tmp_path / "many", tmp_path / "one"
    asked = (*COMMAND, *ARENA, "--ray", LOCAL, "--games", "100000", "--save", str(many))
    with TemporaryDirectory(dir=TEMPORARY_FOLDER) as temporary:
        arena = subprocess.Popen(
            asked,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            start_new_session=True,
            env={**os.environ, "HOME": str(tmp_path / "home"), "TMPDIR": temporary},
        )
        with Guard.of_group(arena.pid):
            while arena.poll() is None and not (many / "0006.json").exists():
                time.sleep(0.1)
            os.killpg(arena.pid, signal.SIGINT)  # like a terminal: to the whole process group
            said, _ = arena.communicate()
        assert (arena.returncode, OF_RAY.sub(b"", said)) == (130, b"")
        assert not list(Path(temporary).glob("ray-*"))
    assert not (tmp_path / "home" / ".ray").exists()
    assert main([*ARENA, "--games", "6", "--save", str(one)]) == 0
    assert len(list(one.iterdir())) == 6
    for path in one.iterdir():
        assert path.read_bytes() == (many / path.name).read_bytes()
