"""Turns mistakes into exercises and grades answers.

An answer is right if it is not significantly worse than the best choice.
"""

from collections.abc import Iterator, Sequence
from statistics import fmean
from typing import Any

import msgspec
from msgspec import Struct

from polyopolis.analysis.estimates import Estimate, FutureSamples
from polyopolis.analysis.match_evaluation import PointsAndChance, ValueEstimate
from polyopolis.analysis.review import Amount, Decision, MatchReview
from polyopolis.analysis.review_builder import amount_of
from polyopolis.analysis.reviewer import default_precisions, evaluation_of
from polyopolis.bots import bot
from polyopolis.bots.bot_protocol import rng_of
from polyopolis.engine import Match, seed_of

ATTEMPTS_BY_LEVEL = {"level-1": 8, "level-2": 6, "level-3": 4, "level-4": 2, "level-5": 2}
"""Number of answers of each level that determine the difficulty of an exercise."""


class ExerciseGrade(Struct, frozen=True):
    """Grade of an answer to an exercise."""

    action: Any
    right: bool
    """Whether it is not significantly worse than the best choice."""
    lacks: Amount
    """Difference from the best choice."""


class Exercise(Struct, frozen=True):
    """A position in which a player made a mistake."""

    game: str
    setup: dict[str, Any]
    moves: tuple[dict[str, Any], ...]
    """Moves that lead to the position, without any of the round of the decision."""
    seat: int
    played: Any
    best: Any
    lost: Estimate
    """Loss of the played action in points."""
    fails: dict[str, float] = {}
    """Share of wrong answers by level."""
    difficulty: float = 0.0
    """Mean share of wrong answers, from 0 to 1."""


def match_before_round(match: Match, move: int) -> Match:
    """The match before the round of a move, without staged decisions."""
    now = Match.start(match.game, match.setup)
    for each in match.moves[:move]:
        now = now.decide(each.seat, each.action)
    for seat in list(now.staged):
        now = now.retract(seat)
    return now


def exercises_of(match: Match, review: MatchReview) -> Iterator[tuple[Match, Decision, Exercise]]:
    """Yields an exercise for each mistake, with the match before it and the decision."""
    for decision in review.decisions:
        if decision.grade != "good":
            before = match_before_round(match, decision.move)
            yield (
                before,
                decision,
                Exercise(
                    game=match.game.key,
                    setup=msgspec.to_builtins(match.setup),
                    moves=tuple(msgspec.to_builtins(before.moves)),
                    seat=decision.seat,
                    played=decision.played.action,
                    best=decision.best.action,
                    lost=decision.loss.points,
                ),
            )


def grade_answers(before: Match, seat: int, best: Any, actions: Sequence[Any]) -> list[ExerciseGrade]:
    """Grades actions against the best one, in as many futures as a review uses."""
    oracle = evaluation_of(before).oracle
    apart = oracle.SEPARATE_CITIES
    outlooks = oracle.after_choices(before.state, seat, [best, *actions], range(default_precisions()[-1].futures))
    first, *others = [ValueEstimate(outlook) for outlook in outlooks]
    return [
        _answer(action, first.objective(seat, apart), own.objective(seat, apart), first.lead_over(own, seat, apart))
        for action, own in zip(actions, others, strict=True)
    ]


def _answer(action: Any, best: Sequence[float], own: Sequence[float], lacks: PointsAndChance) -> ExerciseGrade:
    difference = FutureSamples.of(best) - FutureSamples.of(own)
    return ExerciseGrade(action, not difference.figure.is_significant, amount_of(lacks))


def measure_difficulty(before: Match, exercise: Exercise) -> Exercise:
    """Returns the exercise with its difficulty, measured with all levels."""
    fails = {level: _failure_rate(before, exercise, level, number) for level, number in ATTEMPTS_BY_LEVEL.items()}
    return msgspec.structs.replace(exercise, fails=fails, difficulty=round(fmean(fails.values()), 3))


def _failure_rate(before: Match, exercise: Exercise, level: str, number: int) -> float:
    seat = exercise.seat
    chosen = [
        bot(level)(before.game, before.state, seat, rng_of(before, seat, seed_of(f"{level} {again}")))
        for again in range(number)
    ]
    different = list(dict.fromkeys(chosen))
    right = {answer.action: answer.right for answer in grade_answers(before, seat, exercise.best, different)}
    return round(fmean(not right[action] for action in chosen), 3)
