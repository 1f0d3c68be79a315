"""Training of tiny nets: it runs, is stored and resumed, and the exported file evaluates like the net."""

import json
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

numpy = pytest.importorskip("numpy")
torch = pytest.importorskip("torch")

from polyopolis.bots.net_files import unpack_net  # noqa: E402 - needs torch
from polyopolis.games.mycity.content import content  # noqa: E402
from polyopolis.kernels.city_arrays import city_site  # noqa: E402
from polyopolis.kernels.city_position import CityPosition, KernelCity  # noqa: E402
from polyopolis.kernels.runtime.jit import ints  # noqa: E402
from polyopolis.lab.batch_plan import pack_plan  # noqa: E402
from polyopolis.lab.batch_plans import plan_of  # noqa: E402
from polyopolis.train import net_training  # noqa: E402
from polyopolis.train.checkpoints import PLAN_FILE, REPORT_FILE, STATE_FILE  # noqa: E402
from polyopolis.train.city_tensors import CityBatch  # noqa: E402
from polyopolis.train.net_export import export_net  # noqa: E402
from polyopolis.train.net_games import NetEvaluator, play_games, select_choices  # noqa: E402
from polyopolis.train.net_models import POINTS_PER_UNIT, BitUnpacker, net_of  # noqa: E402
from polyopolis.train.net_training import NetCourse, NetTrainer, load_weights  # noqa: E402

SMALL: dict[str, Any] = {
    "games": 8,
    "length": 4,
    "batch": 32,
    "measured": 4,
    "finally_measured": 4,
    "reuse": 1.0,
    "minutes": 0.002,
}


@pytest.fixture(scope="module")
def prepared(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder: Path = tmp_path_factory.mktemp("prepared")
    numpy.savez_compressed(folder / PLAN_FILE, **pack_plan(plan_of("mycity-eternal-v0")))
    return folder


def test_a_net_trained_from_a_teacher_is_exported_with_the_same_values(prepared: Path, tmp_path: Path) -> None:
    NetTrainer(prepared, tmp_path / "deep", NetCourse("deep", **SMALL)).run()
    NetTrainer(prepared, tmp_path / "slim", NetCourse("slim", teacher=str(tmp_path / "deep"), **SMALL)).run()
    NetTrainer(prepared, tmp_path / "again", NetCourse("slim", begun_with=str(tmp_path / "slim"), **SMALL)).run()
    assert export_net(tmp_path / "again", tmp_path / "some.net", "mycity-eternal-v0") < 700_000
    source, evaluator = unpack_net((tmp_path / "some.net").read_bytes())
    assert [course["net"] for course in source.courses] == ["deep", "slim", "slim"]
    cities, cpu = CityBatch(prepared, 1, 3), torch.device("cpu")
    net = net_of("slim", cities.plan.choices["sight"])
    net.load_state_dict(load_weights(tmp_path / "again", cpu))
    choices = cities.choices()
    said = NetEvaluator(net, BitUnpacker(cpu))(choices)[:-2]
    desk = cities._runner.own["desk"][0]
    city = KernelCity.at_start(city_site("mycity", content().episodes["eternal"]))
    position = CityPosition(city, int(desk[0]), ints(int(card) for card in desk[3 : 3 + desk[1]]))
    assert sorted(value for value, _ in position.model_values(evaluator))[1:] == pytest.approx(
        sorted(said.tolist()), abs=0.2 * POINTS_PER_UNIT
    )


class Broken(Exception):
    """Simulates a killed process."""


def course_by_rounds(
    monkeypatch: pytest.MonkeyPatch, prepared: Path, out: Path, rounds: int, broken_after: int = 99
) -> NetTrainer:
    """Runs a course with a clock that advances by one second per round of games."""
    now, learn = [0.0], NetTrainer._train

    def learnt(learner: NetTrainer, *about: Any) -> None:
        learn(learner, *about)
        now[0] += 1
        if now[0] == broken_after:
            raise Broken

    few = {**SMALL, "minutes": rounds / 60, "every": 2.5, "kept": 1}
    with monkeypatch.context() as patched:
        patched.setattr(net_training, "time", SimpleNamespace(perf_counter=lambda: now[0]))
        patched.setattr(NetTrainer, "_train", learnt)
        learner = NetTrainer(prepared, out, NetCourse("slim", **few))
        learner.run()
    return learner


def test_an_interrupted_course_is_resumed(
    prepared: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Only samples are not stored. The test keeps those of one round, so the result is the same."""
    whole = course_by_rounds(monkeypatch, prepared, tmp_path / "whole", 8)
    with pytest.raises(Broken):
        course_by_rounds(monkeypatch, prepared, tmp_path / "broken", 8, broken_after=5)
    assert json.loads((tmp_path / "broken" / REPORT_FILE).read_text())["seconds"] == 3
    again = course_by_rounds(monkeypatch, prepared, tmp_path / "broken", 8)
    assert again.report == whole.report
    assert [point["seconds"] for point in again.report.curve] == [0, 3, 6, 8]
    for one, other in zip(whole.net.parameters(), again.net.parameters(), strict=True):
        assert torch.equal(one, other)
    kept = (tmp_path / "broken" / STATE_FILE).read_bytes()
    course_by_rounds(monkeypatch, prepared, tmp_path / "broken", 8)
    assert "slim was already trained for 8.0 s" in capsys.readouterr().out
    assert (tmp_path / "broken" / STATE_FILE).read_bytes() == kept
    longer = course_by_rounds(monkeypatch, prepared, tmp_path / "broken", 10).report
    assert [point["seconds"] for point in longer.curve] == [0, 3, 6, 10]
    assert longer.steps > again.report.steps


def test_a_course_with_other_settings_starts_from_scratch(
    prepared: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    NetTrainer(prepared, tmp_path, NetCourse("slim", **SMALL)).run()
    assert "starting from scratch" not in capsys.readouterr().out
    other = NetTrainer(prepared, tmp_path, NetCourse("slim", **SMALL, seed=2))
    assert "starting from scratch" in capsys.readouterr().out
    assert (other.report.games, other.report.curve) == (0, [])


def test_with_lambda_1_the_target_is_the_final_score(prepared: Path) -> None:
    """With a net of constant output, the target of every city of a finished game is its final score."""
    cities, cpu = CityBatch(prepared, 6, 9), torch.device("cpu")
    net = net_of("slim", cities.plan.choices["sight"])
    evaluator = NetEvaluator(net, BitUnpacker(cpu))
    samples, games, _ = play_games(cities, evaluator, 60, torch.zeros(6), 1.0)
    assert games >= 6
    assert len(samples.sight) == len(samples.worth) == len(samples.points)
    assert bool((samples.worth >= samples.points - 40).all())


def test_noise_does_not_cause_a_stop(prepared: Path) -> None:
    cities = CityBatch(prepared, 16, 4)
    choices = cities.choices()
    values = choices.points + 5.0
    values[choices.stops] = choices.points[choices.stops]
    found = select_choices(choices, values, 16, torch.full((16,), 50.0))
    assert not bool(found.stopped.any())
    assert not bool((found.which == choices.stops).any())
    values -= 100.0
    assert bool(select_choices(choices, values, 16, torch.full((16,), 50.0)).stopped.all())
