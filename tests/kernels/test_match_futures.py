"""Futures of a whole match: the same for all choices, seats and moments, with every card once."""

import pytest

from polyopolis.analysis.reviewer import evaluation_of
from polyopolis.engine import CHANCE, Match
from polyopolis.kernels.match_futures import future_rng, shuffled, stratum_of
from tests.analysis.short_games import finished
from tests.kernels.comparisons import BACKENDS, needs_numba, printed

TABLES = ("mycity", "mycity-24", "rollwrite", "pointcity", "pointcity-alone")
FUTURES = 5


def middle(table: str, chance: bool) -> tuple[Match, Match]:
    """Returns a match in its middle at which chance (or a seat) is due, and the whole match."""
    whole = finished(table, "level-1")
    match = Match.start(whole.game, whole.setup)
    for number, move in enumerate(whole.moves):
        if number > len(whole.moves) // 2 and not match.staged and (move.seat == CHANCE) == chance:
            break
        match = match.decide(move.seat, move.action)
    return match, whole


@pytest.mark.parametrize("table", TABLES)
@pytest.mark.parametrize("chance", [True, False])
def test_future_does_not_depend_on_other_futures(table: str, chance: bool) -> None:
    match, _ = middle(table, chance)
    whole = evaluation_of(match).oracle.expected(match.state, range(FUTURES))
    part = evaluation_of(match).oracle.expected(match.state, range(2, FUTURES))
    assert [row[2:] for row in whole.points] == part.points
    assert whole.strata[2:] == part.strata
    assert sum(whole.odds.values()) == pytest.approx(1.0 if whole.strata else 0.0)


@pytest.mark.parametrize("table", TABLES)
def test_result_after_a_choice_equals_the_result_of_the_choice(table: str) -> None:
    """Results of a decision can be reused at the next moment."""
    match, whole = middle(table, chance=False)
    simulator = evaluation_of(match).oracle
    move = whole.moves[len(match.moves)]
    (result,) = simulator.after_choices(match.state, move.seat, [move.action], range(FUTURES))
    after = match.game.apply(match.state, move.seat, move.action).state
    if simulator.SEPARATE_CITIES:
        assert result.points[move.seat] == simulator.expected(after, range(FUTURES)).points[move.seat]
    else:
        assert len(result.points) == len(match.result.scores)


@pytest.mark.parametrize("table", [table for table in TABLES if "pointcity" not in table])
def test_expected_result_is_that_of_one_choice(table: str) -> None:
    """For simulators that do not learn."""
    match, whole = middle(table, chance=False)
    simulator, seat = evaluation_of(match).oracle, whole.moves[len(match.moves)].seat
    rows = simulator.after_choices(match.state, seat, match.game.legal(match.state, seat), range(FUTURES))
    assert simulator.expected(match.state, range(FUTURES)).points in [row.points for row in rows]


@pytest.mark.parametrize("table", ["pointcity", "pointcity-4", "pointcity-alone"])
def test_learned_result_does_not_depend_on_other_choices(table: str) -> None:
    """So exercises agree with reviews."""
    match, whole = middle(table, chance=False)
    simulator, seat = evaluation_of(match).oracle, whole.moves[len(match.moves)].seat
    first, second = simulator.candidates(match.state, seat, 2)
    both = simulator.after_choices(match.state, seat, [first, second], range(FUTURES))
    (alone,) = simulator.after_choices(match.state, seat, [second], range(FUTURES))
    assert both[1] == alone
    assert len(alone.leads) >= FUTURES
    assert alone.leads != both[0].leads
    assert all(0 < chance < 1 for chance in alone.win_chances)


def test_strata_are_used_equally_often() -> None:
    for number in (1, 2, 24, 60, 216):
        assert sorted(stratum_of(future, number) for future in range(number)) == list(range(number))


def test_shuffled_orders_are_uniform() -> None:
    orders = [tuple(shuffled("abc", future_rng(3, future))) for future in range(1200)]
    assert all(140 < orders.count(order) < 260 for order in set(orders))
    assert len(set(orders)) == 6


def exactly(table: str) -> list[list[str]]:
    match, _ = middle(table, chance=True)
    rows = [*evaluation_of(match).oracle.expected(match.state, range(2)).points, *_learned_values(table)]
    return [[value.hex() for value in row] for row in rows]


def _learned_values(table: str) -> list[list[float]]:
    """Returns leads and win chances of two choices if the simulator learns."""
    match, whole = middle(table, chance=False)
    simulator, seat = evaluation_of(match).oracle, whole.moves[len(match.moves)].seat
    if not simulator.LEARNS:
        return []
    actions = simulator.candidates(match.state, seat, 2)
    results = simulator.after_choices(match.state, seat, actions, range(FUTURES))
    return [row for result in results for row in (result.leads, result.win_chances)]


SAME = """
from tests.kernels.test_match_futures import TABLES, exactly
print([exactly(table) for table in TABLES])
"""


@pytest.mark.slow
@needs_numba
def test_futures_are_bit_identical_in_all_backends() -> None:
    found = {printed(SAME, way) for way in BACKENDS}
    assert len(found) == 1
    assert found.pop().count("0x") > 2 * len(TABLES)
