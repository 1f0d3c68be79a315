"""Estimates of choices in common futures: independence, standard errors, agreement with a search."""

from functools import cache
from math import hypot, inf, sqrt
from statistics import fmean, stdev
from typing import Any

import pytest

from polyopolis.bots.levels import position_and_weights
from polyopolis.engine import CHANCE, AnyGame, Dealer, Match, Rng, seed_of
from polyopolis.games import game
from polyopolis.games.placement import Pass, Stop
from polyopolis.kernels import draft_position
from polyopolis.kernels.choice_estimates import ChoiceEstimates, MeanEstimate
from polyopolis.kernels.drafting.layout import NO_PLAYERS
from polyopolis.kernels.positions import Position
from polyopolis.kernels.runtime.jit import FAST, Floats, Words, words
from polyopolis.kernels.runtime.rng import future_seeds, new_rng
from tests.kernels.comparisons import assert_same_in_plain_python, needs_numba

mycity, rollwrite, pointcity = game("mycity"), game("rollwrite"), game("pointcity")
TABLES: dict[str, tuple[AnyGame, Any]] = {
    "mycity": (mycity, mycity.Setup(seats=2)),
    "mycity-24": (mycity, mycity.Setup(mode="episode", episode=24, seats=2)),
    "rollwrite": (rollwrite, rollwrite.Setup(episode=12, seats=1)),
    "pointcity": (pointcity, pointcity.Setup(seats=2)),
    "pointcity-3": (pointcity, pointcity.Setup(seats=3)),
    "pointcity-alone": (pointcity, pointcity.Setup(seats=1, automa="hard")),
}
EARLY = 6
MANY = 400
"""Number of futures for a precise estimate."""
thousands = pytest.mark.skipif(not FAST, reason="thousands of games take minutes in plain Python")


@cache
def early(table: str) -> tuple[Position, Floats]:
    """Returns a decision after some random ones, with its weights."""
    rules, setup = TABLES[table]
    dealer, rng = Dealer(seed_of(table)), Rng(seed_of(table))
    match, decided = Match.start(rules, setup).deal(dealer), 0
    while decided < EARLY or not _has_options(match):
        for seat in sorted(match.due):
            match = match.decide(
                seat, rng.choice([action for action in match.game.legal(match.state, seat) if action != Stop()])
            )
            decided += 1
        match = match.deal(dealer)
    return position_and_weights(rules.key, match.state, min(match.due))


def _has_options(match: Match) -> bool:
    """Returns whether the decision has several options."""
    (seat, *_) = sorted(match.due)
    return seat != CHANCE and len(match.game.legal(match.state, seat)) > 5


def some(position: Position, weights: Floats, number: int = 4) -> list[int]:
    """Returns the choices with the highest static values, and stopping if it is possible."""
    valued = sorted(position.choice_values(weights), reverse=True)[:number]
    return [choice for _, choice in [*valued, *position.stop_values]]


def estimates(table: str, rng: Words, number: int = 4) -> ChoiceEstimates:
    position, weights = early(table)
    return position.estimate_choices(weights, some(position, weights, number), rng)


@pytest.mark.parametrize("table", TABLES)
def test_estimate_of_a_choice_does_not_depend_on_other_choices(table: str) -> None:
    position, weights = early(table)
    choices, rng = some(position, weights), future_seeds(1, 12)
    together = position.estimate_choices(weights, choices, rng)
    for choice in choices:
        alone = position.estimate_choices(weights, [choice], rng)
        assert alone.points[choice] == together.points[choice]
        assert alone.utilities[choice] == together.utilities[choice]
    assert position.estimate_choices(weights, choices[::-1], rng).points == together.points


@pytest.mark.parametrize("table", TABLES)
def test_future_does_not_depend_on_other_futures(table: str) -> None:
    rng = future_seeds(2, 9)
    before, whole = [int(word) for word in rng], estimates(table, rng)
    assert [int(word) for word in rng] == before, "the seeds are not changed"
    parts = [estimates(table, words(before[:4])), estimates(table, words(before[4:]))]
    for choice, row in whole.points.items():
        assert row == [*parts[0].points[choice], *parts[1].points[choice]]
    assert [int(word) for word in future_seeds(2, 12)][:9] == before


@pytest.mark.parametrize("table", TABLES)
def test_futures_differ(table: str) -> None:
    results = estimates(table, future_seeds(3, 30))
    assert all(len(set(row)) > 5 for choice, row in results.points.items() if choice in _played_on(table))


def _played_on(table: str) -> set[int]:
    position, _ = early(table)
    return {choice for choice in estimates(table, future_seeds(0, 1)).points if position.action(choice) != Stop()}


