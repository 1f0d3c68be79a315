"""Patterns are learnt: games on one core make them say more of what comes, and they are kept as a file."""

from pathlib import Path
from statistics import fmean

import pytest

from polyopolis.bots.nets import PATTERNED, in_steps, judge_by, unpacked_patterns
from polyopolis.kernels.compiled import FAST, float_rows
from polyopolis.kernels.placing.layout import SHAPES
from polyopolis.kernels.placing.patterns import PATTERNS
from polyopolis.train import remembering
from polyopolis.train.remembering import Course, course_of, remembered, scores_of, starts

pytestmark = [pytest.mark.slow, pytest.mark.skipif(not FAST, reason="many games, which take machine code")]


@pytest.mark.parametrize("key", ["mycity", "rollwrite"])
def test_patterns_are_learnt_by_games(key: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """The time that it takes is counted in looks at the clock: how many games there are depends on nothing else."""
    looks = iter(range(10**6))
    monkeypatch.setattr(remembering, "process_time", lambda: float(next(looks)))
    monkeypatch.setattr(remembering, "JUDGED", 200)
    nothing = judge_by(in_steps(float_rows(1, PATTERNS)[0]))
    before = fmean(scores_of(key, 2, nothing, 200))
    figures = remembered(key, 2, Course(seconds=60), tmp_path)
    told, judge = unpacked_patterns((tmp_path / f"{key}-episode-2{PATTERNED}").read_bytes())
    assert (told.game, told.figures) == (f"{key}/episode-2", figures)
    assert told.courses[0]["played"] == 60 * remembering.AT_ONCE + 1
    assert fmean(scores_of(key, 2, judge, 200)) > before + 5
    again, _ = course_of(key, 2, Course(seconds=60))
    assert in_steps(again) == in_steps(judge.patterns), "the same seed, the same games"


def test_bandits_are_carried_over_in_some_games() -> None:
    assert [len(starts("rollwrite", number, 1)) for number in (9, 10, 11)] == [1, 1, remembering.STARTS + 1]
    assert len({city.sight for city in starts("rollwrite", 11, 1)}) > 1


def test_boards_of_campaigns_are_learnt_on_too() -> None:
    cities = starts("mycity", 3, 1)
    assert len(cities) == 1 + 4
    assert len({tuple(map(int, city.site.ground.land[:SHAPES])) for city in cities}) > 1
