"""What choices come to in given futures: the same for all of them, with errors that are right, as a search finds it."""

from functools import cache
from math import hypot, inf, sqrt
from statistics import fmean, stdev
from typing import Any

import pytest

from polyopolis.bots.levels import seen
from polyopolis.engine import CHANCE, AnyGame, Dealer, Match, Rng, seed_of
from polyopolis.games import game
from polyopolis.games.placement import Pass, Stop
from polyopolis.kernels import draft_position
from polyopolis.kernels.choice_estimates import ChoiceEstimates, Mean
from polyopolis.kernels.drafting.layout import NOBODY
from polyopolis.kernels.positions import Position
from polyopolis.kernels.runtime.jit import FAST, Floats, Words, words
from polyopolis.kernels.runtime.rng import futures_of, luck_of
from tests.kernels.comparisons import assert_same_both_ways, both_ways

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
"""Futures that tell much."""
thousands = pytest.mark.skipif(not FAST, reason="thousands of games take minutes in plain Python")


@cache
def early(table: str) -> tuple[Position, Floats]:
    """A decision after some that were made anyhow, with the weights that hold there."""
    rules, setup = TABLES[table]
    dealer, rng = Dealer(seed_of(table)), Rng(seed_of(table))
    match, decided = Match.start(rules, setup).deal(dealer), 0
    while decided < EARLY or not _many(match):
        for seat in sorted(match.due):
            match = match.decide(
                seat, rng.choice([action for action in match.game.legal(match.state, seat) if action != Stop()])
            )
            decided += 1
        match = match.deal(dealer)
    return seen(rules.key, match.state, min(match.due))


def _many(match: Match) -> bool:
    """Whether there is something to choose."""
    (seat, *_) = sorted(match.due)
    return seat != CHANCE and len(match.game.legal(match.state, seat)) > 5


def some(position: Position, weights: Floats, number: int = 4) -> list[int]:
    """The choices that are worth most at sight, and to stop where one may."""
    valued = sorted(position.valued(weights), reverse=True)[:number]
    return [choice for _, choice in [*valued, *position.stopping]]


def judged(table: str, luck: Words, number: int = 4) -> ChoiceEstimates:
    position, weights = early(table)
    return position.judged(weights, some(position, weights, number), luck)


@pytest.mark.parametrize("table", TABLES)
def test_what_a_choice_comes_to_does_not_depend_on_the_others(table: str) -> None:
    position, weights = early(table)
    choices, luck = some(position, weights), futures_of(1, 12)
    together = position.judged(weights, choices, luck)
    for choice in choices:
        alone = position.judged(weights, [choice], luck)
        assert alone.points[choice] == together.points[choice]
        assert alone.hopes[choice] == together.hopes[choice]
    assert position.judged(weights, choices[::-1], luck).points == together.points


@pytest.mark.parametrize("table", TABLES)
def test_a_future_is_the_same_whichever_others_are_played(table: str) -> None:
    luck = futures_of(2, 9)
    before, whole = [int(word) for word in luck], judged(table, luck)
    assert [int(word) for word in luck] == before, "whoever brought the luck can use it again"
    parts = [judged(table, words(before[:4])), judged(table, words(before[4:]))]
    for choice, row in whole.points.items():
        assert row == [*parts[0].points[choice], *parts[1].points[choice]]
    assert [int(word) for word in futures_of(2, 12)][:9] == before


@pytest.mark.parametrize("table", TABLES)
def test_luck_tells_futures_apart(table: str) -> None:
    results = judged(table, futures_of(3, 30))
    assert all(len(set(row)) > 5 for choice, row in results.points.items() if choice in _played_on(table))


def _played_on(table: str) -> set[int]:
    position, _ = early(table)
    return {choice for choice in judged(table, futures_of(0, 1)).points if position.action(choice) != Stop()}


@thousands
@pytest.mark.parametrize("table", TABLES)
def test_standard_errors_are_the_spread_over_batches(table: str) -> None:
    """Of means, and of what a choice lacks to another."""
    batches, size = 40, MANY // 4
    found = [judged(table, futures_of(1000 + batch, size), 2) for batch in range(batches)]
    first, second = some(*early(table), 2)[:2]
    rows = {
        "mean": [(Mean.of(result.points[first])) for result in found],
        "difference": [
            Mean.of([a - b for a, b in zip(result.points[first], result.points[second], strict=True)])
            for result in found
        ],
    }
    for what, means in rows.items():
        spread, error = stdev(mean for mean, _ in means), sqrt(fmean(error**2 for _, error in means))
        assert 0.6 < spread / error < 1.5, (what, spread, error)


