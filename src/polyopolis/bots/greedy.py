"""Greedy bot: takes the action with the best evaluation after one step."""

from collections.abc import Iterable
from typing import Any

from polyopolis.bots.evaluation import evaluation_function
from polyopolis.bots.explainer_protocol import (
    MAX_OPTIONS,
    ConsideredAction,
    FeaturePoints,
    feature_differences,
    mean_features,
)
from polyopolis.bots.explanation_phrases import sayings
from polyopolis.engine import AnyGame, Rng

RankedActions = list[tuple[float, Any, FeaturePoints]]
VisibleShare = tuple[int, int]
"""Probability that a choice is considered, as numerator and denominator."""
ALL_VISIBLE: VisibleShare = (1, 1)


def greedy(game: AnyGame, state: Any, seat: int, rng: Rng) -> Any:
    return ranked_actions(game, state, seat, rng)[0][1]


def explain(
    game: AnyGame, state: Any, seat: int, rng: Rng, visible: VisibleShare = ALL_VISIBLE
) -> tuple[int, Iterable[ConsideredAction]]:
    found = ranked_actions(game, state, seat, rng, visible)
    usual = mean_features([parts for _, _, parts in found])
    now = evaluation_function(game.key)(state, seat)
    return 0, [
        ConsideredAction(action, round(worth, 2), feature_differences(parts, usual), *sayings(parts, usual, now))
        for worth, action, parts in found[:MAX_OPTIONS]
    ]


def ranked_actions(
    game: AnyGame, state: Any, seat: int, rng: Rng, visible: VisibleShare = ALL_VISIBLE
) -> RankedActions:
    """Returns the considered actions, each with its value and features, best first."""
    legal = game.legal(state, seat)
    seen = (
        legal if visible == ALL_VISIBLE else [action for action in legal if rng.below(visible[1]) < visible[0]] or legal
    )
    value = evaluation_function(game.key)
    parts = [value(game.apply(state, seat, action).state, seat) for action in seen]
    found = [(sum(own.values()), action, own) for own, action in zip(parts, seen, strict=True)]
    best = max(worth for worth, _, _ in found)
    first = rng.choice([at for at, (worth, _, _) in enumerate(found) if worth == best])
    return [found.pop(first), *sorted(found, key=lambda option: -option[0])]
