"""Perft: how many ways there are to make so many moves. The counts pin the rules down as a whole.

From the start of a game with two seats, depth 1 is the first card, depth 2 what seat 0 does with it, depth 3 what
seat 1 does, depth 4 the next card. Other positions are met on the way through recorded games.
"""

import json
from dataclasses import dataclass
from pathlib import Path

import msgspec
import pytest

from polyopolis.cli.perft import perft
from polyopolis.engine import CHANCE, Match, Move
from polyopolis.games.mycity import rules
from tests.games.mycity import naive
from tests.games.mycity.test_beside_naive import naively

RECORDS = Path(__file__).parents[1] / "records" / "games"


@dataclass(frozen=True)
class Position:
    """A recorded game after so many moves, and the perft counts from there for depth 1, 2, ..."""

    mode: naive.Mode
    record: str
    moves: int
    counts: tuple[int, ...]


TABLE = [
    Position("eternal", "mycity-eternal-2p-1", 0, (28, 1536, 97127, 2641980)),
    Position("eternal", "mycity-eternal-2p-1", 9, (25, 239, 2726, 56545)),
    Position("eternal", "mycity-eternal-2p-1", 30, (18, 318, 7685, 130548)),
    Position("eternal", "mycity-eternal-3p-1", 42, (16, 410, 7927, 135640)),
    Position("episode", "mycity-episode1-2p-1", 0, (24, 1326, 84324, 1938900)),
    Position("episode", "mycity-episode1-2p-1", 9, (21, 1225, 57260)),
    Position("episode", "mycity-episode1-2p-1", 30, (14, 778, 22098, 287092)),
    Position("episode", "mycity-episode1-4p-1", 27, (18, 431, 11683, 356630)),
]
LARGE = 200_000
SLOW_FOR_SETS = 2_500
TOO_SLOW_FOR_SETS = 100_000


def cases(least: int, most: int) -> list[tuple[Position, int]]:
    """Positions with a depth at which the count is within bounds."""
    return [
        (position, depth)
        for position in TABLE
        for depth, count in enumerate(position.counts, start=1)
        if least <= count < most
    ]


def name_of(value: Position | int) -> str:
    return f"{value.record}-{value.moves}" if isinstance(value, Position) else f"depth {value}"


def moves_to(position: Position) -> list[Move]:
    record = json.loads((RECORDS / f"{position.record}.json").read_text("utf-8"))
    return [
        Move(move["seat"], msgspec.convert(move["action"], rules.Action)) for move in record["moves"][: position.moves]
    ]


def match_at(position: Position) -> Match:
    record = json.loads((RECORDS / f"{position.record}.json").read_text("utf-8"))
    setup = msgspec.convert(record["setup"], rules.Setup)
    return Match.replay(rules, setup, moves_to(position))


def naive_at(position: Position) -> naive.Game:
    record = json.loads((RECORDS / f"{position.record}.json").read_text("utf-8"))
    game = naive.Game(position.mode, record["setup"]["seats"])
    for move in moves_to(position):
        game.play(move.seat, move.action.card if move.seat == CHANCE else naively(move.action))
    return game


def naive_perft(game: naive.Game, depth: int) -> int:
    """The same count by the naive second reading."""
    if depth == 0:
        return 1
    acting = game.who()
    if not acting:
        return 0
    seat = min(acting)
    choices = game.deck if seat == CHANCE else game.legal(seat)
    if depth == 1:
        return len(choices)
    return sum(naive_perft(game.copy().play(seat, choice), depth - 1) for choice in choices)


def test_no_position_lies_within_a_round() -> None:
    assert all(not match_at(position).staged for position in TABLE)


@pytest.mark.parametrize(("position", "depth"), cases(0, LARGE), ids=name_of)
def test_counts(position: Position, depth: int) -> None:
    assert perft(rules, match_at(position).state, depth) == position.counts[depth - 1]


@pytest.mark.slow
@pytest.mark.parametrize(("position", "depth"), cases(LARGE, 10**9), ids=name_of)
def test_large_counts(position: Position, depth: int) -> None:
    assert perft(rules, match_at(position).state, depth) == position.counts[depth - 1]


@pytest.mark.parametrize(("position", "depth"), cases(0, SLOW_FOR_SETS), ids=name_of)
def test_the_naive_reading_counts_the_same(position: Position, depth: int) -> None:
    assert naive_perft(naive_at(position), depth) == position.counts[depth - 1]


@pytest.mark.slow
@pytest.mark.parametrize(("position", "depth"), cases(SLOW_FOR_SETS, TOO_SLOW_FOR_SETS), ids=name_of)
def test_the_naive_reading_counts_the_same_deeper_down(position: Position, depth: int) -> None:
    assert naive_perft(naive_at(position), depth) == position.counts[depth - 1]
