"""Perft: the number of move sequences of a given length. The counts cover the rules as a whole.

From the start of a game with two seats, depth 1 is the first card or roll, depth 2 the decision of seat 0, depth 3 that
of seat 1, depth 4 the next card. Other positions are from recorded games.
"""

import json
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import msgspec
import pytest

from polyopolis.cli.experiments.perft import perft
from polyopolis.engine import CHANCE, Match, Move
from polyopolis.games import game
from tests.games.mycity import naive as mycity
from tests.games.mycity import test_beside_naive
from tests.games.pointcity import test_beside_naive as beside_pointcity
from tests.games.rollwrite import test_beside_naive as beside_rollwrite

RECORDS = Path(__file__).parents[1] / "records" / "games"


@dataclass(frozen=True)
class Reading:
    """The start of a naive implementation, and its representation of actions."""

    start: Callable[[Any], Any]
    said: Callable[[Any], Any]


READINGS = {
    "mycity": Reading(
        start=lambda setup: mycity.Game(setup.mode, setup.seats),
        said=lambda action: getattr(action, "card", None) or test_beside_naive.naively(action),
    ),
    "pointcity": Reading(start=beside_pointcity.naive_game, said=beside_pointcity.naively),
    "rollwrite": Reading(start=beside_rollwrite.naive_game, said=beside_rollwrite.naively),
}


@dataclass(frozen=True)
class Position:
    """A recorded game after a number of moves, and the perft counts from there for depth 1, 2, ..."""

    record: str
    moves: int
    counts: tuple[int, ...]

    @property
    def game(self) -> str:
        return self.record.partition("-")[0]


TABLE = [
    Position("mycity-eternal-2p-1", 0, (28, 1536, 97127, 2641980)),
    Position("mycity-eternal-2p-1", 9, (25, 239, 2726, 56545)),
    Position("mycity-eternal-2p-1", 30, (18, 318, 7685, 130548)),
    Position("mycity-eternal-3p-1", 42, (16, 410, 7927, 135640)),
    Position("mycity-episode1-2p-1", 0, (24, 1326, 84324, 1938900)),
    Position("mycity-episode1-2p-1", 9, (21, 1225, 57260)),
    Position("mycity-episode1-2p-1", 30, (14, 778, 22098, 287092)),
    Position("mycity-episode1-4p-1", 27, (18, 431, 11683, 356630)),
    Position("pointcity-2p-1", 0, (22, 462, 9240, 175560)),
    Position("pointcity-2p-1", 28, (41, 485, 5827)),
    Position("pointcity-2p-1", 43, (2, 22, 110, 550)),
    Position("pointcity-3p-1", 120, (14, 89, 542, 4078)),
    Position("pointcity-4p-1", 200, (16, 73, 427, 2632)),
    Position("pointcity-1p-hard-1", 27, (11, 131, 1205)),
    Position("pointcity-1p-hard-1", 37, (41, 485, 5817)),
    Position("pointcity-1p-medium-1", 100, (11, 126, 825, 5403)),
    Position("rollwrite-01-1", 0, (60, 2940, 188808)),
    Position("rollwrite-04-1", 27, (60, 774, 22410, 1341000)),
    Position("rollwrite-06-1", 0, (60, 870, 16374)),
    Position("rollwrite-07-1", 9, (60, 1248, 71280, 1710459)),
    Position("rollwrite-08-1", 30, (60, 1290, 22737)),
    Position("rollwrite-09-1", 45, (60, 1611, 29232, 1750320)),
    Position("rollwrite-10-1", 21, (60, 2082, 83442)),
    Position("rollwrite-11-1", 0, (60, 1884, 94071)),
    Position("rollwrite-11-1", 45, (60, 774, 30582, 1831320)),
    Position("rollwrite-12-1", 54, (60, 1299, 28062)),
]
LARGE = 200_000
SLOW_FOR_SETS = 2_500
TOO_SLOW_FOR_SETS = 100_000


def cases(least: int, most: int) -> list[tuple[Position, int]]:
    """Returns positions with a depth at which the count is within bounds."""
    return [
        (position, depth)
        for position in TABLE
        for depth, count in enumerate(position.counts, start=1)
        if least <= count < most
    ]


def name_of(value: Position | int) -> str:
    return f"{value.record}-{value.moves}" if isinstance(value, Position) else f"depth {value}"


def read(position: Position) -> tuple[Any, list[Move]]:
    """Returns the setup of the recorded game and its moves up to the position."""
    record, rules = json.loads((RECORDS / f"{position.record}.json").read_text("utf-8")), game(position.game)
    moves = [Move(move["seat"], msgspec.convert(move["action"], rules.Action)) for move in record["moves"]]
    return msgspec.convert(record["setup"], rules.Setup), moves[: position.moves]


def match_at(position: Position) -> Match:
    return Match.replay(game(position.game), *read(position))


def naive_at(position: Position) -> Any:
    setup, moves = read(position)
    game = READINGS[position.game].start(setup)
    for move in moves:
        game.play(move.seat, READINGS[position.game].said(move.action))
    return game


def naive_perft(game: Any, depth: int) -> int:
    """Returns the count of the naive implementation."""
    if depth == 0:
        return 1
    acting = game.who()
    if not acting:
        return 0
    seat = min(acting)
    choices = game.luck() if seat == CHANCE else game.legal(seat)
    if depth == 1:
        return len(choices)
    return sum(naive_perft(game.copy().play(seat, choice), depth - 1) for choice in choices)


def move_count(position: Position, depth: int) -> int:
    return perft(game(position.game), match_at(position).state, depth)


def test_no_position_lies_within_a_round() -> None:
    assert all(not match_at(position).staged for position in TABLE)


@pytest.mark.parametrize(("position", "depth"), cases(0, LARGE), ids=name_of)
def test_counts(position: Position, depth: int) -> None:
    assert move_count(position, depth) == position.counts[depth - 1]


@pytest.mark.slow
@pytest.mark.parametrize(("position", "depth"), cases(LARGE, 10**9), ids=name_of)
def test_large_counts(position: Position, depth: int) -> None:
    assert move_count(position, depth) == position.counts[depth - 1]


@pytest.mark.parametrize(("position", "depth"), cases(0, SLOW_FOR_SETS), ids=name_of)
def test_the_naive_reading_counts_the_same(position: Position, depth: int) -> None:
    assert naive_perft(naive_at(position), depth) == position.counts[depth - 1]


@pytest.mark.slow
@pytest.mark.parametrize(("position", "depth"), cases(SLOW_FOR_SETS, TOO_SLOW_FOR_SETS), ids=name_of)
def test_the_naive_reading_counts_the_same_deeper_down(position: Position, depth: int) -> None:
    assert naive_perft(naive_at(position), depth) == position.counts[depth - 1]


STARTS = {5: (29, 1606), 8: (29, 902), 11: (29, 397), 22: (29, 383)}
"""Counts from the start of later episodes with two seats."""


@pytest.mark.parametrize("episode", STARTS)
def test_counts_of_later_episodes_in_both_readings(episode: int) -> None:
    rules = game("mycity")
    state = rules.start(rules.Setup(mode="episode", episode=episode, seats=2))
    naive = mycity.Game("episode", 2, episode)
    assert tuple(perft(rules, state, depth) for depth in (1, 2)) == STARTS[episode]
    assert tuple(naive_perft(naive, depth) for depth in (1, 2)) == STARTS[episode]
