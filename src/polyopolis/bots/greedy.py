"""Looks one action ahead and takes what is worth most, by the score and a few features of the game."""

from collections.abc import Iterable
from typing import Any

from polyopolis.bots.evaluation import values_of
from polyopolis.bots.explainer_protocol import MOST, Option, Parts, average, beside
from polyopolis.bots.explanation_phrases import sayings
from polyopolis.engine import AnyGame, Rng

Ranked = list[tuple[float, Any, Parts]]
Share = tuple[int, int]
"""So many of so many."""
ALL: Share = (1, 1)


def greedy(game: AnyGame, state: Any, seat: int, rng: Rng) -> Any:
    return ranked(game, state, seat, rng)[0][1]


def explain(game: AnyGame, state: Any, seat: int, rng: Rng, sees: Share = ALL) -> tuple[int, Iterable[Option]]:
    found = ranked(game, state, seat, rng, sees)
    usual = average([parts for _, _, parts in found])
    now = values_of(game.key)(state, seat)
    return 0, [
        Option(action, round(worth, 2), beside(parts, usual), *sayings(parts, usual, now))
        for worth, action, parts in found[:MOST]
    ]


def ranked(game: AnyGame, state: Any, seat: int, rng: Rng, sees: Share = ALL) -> Ranked:
    """Every action that it sees, with what it is worth in all and part by part; what is worth most first."""
    legal = game.legal(state, seat)
    seen = legal if sees == ALL else [action for action in legal if rng.below(sees[1]) < sees[0]] or legal
    value = values_of(game.key)
    parts = [value(game.apply(state, seat, action).state, seat) for action in seen]
    found = [(sum(own.values()), action, own) for own, action in zip(parts, seen, strict=True)]
    best = max(worth for worth, _, _ in found)
    first = rng.choice([at for at, (worth, _, _) in enumerate(found) if worth == best])
    return [found.pop(first), *sorted(found, key=lambda option: -option[0])]
