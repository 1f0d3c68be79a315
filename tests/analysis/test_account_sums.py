"""Start, luck, skill and the effect of the others add up to the result, and the mean of luck is 0."""

from math import hypot
from statistics import fmean

import pytest

from polyopolis.analysis import Precision
from polyopolis.analysis.estimates import Estimate
from polyopolis.analysis.match_evaluation import ValueEstimate
from polyopolis.analysis.reviewer import evaluation_of
from polyopolis.bots.levels import position_and_weights
from polyopolis.engine import CHANCE, Match
from polyopolis.kernels.city_position import greedy_outcomes
from polyopolis.kernels.match_futures import FutureSimulator
from polyopolis.kernels.runtime.jit import FAST
from polyopolis.kernels.runtime.rng import future_seeds
from tests.analysis.short_games import TABLES, finished, review_of
from tests.support.property_budget import SOAK

pytestmark = pytest.mark.slow

thousands = pytest.mark.skipif(not FAST, reason="thousands of games take minutes in plain Python")


def assert_adds_up(match: Match, seed: int = 1) -> None:
    review, result = review_of(match, seed=seed), match.result
    for account in review.accounts:
        terms = account.start, account.luck, account.skill, account.others
        assert sum(term.points.mean for term in terms) == pytest.approx(account.result.points.mean, abs=1e-3)
        assert account.result.points.mean - account.score >= 0  # purses score later
        assert account.score == result.scores[account.seat]
        chances = [term.chance.mean for term in terms if term.chance]
        if account.result.chance:
            assert sum(chances) == pytest.approx(account.result.chance.mean, abs=1e-3)
    lost = sum(decision.loss.points.mean for decision in review.decisions if decision.counts)
    assert sum(account.loss.points.mean for account in review.accounts) == pytest.approx(lost, abs=0.01)
    assert [point.moves for point in review.curve][-1] == len(match.moves)


@pytest.mark.parametrize("table", TABLES)
@pytest.mark.parametrize("bot", ["random", "level-1"])
def test_start_luck_and_skill_add_up_to_the_result(table: str, bot: str) -> None:
    assert_adds_up(finished(table, bot))


@pytest.mark.slow
@thousands
@pytest.mark.parametrize("table", ["mycity", "rollwrite", "pointcity"])
@pytest.mark.parametrize("bot", ["random", "greedy", "level-3"])
def test_terms_add_up_for_all_bots(table: str, bot: str) -> None:
    """With POLYOPOLIS_SOAK=1 more than a hundred games of each."""
    for number in range(SOAK):
        assert_adds_up(finished(table, bot, f"adding up {number}"), seed=number)


def chance_node(table: str, number: int) -> tuple[Match, FutureSimulator]:
    """Returns a match before its chance event number `number`."""
    whole = finished(table, "level-1")
    oracle = evaluation_of(whole).oracle
    match, found = Match.start(whole.game, whole.setup), 0
    for move in whole.moves:
        if move.seat == CHANCE and oracle.supports(match.state):
            found += 1
            if found == number:
                break
        match = match.decide(move.seat, move.action)
    return match, oracle


@thousands
@pytest.mark.parametrize(
    ("table", "number"), [("mycity", 5), ("rollwrite", 4), ("pointcity", 9), ("pointcity-alone", 6)]
)
def test_the_mean_over_all_outcomes_is_the_expected_value(table: str, number: int) -> None:
    """So the mean of luck is 0, by the odds of the rules and independently of the next events in the futures."""
    match, oracle = chance_node(table, number)
    futures = range(216)
    now = ValueEstimate(oracle.expected(match.state, futures)).points(0).figure
    odds = match.game.odds(match.state)
    whole = sum(weight for _, weight in odds)
    mean, error = 0.0, now.error
    for action, weight in odds:
        after = match.game.apply(match.state, CHANCE, action).state
        figure: Estimate = ValueEstimate(oracle.expected(after, futures)).points(0).figure
        mean, error = mean + weight / whole * figure.mean, hypot(error, weight / whole * figure.error)
    assert abs(mean - now.mean) < 3 * error, (mean, now)


@thousands
def test_the_initial_value_is_the_mean_score_of_bots_without_search() -> None:
    """Computed in other futures by another kernel function."""
    match = finished("mycity", "level-1")
    first = Match.start(match.game, match.setup)
    own = ValueEstimate(evaluation_of(match).oracle.expected(first.state, range(600))).points(0).figure
    position, weights = position_and_weights("mycity", first.state, 0)
    others = greedy_outcomes(position.site, weights, future_seeds(7, 600))  # type: ignore[arg-type]
    assert abs(own.mean - fmean(map(float, others))) < 4 * own.error


@thousands
def test_standard_errors_match_the_difference_between_reviews() -> None:
    """Two reviews in independent futures agree within their standard errors."""
    match = finished("mycity", "random")
    reviews = [review_of(match, Precision(48, 1), seed=seed) for seed in (1, 1000)]
    pairs = [
        (one, other)
        for first, second in zip(*(review.accounts for review in reviews), strict=True)
        for one, other in ((first.luck.points, second.luck.points), (first.skill.points, second.skill.points))
    ]
    for one, other in pairs:
        assert 0 < abs(one.mean - other.mean) < 4 * hypot(one.error, other.error)


def test_a_player_who_plays_like_the_evaluator_has_no_skill() -> None:
    """In every single decision, so that all changes are luck."""
    review = review_of(finished("mycity", "sight"))
    assert [decision.skill.points.mean for decision in review.decisions] == [0.0] * len(review.decisions)
    assert any(chance.luck[0].points.mean for chance in review.chances)
