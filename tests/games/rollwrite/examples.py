"""Examples of Roll & Write for the contract tests."""

from collections.abc import Iterator, Sequence
from random import Random
from typing import Any

from polyopolis.games.mycity.actions import Reveal
from polyopolis.games.rollwrite.actions import Roll
from tests.contract.examples import Examples
from tests.games.mycity import examples


def max_moves(setup: Any) -> int:
    """In each round every player ticks a circle, covers a cell or stops."""
    return (6 + 11 * 8 + 1) * (1 + int(setup.seats))


def dubious_actions(legal: Sequence[Any], rng: Random) -> Iterator[Any]:
    """Yields the actions of My City's examples, with dice instead of cards."""
    yield from (Roll(("corner", "single", "industrial")), Roll(("corner", "corner", "corner")))
    yield from (action for action in examples.dubious_actions(legal, rng) if not isinstance(action, Reveal))


EXAMPLES = Examples(
    setups=(
        '{"episode": 1, "seats": 2}',
        '{"episode": 4, "seats": 1}',
        '{"episode": 6, "seats": 2}',
        '{"episode": 8, "seats": 3}',
        '{"episode": 12, "seats": 2, "bandits": [["f1", "c8"], []]}',
    ),
    max_moves=max_moves,
    dubious_actions=dubious_actions,
)
