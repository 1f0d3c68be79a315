"""What any two neighbours of the market would cost the one who takes them, and what would be left (PC-7 to PC-12)."""

from collections.abc import Sequence

from msgspec import Struct
from msgspec.structs import replace

from polyopolis.games.pointcity.content import FACES, JOKER, RESOURCES, Card, Resource, Side
from polyopolis.games.pointcity.market import PAIRS, Market
from polyopolis.games.pointcity.paying import joint, only_way, spent, stocked
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
    return tuple(
        _offer(take.cells, player, card, other)
        for take, here, there in PAIRS
        if (card := market[here]) and (other := market[there])
    )


def _offer(cells: tuple[str, ...], player: Player, *cards: Side | Card) -> Offer:
    first, second = cells
    buying = tuple(card for card in cards if isinstance(card, Card))
    sides = [card for card in cards if isinstance(card, Side)]
    after = replace(player, stock=stocked(player, sides)) if sides else player
    shares = price(after, buying)
    short = max(0, sum(share.lacking for share in shares) - after.stock[JOKER])
    paid = only_way(after, buying) if buying and not short else None if short else ()
    left = None if paid is None else held(spent(after, paid))
    return Offer((first, second), shares, short, left)


def price(player: Player, buying: Sequence[Card]) -> tuple[Share, ...]:
    """What buildings cost together: permanents bear their part first, then cards (PC-10, PC-11)."""
    if not buying:
        return ()
    cost = buying[0].cost if len(buying) == 1 else joint(*buying)
    return tuple(_share(player, resource, amount) for resource, amount in cost)


def _share(player: Player, resource: int, cost: int) -> Share:
    free = min(cost, player.permanents[resource])
    cards = player.stock[2 * resource] + 2 * player.stock[2 * resource + 1]
    return Share(RESOURCES[resource], cost, free, max(0, cost - free - cards))


def held(stock: Sequence[int]) -> dict[str, int]:
    """The cards of a stock by their faces."""
    return {face: count for face, count in zip(FACES, stock, strict=True) if count}
