"""Patterns are learnt: games on one core make them say more of what comes, and a course goes on where it stopped."""

import json
import os
import sys
from itertools import count
from pathlib import Path
from statistics import fmean

import pytest

from polyopolis.bots.feature_weights import guess
from polyopolis.bots.net_files import in_steps, judge_by, unpacked_patterns
from polyopolis.kernels.placing.layout import SHAPES
from polyopolis.kernels.placing.pattern_values import PATTERNS
from polyopolis.kernels.runtime.jit import FAST, float_rows
from polyopolis.train import __main__, episode_courses, pattern_training
from polyopolis.train.checkpoints import MEMORY, REPORT
from polyopolis.train.episode_courses import EpisodeCourseRunner, recalled, written
from polyopolis.train.pattern_training import Course, course_of, scores_of, starts

pytestmark = [pytest.mark.slow, pytest.mark.skipif(not FAST, reason="many games, which take machine code")]


@pytest.fixture(autouse=True)
def looks(monkeypatch: pytest.MonkeyPatch) -> None:
    """The time that it takes is counted in looks at the clock: how many games there are depends on nothing else."""
    clock = count()
    monkeypatch.setattr(pattern_training, "thread_time", lambda: float(next(clock)))
    monkeypatch.setattr(episode_courses, "MEASURED", 40)
    monkeypatch.setattr(episode_courses, "JUDGED", 200)


def gone(folder: Path, seconds: float, seed: int = 1, key: str = "rollwrite") -> EpisodeCourseRunner:
    learner = EpisodeCourseRunner(key, 2, Course(float(seconds), seed), folder)
    for _ in learner.go():
        pass
    return learner


def broken(folder: Path, seconds: float, after: float) -> None:
    """As if it were killed after so many seconds."""
    for kept in EpisodeCourseRunner("rollwrite", 2, Course(float(seconds)), folder).go():
        if kept.seconds >= after:
            return


@pytest.mark.parametrize("key", ["mycity", "rollwrite"])
def test_patterns_are_learnt_by_games(key: str, tmp_path: Path) -> None:
    nothing = judge_by(in_steps(float_rows(1, PATTERNS)[0]))
    before = fmean(scores_of(key, 2, nothing, 200))
    kept = gone(tmp_path, 60, key=key).kept
    written(tmp_path / f"{key}-episode-2", tmp_path / "some.patterns")
    told, judge = unpacked_patterns((tmp_path / "some.patterns").read_bytes())
    assert (told.game, told.figures) == (f"{key}/episode-2", kept.figures)
    assert told.courses[0]["played"] == 60 * pattern_training.AT_ONCE + 1
    assert fmean(scores_of(key, 2, judge, 200)) > before + 5
    again, _ = course_of(key, 2, Course(seconds=60))
    assert in_steps(again) == in_steps(judge.patterns), "the same seed, the same games"


def test_a_course_that_was_broken_off_comes_to_the_same(tmp_path: Path) -> None:
    whole = gone(tmp_path / "whole", 35)
    broken(tmp_path / "broken", 35, after=17)
    found = recalled(tmp_path / "broken" / "rollwrite-episode-2")
    assert found
    assert found[0].seconds == 10, "what came after the last measurement is learnt again"
    again = gone(tmp_path / "broken", 35)
    assert (again.anew, again.kept) == (False, whole.kept)
    kept, other = ((tmp_path / name / "rollwrite-episode-2" / MEMORY).read_bytes() for name in ("whole", "broken"))
    assert kept == other, "numbers, how they were drawn, and luck"
    assert [point.seconds for point in whole.kept.points] == [10, 20, 30, 35]


def test_with_more_time_a_course_goes_on(tmp_path: Path) -> None:
    """As one that plays by the tuned weights as long as it has."""
    gone(tmp_path, 30)
    longer = gone(tmp_path, 45).kept
    at_once, games = course_of("rollwrite", 2, Course(45, warm=0.15 * 30 / 45))
    found = recalled(tmp_path / "rollwrite-episode-2")
    assert found
    assert list(found[1].patterns) == list(at_once)
    assert (longer.games, longer.seconds) == (games, 45)
    assert [point.seconds for point in longer.points] == [10, 20, 30, 40, 45]
    assert [point.judged for point in longer.points] == [40, 40, 40, 40, 200]


