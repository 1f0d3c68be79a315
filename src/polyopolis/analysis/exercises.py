"""Mistakes as exercises: what would you do here? Whatever cannot be told from the best is right."""

from collections.abc import Iterator, Sequence
from statistics import fmean
from typing import Any

import msgspec
from msgspec import Struct

from polyopolis.analysis.estimates import Figure, FutureSamples
from polyopolis.analysis.match_evaluation import Pair, ValueEstimate
from polyopolis.analysis.review import Amount, Decision, MatchReview
from polyopolis.analysis.review_builder import amount_of
from polyopolis.analysis.reviewer import usual, walk_of
from polyopolis.bots import bot
from polyopolis.bots.bot_protocol import rng_of
from polyopolis.engine import Match, seed_of

TRIES = {"level-1": 8, "level-2": 6, "level-3": 4, "level-4": 2, "level-5": 2}
"""How often each level answers an exercise."""


class Answer(Struct, frozen=True):
    """What an answer to an exercise is worth."""

    action: Any
    right: bool
    """Whether it is not surely behind the best."""
    lacks: Amount


class Exercise(Struct, frozen=True):
    """A position in which somebody went wrong."""

    game: str
    setup: dict[str, Any]
    moves: tuple[dict[str, Any], ...]
    """Those that lead there; none of the round in which it was decided."""
    seat: int
    played: Any
    best: Any
    lost: Figure
    """In points, by what was played."""
    fails: dict[str, float] = {}
    """By level, how often it does not find a right answer."""
    difficulty: float = 0.0
    """The mean of that, from 0 to 1."""


def round_of(match: Match, move: int) -> Match:
    """The match before the round of a move: nobody's decision of it is known."""
    now = Match.start(match.game, match.setup)
    for each in match.moves[:move]:
        now = now.decide(each.seat, each.action)
    for seat in list(now.staged):
        now = now.retract(seat)
    return now


def exercises_of(match: Match, review: MatchReview) -> Iterator[tuple[Match, Decision, Exercise]]:
    """One for each mistake."""
    for decision in review.decisions:
        if decision.grade != "good":
            before = round_of(match, decision.move)
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


def answered(before: Match, seat: int, best: Any, actions: Sequence[Any]) -> list[Answer]:
    """What these answers are worth beside the best, in as many futures as a review tries."""
    oracle = walk_of(before).oracle
    apart = oracle.APART
    outlooks = oracle.judged(before.state, seat, [best, *actions], range(usual()[-1].futures))
    first, *others = [ValueEstimate(outlook) for outlook in outlooks]
    return [
        _answer(action, first.sought(seat, apart), own.sought(seat, apart), first.ahead(own, seat, apart))
        for action, own in zip(actions, others, strict=True)
    ]


def _answer(action: Any, best: Sequence[float], own: Sequence[float], lacks: Pair) -> Answer:
    sought = FutureSamples.of(best) - FutureSamples.of(own)
    return Answer(action, not sought.figure.sure, amount_of(lacks))


def tried(before: Match, exercise: Exercise) -> Exercise:
    """The exercise with how often each level fails."""
    fails = {level: _fails(before, exercise, level, number) for level, number in TRIES.items()}
    return msgspec.structs.replace(exercise, fails=fails, difficulty=round(fmean(fails.values()), 3))


def _fails(before: Match, exercise: Exercise, level: str, number: int) -> float:
    seat = exercise.seat
    chosen = [
        bot(level)(before.game, before.state, seat, rng_of(before, seat, seed_of(f"{level} {again}")))
        for again in range(number)
    ]
    different = list(dict.fromkeys(chosen))
    right = {answer.action: answer.right for answer in answered(before, seat, exercise.best, different)}
    return round(fmean(not right[action] for action in chosen), 3)
