"""What any two neighbours of the market would cost the one who takes them, and what would be left (PC-7 to PC-12)."""

from collections.abc import Sequence
from itertools import compress

from msgspec import Struct

from polyopolis.games.pointcity.content import FACES, JOKER, MARKET, RESOURCES, Card, Resource, Side
from polyopolis.games.pointcity.market import PAIRS, Market
from polyopolis.games.pointcity.payment import joint, only_way, spent, stocked
from polyopolis.games.pointcity.state import Player


class Share(Struct, frozen=True, omit_defaults=True):
    """One resource of a price."""

    resource: Resource
    cost: int
    free: int = 0
    """Borne by permanents."""
    lacking: int = 0
    """What no card of the resource is there for: jokers must help."""


class Offer(Struct, frozen=True, omit_defaults=True):
    """Two neighbours, in reading order."""

    cells: tuple[str, str]
    price: tuple[Share, ...] = ()
    """Of the buildings among them; resources are free."""
    short: int = 0
    """Symbols that are missing even with every joker."""
    left: dict[str, int] | None = None
    """The stock afterwards, where there is but one way to pay."""


def offers(market: Market, player: Player) -> tuple[Offer, ...]:
    """Every two neighbours, as this player could take them."""
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
    return Offer(cells, left=held(stocked(player, [card, other])))


def _richer(player: Player, side: Side) -> Player:
    return Player(stocked(player, [side]), player.city, player.permanents, player.tokens)


def _priced(cells: tuple[str, str], player: Player, buying: tuple[Card, ...]) -> Offer:
    shares = price(player, buying)
    short = sum([share.lacking for share in shares]) - player.stock[JOKER]
    if short > 0:
        return Offer(cells, shares, short)
    paid = only_way(player, buying)
    return Offer(cells, shares, left=None if paid is None else held(spent(player, paid)))


def price(player: Player, buying: Sequence[Card]) -> tuple[Share, ...]:
    """What buildings cost together: permanents bear their part first, then cards (PC-10, PC-11)."""
    if not buying:
        return ()
    cost = buying[0].cost if len(buying) == 1 else joint(*buying)
    return tuple([_share(player, resource, amount) for resource, amount in cost])


def _share(player: Player, resource: int, cost: int) -> Share:
    free = min(cost, player.permanents[resource])
    lacking = cost - free - player.stock[2 * resource] - 2 * player.stock[2 * resource + 1]
    return Share(RESOURCES[resource], cost, free, lacking if lacking > 0 else 0)


def held(stock: Sequence[int]) -> dict[str, int]:
    """The cards of a stock by their faces."""
    return dict(compress(zip(FACES, stock, strict=True), stock))
