"""Many hands do what one does: in order, to the last byte, also when one of them dies."""

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
from polyopolis.bots.tournaments.arena import Contest, run
from polyopolis.bots.tournaments.executors import (
    AHEAD,
    Executor,
    InlineExecutor,
    ParallelExecutor,
    ProcessExecutor,
    WorkersLost,
    local_executor,
)
from polyopolis.bots.tournaments.ladder import Ladder
from polyopolis.bots.tournaments.ray_executor import LOCAL, SHORT, RayExecutor
from polyopolis.cli import main
from polyopolis.cli.arguments import BadOption, hands_of
from polyopolis.engine import PolyopolisError
from polyopolis.games import game
from polyopolis.records import text_of
from tools.processes import Guard

needs_ray = pytest.mark.skipif(find_spec("ray") is None, reason="Ray is not installed: no game was played on a cluster")


def doubled(number: int) -> int:
    return 2 * number


def deadly(task: tuple[int, str]) -> int:
    """Kills whoever does it for the first time; where no trace of that can be left, everybody who does it."""
    number, trace = task
    if trace and not Path(trace).exists():
        with suppress(FileNotFoundError):
            Path(trace).touch()
        os.kill(os.getpid(), signal.SIGKILL)
    return number


def large(number: int) -> bytes:
    return bytes(64_000_000)


def wrong(number: int) -> int:
    raise PolyopolisError(f"nobody can do {number}")


def assert_good_hands(hands: ParallelExecutor[Any], folder: Path) -> None:
    """What all hands have in common."""
    assert list(hands.each(doubled, range(50), 3)) == list(range(0, 100, 2))
    asked = count()
    assert list(islice(hands.each(doubled, asked, 5), 3)) == [0, 2, 4]
    assert next(asked) <= 5 * AHEAD * hands.count(), "not all is handed out at once"
    tasks = [(number, str(folder / "killed") if number == 7 else "") for number in range(20)]
    assert list(hands.each(deadly, tasks, 2)) == list(range(20))
    assert (folder / "killed").exists()
    with pytest.raises(PolyopolisError, match=r"^nobody can do 1$"):
        list(hands.each(wrong, [1]))
    with pytest.raises(WorkersLost):
        list(hands.each(deadly, [(1, str(folder / "nowhere" / "at-all"))]))


@pytest.mark.slow
def test_processes_are_good_hands(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(executors, "TRIES", 1)
    before = set(active_children())  # of other tests
    with ProcessExecutor(2) as processes:
        assert_good_hands(processes, tmp_path)
        assert len(list(islice(processes.each(large, count()), 2))) == 2
    assert set(active_children()) <= before, "they are let go in the middle of an answer, too"


def test_hands_are_asked_for_in_one_way() -> None:
    assert isinstance(hands_of(1, ""), InlineExecutor)
    assert isinstance(hands_of(1, LOCAL), RayExecutor)
    with pytest.raises(BadOption, match="--jobs and --ray do not go together"):
        hands_of(2, LOCAL)


def test_without_ray_one_sentence_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "ray", None)
    with pytest.raises(WorkersLost, match=r"not installed; install polyopolis\[ray\]$"), RayExecutor(LOCAL):
        pass


def test_nobody_plays_with_another_polyopolis() -> None:
    assert ray_executor.run(ray_executor.behaviour_digest(True), doubled, [1], True) == [2]
    assert ray_executor.behaviour_digest(True) != ray_executor.behaviour_digest(False)
    with pytest.raises(WorkersLost, match="has another Polyopolis than this one"):
        ray_executor.run("another", doubled, [1], True)


@pytest.mark.parametrize("learnt", ["weights/some.toml", "nets/some.net", "nets/some.patterns"])
def test_nobody_plays_by_what_another_polyopolis_has_learnt(
    learnt: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """But who brings along what is played by may do so."""
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


def records(contest: Contest, hands: Executor) -> list[str]:
    return [text_of(played.record) for played in run(contest, hands)]


def climbed(hands: Executor, path: Path) -> bytes:
    """Two decks of which all but the weakest have played."""
    two = Ladder("rollwrite", decks=2, seed="hands")
    missing = [task for task in two.tasks if task[0] == ("level-1", "level-2")]
    known = [ladder.Game(levels, number, levels, (0, 0), (1, 1)) for levels, number in two.tasks]
    games = [found for found in known if (found.levels, found.number) not in missing]
    path.write_bytes(b"".join(msgspec.json.encode(found) + b"\n" for found in games))
    assert len(list(ladder.climb(two, hands, path))) == len(two.tasks)
    return path.read_bytes()


def tuned(hands: Executor) -> weight_tuning.SamplingDistribution:
    ground = weight_tuning.grounds("rollwrite")["episode-1"]
    first = weight_tuning.next_cloud(ground, weight_tuning.first_cloud(ground), "hands", hands)
    return replace(weight_tuning.next_cloud(ground, first, "hands", hands), seconds=0)


@needs_ray
@pytest.mark.slow
def test_a_cluster_plays_as_processes_do(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """All in one: a cluster starts slowly."""
    contest = Contest("rollwrite", game("rollwrite").Setup(seats=2), ("greedy", "level-1"), 9, "hands")
    campaigns = Contest("rollwrite", game("rollwrite").Setup(seats=2), ("random",), 2, "hands", plan=(1, 2))
    with (
        pytest.raises(WorkersLost, match=r"cluster at 127\.0\.0\.1:1 cannot be joined: .*refused"),
        RayExecutor("127.0.0.1:1"),
    ):
        pass
    monkeypatch.setattr(ray_executor, "TRIES", 1)
    with RayExecutor(LOCAL) as workers, local_executor(2) as processes:
        for played in (contest, campaigns):
            assert records(played, workers) == records(played, processes)
        assert climbed(workers, tmp_path / "ray") == climbed(processes, tmp_path / "processes")
        assert tuned(workers) == tuned(processes)
        assert_good_hands(workers, tmp_path)


ARENA = ("arena", "mycity", "--bots", "random,uniform")
COMMAND = (sys.executable, "-c", "import sys; from polyopolis.cli import main; sys.exit(main())")
OF_RAY = re.compile(rb"^\[[^]]+ E \d+ \d+\] task_manager\.cc:\d+: Failed to push error to driver .*\n", re.MULTILINE)
"""What Ray's machinery says by itself, past all loggers, if a worker has ended a moment before the others."""


@needs_ray
@pytest.mark.slow
def test_ctrl_c_ends_a_cluster_of_ones_own_without_a_word_or_a_trace(tmp_path: Path) -> None:
    many, one = tmp_path / "many", tmp_path / "one"
    asked = (*COMMAND, *ARENA, "--ray", LOCAL, "--games", "100000", "--save", str(many))
    with TemporaryDirectory(dir=SHORT) as temporary:
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
            os.killpg(arena.pid, signal.SIGINT)  # as a terminal does: to all that it started
            said, _ = arena.communicate()
        assert (arena.returncode, OF_RAY.sub(b"", said)) == (130, b"")
        assert not list(Path(temporary).glob("ray-*"))
    assert not (tmp_path / "home" / ".ray").exists()
    assert main([*ARENA, "--games", "6", "--save", str(one)]) == 0
    assert len(list(one.iterdir())) == 6
    for path in one.iterdir():
        assert path.read_bytes() == (many / path.name).read_bytes()
