"""What the contract needs to know of the tiny game."""

from collections.abc import Iterator, Sequence
from random import Random
from typing import Any

from tests.contract.examples import Examples
from tests.games.tiny.actions import Keep, Leave, Throw


def longest(setup: Any) -> int:
    return int(setup.episode) * (1 + int(setup.seats))


def strangers(legal: Sequence[Any], rng: Random) -> Iterator[Any]:
    yield from (Keep(), Leave(), Throw(rng.randint(0, 9)))


EXAMPLES = Examples(
    setups=('{"seats": 2, "episode": 3}', '{"seats": 3, "episode": 3, "carried": [0, 4, 6]}'),
    longest=longest,
    strangers=strangers,
)
