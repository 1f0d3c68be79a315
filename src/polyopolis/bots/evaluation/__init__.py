"""What a position is worth, a file for each game. A feature has the name that kernels give it, if they know it too."""

from collections.abc import Callable
from functools import cache
from typing import Any

from polyopolis.bots.evaluation.placing_features import points_of
from polyopolis.bots.explainer_protocol import Parts
from polyopolis.games import spec_of

Values = Callable[[Any, int], Parts]
"""What a state is worth to a seat."""


@cache
def values_of(key: str) -> Values:
    """Those that the sign of a game names; else the lines of its score sheet."""
    sign = spec_of(key)
    if sign.values:
        parts: Values = sign.upstairs(sign.values).parts
        return parts
    return lambda state, seat: points_of(sign.rules.scores(state).sheets[seat])
