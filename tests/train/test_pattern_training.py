"""Training of patterns improves the mean score, and courses can be resumed."""

import json
import os
import sys
from itertools import count
from pathlib import Path
from statistics import fmean

import pytest

from polyopolis.bots.feature_weights import default_weights
from polyopolis.bots.net_files import pattern_model, quantise_patterns, unpack_patterns
from polyopolis.kernels.placing.layout import SHAPES
from polyopolis.kernels.placing.pattern_values import PATTERN_COUNT
from polyopolis.kernels.runtime.jit import FAST, float_rows
from polyopolis.train import __main__, episode_courses, pattern_training
from polyopolis.train.checkpoints import PATTERNS_FILE, REPORT_FILE
from polyopolis.train.episode_courses import EpisodeCourseRunner, export_patterns, load_course
from polyopolis.train.pattern_training import PatternCourse, scores_of, start_cities, train_patterns

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(not FAST, reason="needs compiled kernels, because it plays many games"),
]


@pytest.fixture(autouse=True)
def _clock(monkeypatch: pytest.MonkeyPatch) -> None:
    """Uses a clock that advances by one second per reading, so that the number of games is deterministic."""
    clock = count()
    monkeypatch.setattr(pattern_training, "thread_time", lambda: float(next(clock)))
    monkeypatch.setattr(episode_courses, "CURVE_GAMES", 40)
    monkeypatch.setattr(episode_courses, "FINAL_GAMES", 200)


def run_course(folder: Path, seconds: float, seed: int = 1, key: str = "rollwrite") -> EpisodeCourseRunner:
    learner = EpisodeCourseRunner(key, 2, PatternCourse(float(seconds), seed), folder)
    for _ in learner.run():
        pass
    return learner


def interrupt_course(folder: Path, seconds: float, after: float) -> None:
    """Stops a course after this time, like a killed process."""
    for kept in EpisodeCourseRunner("rollwrite", 2, PatternCourse(float(seconds)), folder).run():
        if kept.seconds >= after:
            return


@pytest.mark.parametrize("key", ["mycity", "rollwrite"])
def test_training_improves_patterns(key: str, tmp_path: Path) -> None:
    untrained = pattern_model(quantise_patterns(float_rows(1, PATTERN_COUNT)[0]))
    before = fmean(scores_of(key, 2, untrained, 200))
    kept = run_course(tmp_path, 60, key=key).state
    export_patterns(tmp_path / f"{key}-episode-2", tmp_path / "some.patterns")
    source, model = unpack_patterns((tmp_path / "some.patterns").read_bytes())
    assert (source.game, source.figures) == (f"{key}/episode-2", kept.figures)
    assert source.courses[0]["played"] == 60 * pattern_training.GAMES_PER_CALL + 1
    assert fmean(scores_of(key, 2, model, 200)) > before + 5
    again, _ = train_patterns(key, 2, PatternCourse(seconds=60))
    assert quantise_patterns(again) == quantise_patterns(model.patterns), "the same seed, the same games"


def test_an_interrupted_course_has_the_same_result(tmp_path: Path) -> None:
    whole = run_course(tmp_path / "whole", 35)
    interrupt_course(tmp_path / "broken", 35, after=17)
    found = load_course(tmp_path / "broken" / "rollwrite-episode-2")
    assert found
    assert found[0].seconds == 10, "the part since the last measurement is trained again"
    again = run_course(tmp_path / "broken", 35)
    assert (again.restarted, again.state) == (False, whole.state)
    kept, other = (
        (tmp_path / name / "rollwrite-episode-2" / PATTERNS_FILE).read_bytes() for name in ("whole", "broken")
    )
    assert kept == other, "patterns, sums of changes, and random numbers"
    assert [point.seconds for point in whole.state.points] == [10, 20, 30, 35]


def test_a_course_is_extended_with_more_time(tmp_path: Path) -> None:
    """Same result as a single course with the same time of play by tuned weights."""
    run_course(tmp_path, 30)
    longer = run_course(tmp_path, 45).state
    at_once, games = train_patterns("rollwrite", 2, PatternCourse(45, warm=0.15 * 30 / 45))
    found = load_course(tmp_path / "rollwrite-episode-2")
    assert found
    assert list(found[1].patterns) == list(at_once)
    assert (longer.games, longer.seconds) == (games, 45)
    assert [point.seconds for point in longer.points] == [10, 20, 30, 40, 45]
    assert [point.judged for point in longer.points] == [40, 40, 40, 40, 200]


