"""Reviews matches and records in steps of growing precision."""

from collections.abc import Iterator, Sequence

from msgspec import Struct

from polyopolis.analysis.match_evaluation import MatchEvaluation
from polyopolis.analysis.review import MatchReview, Review
from polyopolis.analysis.review_builder import build_review
from polyopolis.analysis.skill_rating import part_of, strength_rater
from polyopolis.bots.feature_weights import flat_weights, weights_for
from polyopolis.engine import Match, PolyopolisError
from polyopolis.kernels.positions import features_of, find_kernel
from polyopolis.kernels.runtime.jit import FAST
from polyopolis.records import CampaignRecord, PlayedMatch, Record, cache_key, verify, verify_campaign

EVALUATOR = "futures-5"
"""Version of the evaluator. Increase it when the results of reviews change, so that cached ones are not used."""
SEED = 18


class Precision(Struct, frozen=True):
    """Number of futures per evaluation, and of alternatives per decision."""

    futures: int
    width: int


PRECISIONS = (Precision(24, 8), Precision(96, 6), Precision(384, 4))
"""Precisions of the successive results."""
PLAIN_PRECISIONS = (Precision(4, 3),)
"""Precisions in plain Python, which is slow."""


class NoReview(PolyopolisError):
    """The game cannot be reviewed because it has no kernel."""


class Progress(Struct, frozen=True):
    """Progress of a review."""

    done: float
    """Share of the work that is done, from 0 to 1."""
    review: Review | None = None
    """The result, if there is a new one."""


def review_key(record: Record | CampaignRecord) -> str:
    """Cache key of a review: a digest of the played moves and the version of the evaluator."""
    parts = record.records if isinstance(record, CampaignRecord) else (record,)
    return cache_key(
        EVALUATOR, [PlayedMatch(part.game, part.rules, part.content, part.setup, part.moves) for part in parts]
    )


def matches_of(record: Record | CampaignRecord) -> tuple[Match, ...]:
    """Replays the matches of a record. Raises `RecordError` if the record is invalid."""
    if isinstance(record, Record):
        return (verify(record),)
    campaign, last = verify_campaign(record)
    return campaign.matches + ((last,) if last else ())


def default_precisions() -> Sequence[Precision]:
    return PRECISIONS if FAST else PLAIN_PRECISIONS


def review_record(
    record: Record | CampaignRecord, precisions: Sequence[Precision] | None = None, seed: int = SEED
) -> Iterator[Progress]:
    """Yields the progress and the results of a review, in growing precision. Closing the iterator cancels it."""
    yield from review_matches(matches_of(record), review_key(record), precisions, seed)


def review_matches(
    matches: Sequence[Match], key: str, precisions: Sequence[Precision] | None = None, seed: int = SEED
) -> Iterator[Progress]:
    steps = list(precisions or default_precisions())
    evaluations = [evaluation_of(match, seed + number) for number, match in enumerate(matches)]
    whole = sum(_total_size(evaluation, steps) for evaluation in evaluations) or 1
    before = 0
    for number, precision in enumerate(steps):
        found = list[MatchReview]()
        for evaluation in evaluations:
            size = evaluation.size(precision.futures, precision.width)
            for done in evaluation.evaluate(precision.futures, precision.width):
                yield Progress(min((before + done) / whole, 1.0))
            before += size
            found.append(build_review(evaluation, strength_rater(evaluation.game.key, part_of(evaluation.match.setup))))
        final = number == len(steps) - 1
        review = Review(key, matches[0].game.key, EVALUATOR, precision.futures, final, tuple(found))
        yield Progress(1.0 if final else min(before / whole, 1.0), review)


def _total_size(evaluation: MatchEvaluation, precisions: Sequence[Precision]) -> int:
    """Total amount of work of an evaluation, in the unit of `MatchEvaluation.size`."""
    total, futures = 0, 0
    for precision in precisions:
        total += evaluation.size(precision.futures, precision.width) - evaluation.size(futures, precision.width)
        futures = precision.futures
    return total


def evaluation_of(match: Match, seed: int = SEED) -> MatchEvaluation:
    kernel, key = find_kernel(match.game.key), match.game.key
    if kernel is None:
        raise NoReview(f"{key} has no kernel, so its matches cannot be reviewed")
    return MatchEvaluation(
        match,
        kernel.future_simulator(seed, lambda part, site: flat_weights(weights_for(key, part, site), features_of(key))),
    )


def review_of(
    record: Record | CampaignRecord, precisions: Sequence[Precision] | None = None, seed: int = SEED
) -> Review:
    """Returns the most precise review of a record."""
    review = None
    for progress in review_record(record, precisions, seed):
        review = progress.review or review
    assert review
    return review
