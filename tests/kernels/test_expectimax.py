"""Expectimax over the remaining cards compared with the rules."""

from collections.abc import Iterator
from itertools import count, islice
from random import Random

import pytest

from polyopolis.bots import choose
from polyopolis.bots.levels import BotLevel, position_and_weights
from polyopolis.engine import CHANCE, Match, Rng, seed_of
from polyopolis.games import game
from polyopolis.games.mycity.state import State
from polyopolis.games.placement import Stop
from polyopolis.kernels.city_position import position_of
from tests.support.property_budget import SOAK

mycity = game("mycity")
QUICK = BotLevel(simulations=30, width=6)
SETUPS = {"eternal": mycity.Setup(seats=2), "episode 3": mycity.Setup(mode="episode", episode=3, seats=2)}


def late(name: str, seed: int, left: int) -> Match | None:
    """Returns a decision of the first seat, which plays on alone, with this number of cards left; None if there is
    none."""
    random, match = Random(seed), Match.start(mycity, SETUPS[name])
    while not match.over:
        if match.due == {CHANCE}:
            match = match.decide(CHANCE, random.choice(mycity.odds(match.state))[0])
            continue
        if 0 in match.due and len(match.state.deck) == left:
            return match
        for seat in sorted(match.due):
            match = match.decide(seat, Stop() if seat else choose(QUICK, match, 0, seed_of("city")))
    return None


def worth(state: State) -> float:
    """Returns the expected score of seat 0 with best play, from the rules alone."""
    acting = mycity.to_act(state)
    if 0 in acting:
        return max(worth(mycity.apply(state, 0, action).state) for action in mycity.legal(state, 0))
    if CHANCE in acting and not state.cities[0].stopped:
        odds = mycity.odds(state)
        ways = sum(weight for _, weight in odds)
        return sum(weight * worth(mycity.apply(state, CHANCE, luck).state) for luck, weight in odds) / ways
    return mycity.scores(state).scores[0]


def late_ones(name: str, left: int) -> Iterator[Match]:
    return (match for seed in count() if (match := late(name, seed, left)))


@pytest.mark.parametrize("left", [0, 1, 2])
@pytest.mark.parametrize("name", SETUPS)
def test_expectimax_values_match_the_rules(name: str, left: int) -> None:
    for match in islice(late_ones(name, left), 3 * SOAK):
        position = position_of("mycity", match.state, 0)
        found = {position.action(choice): mean for mean, choice in position.solve()}
        legal = [action for action in mycity.legal(match.state, 0) if action != Stop()]
        assert found == pytest.approx({action: worth(mycity.apply(match.state, 0, action).state) for action in legal})


def test_blocking_card_may_come_at_any_time() -> None:
    match = next(match for match in late_ones("eternal", 2) if "block" in [card.name for card in match.state.deck])
    position = position_of("mycity", match.state, 0)
    for mean, choice in position.solve():
        assert mean == pytest.approx(worth(mycity.apply(match.state, 0, position.action(choice)).state))


def test_continuations_are_counted_up_to_the_limit() -> None:
    match = next(late_ones("eternal", 2))
    position = position_of("mycity", match.state, 0)
    ways = position.count_continuations(10**9)
    assert 1 <= ways < 10**9
    assert position.count_continuations(ways) == ways
    begun = Match.start(mycity, SETUPS["eternal"]).decide(CHANCE, mycity.odds(mycity.start(SETUPS["eternal"]))[0][0])
    assert position_of("mycity", begun.state, 0).count_continuations(50) == 50


def test_level_solves_positions_with_few_continuations() -> None:
    match = next(late_ones("eternal", 1))
    position, _ = position_and_weights("mycity", match.state, 0)
    level = BotLevel(simulations=position.count_continuations(10**6) + 1, width=2)
    chosen = level(mycity, match.state, 0, Rng(seed_of("any")))
    legal = mycity.legal(match.state, 0)
    best = max(worth(mycity.apply(match.state, 0, action).state) for action in legal)
    assert worth(mycity.apply(match.state, 0, chosen).state) == pytest.approx(best)
