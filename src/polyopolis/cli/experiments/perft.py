"""`perft`: counts the move tree. Two implementations with the same counts follow the same rules."""

from collections.abc import Iterator
from time import perf_counter
from typing import Annotated, Any

import typer

from polyopolis.cli.arguments import GameKey, SetupFields, parse_setup
from polyopolis.cli.phrases import phrase
from polyopolis.engine import CHANCE, AnyGame
from polyopolis.games import game


def print_perft(
    key: GameKey,
    depth: Annotated[int, typer.Option(min=1, help="Number of moves.")],
    fields: SetupFields = None,
) -> None:
    """Count all sequences of moves up to a given length.

    Moves of chance are included.
    """
    rules = game(key)
    state = rules.start(parse_setup(rules, fields or [], seats=rules.seats[0]))
    typer.echo(f"{phrase('perft', 'depth'):>5}  {phrase('perft', 'leaves'):>14}  {phrase('perft', 'seconds'):>8}")
    for moves in range(1, depth + 1):
        start = perf_counter()
        leaves = perft(rules, state, moves)
        typer.echo(f"{moves:>5}  {leaves:>14}  {perf_counter() - start:>8.2f}")


def perft(game: AnyGame, state: Any, depth: int) -> int:
    """Returns the number of sequences of exactly `depth` moves from a state.

    Moves of chance count like those of seats. Seats that decide at the same time move in the order of their numbers.
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
    actions = [outcome for outcome, _ in game.odds(state)] if seat == CHANCE else game.legal(state, seat)
    yield from ((seat, action) for action in actions)
