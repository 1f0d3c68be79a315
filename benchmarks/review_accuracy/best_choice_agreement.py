"""Measures in which share of decisions many more futures find the same best choice as a review."""

from collections.abc import Mapping, Sequence

from msgspec import Struct

from benchmarks.review_accuracy.level_losses import Task, play_match
from polyopolis.analysis.estimates import FutureSamples
from polyopolis.analysis.match_evaluation import EvaluatedDecision, EvaluatedStep, MatchEvaluation
from polyopolis.analysis.reviewer import PRECISIONS, evaluation_of

FUTURES_FACTOR = 50
"""Factor by which the number of futures exceeds that of a review."""
GROWTH_FACTOR = 5
DROP_STANDARD_ERRORS = 3.0
"""A choice is dropped early when it is this number of standard errors behind the best one."""
DECISIONS_PER_GAME = 4
"""Number of decisions of one game that are reevaluated."""


class Agreement(Struct, frozen=True):
    """Agreement on one decision. `lacks` is the mean loss of the review's best choice with many more futures."""

    same: bool
    lacks: float
    error: float


def tasks(key: str, decisions: int, seed: str) -> list[Task]:
    """Returns games of level 3 for this number of decisions, `DECISIONS_PER_GAME` of a game."""
    return [Task(key, "level-3", number, seed) for number in range(-(-decisions // DECISIONS_PER_GAME))]


def measure_game(task: Task) -> list[Agreement]:
    evaluation = evaluation_of(play_match(task))
    for precision in PRECISIONS:
        for _ in evaluation.evaluate(precision.futures, precision.width):
            pass
    decisions = [(step, each) for step in evaluation.steps for each in step.decisions if each.counts]
    first, interval = len(decisions) // (2 * DECISIONS_PER_GAME), max(len(decisions) // DECISIONS_PER_GAME, 1)
    chosen = decisions[first::interval][:DECISIONS_PER_GAME]
    return [_reevaluate(evaluation, step, each) for step, each in chosen]


def _reevaluate(evaluation: MatchEvaluation, step: EvaluatedStep, decision: EvaluatedDecision) -> Agreement:
    """Evaluates the choices in new futures, in growing numbers until the best one is clear or the limit is reached."""
    best = max(decision.open, key=lambda number: evaluation.objective(decision, number).mean)
    rows: dict[int, list[float]] = {number: [] for number in range(len(decision.tried))}
    begin, limit = evaluation.futures, evaluation.futures * FUTURES_FACTOR
    done, left = 0, list(rows)
    while done < limit and len(left) > 1:
        more = min(max(evaluation.futures, done * (GROWTH_FACTOR - 1)), limit - done)
        actions = [decision.tried[number] for number in left]
        outlooks = evaluation.oracle.after_choices(
            step.state, decision.seat, actions, range(begin + done, begin + done + more)
        )
        for number, outlook in zip(left, outlooks, strict=True):
            rows[number] += type(decision.estimates[number])(outlook).objective(
                decision.seat, evaluation.oracle.SEPARATE_CITIES
            )
        done += more
        first = max(left, key=lambda number: sum(rows[number]))
        differences = {number: _mean_difference(rows, first, number) for number in left}
        left = [
            number
            for number in left
            if differences[number][0] <= DROP_STANDARD_ERRORS * differences[number][1] or number == first
        ]
    first = max(left, key=lambda number: sum(rows[number]))
    mean, error = _mean_difference(rows, first, best)
    return Agreement(best == first or mean == 0.0, mean, error)


def _mean_difference(rows: Mapping[int, Sequence[float]], first: int, number: int) -> tuple[float, float]:
    """Returns mean and standard error of the difference in the futures that both choices have."""
    common = min(len(rows[first]), len(rows[number]))
    sample = FutureSamples.of(rows[first][:common]) - FutureSamples.of(rows[number][:common])
    return sample.mean, sample.figure.error
