"""Example positions for the rules pages: a small board on which readers try placements."""

from collections.abc import Mapping, Sequence
from dataclasses import replace

from polyopolis.games.mycity.building_site import Site
from polyopolis.games.mycity.content import Card, Episode, content
from polyopolis.games.mycity.placement_rules import build, empty_city
from polyopolis.games.mycity.state import City, Setup, State
from polyopolis.games.rule_examples import Example, all_positions
from polyopolis.geometry import Board

BOARD = Board.from_text(
    """
    . . 2 . . r ^
    . . . . . . ^
    # . . . r . .
    # # . . . . .
    . . . 2 . . .
    . r . . . . .
    """,
    river=[(3, 0), (3, 2), (4, 2), (4, 4), (3, 4), (3, 6)],
)

STANDING = {"yellow-l3": ("b1", "c1", "c2"), "red-o4": ("d1", "e1", "d2", "e2"), "blue-i2": ("d3", "d4")}
"""The buildings of the second example, in the order in which they were built."""


def examples(version: int) -> tuple[Example, ...]:
    """Returns an example of the first building, at the river (MC-8), and of a later one, at another building (MC-9)."""
    land = _land(version)
    return (
        _example("first", version, land, "yellow-i2", {}),
        _example("next", version, land, "blue-s4", STANDING),
    )


def _land(version: int) -> Episode:
    """The rules of the first episode on the small board."""
    first = content(version).episode(1)
    site = Site(BOARD, {card.name: card.shape for card in first.cards.values() if card.shape})
    return replace(first, site=site, board=BOARD, squares=0, reserved=0)


def _example(name: str, version: int, land: Episode, card: str, standing: Mapping[str, Sequence[str]]) -> Example:
    asked = land.cards[card]
    assert asked.shape
    city = empty_city(land.site, land.rules.marker)
    for built, cells in standing.items():
        city = build(city, land.cards[built], tuple(cells))
    return Example(
        name,
        _state(version, land, asked, [land.cards[built] for built in standing], city),
        all_positions(BOARD.grid, asked.shape.rotations()),
    )


def _state(version: int, land: Episode, asked: Card, before: Sequence[Card], city: City) -> State:
    revealed = (*before, asked)
    return State(
        setup=Setup(mode="episode", episode=1, seats=2, content=version),
        episode=land,
        deck=tuple(card for card in land.cards.values() if card not in revealed),
        cities=(city, empty_city(land.site, land.rules.marker)),
        acting=frozenset({0}),
        revealed=revealed,
        card=asked,
    )
