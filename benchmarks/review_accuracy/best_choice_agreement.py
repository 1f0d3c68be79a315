"""Whether many more futures find the same best choice as a review does."""

from collections.abc import Mapping, Sequence

from msgspec import Struct

from benchmarks.review_accuracy.level_losses import Task, played
from polyopolis.analysis.estimates import Sample
from polyopolis.analysis.match_evaluation import Asked, Step, Walk
from polyopolis.analysis.reviewer import PRECISIONS, walk_of

SURER = 50
"""How many times more futures have the last word on what a review found."""
GROWTH = 5
DOUBT = 3.0
"""Standard errors behind the best at which a choice is given up on the way to there."""
EACH = 4
"""Decisions of one game."""


class Trust(Struct, frozen=True):
    """What many more futures say of one decision: whether they find the same best choice, and what it would lack."""

    same: bool
    lacks: float
    error: float


def tasks(key: str, decisions: int, seed: str) -> list[Task]:
    """So many decisions from games of level 3, no more than a few of each."""
    return [Task(key, "level-3", number, seed) for number in range(-(-decisions // EACH))]


def trusted(task: Task) -> list[Trust]:
    walk = walk_of(played(task))
    for precision in PRECISIONS:
        for _ in walk.go(precision.futures, precision.width):
            pass
    asked = [(step, each) for step in walk.steps for each in step.asked if each.counts]
    chosen = asked[len(asked) // (2 * EACH) :: max(len(asked) // EACH, 1)][:EACH]
    return [_retried(walk, step, each) for step, each in chosen]


def _retried(walk: Walk, step: Step, asked: Asked) -> Trust:
    """Other futures than those of the review, and more and more of them while it is not clear what is best."""
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
    """In the futures that both were tried in."""
    known = min(len(rows[first]), len(rows[number]))
    sample = Sample.of(rows[first][:known]) - Sample.of(rows[number][:known])
    return sample.mean, sample.figure.error
