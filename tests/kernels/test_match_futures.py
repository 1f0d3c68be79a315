"""Futures that hold for a whole match: the same for all choices, seats and moments, and every card once."""

import pytest

from polyopolis.analysis.reviewer import walk_of
from polyopolis.engine import CHANCE, Match
from polyopolis.kernels.match_futures import in_turn, shuffled, word_of
from tests.analysis.short_games import finished
from tests.kernels.comparisons import WAYS, both_ways, printed

TABLES = ("mycity", "mycity-24", "rollwrite", "pointcity", "pointcity-alone")
FUTURES = 5


def middle(table: str, chance: bool) -> tuple[Match, Match]:
    """A moment in the middle of a match at which chance is due, or a seat, and the whole match."""
    whole = finished(table, "level-1")
    match = Match.start(whole.game, whole.setup)
    for number, move in enumerate(whole.moves):
        if number > len(whole.moves) // 2 and not match.staged and (move.seat == CHANCE) == chance:
            break
        match = match.decide(move.seat, move.action)
    return match, whole


@pytest.mark.parametrize("table", TABLES)
@pytest.mark.parametrize("chance", [True, False])
def test_a_future_is_the_same_whichever_others_are_told(table: str, chance: bool) -> None:
    match, _ = middle(table, chance)
    whole = walk_of(match).oracle.expected(match.state, range(FUTURES))
    part = walk_of(match).oracle.expected(match.state, range(2, FUTURES))
    assert [row[2:] for row in whole.points] == part.points
    assert whole.strata[2:] == part.strata
    assert sum(whole.odds.values()) == pytest.approx(1.0 if whole.strata else 0.0)


@pytest.mark.parametrize("table", TABLES)
def test_what_comes_after_a_choice_is_what_the_choice_comes_to(table: str) -> None:
    """What serves a decision serves the next moment, too."""
    match, whole = middle(table, chance=False)
    oracle = walk_of(match).oracle
    move = whole.moves[len(match.moves)]
    (judged,) = oracle.judged(match.state, move.seat, [move.action], range(FUTURES))
    after = match.game.apply(match.state, move.seat, move.action).state
    if oracle.APART:
        assert judged.points[move.seat] == oracle.expected(after, range(FUTURES)).points[move.seat]
    else:
        assert len(judged.points) == len(match.result.scores)


@pytest.mark.parametrize("table", [table for table in TABLES if "pointcity" not in table])
def test_what_is_best_at_sight_is_one_of_the_choices(table: str) -> None:
    """Where nobody learns more than that."""
    match, whole = middle(table, chance=False)
    oracle, seat = walk_of(match).oracle, whole.moves[len(match.moves)].seat
    rows = oracle.judged(match.state, seat, match.game.legal(match.state, seat), range(FUTURES))
    assert oracle.expected(match.state, range(FUTURES)).points in [row.points for row in rows]


@pytest.mark.parametrize("table", ["pointcity", "pointcity-4", "pointcity-alone"])
def test_what_is_learnt_after_a_choice_does_not_depend_on_the_others(table: str) -> None:
    """So exercises say the same as reviews."""
    match, whole = middle(table, chance=False)
    oracle, seat = walk_of(match).oracle, whole.moves[len(match.moves)].seat
    first, second = oracle.candidates(match.state, seat, 2)
    both = oracle.judged(match.state, seat, [first, second], range(FUTURES))
    (alone,) = oracle.judged(match.state, seat, [second], range(FUTURES))
    assert both[1] == alone
    assert len(alone.leads) >= FUTURES
    assert alone.leads != both[0].leads
    assert all(0 < chance < 1 for chance in alone.chances)


def test_all_that_may_come_is_taken_in_turn() -> None:
    for number in (1, 2, 24, 60, 216):
        assert sorted(in_turn(future, number) for future in range(number)) == list(range(number))


def test_any_order_is_as_likely_as_the_others() -> None:
    orders = [tuple(shuffled("abc", word_of(3, future))) for future in range(1200)]
    assert all(140 < orders.count(order) < 260 for order in set(orders))
    assert len(set(orders)) == 6


def exactly(table: str) -> list[list[str]]:
    match, _ = middle(table, chance=True)
    rows = [*walk_of(match).oracle.expected(match.state, range(2)).points, *_learnt(table)]
    return [[value.hex() for value in row] for row in rows]


def _learnt(table: str) -> list[list[float]]:
    """What two choices come to, where that is learnt."""
    match, whole = middle(table, chance=False)
    oracle, seat = walk_of(match).oracle, whole.moves[len(match.moves)].seat
    if not oracle.LEARNS:
        return []
    actions = oracle.candidates(match.state, seat, 2)
    outlooks = oracle.judged(match.state, seat, actions, range(FUTURES))
    return [row for outlook in outlooks for row in (outlook.leads, outlook.chances)]


SAME = """
from tests.kernels.test_match_futures import TABLES, exactly
print([exactly(table) for table in TABLES])
"""


@pytest.mark.slow
@both_ways
def test_all_three_ways_foretell_the_same_to_the_last_bit() -> None:
    found = {printed(SAME, way) for way in WAYS}
    assert len(found) == 1
    assert found.pop().count("0x") > 2 * len(TABLES)
