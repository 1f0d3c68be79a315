"""Measures in which share of decisions many more futures find the same best choice as a review."""

from collections.abc import Mapping, Sequence

from msgspec import Struct

from benchmarks.review_accuracy.level_losses import Task, played
from polyopolis.analysis.estimates import FutureSamples
from polyopolis.analysis.match_evaluation import EvaluatedDecision, MatchEvaluation, Step
from polyopolis.analysis.reviewer import PRECISIONS, walk_of

SURER = 50
"""Factor by which the number of futures exceeds that of a review."""
GROWTH = 5
DOUBT = 3.0
"""A choice is dropped early when it is this number of standard errors behind the best one."""
EACH = 4
"""Decisions taken from one game."""


class Trust(Struct, frozen=True):
    """Agreement on one decision. `lacks` is the mean loss of the review's best choice with many more futures."""

    same: bool
    lacks: float
    error: float


def tasks(key: str, decisions: int, seed: str) -> list[Task]:
    """Returns games of level 3 for this number of decisions, `EACH` of a game."""
    return [Task(key, "level-3", number, seed) for number in range(-(-decisions // EACH))]


def trusted(task: Task) -> list[Trust]:
    walk = walk_of(played(task))
    for precision in PRECISIONS:
        for _ in walk.go(precision.futures, precision.width):
            pass
    asked = [(step, each) for step in walk.steps for each in step.asked if each.counts]
    chosen = asked[len(asked) // (2 * EACH) :: max(len(asked) // EACH, 1)][:EACH]
    return [_retried(walk, step, each) for step, each in chosen]


def _retried(walk: MatchEvaluation, step: Step, asked: EvaluatedDecision) -> Trust:
    """Evaluates the choices in new futures, in growing numbers until the best one is clear or the limit is reached."""
    best = max(asked.open, key=lambda number: walk.sought(asked, number).mean)
    rows: dict[int, list[float]] = {number: [] for number in range(len(asked.tried))}
    begin, most = walk.futures, walk.futures * SURER
    done, left = 0, list(rows)
    while done < most and len(left) > 1:
        more = min(max(walk.futures, done * (GROWTH - 1)), most - done)
        actions = [asked.tried[number] for number in left]
        outlooks = walk.oracle.judged(step.state, asked.seat, actions, range(begin + done, begin + done + more))
        for number, outlook in zip(left, outlooks, strict=True):
            rows[number] += type(asked.prospects[number])(outlook).sought(asked.seat, walk.oracle.APART)
        done += more
        first = max(left, key=lambda number: sum(rows[number]))
        lacks = {number: _lacks(rows, first, number) for number in left}
        left = [number for number in left if lacks[number][0] <= DOUBT * lacks[number][1] or number == first]
    first = max(left, key=lambda number: sum(rows[number]))
    mean, error = _lacks(rows, first, best)
    return Trust(best == first or mean == 0.0, mean, error)


def _lacks(rows: Mapping[int, Sequence[float]], first: int, number: int) -> tuple[float, float]:
    """Returns mean and standard error of the difference in the futures that both choices have."""
    known = min(len(rows[first]), len(rows[number]))
    sample = FutureSamples.of(rows[first][:known]) - FutureSamples.of(rows[number][:known])
    return sample.mean, sample.figure.error