def test_a_course_that_is_over_is_left_as_it_is(tmp_path: Path) -> None:
    gone(tmp_path, 12)
    kept = (tmp_path / "rollwrite-episode-2" / MEMORY).read_bytes()
    for seconds in (12, 5):
        assert EpisodeCourseRunner("rollwrite", 2, Course(seconds), tmp_path).over
        gone(tmp_path, seconds)
    assert (tmp_path / "rollwrite-episode-2" / MEMORY).read_bytes() == kept
    assert not EpisodeCourseRunner("rollwrite", 2, Course(13), tmp_path).over


def test_other_settings_or_other_features_begin_anew(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    gone(tmp_path, 12)
    assert not EpisodeCourseRunner("rollwrite", 2, Course(12), tmp_path).anew
    other = EpisodeCourseRunner("rollwrite", 2, Course(12, seed=2), tmp_path)
    assert (other.anew, other.kept.seconds, other.over) == (True, 0, False)
    monkeypatch.setattr(pattern_training, "weights_for", lambda key, part, site: guess(site))
    assert EpisodeCourseRunner("rollwrite", 2, Course(12), tmp_path).anew


def test_whatever_breaks_it_off_what_is_kept_is_whole(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    gone(tmp_path, 12)
    folder = tmp_path / "rollwrite-episode-2"
    before = (folder / MEMORY).read_bytes()

    def killed(*_: object) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as patched:
        patched.setattr(os, "replace", killed)
        with pytest.raises(KeyboardInterrupt):
            gone(tmp_path, 25)
    assert (folder / MEMORY).read_bytes() == before
    assert gone(tmp_path, 25).kept.seconds == 25


def test_a_report_tells_the_course(tmp_path: Path) -> None:
    gone(tmp_path, 25, seed=3)
    report = json.loads((tmp_path / "rollwrite-episode-2" / REPORT).read_text())
    assert (report["game"], report["episode"], report["device"]) == ("rollwrite", 2, "one core")
    assert (report["course"]["seed"], report["course"]["seconds"], report["seconds"]) == (3, 25, 25)
    assert report["games"] == 25 * pattern_training.AT_ONCE + 1
    assert [point["seconds"] for point in report["curve"]] == [10, 20, 25]
    assert all(point["within"] > 0 for point in report["curve"])


@pytest.fixture
def asked(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """What stands on the line of `python -m polyopolis.train`."""
    line = ["train"]
    monkeypatch.setattr(sys, "argv", line)
    return line


def test_patterns_are_written_and_told_by_the_commands_of_nets(
    tmp_path: Path, asked: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    figures, folder = gone(tmp_path, 12).kept.figures, tmp_path / "rollwrite-episode-2"
    asked[1:] = ["write", str(folder), str(tmp_path / "some.patterns")]
    __main__.main()
    assert capsys.readouterr().out.startswith(f"{tmp_path / 'some.patterns'}: ")
    assert unpacked_patterns((tmp_path / "some.patterns").read_bytes())[0].figures == figures
    (tmp_path / "page.md").write_text("# Nets\n")
    asked[1:] = ["report", str(folder), str(tmp_path / "page.md")]
    __main__.main()
    assert f"| 2 | 0.2 | 1,201 | 1 | {figures.partition(' at')[0]} | 200 |" in (tmp_path / "page.md").read_text()


def test_bandits_are_carried_over_in_some_games() -> None:
    assert [len(starts("rollwrite", number, 1)) for number in (9, 10, 11)] == [1, 1, pattern_training.STARTS + 1]
    assert len({city.sight for city in starts("rollwrite", 11, 1)}) > 1


def test_boards_of_campaigns_are_learnt_on_too() -> None:
    cities = starts("mycity", 3, 1)
    assert len(cities) == 1 + 4
    assert len({tuple(map(int, city.site.ground.land[:SHAPES])) for city in cities}) > 1
