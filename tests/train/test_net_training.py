"""Training, as small as can be: it learns, it is kept, and what ships says what was learnt."""

import json
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

numpy = pytest.importorskip("numpy")
torch = pytest.importorskip("torch")

from polyopolis.bots.net_files import unpacked  # noqa: E402 - only where torch is
from polyopolis.games.mycity.content import content  # noqa: E402
from polyopolis.kernels.city_arrays import land_of  # noqa: E402
from polyopolis.kernels.city_position import City, CityPosition  # noqa: E402
from polyopolis.kernels.runtime.jit import ints  # noqa: E402
from polyopolis.lab.batch_plan import packed  # noqa: E402
from polyopolis.lab.batch_plans import plan_of  # noqa: E402
from polyopolis.train import net_training  # noqa: E402
from polyopolis.train.checkpoints import PLAN, REPORT, STATE  # noqa: E402
from polyopolis.train.city_tensors import Field  # noqa: E402
from polyopolis.train.net_export import written  # noqa: E402
from polyopolis.train.net_games import Judge, decided, games_on  # noqa: E402
from polyopolis.train.net_models import SCALE, Bits, net_of  # noqa: E402
from polyopolis.train.net_training import Course, Learner, read  # noqa: E402

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
    numpy.savez_compressed(folder / PLAN, **packed(plan_of("mycity-eternal-v0")))
    return folder


def test_a_pupil_of_a_net_ships_and_says_the_same(prepared: Path, tmp_path: Path) -> None:
    Learner(prepared, tmp_path / "deep", Course("deep", **SMALL)).go()
    Learner(prepared, tmp_path / "slim", Course("slim", teacher=str(tmp_path / "deep"), **SMALL)).go()
    Learner(prepared, tmp_path / "again", Course("slim", begun_with=str(tmp_path / "slim"), **SMALL)).go()
    assert written(tmp_path / "again", tmp_path / "some.net", "mycity-eternal-v0") < 700_000
    source, judge = unpacked((tmp_path / "some.net").read_bytes())
    assert [course["net"] for course in source.courses] == ["deep", "slim", "slim"]
    field, cpu = Field(prepared, 1, 3), torch.device("cpu")
    net = net_of("slim", field.plan.choices["sight"])
    net.load_state_dict(read(tmp_path / "again", cpu))
    choices = field.choices()
    said = Judge(net, Bits(cpu))(choices)[:-2]
    desk = field._runner.own["desk"][0]
    city = City.laid_out(land_of("mycity", content().episodes["eternal"]))
    position = CityPosition(city, int(desk[0]), ints(int(card) for card in desk[3 : 3 + desk[1]]))
    assert sorted(value for value, _ in position.gazed(judge))[1:] == pytest.approx(
        sorted(said.tolist()), abs=0.2 * SCALE
    )


class Broken(Exception):
    """As if it were killed."""


def course_by_rounds(
    monkeypatch: pytest.MonkeyPatch, prepared: Path, out: Path, rounds: int, broken_after: int = 99
) -> Learner:
    """A round of games takes a second, and nothing else takes any."""
    now, learn = [0.0], Learner._learn

    def learnt(learner: Learner, *about: Any) -> None:
        learn(learner, *about)
        now[0] += 1
        if now[0] == broken_after:
            raise Broken

    few = {**SMALL, "minutes": rounds / 60, "every": 2.5, "kept": 1}
    with monkeypatch.context() as patched:
        patched.setattr(net_training, "time", SimpleNamespace(perf_counter=lambda: now[0]))
        patched.setattr(Learner, "_learn", learnt)
        learner = Learner(prepared, out, Course("slim", **few))
        learner.go()
    return learner


def test_a_course_goes_on_where_it_was_broken_off(
    prepared: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Only the cities to learn from are gathered anew, of which one round is kept here: so nothing is lost."""
    whole = course_by_rounds(monkeypatch, prepared, tmp_path / "whole", 8)
    with pytest.raises(Broken):
        course_by_rounds(monkeypatch, prepared, tmp_path / "broken", 8, broken_after=5)
    assert json.loads((tmp_path / "broken" / REPORT).read_text())["seconds"] == 3
    again = course_by_rounds(monkeypatch, prepared, tmp_path / "broken", 8)
    assert again.report == whole.report
    assert [point["seconds"] for point in again.report.curve] == [0, 3, 6, 8]
    for one, other in zip(whole.net.parameters(), again.net.parameters(), strict=True):
        assert torch.equal(one, other)
    kept = (tmp_path / "broken" / STATE).read_bytes()
    course_by_rounds(monkeypatch, prepared, tmp_path / "broken", 8)
    assert "slim has learnt for 8.0 s already" in capsys.readouterr().out
    assert (tmp_path / "broken" / STATE).read_bytes() == kept
    longer = course_by_rounds(monkeypatch, prepared, tmp_path / "broken", 10).report
    assert [point["seconds"] for point in longer.curve] == [0, 3, 6, 10]
    assert longer.steps > again.report.steps


def test_a_course_of_other_settings_begins_anew(
    prepared: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    Learner(prepared, tmp_path, Course("slim", **SMALL)).go()
    assert "begun anew" not in capsys.readouterr().out
    other = Learner(prepared, tmp_path, Course("slim", **SMALL, seed=2))
    assert "begun anew" in capsys.readouterr().out
    assert (other.report.games, other.report.curve) == (0, [])


def test_what_a_city_was_worth_is_told_by_how_it_ended(prepared: Path) -> None:
    """With a net that says nothing and lambda 1 every city of a game that ended is worth its final score."""
    field, cpu = Field(prepared, 6, 9), torch.device("cpu")
    net = net_of("slim", field.plan.choices["sight"])
    judge = Judge(net, Bits(cpu))
    samples, games, _ = games_on(field, judge, 60, torch.zeros(6), 1.0)
    assert games >= 6
    assert len(samples.sight) == len(samples.worth) == len(samples.points)
    assert bool((samples.worth >= samples.points - 40).all())


def test_nobody_stops_for_noise(prepared: Path) -> None:
    field = Field(prepared, 16, 4)
    choices = field.choices()
    values = choices.points + 5.0
    values[choices.stops] = choices.points[choices.stops]
    found = decided(choices, values, 16, torch.full((16,), 50.0))
    assert not bool(found.stopped.any())
    assert not bool((found.which == choices.stops).any())
    values -= 100.0
    assert bool(decided(choices, values, 16, torch.full((16,), 50.0)).stopped.all())