@thousands
@pytest.mark.parametrize("table", TABLES)
def test_standard_errors_match_the_spread_over_batches(table: str) -> None:
    """Of means, and of differences between two choices."""
    batches, size = 40, MANY // 4
    found = [estimates(table, future_seeds(1000 + batch, size), 2) for batch in range(batches)]
    first, second = some(*early(table), 2)[:2]
    rows = {
        "mean": [(MeanEstimate.of(result.points[first])) for result in found],
        "difference": [
            MeanEstimate.of([a - b for a, b in zip(result.points[first], result.points[second], strict=True)])
            for result in found
        ],
    }
    for what, means in rows.items():
        spread, error = stdev(mean for mean, _ in means), sqrt(fmean(error**2 for _, error in means))
        assert 0.6 < spread / error < 1.5, (what, spread, error)


@thousands
@pytest.mark.parametrize("table", ["mycity", "mycity-24", "rollwrite", "pointcity-alone"])
def test_common_futures_reduce_the_error_of_differences(table: str) -> None:
    """Only where opponents do not react: at a shared table the games diverge soon."""
    result = estimates(table, future_seeds(4, MANY))
    for choice in _played_on(table) - {result.best}:
        apart = hypot(result.mean(choice).error, result.mean(result.best).error)
        assert result.points_behind(choice).error < apart


@pytest.mark.parametrize("table", TABLES)
def test_best_choice_is_first_with_zero_difference(table: str) -> None:
    result = estimates(table, future_seeds(5, 20))
    assert result.points_behind(result.best) == result.utility_behind(result.best) == MeanEstimate(0.0, 0.0)
    missed = [result.utility_behind(choice).mean for choice in result.ranked]
    assert missed == sorted(missed)
    assert set(result.ranked) == set(result.points)


@thousands
@pytest.mark.parametrize("table", TABLES)
def test_long_search_agrees_with_estimates(table: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Compares differences to the best choice in other futures, within both errors."""
    monkeypatch.setattr(draft_position, "SEARCH_EFFORTS", _flat())
    position, weights = early(table)
    games, ranked = position.search(weights, 6 * MANY, 4 * getattr(position, "width_divisor", 1), new_rng(6))
    result = position.estimate_choices(weights, [choice for _, choice in ranked], future_seeds(7, MANY))
    first = ranked[0][1]
    for mean, choice in ranked[1:]:
        own = MeanEstimate.of([a - b for a, b in zip(result.points[first], result.points[choice], strict=True)])
        tried = games / (2 * len(ranked))  # at least: the first round is shared by all
        error = hypot(own.error, own.error * sqrt(MANY / tried))
        assert abs(own.mean - (ranked[0][0] - mean)) < 4 * error + 1e-9
    assert result.utility_behind(first).mean <= 4 * result.utility_behind(first).error


def _flat() -> dict[int, dict[int, draft_position.SearchEffort]]:
    """Returns efforts with the deepest lookahead and without a tree."""
    deepest = {
        seats: max(effort.turns for effort in efforts.values())
        for seats, efforts in draft_position.SEARCH_EFFORTS.items()
    }
    return {
        seats: {0: draft_position.SearchEffort(turns=turns, simulation_factor=1, tree_players=NO_PLAYERS)}
        for seats, turns in deepest.items()
    }


def test_stopping_has_the_present_outcome() -> None:
    position, weights = early("mycity")
    ((worth, stop),) = position.stop_values
    assert position.choice(Stop()) == stop
    result = position.estimate_choices(weights, [stop], future_seeds(8, 5))
    assert result.mean(stop) == MeanEstimate(worth, 0.0)


@pytest.mark.parametrize("table", TABLES)
def test_every_legal_choice_can_be_estimated(table: str) -> None:
    position, weights = early(table)
    choices = [choice for _, choice in position.choice_values(weights)]
    assert [position.choice(position.action(choice)) for choice in choices] == choices
    result = position.estimate_choices(weights, choices, future_seeds(9, 2))
    assert set(result.points) == set(choices)


def test_passing_can_be_estimated() -> None:
    position, weights = early("mycity")
    result = position.estimate_choices(weights, [position.choice(Pass())], future_seeds(10, 3))
    assert len(set(result.points[position.choice(Pass())])) > 1


def test_error_of_one_future_is_infinite() -> None:
    assert MeanEstimate.of([3.0]) == MeanEstimate(3.0, inf)
    assert MeanEstimate.of([1.0, 3.0]) == MeanEstimate(2.0, 1.0)


def exactly(table: str) -> list[tuple[int, list[str], list[str]]]:
    result = estimates(table, future_seeds(11, 3))
    return [
        (choice, [point.hex() for point in row], [utility.hex() for utility in result.utilities[choice]])
        for choice, row in result.points.items()
    ]


SAME = """
from tests.kernels.test_choice_estimates import TABLES, exactly
print([exactly(table) for table in TABLES])
"""


@pytest.mark.slow
@needs_numba
def test_estimates_are_bit_identical_in_plain_python() -> None:
    assert_same_in_plain_python(SAME)
