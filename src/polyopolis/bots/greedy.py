"""Looks one action ahead and takes what is worth most, by the score and a few features of the game."""

from collections.abc import Callable
from typing import Any

from polyopolis.bots.values import mycity, pointcity, rollwrite
from polyopolis.engine import AnyGame, Rng

VALUES: dict[str, Callable[[Any, int], float]] = {
    "mycity": mycity.value,
    "pointcity": pointcity.value,
    "rollwrite": rollwrite.value,
}


def greedy(game: AnyGame, state: Any, seat: int, rng: Rng) -> Any:
    value = VALUES[game.key]
    valued = [(value(game.apply(state, seat, action).state, seat), action) for action in game.legal(state, seat)]
    best = max(worth for worth, _ in valued)
    return rng.choice([action for worth, action in valued if worth == best])
