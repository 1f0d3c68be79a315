"""Reviews of records, in steps: a first answer soon, then more and more precise ones."""

from collections.abc import Iterator, Sequence

from msgspec import Struct

from polyopolis.analysis.match_evaluation import MatchEvaluation
from polyopolis.analysis.review import MatchReview, Review
from polyopolis.analysis.review_builder import build_review
from polyopolis.analysis.skill_rating import part_of, rated_for
from polyopolis.bots.feature_weights import flat, weights_for
from polyopolis.engine import Match, PolyopolisError
from polyopolis.kernels.positions import features_of, kernel_of
from polyopolis.kernels.runtime.jit import FAST
from polyopolis.records import CampaignRecord, Played, Record, key_of, verify, verify_campaign

EVALUATOR = "futures-5"
"""Whatever changes what a review says gets another number."""
SEED = 18


class Precision(Struct, frozen=True):
    """In how many futures everything is tried, and how many choices beside the one that was made."""

    futures: int
    width: int


PRECISIONS = (Precision(24, 8), Precision(96, 6), Precision(384, 4))
"""One answer after the other."""
PLAIN = (Precision(4, 3),)
"""In plain Python."""


class NoReview(PolyopolisError):
    """There is nothing that could review this."""


class Progress(Struct, frozen=True):
    """How far a review is, and what is known so far."""

    done: float
    """From 0 to 1, until the last answer."""
    review: Review | None = None
    """An answer, whenever there is a new one."""


def review_key(record: Record | CampaignRecord) -> str:
    """What the review of a record is kept by: what was played, and the version of the evaluator."""
    parts = record.records if isinstance(record, CampaignRecord) else (record,)
    return key_of(EVALUATOR, [Played(part.game, part.rules, part.content, part.setup, part.moves) for part in parts])


def matches_of(record: Record | CampaignRecord) -> tuple[Match, ...]:
    """The matches of a record, re-played; RecordError if that cannot have been played."""
    if isinstance(record, Record):
        return (verify(record),)
    campaign, last = verify_campaign(record)
    return campaign.matches + ((last,) if last else ())


def usual() -> Sequence[Precision]:
    return PRECISIONS if FAST else PLAIN


def reviewed(
    record: Record | CampaignRecord, precisions: Sequence[Precision] | None = None, seed: int = SEED
) -> Iterator[Progress]:
    """The review of a record, as it becomes more precise. Whoever does not go on asking cancels it."""
    yield from reviewed_matches(matches_of(record), review_key(record), precisions, seed)


def reviewed_matches(
    matches: Sequence[Match], key: str, precisions: Sequence[Precision] | None = None, seed: int = SEED
) -> Iterator[Progress]:
    steps = list(precisions or usual())
    walks = [walk_of(match, seed + number) for number, match in enumerate(matches)]
    whole = sum(_size(walk, steps) for walk in walks) or 1
    before = 0
    for number, precision in enumerate(steps):
        found = list[MatchReview]()
        for walk in walks:
            size = walk.size(precision.futures, precision.width)
            for done in walk.go(precision.futures, precision.width):
                yield Progress(min((before + done) / whole, 1.0))
            before += size
            found.append(build_review(walk, rated_for(walk.game.key, part_of(walk.match.setup))))
        final = number == len(steps) - 1
        review = Review(key, matches[0].game.key, EVALUATOR, precision.futures, final, tuple(found))
        yield Progress(1.0 if final else min(before / whole, 1.0), review)


def _size(walk: MatchEvaluation, precisions: Sequence[Precision]) -> int:
    """All that there is to do."""
    total, futures = 0, 0
    for precision in precisions:
        total += walk.size(precision.futures, precision.width) - walk.size(futures, precision.width)
        futures = precision.futures
    return total


def walk_of(match: Match, seed: int = SEED) -> MatchEvaluation:
    kernel, key = kernel_of(match.game.key), match.game.key
    if kernel is None:
        raise NoReview(f"there is nothing that could play {key} often enough to review it")
    return MatchEvaluation(
        match, kernel.oracle(seed, lambda part, site: flat(weights_for(key, part, site), features_of(key)))
    )


def review_of(
    record: Record | CampaignRecord, precisions: Sequence[Precision] | None = None, seed: int = SEED
) -> Review:
    """The last answer."""
    review = None
    for progress in reviewed(record, precisions, seed):
        review = progress.review or review
    assert review
    return review
