"""The market grid and the deck: cards that may be turned over or taken, and the odds of the next card."""

from collections.abc import Sequence
from functools import cache, reduce
from operator import or_
from typing import TypeVar

from msgspec.structs import replace

from polyopolis.games.pointcity.actions import Flip, ShowBuilding, ShowFace, Take
from polyopolis.games.pointcity.content import MARKET, Card, Content, Layout, Side, SidePool
from polyopolis.games.pointcity.state import Deck
from polyopolis.geometry import Mask

Market = tuple[Side | Card | None, ...]
Item = TypeVar("Item")

WIDTH = MARKET.width
PAIRS = tuple(
    (Take((MARKET.names[first], MARKET.names[second])), first, second)
    for first in range(len(MARKET.names))
    for second in (first + 1, first + WIDTH)
    if second < len(MARKET.names) and (second % WIDTH or second == first + WIDTH)
)
"""All pairs of neighbours as actions, with the numbers of their spaces (PC-7)."""
PAIR_OF = {take.cells: (first, second) for take, first, second in PAIRS}
LINES = (*MARKET.rows, *MARKET.columns)


def flips(market: Market) -> tuple[Flip, ...]:
    """Returns the cards that may be turned over: those in a row or column that shows only resources (PC-6)."""
    return _flips(sum([1 << number for number, shown in enumerate(market) if type(shown) is Side]))


@cache
def _flips(resources: Mask) -> tuple[Flip, ...]:
    lines = [line for line in LINES if line & resources == line]
    return tuple(map(Flip, MARKET.cells(reduce(or_, lines, 0))))


def with_cell(market: Market, number: int, shown: Side | Card | None) -> Market:
    return (*market[:number], shown, *market[number + 1 :])


def stack_deck(content: Content, layout: Layout) -> Deck:
    """Returns the deck at the start: tier 1 on top, then 2, then 3, without some unseen cards of each (PC-2)."""
    sizes = [sum(count for _, count in pool) for pool in content.faces]
    left = tuple(size - removed for size, removed in zip(sizes, layout.removed, strict=True))
    return Deck(left, content.faces, content.buildings)


def deck_size(deck: Deck) -> int:
    return sum(deck.left) + (deck.top is not None)


def next_tier(deck: Deck) -> int | None:
    """Returns the index of the tier of the card below the top; None if there is none."""
    for tier, left in enumerate(deck.left):
        if left:
            return tier
    return None


def face_odds(deck: Deck) -> list[tuple[ShowFace, int]]:
    """Returns the odds of the next card: each unseen card of the tier is equally likely."""
    return [(side.shown, count) for side, count in _next_pool(deck)]


def _next_pool(deck: Deck) -> SidePool:
    tier = next_tier(deck)
    assert tier is not None
    return deck.unseen[tier]


def building_odds(deck: Deck, side: Side, number: int) -> list[tuple[ShowBuilding, int]]:
    """Returns the odds of the building behind a face: each card not shown with this side is equally likely."""
    return [(card.shown[number], count) for card, count in deck.unshown[side.index]]


def reveal_face(deck: Deck, face: str) -> tuple[Side, Deck]:
    """Removes the next card, which shows this face, from the cards below the top. Returns its side and the deck."""
    tier = next_tier(deck)
    assert tier is not None
    side = next(side for side, _ in deck.unseen[tier] if side.face == face)
    left = (*deck.left[:tier], deck.left[tier] - 1, *deck.left[tier + 1 :])
    unseen = (*deck.unseen[:tier], _without(deck.unseen[tier], side), *deck.unseen[tier + 1 :])
    return side, Deck(left, unseen, deck.unshown, deck.top)


def reveal_building(deck: Deck, card: Card) -> Deck:
    """Returns the deck after chance has shown a building."""
    index = card.side.index
    pool = _without(deck.unshown[index], card)
    return replace(deck, unshown=(*deck.unshown[:index], pool, *deck.unshown[index + 1 :]))


def _without(pool: tuple[tuple[Item, int], ...], gone: Item) -> tuple[tuple[Item, int], ...]:
    """Returns the pool with one item less."""
    return tuple(
        [each if each[0] is not gone else (gone, each[1] - 1) for each in pool if each[0] is not gone or each[1] > 1]
    )


def automa_spaces(start: str, turn: int) -> Sequence[int]:
    """Returns the Automa's two spaces in turn `turn`, from 0: where its markers cross, and the one below (PC-22)."""
    first = MARKET.names.index(start)
    column, row = (first % WIDTH + turn) % WIDTH, (first // WIDTH + turn) % MARKET.height
    return row * WIDTH + column, (row + 1) % MARKET.height * WIDTH + column
