"""Ways in which a player can pay a cost (PC-9 to PC-12)."""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from itertools import islice

from polyopolis.engine import Reason
from polyopolis.games.pointcity.actions import Pay, Take
from polyopolis.games.pointcity.content import FACES, INGENUITY, JOKER, RESOURCES, Card, Side
from polyopolis.games.pointcity.market import PAIRS, Market
from polyopolis.games.pointcity.state import Player

Cost = Iterable[tuple[int, int]]
"""Resources with their numbers of symbols."""


def available_symbols(player: Player) -> list[int]:
    """Returns the symbols of each resource that cards and permanents give, without Ingenuity cards."""
    stock = player.stock
    return [
        permanent + stock[2 * resource] + 2 * stock[2 * resource + 1]
        for resource, permanent in enumerate(player.permanents)
    ]


def missing_symbols(cost: Cost, given: Sequence[int]) -> int:
    """Returns the number of symbols of a cost that are not given."""
    lacking = 0
    for resource, amount in cost:
        if amount > given[resource]:
            lacking += amount - given[resource]
    return lacking


def takes(market: Market, player: Player) -> list[Take]:
    """Returns all pairs of neighbours that a player can take (PC-7)."""
    given, jokers = available_symbols(player), player.stock[JOKER]
    grades = [_grade(card, given, jokers) for card in market]
    return [
        take
        for take, first, second in PAIRS
        if (both := grades[first] + grades[second]) < 2
        or (both == 2 and can_take(market[first], market[second], given, jokers))
    ]


def _grade(card: Side | Card | None, given: Sequence[int], jokers: int) -> int:
    """Returns 0 for a resource and 1 for a building that can be paid, 2 if another resource card may suffice, else 3.

    Only pairs whose grades add up to 2 need a closer check.
    """
    if not isinstance(card, Card):
        return 0
    lacking = missing_symbols(card.cost, given) - jokers
    return 1 if lacking <= 0 else 2 if lacking <= 2 else 3


def can_take(first: Side | Card | None, second: Side | Card | None, given: Sequence[int], jokers: int) -> bool:
    """Returns whether two cards can be taken. Resources are free (PC-8) and may pay for the other building (PC-9)."""
    if isinstance(first, Side):
        first, second = second, first
    if not isinstance(first, Card):
        return True
    if isinstance(second, Card):
        return missing_symbols(joint_cost(first, second), given) <= jokers
    return second is not None and missing_symbols(first.cost, given) - _filled(second, first.cost, given) <= jokers


def _filled(side: Side, cost: Cost, given: Sequence[int]) -> int:
    """Returns the number of missing symbols that a resource card pays."""
    if side.resource is None:
        return 1
    for resource, amount in cost:
        if resource == side.resource:
            return min(max(amount - given[resource], 0), side.symbols)
    return 0


@cache
def joint_cost(first: Card, second: Card) -> Cost:
    """Returns the cost of two buildings, which are paid together (PC-10)."""
    costs = dict(first.cost)
    for resource, amount in second.cost:
        costs[resource] = costs.get(resource, 0) + amount
    return tuple(sorted(costs.items()))


def bill(player: Player, buying: Sequence[Card]) -> list[tuple[int, int]]:
    """Returns the cost that cards must pay. Permanents pay first, each once (PC-10, PC-11)."""
    cost = buying[0].cost if len(buying) == 1 else joint_cost(*buying)
    owed = [(resource, amount - player.permanents[resource]) for resource, amount in cost]
    return [(resource, amount) for resource, amount in owed if amount > 0]


Part = tuple[int, tuple[str, ...]]
"""The number of Ingenuity cards that one resource of a bill needs, and the other cards spent on it."""


def ways_to_pay(player: Player, buying: Sequence[Card]) -> Iterator[tuple[str, ...]]:
    """Yields all sets of cards that pay without a superfluous card (PC-11), in no particular order."""
    stock = player.stock
    parts = [
        _parts(resource, amount, min(stock[2 * resource], amount), min(stock[2 * resource + 1], (amount + 1) // 2))
        for resource, amount in bill(player, buying)
    ]
    return _joined(parts, stock[JOKER], ())


def _joined(parts: Sequence[Sequence[Part]], jokers: int, spent: tuple[str, ...]) -> Iterator[tuple[str, ...]]:
    if not parts:
        yield spent
        return
    for needed, cards in parts[0]:
        if needed <= jokers:
            yield from _joined(parts[1:], jokers - needed, (*spent, *cards, *(INGENUITY,) * needed))


@cache
def _parts(resource: int, amount: int, singles: int, doubles: int) -> tuple[Part, ...]:
    """Returns the ways to pay one resource. They waste at most half of a double, and only without singles."""
    name = RESOURCES[resource]
    return tuple(
        (max(amount - single - 2 * double, 0), (name,) * single + (f"{name}-2",) * double)
        for double in range(doubles + 1)
        for single in range(singles + 1)
        if single + 2 * double <= amount or (single == 0 and 2 * double == amount + 1)
    )


def only_payment(player: Player, buying: Sequence[Card]) -> tuple[str, ...] | None:
    """Returns the cards to spend if there is exactly one way to pay, else None."""
    found = list(islice(ways_to_pay(player, buying), 2))
    return tuple(sorted(found[0])) if len(found) == 1 else None


def payments(player: Player, buying: Sequence[Card]) -> list[Pay]:
    """Returns the ways to pay as actions, sorted by the number of Ingenuity cards, then of cards."""
    return sorted(map(Pay, ways_to_pay(player, buying)), key=_thrift)


def _thrift(pay: Pay) -> tuple[int, int, tuple[str, ...]]:
    return pay.cards.count(INGENUITY), len(pay.cards), pay.cards


def why_not_pay(player: Player, buying: Sequence[Card], cards: Sequence[str]) -> Reason | None:
    """Returns why these cards cannot pay: not held, not enough, or more than needed (PC-11); None if they can."""
    counts = Counter(cards)
    held = dict(zip(FACES, player.stock, strict=True))
    if lent := tuple(sorted(card for card in counts if counts[card] > held.get(card, 0))):
        return Reason("not-held", {"cards": lent})
    given = [counts[name] + 2 * counts[f"{name}-2"] for name in RESOURCES]
    if missing_symbols(bill(player, buying), given) > counts[INGENUITY]:
        return Reason("too-little")
    return None if Pay(tuple(cards)) in payments(player, buying) else Reason("too-much")


def stock_with(player: Player, sides: Iterable[Side]) -> tuple[int, ...]:
    """Returns the stock with these cards."""
    stock = list(player.stock)
    for side in sides:
        stock[side.number] += 1
    return tuple(stock)


def stock_without(player: Player, cards: Iterable[str]) -> tuple[int, ...]:
    """Returns the stock without these cards."""
    stock = list(player.stock)
    for card in cards:
        stock[FACES.index(card)] -= 1
    return tuple(stock)
