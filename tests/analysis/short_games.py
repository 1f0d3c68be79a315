"""Short games of fast bots for tests of reviews."""

from functools import cache
from typing import Any

from polyopolis.analysis import MatchReview, Precision, review_matches
from polyopolis.bots.tournaments.arena import play
from polyopolis.engine import AnyGame, Match, derive_seed, seed_of
from polyopolis.games import game

mycity, rollwrite, pointcity = game("mycity"), game("rollwrite"), game("pointcity")
TABLES: dict[str, tuple[AnyGame, Any]] = {
    "mycity": (mycity, mycity.Setup(seats=2)),
    "mycity-24": (mycity, mycity.Setup(mode="episode", episode=24, seats=3)),
    "mycity-campaign": (mycity, mycity.Setup(mode="episode", episode=3, seats=2, play="campaign")),
    "rollwrite": (rollwrite, rollwrite.Setup(episode=12, seats=2)),
    "rollwrite-alone": (rollwrite, rollwrite.Setup(episode=4, seats=1)),
    "pointcity": (pointcity, pointcity.Setup(seats=2)),
    "pointcity-4": (pointcity, pointcity.Setup(seats=4)),
    "pointcity-alone": (pointcity, pointcity.Setup(seats=1, automa="hard")),
    "pointcity-chosen": (pointcity, pointcity.Setup(seats=1, automa="easy", tokens="chosen")),
}
QUICK = (Precision(3, 2), Precision(6, 1))


@cache
def finished(table: str, bot: str, seed: str = "review") -> Match:
    rules, setup = TABLES[table]
    root = seed_of(seed)
    return play(rules, setup, [bot] * setup.seats, derive_seed(root, "match", 0), derive_seed(root, "bots", 0))


def review_of(match: Match, *precisions: Precision, seed: int = 1) -> MatchReview:
    """Returns the most precise review of a match."""
    *_, last = review_matches([match], "key", precisions or QUICK, seed)
    assert last.review
    assert last.review.final
    return last.review.matches[0]