@thousands
@pytest.mark.parametrize("table", ["mycity", "mycity-24", "rollwrite", "pointcity-alone"])
def test_the_same_futures_make_differences_surer_than_means(table: str) -> None:
    """Where nobody answers: at a table others take what one leaves, and soon it is another game."""
    result = judged(table, futures_of(4, MANY))
    for choice in _played_on(table) - {result.best}:
        apart = hypot(result.mean(choice).error, result.mean(result.best).error)
        assert result.lacking(choice).error < apart


@pytest.mark.parametrize("table", TABLES)
def test_the_best_lacks_nothing_and_comes_first(table: str) -> None:
    result = judged(table, futures_of(5, 20))
    assert result.lacking(result.best) == result.missed(result.best) == Mean(0.0, 0.0)
    missed = [result.missed(choice).mean for choice in result.ranked]
    assert missed == sorted(missed)
    assert set(result.ranked) == set(result.points)


@thousands
@pytest.mark.parametrize("table", TABLES)
def test_a_search_with_much_luck_finds_the_same(table: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """By how much each choice comes to less than the best, in other futures, as far as both are sure of it."""
    monkeypatch.setattr(draft_position, "EFFORTS", _flat())
    position, weights = early(table)
    games, ranked = position.searched(weights, 6 * MANY, 4 * getattr(position, "focus", 1), luck_of(6))
    result = position.judged(weights, [choice for _, choice in ranked], futures_of(7, MANY))
    first = ranked[0][1]
    for mean, choice in ranked[1:]:
        own = Mean.of([a - b for a, b in zip(result.points[first], result.points[choice], strict=True)])
        tried = games / (2 * len(ranked))  # at least: the first round is shared by all
        error = hypot(own.error, own.error * sqrt(MANY / tried))
        assert abs(own.mean - (ranked[0][0] - mean)) < 4 * error + 1e-9
    assert result.missed(first).mean <= 4 * result.missed(first).error


def _flat() -> dict[int, dict[int, draft_position.SearchEffort]]:
    """As far as the deepest search, without a tree."""
    deepest = {
        seats: max(effort.turns for effort in efforts.values()) for seats, efforts in draft_position.EFFORTS.items()
    }
    return {
        seats: {0: draft_position.SearchEffort(turns=turns, times=1, growing=NOBODY)}
        for seats, turns in deepest.items()
    }


def test_to_stop_comes_to_what_the_city_has() -> None:
    position, weights = early("mycity")
    ((worth, stop),) = position.stopping
    assert position.choice(Stop()) == stop
    result = position.judged(weights, [stop], futures_of(8, 5))
    assert result.mean(stop) == Mean(worth, 0.0)


@pytest.mark.parametrize("table", TABLES)
def test_whatever_the_rules_allow_can_be_judged(table: str) -> None:
    """The played one among them."""
    position, weights = early(table)
    choices = [choice for _, choice in position.valued(weights)]
    assert [position.choice(position.action(choice)) for choice in choices] == choices
    result = position.judged(weights, choices, futures_of(9, 2))
    assert set(result.points) == set(choices)


def test_to_pass_is_a_choice_too() -> None:
    position, weights = early("mycity")
    result = position.judged(weights, [position.choice(Pass())], futures_of(10, 3))
    assert len(set(result.points[position.choice(Pass())])) > 1


def test_one_future_says_nothing_of_the_error() -> None:
    assert Mean.of([3.0]) == Mean(3.0, inf)
    assert Mean.of([1.0, 3.0]) == Mean(2.0, 1.0)


def exactly(table: str) -> list[tuple[int, list[str], list[str]]]:
    result = judged(table, futures_of(11, 3))
    return [
        (choice, [point.hex() for point in row], [hope.hex() for hope in result.hopes[choice]])
        for choice, row in result.points.items()
    ]


SAME = """
from tests.kernels.test_choice_estimates import TABLES, exactly
print([exactly(table) for table in TABLES])
"""


@pytest.mark.slow
@both_ways
def test_plain_python_judges_the_same_to_the_last_bit() -> None:
    assert_same_both_ways(SAME)
