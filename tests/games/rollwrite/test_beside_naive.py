"""Differential test: the rules and the naive implementation agree at every move of random games."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec import UNSET

from polyopolis.engine import CHANCE, Match, Rng, seed_of
from polyopolis.games.rollwrite import rules
from polyopolis.games.rollwrite.actions import Action, Pass, Place, Roll
from polyopolis.games.rollwrite.state import Setup
from tests.games.rollwrite import naive
from tests.support.property_budget import examples
from tests.support.random_play import MOODS, Mood, chosen

EPISODES = range(1, 13)


def naively(action: Action) -> naive.Choice | naive.Faces:
    """Returns an action in the representation of the naive implementation."""
    if isinstance(action, Place):
        return frozenset(map(naive.cell_of, action.cells))
    if isinstance(action, Roll):
        return action.faces
    return "pass" if isinstance(action, Pass) else "stop"


def naive_game(setup: Setup) -> naive.Game:
    return naive.Game(setup.episode, setup.seats, () if setup.bandits is UNSET else setup.bandits)


def agree(match: Match, game: naive.Game) -> None:
    """Asserts that both have the same observable state."""
    assert match.game.to_act(match.state) == game.who()
    assert [city.circles for city in match.state.cities] == [player.circles for player in game.players]
    assert [city.stopped for city in match.state.cities] == [player.stopped for player in game.players]
    result = match.result
    assert list(result.scores) == game.scores()
    assert list(result.ranks) == game.ranks()
    table = rules.view(match.state, None).table
    for seat, sheet in enumerate(result.sheets):
        lines = [(line.line, line.count, line.points) for line in sheet]
        assert [line for line in lines if line[1]] == game.sheet(seat)
        free = set(table.cities[seat].bandits) - set(table.cities[seat].caught)
        assert free == set(map(naive.name, game.free_bandits(seat)))
        assert table.cities[seat].purses == game.purses(seat)


def agreed_choices(match: Match, game: naive.Game, seat: int) -> list[Action]:
    """Returns the legal actions of a seat, which must be the same in both."""
    actions = list(rules.legal(match.state, seat))
    choices = [naively(action) for action in actions]
    assert len(set(choices)) == len(choices)
    assert set(choices) == game.legal(seat)
    return actions


def side_by_side(setup: Setup, seed: str, mood: Mood) -> Match:
    """Plays a random game in which both must agree at every move."""
    rng, game = Rng(seed_of(seed)), naive_game(setup)
    match = Match.start(rules, setup)
    while not match.over:
        agree(match, game)
        if match.due == {CHANCE}:
            faces = rng.choice(naive.SIDES_1), rng.choice(naive.SIDES_2), rng.choice(naive.SIDES_3)
            match = match.decide(CHANCE, Roll(faces))
            game.roll(faces)
            continue
        for seat in sorted(match.due):
            action = chosen(agreed_choices(match, game, seat), mood, rng)
            match = match.decide(seat, action)
            game.play(seat, naively(action))
    agree(match, game)
    return match


def setup_of(episode: int, seats: int, seed: int) -> Setup:
    """Returns a setup, with some bandits carried over if possible."""
    if episode < 11:
        return Setup(episode=episode, seats=seats)
    rng, known = Rng(seed_of(f"bandits {seed}")), ["f1", "i5", "k6", "j7", "c8", "g8"]
    if episode == 12:
        known += ["h1", "e2", "i6", "c7", "h7"]
    return Setup(
        episode=episode,
        seats=seats,
        bandits=tuple(tuple(cell for cell in known if rng.below(3) == 0) for _ in range(seats)),
    )


@examples(3)
@given(st.integers(1, 3), st.integers(0, 10**9), st.sampled_from(MOODS))
@pytest.mark.parametrize("episode", EPISODES)
def test_random_games_are_the_same_in_both_readings(episode: int, seats: int, seed: int, mood: Mood) -> None:
    assert side_by_side(setup_of(episode, seats, seed), f"beside {seed}", mood).over


@pytest.mark.slow
@examples(8)
@given(st.integers(1, 4), st.integers(0, 10**9), st.sampled_from(MOODS))
@pytest.mark.parametrize("episode", EPISODES)
def test_many_random_games_are_the_same_in_both_readings(episode: int, seats: int, seed: int, mood: Mood) -> None:
    assert side_by_side(setup_of(episode, seats, seed), f"beside {seed}", mood).over


@pytest.mark.parametrize("episode", EPISODES)
def test_twelve_seats_are_the_same_in_both_readings(episode: int) -> None:
    assert side_by_side(setup_of(episode, 12, episode), "twelve", "kinds").over