def test_a_finished_course_is_not_changed(tmp_path: Path) -> None:
    run_course(tmp_path, 12)
    kept = (tmp_path / "rollwrite-episode-2" / PATTERNS_FILE).read_bytes()
    for seconds in (12, 5):
        assert EpisodeCourseRunner("rollwrite", 2, PatternCourse(seconds), tmp_path).over
        run_course(tmp_path, seconds)
    assert (tmp_path / "rollwrite-episode-2" / PATTERNS_FILE).read_bytes() == kept
    assert not EpisodeCourseRunner("rollwrite", 2, PatternCourse(13), tmp_path).over


def test_other_settings_or_features_start_from_scratch(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    run_course(tmp_path, 12)
    assert not EpisodeCourseRunner("rollwrite", 2, PatternCourse(12), tmp_path).restarted
    other = EpisodeCourseRunner("rollwrite", 2, PatternCourse(12, seed=2), tmp_path)
    assert (other.restarted, other.state.seconds, other.over) == (True, 0, False)
    monkeypatch.setattr(pattern_training, "weights_for", lambda key, part, site: default_weights(site))
    assert EpisodeCourseRunner("rollwrite", 2, PatternCourse(12), tmp_path).restarted


def test_an_interrupted_write_keeps_the_checkpoint(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    run_course(tmp_path, 12)
    folder = tmp_path / "rollwrite-episode-2"
    before = (folder / PATTERNS_FILE).read_bytes()

    def killed(*_: object) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as patched:
        patched.setattr(os, "replace", killed)
        with pytest.raises(KeyboardInterrupt):
            run_course(tmp_path, 25)
    assert (folder / PATTERNS_FILE).read_bytes() == before
    assert run_course(tmp_path, 25).state.seconds == 25


def test_the_report_describes_the_course(tmp_path: Path) -> None:
    run_course(tmp_path, 25, seed=3)
    report = json.loads((tmp_path / "rollwrite-episode-2" / REPORT_FILE).read_text())
    assert (report["game"], report["episode"], report["device"]) == ("rollwrite", 2, "one core")
    assert (report["course"]["seed"], report["course"]["seconds"], report["seconds"]) == (3, 25, 25)
    assert report["games"] == 25 * pattern_training.GAMES_PER_CALL + 1
    assert [point["seconds"] for point in report["curve"]] == [10, 20, 25]
    assert all(point["within"] > 0 for point in report["curve"])


@pytest.fixture
def asked(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Arguments of `python -m polyopolis.train`."""
    line = ["train"]
    monkeypatch.setattr(sys, "argv", line)
    return line


def test_patterns_are_exported_and_reported_by_the_commands(
    tmp_path: Path, asked: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    figures, folder = run_course(tmp_path, 12).state.figures, tmp_path / "rollwrite-episode-2"
    asked[1:] = ["write", str(folder), str(tmp_path / "some.patterns")]
    __main__.main()
    assert capsys.readouterr().out.startswith(f"{tmp_path / 'some.patterns'}: ")
    assert unpack_patterns((tmp_path / "some.patterns").read_bytes())[0].figures == figures
    (tmp_path / "page.md").write_text("# Nets\n")
    asked[1:] = ["report", str(folder), str(tmp_path / "page.md")]
    __main__.main()
    assert f"| 2 | 0.2 | 1,201 | 1 | {figures.partition(' without')[0]} | 200 |" in (tmp_path / "page.md").read_text()


def test_some_games_start_with_carried_bandits() -> None:
    assert [len(start_cities("rollwrite", number, 1)) for number in (9, 10, 11)] == [
        1,
        1,
        pattern_training.CARRIED_STARTS + 1,
    ]
    assert len({city.information_key for city in start_cities("rollwrite", 11, 1)}) > 1


def test_boards_of_campaigns_are_used_for_training() -> None:
    cities = start_cities("mycity", 3, 1)
    assert len(cities) == 1 + 4
    assert len({tuple(map(int, city.site.arrays.land[:SHAPES])) for city in cities}) > 1
