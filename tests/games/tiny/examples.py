"""Examples of the tiny game for the contract tests."""

from collections.abc import Iterator, Sequence
from random import Random
from typing import Any

from tests.contract.examples import Examples
from tests.games.tiny.actions import Keep, Leave, Throw


def max_moves(setup: Any) -> int:
    return int(setup.episode) * (1 + int(setup.seats))


def dubious_actions(legal: Sequence[Any], rng: Random) -> Iterator[Any]:
    yield from (Keep(), Leave(), Throw(rng.randint(0, 9)))


EXAMPLES = Examples(
    setups=('{"seats": 2, "episode": 3}', '{"seats": 3, "episode": 3, "carried": [0, 4, 6]}'),
    max_moves=max_moves,
    dubious_actions=dubious_actions,
)
