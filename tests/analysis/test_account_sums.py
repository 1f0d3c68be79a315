"""Start, luck, skill and what others did are the result, to the last digit, and luck averages to nothing."""

from math import hypot
from statistics import fmean

import pytest

from polyopolis.analysis import Precision
from polyopolis.analysis.estimates import Figure
from polyopolis.analysis.match_evaluation import ValueEstimate
from polyopolis.analysis.reviewer import walk_of
from polyopolis.bots.levels import seen
from polyopolis.engine import CHANCE, Match
from polyopolis.kernels.city_position import good_outcomes
from polyopolis.kernels.match_futures import FutureSimulator
from polyopolis.kernels.runtime.jit import FAST
from polyopolis.kernels.runtime.rng import futures_of
from tests.analysis.short_games import TABLES, finished, review_of
from tests.support.property_budget import SOAK

pytestmark = pytest.mark.slow

thousands = pytest.mark.skipif(not FAST, reason="thousands of games take minutes in plain Python")


def assert_adds_up(match: Match, seed: int = 1) -> None:
    review, result = review_of(match, seed=seed), match.result
    for account in review.accounts:
        terms = account.start, account.luck, account.skill, account.others
        assert sum(term.points.mean for term in terms) == pytest.approx(account.result.points.mean, abs=1e-3)
        assert account.result.points.mean - account.score >= 0  # purses are worth something later
        assert account.score == result.scores[account.seat]
        chances = [term.chance.mean for term in terms if term.chance]
        if account.result.chance:
            assert sum(chances) == pytest.approx(account.result.chance.mean, abs=1e-3)
    lost = sum(decision.loss.points.mean for decision in review.decisions if decision.counts)
    assert sum(account.loss.points.mean for account in review.accounts) == pytest.approx(lost, abs=0.01)
    assert [point.moves for point in review.curve][-1] == len(match.moves)


@pytest.mark.parametrize("table", TABLES)
@pytest.mark.parametrize("bot", ["random", "level-1"])
def test_start_luck_and_skill_are_the_result(table: str, bot: str) -> None:
    assert_adds_up(finished(table, bot))


@pytest.mark.slow
@thousands
@pytest.mark.parametrize("table", ["mycity", "rollwrite", "pointcity"])
@pytest.mark.parametrize("bot", ["random", "greedy", "level-3"])
def test_it_adds_up_whoever_plays(table: str, bot: str) -> None:
    """With POLYOPOLIS_SOAK=1 over a hundred games of each."""
    for number in range(SOAK):
        assert_adds_up(finished(table, bot, f"adding up {number}"), seed=number)


def chance_node(table: str, number: int) -> tuple[Match, FutureSimulator]:
    """A match before its next card, roll or refill, so many of them in; not one after which chance moves again."""
    whole = finished(table, "level-1")
    oracle = walk_of(whole).oracle
    match, found = Match.start(whole.game, whole.setup), 0
    for move in whole.moves:
        if move.seat == CHANCE and oracle.knows(match.state):
            found += 1
            if found == number:
                break
        match = match.decide(move.seat, move.action)
    return match, oracle


@thousands
@pytest.mark.parametrize(
    ("table", "number"), [("mycity", 5), ("rollwrite", 4), ("pointcity", 9), ("pointcity-alone", 6)]
)
def test_the_mean_over_all_that_may_come_is_what_was_expected(table: str, number: int) -> None:
    """So luck averages to nothing: by the rules' own odds, whatever the futures say comes next."""
    match, oracle = chance_node(table, number)
    futures = range(216)
    now = ValueEstimate(oracle.expected(match.state, futures)).points(0).figure
    odds = match.game.odds(match.state)
    whole = sum(weight for _, weight in odds)
    mean, error = 0.0, now.error
    for action, weight in odds:
        after = match.game.apply(match.state, CHANCE, action).state
        figure: Figure = ValueEstimate(oracle.expected(after, futures)).points(0).figure
        mean, error = mean + weight / whole * figure.mean, hypot(error, weight / whole * figure.error)
    assert abs(mean - now.mean) < 3 * error, (mean, now)


@thousands
def test_what_is_expected_at_first_is_what_players_at_sight_come_to() -> None:
    """Other futures, another function of the kernel."""
    match = finished("mycity", "level-1")
    first = Match.start(match.game, match.setup)
    own = ValueEstimate(walk_of(match).oracle.expected(first.state, range(600))).points(0).figure
    position, weights = seen("mycity", first.state, 0)
    others = good_outcomes(position.site, weights, futures_of(7, 600))  # type: ignore[arg-type]
    assert abs(own.mean - fmean(map(float, others))) < 4 * own.error


@thousands
def test_errors_are_those_of_other_futures() -> None:
    """Two reviews in futures that have nothing to do with each other agree as far as they say."""
    match = finished("mycity", "random")
    reviews = [review_of(match, Precision(48, 1), seed=seed) for seed in (1, 1000)]
    pairs = [
        (one, other)
        for first, second in zip(*(review.accounts for review in reviews), strict=True)
        for one, other in ((first.luck.points, second.luck.points), (first.skill.points, second.skill.points))
    ]
    for one, other in pairs:
        assert 0 < abs(one.mean - other.mean) < 4 * hypot(one.error, other.error)


def test_whoever_plays_as_the_evaluator_does_has_no_skill() -> None:
    """With every single decision, so that all that changes is luck."""
    review = review_of(finished("mycity", "sight"))
    assert [decision.skill.points.mean for decision in review.decisions] == [0.0] * len(review.decisions)
    assert any(chance.luck[0].points.mean for chance in review.chances)
