"""What the contract needs to know of each game: a few setups, an upper bound of moves, actions that nobody offers."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from random import Random
from typing import Any

import msgspec

from polyopolis.games import GAMES
from polyopolis.games.mycity.actions import Gear, Kiosk, NoKiosk, Pass, Place, Reveal, Sticker, Stop
from polyopolis.games.pointcity import actions as pointcity
from polyopolis.games.rollwrite.actions import Roll


@dataclass(frozen=True)
class Examples:
    setups: tuple[str, ...]
    """As JSON."""
    longest: Callable[[Any], int]
    """No game with this setup has more moves."""
    strangers: Callable[[Sequence[Any], Random], Iterator[Any]]
    """Actions made up from the legal ones or from nothing; most of them are not legal."""


def mycity_longest(setup: Any) -> int:
    """Each of 29 cards is revealed once, and everybody decides once on each and on a kiosk; then there are rewards."""
    return 29 * (1 + 2 * int(setup.seats)) + 8 * int(setup.seats)


def mycity_strangers(legal: Sequence[Any], rng: Random) -> Iterator[Any]:
    """Buildings flipped, moved and cut, cells from anywhere, and what is always there."""
    yield from (NoKiosk(), Kiosk("e6"), Sticker("tree", "g1"), Sticker("rock", "z9"), Gear("i4"), Gear("church"))
    yield from (Pass(), Stop(), Reveal("yellow-i4"), Reveal("nothing"), Place(()), Place(("a1", "a1")))
    for action in rng.sample(legal, min(5, len(legal))):
        if isinstance(action, Place):
            yield from _changed(action.cells, rng)
    for size in range(1, 6):
        yield Place(tuple(f"{rng.choice('abcdefghijkl')}{rng.randint(1, 12)}" for _ in range(size)))


def pointcity_longest(setup: Any) -> int:
    """Before the first turn 14 tokens, 18 draws and a line of 10; a turn has up to 10 moves."""
    return 14 + 18 + 10 + 17 * 10 * max(int(setup.seats), 2)


def pointcity_strangers(legal: Sequence[Any], rng: Random) -> Iterator[Any]:
    """Any two cells, payments with a card more, less or other, and what belongs to another moment."""
    yield from (pointcity.Draw(), pointcity.Skip(), pointcity.LineAsDrawn(), pointcity.NameFirst(0))
    yield from (pointcity.ShowFace("energy"), pointcity.ShowBuilding("a1", "a4-energy"))
    for name in ("flat-5", "flat-7", "economy", "community-energy", "nothing"):
        yield from (pointcity.PickToken(name), pointcity.LineUp(name))
    cells = [f"{column}{row}" for column in "abcde" for row in range(6)]
    yield from (pointcity.Flip(rng.choice(cells)) for _ in range(5))
    yield from (pointcity.Take(tuple(rng.choices(cells, k=size))) for size in (0, 1, 2, 2, 2, 2, 3))
    for action in rng.sample(legal, min(5, len(legal))):
        if isinstance(action, pointcity.Pay):
            yield from _paid_otherwise(action.cards, rng)
        if isinstance(action, pointcity.Take):
            yield from (pointcity.Take(action.cells[::-1]), pointcity.Take((action.cells[0], rng.choice(cells))))


def _paid_otherwise(cards: tuple[str, ...], rng: Random) -> Iterator[pointcity.Pay]:
    for other in ("ingenuity", "energy", "energy-2", "ecology", "gold"):
        yield from (pointcity.Pay((*cards, other)), pointcity.Pay((*cards[1:], other)))
    yield from (pointcity.Pay(cards[1:]), pointcity.Pay(()), pointcity.Pay(tuple(rng.sample(cards, len(cards)))))


def rollwrite_longest(setup: Any) -> int:
    """In each round everybody ticks a circle, covers a cell or stops."""
    return (6 + 11 * 8 + 1) * (1 + int(setup.seats))


def rollwrite_strangers(legal: Sequence[Any], rng: Random) -> Iterator[Any]:
    """What is strange in My City, with dice in place of cards."""
    yield from (Roll(("corner", "single", "industrial")), Roll(("corner", "corner", "corner")))
    yield from (action for action in mycity_strangers(legal, rng) if not isinstance(action, Reveal))


def _changed(cells: tuple[str, ...], rng: Random) -> Iterator[Place]:
    columns = "abcdefghijk"
    across = dict(zip(columns, reversed(columns), strict=True))
    yield Place(tuple(across[cell[0]] + cell[1:] for cell in cells))
    yield Place(tuple(cell[0] + str(12 - int(cell[1:])) for cell in cells))
    yield Place(tuple(cell[0] + str(int(cell[1:]) + 1) for cell in cells))
    yield Place(tuple(chr(ord(cell[0]) + 1) + cell[1:] for cell in cells))
    yield Place(cells[1:])
    yield Place((*cells, rng.choice(cells)))


EXAMPLES = {
    "mycity": Examples(
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
        longest=mycity_longest,
        strangers=mycity_strangers,
    ),
    "pointcity": Examples(
        setups=(
            '{"seats": 2}',
            '{"seats": 3}',
            '{"seats": 1, "automa": "easy"}',
            '{"seats": 1, "automa": "hard"}',
            '{"seats": 1, "automa": "medium", "tokens": "chosen"}',
        ),
        longest=pointcity_longest,
        strangers=pointcity_strangers,
    ),
    "rollwrite": Examples(
        setups=(
            '{"episode": 1, "seats": 2}',
            '{"episode": 4, "seats": 1}',
            '{"episode": 6, "seats": 2}',
            '{"episode": 8, "seats": 3}',
            '{"episode": 12, "seats": 2, "bandits": [["f1", "c8"], []]}',
        ),
        longest=rollwrite_longest,
        strangers=rollwrite_strangers,
    ),
}


def setup_of(key: str, number: int) -> Any:
    return msgspec.json.decode(EXAMPLES[key].setups[number], type=GAMES[key].Setup)


CASES = [(key, number) for key, known in EXAMPLES.items() for number in range(len(known.setups))]
