"""The price of each pair of neighbouring cards for a player, and the stock afterwards (PC-7 to PC-12)."""

from collections.abc import Sequence
from itertools import compress

from msgspec import Struct

from polyopolis.games.pointcity.content import FACES, JOKER, MARKET, RESOURCES, Card, Resource, Side
from polyopolis.games.pointcity.market import PAIRS, Market
from polyopolis.games.pointcity.payment import joint_cost, only_payment, stock_with, stock_without
from polyopolis.games.pointcity.state import Player


class Share(Struct, frozen=True, omit_defaults=True):
    """The part of a price in one resource."""

    resource: Resource
    cost: int
    free: int = 0
    """Symbols paid by permanents."""
    lacking: int = 0
    """Symbols that cards of the resource cannot pay; they need Ingenuity cards."""


class Offer(Struct, frozen=True, omit_defaults=True):
    """A pair of neighbouring cards in reading order, with its price."""

    cells: tuple[str, str]
    price: tuple[Share, ...] = ()
    """The price of the buildings among them; resources are free."""
    short: int = 0
    """Symbols that are missing even with all Ingenuity cards."""
    left: dict[str, int] | None = None
    """The stock afterwards, if there is only one way to pay."""


def offers(market: Market, player: Player) -> tuple[Offer, ...]:
    """Returns all pairs of neighbours with their prices for this player."""
    names = MARKET.names
    return tuple(
        [
            _offer((names[here], names[there]), player, card, other)
            for _, here, there in PAIRS
            if (card := market[here]) and (other := market[there])
        ]
    )


def _offer(cells: tuple[str, str], player: Player, card: Side | Card, other: Side | Card) -> Offer:
    if isinstance(card, Card):
        if isinstance(other, Card):
            return _priced(cells, player, (card, other))
        return _priced(cells, _richer(player, other), (card,))
    if isinstance(other, Card):
        return _priced(cells, _richer(player, card), (other,))
    return Offer(cells, left=stock_by_face(stock_with(player, [card, other])))


def _richer(player: Player, side: Side) -> Player:
    return Player(stock_with(player, [side]), player.city, player.permanents, player.tokens)


def _priced(cells: tuple[str, str], player: Player, buying: tuple[Card, ...]) -> Offer:
    shares = price(player, buying)
    short = sum([share.lacking for share in shares]) - player.stock[JOKER]
    if short > 0:
        return Offer(cells, shares, short)
    paid = only_payment(player, buying)
    return Offer(cells, shares, left=None if paid is None else stock_by_face(stock_without(player, paid)))


def price(player: Player, buying: Sequence[Card]) -> tuple[Share, ...]:
    """Returns the price of buildings that are bought together: permanents pay first, then cards (PC-10, PC-11)."""
    if not buying:
        return ()
    cost = buying[0].cost if len(buying) == 1 else joint_cost(*buying)
    return tuple([_share(player, resource, amount) for resource, amount in cost])


def _share(player: Player, resource: int, cost: int) -> Share:
    free = min(cost, player.permanents[resource])
    lacking = cost - free - player.stock[2 * resource] - 2 * player.stock[2 * resource + 1]
    return Share(RESOURCES[resource], cost, free, lacking if lacking > 0 else 0)


def stock_by_face(stock: Sequence[int]) -> dict[str, int]:
    """Returns the numbers of cards in a stock by face."""
    return dict(compress(zip(FACES, stock, strict=True), stock))
