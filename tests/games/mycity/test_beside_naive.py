"""Differential test: the rules and the naive implementation agree at every move of random games."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from polyopolis.engine import CHANCE, Match, Rng, seed_of
from polyopolis.games.mycity import rules
from polyopolis.games.mycity.actions import Action, Kiosk, NoKiosk, Pass, Place, Reveal
from polyopolis.games.mycity.state import Setup
from tests.games.mycity import naive
from tests.support.property_budget import examples
from tests.support.random_play import MOODS, Mood, chosen


def naively(action: Action) -> naive.Choice:
    """Returns an action in the representation of the naive implementation."""
    if isinstance(action, Place | Kiosk):
        return frozenset(map(naive.cell_of, action.cells))
    if isinstance(action, NoKiosk):
        return "no-kiosk"
    return "pass" if isinstance(action, Pass) else "stop"


def agree(match: Match, game: naive.Game) -> None:
    """Asserts that both have the same observable state."""
    assert match.game.to_act(match.state) == game.who()
    assert {card.name for card in match.state.deck} == game.deck
    assert [city.marker for city in match.state.cities] == [player.score for player in game.players]
    assert [city.stopped for city in match.state.cities] == [player.stopped for player in game.players]
    result = match.result
    assert list(result.scores) == game.scores()
    assert list(result.ranks) == game.ranks()
    for seat, sheet in enumerate(result.sheets):
        lines = [(line.line, line.count, line.points) for line in sheet]
        assert [line for line in lines if line[1]] == game.sheet(seat)


def agreed_choices(match: Match, game: naive.Game, seat: int) -> list[Action]:
    """Returns the legal actions of a seat, which must be the same in both."""
    actions = list(rules.legal(match.state, seat))
    choices = [naively(action) for action in actions]
    assert len(set(choices)) == len(choices)
    assert set(choices) == game.legal(seat)
    return actions


def side_by_side(mode: naive.Mode, seats: int, seed: str, mood: Mood, episode: int = 1) -> Match:
    """Plays a random game in which both must agree at every move."""
    rng, game = Rng(seed_of(seed)), naive.Game(mode, seats, episode)
    setup = Setup(seats=seats) if mode == "eternal" else Setup(mode="episode", episode=episode, seats=seats)
    match = Match.start(rules, setup)
    while not match.over:
        agree(match, game)
        if match.due == {CHANCE}:
            card = rng.choice(sorted(game.deck))
            match = match.decide(CHANCE, Reveal(card))
            game.reveal(card)
            continue
        for seat in sorted(match.due):
            action = chosen(agreed_choices(match, game, seat), mood, rng)
            match = match.decide(seat, action)
            game.decide(seat, naively(action))
    agree(match, game)
    return match


@examples(6)
@given(st.integers(2, 4), st.integers(0, 10**9), st.sampled_from(MOODS))
@pytest.mark.parametrize("mode", ["eternal", "episode"])
def test_random_games_are_the_same_in_both_readings(mode: naive.Mode, seats: int, seed: int, mood: Mood) -> None:
    assert side_by_side(mode, seats, f"beside {seed}", mood).over


@pytest.mark.slow
@examples(12)
@given(st.integers(2, 4), st.integers(0, 10**9), st.sampled_from(MOODS))
@pytest.mark.parametrize("mode", ["eternal", "episode"])
def test_many_random_games_are_the_same_in_both_readings(mode: naive.Mode, seats: int, seed: int, mood: Mood) -> None:
    assert side_by_side(mode, seats, f"beside {seed}", mood).over


@examples(1)
@given(st.integers(2, 3), st.integers(0, 10**9), st.sampled_from(["kinds", "busy"]))
@pytest.mark.parametrize("episode", [2, 5, 8, 9, 11, 12, 14, 18, 20, 21, 22, 23, 24])
def test_later_episodes_are_the_same_in_both_readings(episode: int, seats: int, seed: int, mood: Mood) -> None:
    assert side_by_side("episode", seats, f"later {seed}", mood, episode).over


@pytest.mark.slow
@examples(4)
@given(st.integers(2, 4), st.integers(0, 10**9), st.sampled_from(MOODS))
@pytest.mark.parametrize("episode", range(2, 25))
def test_all_episodes_are_the_same_in_both_readings(episode: int, seats: int, seed: int, mood: Mood) -> None:
    assert side_by_side("episode", seats, f"later {seed}", mood, episode).over
