"""Reviews as houses ask for them: from what is kept of a match, as JSON, stage by stage."""

from collections.abc import Iterator, Sequence
from typing import Any

import msgspec

from polyopolis.analysis.exercises import answered, round_of
from polyopolis.analysis.hindsight_report import looked_back
from polyopolis.analysis.reviewer import Precision, reviewed_matches, usual
from polyopolis.engine import CHANCE, Dealer, Match, PolyopolisError
from polyopolis.play.entities import StoredMatch
from polyopolis.play.errors import NotFound
from polyopolis.play.history.match_exports import match_of
from polyopolis.play.protocols import ReviewProgress
from polyopolis.play.wire.requests import Solution


class NoSolution(PolyopolisError):
    """What somebody would do instead cannot be done there."""


def stages(key: str, game: str, kept: StoredMatch, futures: int | None = None) -> Iterator[ReviewProgress]:
    """Until everything was tried in so many futures; None: in as many as is usual."""
    for progress in reviewed_matches((match_of(game, kept),), key, up_to(futures)):
        review = progress.review
        if review is None:
            yield ReviewProgress(progress.done)
        else:
            yield ReviewProgress(progress.done, msgspec.json.encode(review), review.final)


def looks_back(game: str, kept: StoredMatch, seat: int, rough: bool = False) -> Iterator[ReviewProgress]:
    """The best city of a seat; with the seed of the match also of what would have come."""
    dealer = Dealer(kept.row.seed) if kept.row.seed else None
    for looked in looked_back(match_of(game, kept), seat, dealer, rough):
        back = looked.back
        if back is None:
            yield ReviewProgress(looked.done)
        else:
            yield ReviewProgress(looked.done, msgspec.json.encode(back), back.final)


def up_to(futures: int | None) -> Sequence[Precision]:
    """The usual steps, as far as they go."""
    steps = usual()
    if futures is None:
        return steps
    return [step for step in steps if step.futures <= futures] or [Precision(futures, steps[0].width)]


def solved(game: str, kept: StoredMatch, solution: Solution) -> bytes:
    match = match_of(game, kept)
    if solution.move >= len(match.moves) or match.moves[solution.move].seat == CHANCE:
        raise NotFound(f"nobody decides with move {solution.move}")
    seat, before = match.moves[solution.move].seat, round_of(match, solution.move)
    action, beside = (_possible(before, seat, each) for each in (solution.action, solution.beside))
    (found,) = answered(before, seat, beside, [action])
    return msgspec.json.encode(found)


def _possible(before: Match, seat: int, action: Any) -> Any:
    try:
        found = msgspec.convert(action, before.game.Action)
    except msgspec.ValidationError as error:
        raise NoSolution(f"that is no action: {error}") from None
    if reason := before.why_not(seat, found):
        raise NoSolution(f"that cannot be done there: {reason.code}")
    return found
