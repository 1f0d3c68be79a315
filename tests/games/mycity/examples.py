"""Examples of My City for the contract tests."""

from collections.abc import Iterator, Sequence
from random import Random
from typing import Any

from polyopolis.games.mycity.actions import Gear, Kiosk, NoKiosk, Pass, Place, Reveal, Sticker, Stop
from tests.contract.examples import Examples


def max_moves(setup: Any) -> int:
    """Each of 29 cards is revealed once, and all players decide once on each and on a kiosk; then there are rewards."""
    return 29 * (1 + 2 * int(setup.seats)) + 8 * int(setup.seats)


def dubious_actions(legal: Sequence[Any], rng: Random) -> Iterator[Any]:
    """Yields mirrored, moved and cut buildings, random cells, and fixed actions."""
    yield from (NoKiosk(), Kiosk("e6"), Sticker("tree", "g1"), Sticker("rock", "z9"), Gear("i4"), Gear("church"))
    yield from (Pass(), Stop(), Reveal("yellow-i4"), Reveal("nothing"), Place(()), Place(("a1", "a1")))
    for action in rng.sample(legal, min(5, len(legal))):
        if isinstance(action, Place):
            yield from _changed(action.cells, rng)
    for size in range(1, 6):
        yield Place(tuple(f"{rng.choice('abcdefghijkl')}{rng.randint(1, 12)}" for _ in range(size)))


def _changed(cells: tuple[str, ...], rng: Random) -> Iterator[Place]:
    columns = "abcdefghijk"
    across = dict(zip(columns, reversed(columns), strict=True))
    yield Place(tuple(across[cell[0]] + cell[1:] for cell in cells))
    yield Place(tuple(cell[0] + str(12 - int(cell[1:])) for cell in cells))
    yield Place(tuple(cell[0] + str(int(cell[1:]) + 1) for cell in cells))
    yield Place(tuple(chr(ord(cell[0]) + 1) + cell[1:] for cell in cells))
    yield Place(cells[1:])
    yield Place((*cells, rng.choice(cells)))


EXAMPLES = Examples(
    setups=(
        '{"mode": "eternal", "seats": 2}',
        '{"mode": "eternal", "seats": 4}',
        '{"mode": "episode", "episode": 1, "seats": 3}',
        '{"mode": "episode", "episode": 2, "seats": 2, "play": "campaign", "boards": [{"circles": 3}, {}]}',
        '{"mode": "episode", "episode": 9, "seats": 2}',
        '{"mode": "episode", "episode": 12, "seats": 3, "play": "campaign"}',
        '{"mode": "episode", "episode": 18, "seats": 2, "play": "campaign", "triangles": ["blue-6"], "boards": ['
        '{"stickers": {"g1": "rock", "k3": "meadow", "k4": "forest-tree"}, "gears": ["i4"], "shafts": {"blue": 8}},'
        '{"stickers": {"g1": "tree", "i1": "tree"}, "church": "z5", "gears": ["o4", "t4"], "nuggets": 2}]}',
        '{"mode": "episode", "episode": 23, "seats": 2, "play": "campaign"}',
    ),
    max_moves=max_moves,
    dubious_actions=dubious_actions,
)
