"""Differential test: the rules and the naive implementation agree at every move of random games."""

from collections import Counter
from typing import get_args

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec import UNSET

from polyopolis.engine import CHANCE, Match, Rng, seed_of
from polyopolis.games.pointcity import rules
from polyopolis.games.pointcity.actions import Action
from polyopolis.games.pointcity.content import FACES, MARKET, Card, LevelName
from polyopolis.games.pointcity.state import Setup
from tests.games.pointcity import naive
from tests.support.property_budget import examples
from tests.support.random_play import MOODS, Mood, chosen

LEVELS: tuple[LevelName, ...] = get_args(LevelName)
TABLES = [
    *(Setup(seats=1, automa=level) for level in LEVELS),
    *(Setup(seats=1, automa=level, tokens="chosen") for level in LEVELS),
    *(Setup(seats=seats) for seats in (2, 3, 4)),
]
tables = pytest.mark.parametrize("setup", TABLES, ids=lambda setup: f"{setup.seats} {setup.automa} {setup.tokens}")


def naively(action: Action) -> naive.Choice:
    """Returns an action in the representation of the naive implementation."""
    return str(action.__struct_config__.tag), *(getattr(action, field) for field in action.__struct_fields__)


def agree(match: Match, game: naive.Game) -> None:
    """Asserts that both have the same observable state."""
    state = match.state
    assert match.game.to_act(state) == game.who()
    for player, other in zip(state.players, game.players, strict=True):
        assert [face for face, n in zip(FACES, player.stock, strict=True) for _ in range(n)] == sorted(other.stock)
        assert [card.name for card in player.city] == [card.name for card in other.city]
        assert [token.name for token in player.tokens] == other.tokens
    if state.phase not in ("top", "refill", "opening", "line", "choose"):
        shown = {
            cell: (found.side.tier, found.name) if isinstance(found, Card) else (found.tier, found.face)
            for cell, found in zip(MARKET.names, state.market, strict=True)
            if found
        }
        assert shown == game.market
        assert [token.name for token in state.tokens] == game.tokens


def agree_in_points(match: Match, game: naive.Game) -> None:
    result = match.result
    assert list(result.scores) == game.scores()
    assert list(result.ranks) == game.ranks()
    for seat, sheet in enumerate(result.sheets):
        assert [(line.line, line.count, line.points) for line in sheet] == game.sheet(seat)


def agreed(match: Match, game: naive.Game, rng: Rng, mood: Mood) -> Action:
    """Returns the next action, for which both must have the same choices with the same weights."""
    (seat,) = match.due
    if seat == CHANCE:
        odds = rules.odds(match.state)
        assert {naively(luck): weight for luck, weight in odds} == Counter(game.choices())
        return rng.choice([luck for luck, weight in odds for _ in range(weight)])
    actions = rules.legal(match.state, seat)
    assert len(set(actions)) == len(actions)
    assert {naively(action) for action in actions} == game.legal(seat)
    action: Action = chosen(actions, mood, rng)
    return action


def naive_game(setup: Setup) -> naive.Game:
    return naive.Game(setup.seats, None if setup.automa is UNSET else setup.automa, setup.tokens == "chosen")


def side_by_side(setup: Setup, seed: str, mood: Mood) -> Match:
    """Plays a random game in which both must agree at every move."""
    rng = Rng(seed_of(seed))
    match, game = Match.start(rules, setup), naive_game(setup)
    while not match.over:
        agree(match, game)
        if match.state.phase != "pay":
            agree_in_points(match, game)
        action = agreed(match, game, rng, mood)
        (seat,) = match.due
        match = match.decide(seat, action)
        game.play(seat, naively(action))
    agree(match, game)
    agree_in_points(match, game)
    return match


@tables
@examples(4)
@given(st.integers(0, 10**9), st.sampled_from(MOODS))
def test_random_games_are_the_same_in_both_readings(setup: Setup, seed: int, mood: Mood) -> None:
    assert side_by_side(setup, f"beside {seed}", mood).over


@pytest.mark.slow
@tables
@examples(10)
@given(st.integers(0, 10**9), st.sampled_from(MOODS))
def test_many_random_games_are_the_same_in_both_readings(setup: Setup, seed: int, mood: Mood) -> None:
    assert side_by_side(setup, f"beside {seed}", mood).over
