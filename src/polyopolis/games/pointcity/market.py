"""The market and the deck: what may be turned or taken, and what chance may show."""

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
"""Neighbours, each pair once (PC-7)."""
PAIR_OF = {take.cells: (first, second) for take, first, second in PAIRS}
LINES = (*MARKET.rows, *MARKET.columns)


def flips(market: Market) -> tuple[Flip, ...]:
    """Cards in a row or column that shows only resources (PC-6)."""
    return _flips(sum([1 << number for number, shown in enumerate(market) if type(shown) is Side]))


@cache
def _flips(resources: Mask) -> tuple[Flip, ...]:
    lines = [line for line in LINES if line & resources == line]
    return tuple(map(Flip, MARKET.cells(reduce(or_, lines, 0))))


def put(market: Market, number: int, shown: Side | Card | None) -> Market:
    return (*market[:number], shown, *market[number + 1 :])


def stacked(content: Content, layout: Layout) -> Deck:
    """Tier 1 on top, then 2, then 3, some cards of each left out unseen (PC-2)."""
    sizes = [sum(count for _, count in pool) for pool in content.faces]
    left = tuple(size - removed for size, removed in zip(sizes, layout.removed, strict=True))
    return Deck(left, content.faces, content.buildings)


def size(deck: Deck) -> int:
    return sum(deck.left) + (deck.top is not None)


def next_tier(deck: Deck) -> int | None:
    """The tier of the card below the top, as an index; None when there is no card."""
    for tier, left in enumerate(deck.left):
        if left:
            return tier
    return None


def face_odds(deck: Deck) -> list[tuple[ShowFace, int]]:
    """Each card of the tier that was not seen yet may be the next one."""
    return [(side.shown, count) for side, count in _next_pool(deck)]


def _next_pool(deck: Deck) -> SidePool:
    tier = next_tier(deck)
    assert tier is not None
    return deck.unseen[tier]


def building_odds(deck: Deck, side: Side, number: int) -> list[tuple[ShowBuilding, int]]:
    """Each building of the tier and face that was not shown yet may be on the other side."""
    return [(card.shown[number], count) for card, count in deck.unshown[side.index]]


def seen(deck: Deck, face: str) -> tuple[Side, Deck]:
    """The next card of the deck shows its face, and leaves the cards below the top."""
    tier = next_tier(deck)
    assert tier is not None
    side = next(side for side, _ in deck.unseen[tier] if side.face == face)
    left = (*deck.left[:tier], deck.left[tier] - 1, *deck.left[tier + 1 :])
    unseen = (*deck.unseen[:tier], _without(deck.unseen[tier], side), *deck.unseen[tier + 1 :])
    return side, Deck(left, unseen, deck.unshown, deck.top)


def shown(deck: Deck, card: Card) -> Deck:
    """A building was shown."""
    index = card.side.index
    pool = _without(deck.unshown[index], card)
    return replace(deck, unshown=(*deck.unshown[:index], pool, *deck.unshown[index + 1 :]))


def _without(pool: tuple[tuple[Item, int], ...], gone: Item) -> tuple[tuple[Item, int], ...]:
    """The pool with one less of something."""
    return tuple(
        [each if each[0] is not gone else (gone, each[1] - 1) for each in pool if each[0] is not gone or each[1] > 1]
    )


def crossing(start: str, turn: int) -> Sequence[int]:
    """The Automa's two spaces in its turn number `turn`, from 0: where its markers cross, and below (PC-22)."""
    first = MARKET.names.index(start)
    column, row = (first % WIDTH + turn) % WIDTH, (first // WIDTH + turn) % MARKET.height
    return row * WIDTH + column, (row + 1) % MARKET.height * WIDTH + column
