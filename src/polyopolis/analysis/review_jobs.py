"""Review, hindsight and solution jobs for stored matches. Results are JSON, yielded stage by stage."""

from collections.abc import Iterator, Sequence
from typing import Any

import msgspec

from polyopolis.analysis.exercises import grade_answers, match_before_round
from polyopolis.analysis.hindsight_report import look_back
from polyopolis.analysis.reviewer import Precision, default_precisions, review_matches
from polyopolis.engine import CHANCE, Dealer, Match, PolyopolisError
from polyopolis.play.entities import StoredMatch
from polyopolis.play.errors import NotFound
from polyopolis.play.history.match_exports import match_of
from polyopolis.play.protocols import ReviewProgress
from polyopolis.play.wire.requests import Solution


class BadSolution(PolyopolisError):
    """The submitted action is invalid or illegal."""


def review_stages(key: str, game: str, stored: StoredMatch, futures: int | None = None) -> Iterator[ReviewProgress]:
    """Yields the review of a match, with up to this number of futures; None for the default."""
    for progress in review_matches((match_of(game, stored),), key, precisions_up_to(futures)):
        review = progress.review
        if review is None:
            yield ReviewProgress(progress.done)
        else:
            yield ReviewProgress(progress.done, msgspec.json.encode(review), review.final)


def hindsight_stages(game: str, stored: StoredMatch, seat: int, rough: bool = False) -> Iterator[ReviewProgress]:
    """Yields the hindsight report of a seat. With the stored seed the luck continues after the end of the match."""
    dealer = Dealer(stored.row.seed) if stored.row.seed else None
    for progress in look_back(match_of(game, stored), seat, dealer, rough):
        back = progress.back
        if back is None:
            yield ReviewProgress(progress.done)
        else:
            yield ReviewProgress(progress.done, msgspec.json.encode(back), back.final)


def precisions_up_to(futures: int | None) -> Sequence[Precision]:
    """The default precisions with at most this number of futures."""
    steps = default_precisions()
    if futures is None:
        return steps
    return [step for step in steps if step.futures <= futures] or [Precision(futures, steps[0].width)]


def grade_solution(game: str, stored: StoredMatch, solution: Solution) -> bytes:
    """Grades the solution of an exercise, as JSON. Raises `NotFound` or `BadSolution`."""
    match = match_of(game, stored)
    if solution.move >= len(match.moves) or match.moves[solution.move].seat == CHANCE:
        raise NotFound(f"move {solution.move} is not a decision of a player")
    seat, before = match.moves[solution.move].seat, match_before_round(match, solution.move)
    action, beside = (_legal_action(before, seat, each) for each in (solution.action, solution.beside))
    (found,) = grade_answers(before, seat, beside, [action])
    return msgspec.json.encode(found)


def _legal_action(before: Match, seat: int, action: Any) -> Any:
    try:
        found = msgspec.convert(action, before.game.Action)
    except msgspec.ValidationError as error:
        raise BadSolution(f"invalid action: {error}") from None
    if reason := before.why_not(seat, found):
        raise BadSolution(f"illegal action: {reason.code}")
    return found
