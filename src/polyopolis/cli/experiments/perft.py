"""Counting the tree of moves: two programs with the same counts follow the same rules."""

from collections.abc import Iterator
from typing import Any

from polyopolis.engine import CHANCE, AnyGame


def perft(game: AnyGame, state: Any, depth: int) -> int:
    """How many ways there are to make exactly so many moves from here.

    Chance and seats count alike; seats that decide at once move in the order of their numbers.
    """
    if depth == 0:
        return 1
    if depth == 1:
        return sum(1 for _ in _moves(game, state))
    return sum(perft(game, game.apply(state, seat, action).state, depth - 1) for seat, action in _moves(game, state))


def _moves(game: AnyGame, state: Any) -> Iterator[tuple[int, Any]]:
    acting = game.to_act(state)
    if not acting:
        return
    seat = min(acting)
    actions = [luck for luck, _ in game.odds(state)] if seat == CHANCE else game.legal(state, seat)
    yield from ((seat, action) for action in actions)
