"""When little may come a kernel looks at all of it, and finds what the rules say, in every order of the cards."""

from collections.abc import Iterator
from itertools import count, islice
from random import Random

import pytest

from polyopolis.bots import choose
from polyopolis.bots.levels import Level, seen
from polyopolis.engine import CHANCE, Match, Rng, seed_of
from polyopolis.games import game
from polyopolis.games.mycity.state import State
from polyopolis.games.placement import Stop
from polyopolis.kernels.city_position import position_of
from tests.support.property_budget import SOAK

mycity = game("mycity")
QUICK = Level(simulations=30, width=6)
SETUPS = {"eternal": mycity.Setup(seats=2), "episode 3": mycity.Setup(mode="episode", episode=3, seats=2)}


def late(name: str, seed: int, left: int) -> Match | None:
    """A decision of one who plays on alone, with so many cards left; None if there was none in this game."""
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
    """What a state comes to on average for seat 0, by the rules and nothing else."""
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
def test_what_a_choice_comes_to_is_what_the_rules_say(name: str, left: int) -> None:
    for match in islice(late_ones(name, left), 3 * SOAK):
        position = position_of("mycity", match.state, 0)
        found = {position.action(choice): mean for mean, choice in position.solved()}
        legal = [action for action in mycity.legal(match.state, 0) if action != Stop()]
        assert found == pytest.approx({action: worth(mycity.apply(match.state, 0, action).state) for action in legal})


def test_the_blocking_card_comes_at_any_time() -> None:
    match = next(match for match in late_ones("eternal", 2) if "block" in [card.name for card in match.state.deck])
    position = position_of("mycity", match.state, 0)
    for mean, choice in position.solved():
        assert mean == pytest.approx(worth(mycity.apply(match.state, 0, position.action(choice)).state))


def test_how_much_may_come_is_known_before_it_is_looked_at() -> None:
    match = next(late_ones("eternal", 2))
    position = position_of("mycity", match.state, 0)
    ways = position.futures(10**9)
    assert 1 <= ways < 10**9
    assert position.futures(ways) == ways
    begun = Match.start(mycity, SETUPS["eternal"]).decide(CHANCE, mycity.odds(mycity.start(SETUPS["eternal"]))[0][0])
    assert position_of("mycity", begun.state, 0).futures(50) == 50


def test_a_level_looks_at_all_of_it_when_that_is_little_enough() -> None:
    match = next(late_ones("eternal", 1))
    position, _ = seen("mycity", match.state, 0)
    level = Level(simulations=position.futures(10**6) + 1, width=2)
    chosen = level(mycity, match.state, 0, Rng(seed_of("any")))
    legal = mycity.legal(match.state, 0)
    best = max(worth(mycity.apply(match.state, 0, action).state) for action in legal)
    assert worth(mycity.apply(match.state, 0, chosen).state) == pytest.approx(best)
