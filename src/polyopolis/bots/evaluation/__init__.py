"""Evaluation functions, one module per game. Features that kernels also compute have the same names there."""

from collections.abc import Callable
from functools import cache
from typing import Any

from polyopolis.bots.evaluation.placing_features import points_of
from polyopolis.bots.explainer_protocol import FeaturePoints
from polyopolis.games import spec_of

EvaluationFunction = Callable[[Any, int], FeaturePoints]
"""Returns the value of a state for a seat, feature by feature, in points."""


@cache
def evaluation_function(key: str) -> EvaluationFunction:
    """The evaluation function that the `GameSpec` of a game names; by default the lines of the score sheet."""
    sign = spec_of(key)
    if sign.values:
        parts: EvaluationFunction = sign.load_module(sign.values).parts
        return parts
    return lambda state, seat: points_of(sign.rules.scores(state).sheets[seat])
