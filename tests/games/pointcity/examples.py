"""Examples of Point City for the contract tests."""

from collections.abc import Iterator, Sequence
from random import Random
from typing import Any

from polyopolis.games.pointcity import actions
from tests.contract.examples import Examples


def max_moves(setup: Any) -> int:
    """Before the first turn 14 tokens, 18 draws and a line of 10; a turn has up to 10 moves."""
    return 14 + 18 + 10 + 17 * 10 * max(int(setup.seats), 2)


def dubious_actions(legal: Sequence[Any], rng: Random) -> Iterator[Any]:
    """Yields pairs of random cells, payments with an additional, missing or other card, and actions of other phases."""
    yield from (actions.Draw(), actions.Skip(), actions.LineAsDrawn(), actions.NameFirst(0))
    yield from (actions.ShowFace("energy"), actions.ShowBuilding("a1", "a4-energy"))
    for name in ("flat-5", "flat-7", "economy", "community-energy", "nothing"):
        yield from (actions.PickToken(name), actions.LineUp(name))
    cells = [f"{column}{row}" for column in "abcde" for row in range(6)]
    yield from (actions.Flip(rng.choice(cells)) for _ in range(5))
    yield from (actions.Take(tuple(rng.choices(cells, k=size))) for size in (0, 1, 2, 2, 2, 2, 3))
    for action in rng.sample(legal, min(5, len(legal))):
        if isinstance(action, actions.Pay):
            yield from _paid_otherwise(action.cards, rng)
        if isinstance(action, actions.Take):
            yield from (actions.Take(action.cells[::-1]), actions.Take((action.cells[0], rng.choice(cells))))


def _paid_otherwise(cards: tuple[str, ...], rng: Random) -> Iterator[actions.Pay]:
    for other in ("ingenuity", "energy", "energy-2", "ecology", "gold"):
        yield from (actions.Pay((*cards, other)), actions.Pay((*cards[1:], other)))
    yield from (actions.Pay(cards[1:]), actions.Pay(()), actions.Pay(tuple(rng.sample(cards, len(cards)))))


EXAMPLES = Examples(
    setups=(
        '{"seats": 2}',
        '{"seats": 3}',
        '{"seats": 1, "automa": "easy"}',
        '{"seats": 1, "automa": "hard"}',
        '{"seats": 1, "automa": "medium", "tokens": "chosen"}',
    ),
    max_moves=max_moves,
    dubious_actions=dubious_actions,
)
