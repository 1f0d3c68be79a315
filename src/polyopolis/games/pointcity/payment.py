"""What a player can pay, and in which ways (PC-9 to PC-12)."""

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
"""Resources, each with how many symbols."""


def symbols(player: Player) -> list[int]:
    """What cards and permanents give of each resource, jokers aside."""
    stock = player.stock
    return [
        permanent + stock[2 * resource] + 2 * stock[2 * resource + 1]
        for resource, permanent in enumerate(player.permanents)
    ]


def missing(cost: Cost, given: Sequence[int]) -> int:
    """How many symbols of a cost are not there."""
    lacking = 0
    for resource, amount in cost:
        if amount > given[resource]:
            lacking += amount - given[resource]
    return lacking


def takes(market: Market, player: Player) -> list[Take]:
    """Every two neighbours that a player can take (PC-7)."""
    given, jokers = symbols(player), player.stock[JOKER]
    grades = [_grade(card, given, jokers) for card in market]
    return [
        take
        for take, first, second in PAIRS
        if (both := grades[first] + grades[second]) < 2
        or (both == 2 and can_take(market[first], market[second], given, jokers))
    ]


def _grade(card: Side | Card | None, given: Sequence[int], jokers: int) -> int:
    """0 for a resource, 1 for a building that can be paid by itself, 2 for one that a resource card may make payable,
    3 for the others: only pairs that add up to 2 need a closer look."""
    if not isinstance(card, Card):
        return 0
    lacking = missing(card.cost, given) - jokers
    return 1 if lacking <= 0 else 2 if lacking <= 2 else 3


def can_take(first: Side | Card | None, second: Side | Card | None, given: Sequence[int], jokers: int) -> bool:
    """Resources are free (PC-8) and may pay for the building taken with them (PC-9)."""
    if isinstance(first, Side):
        first, second = second, first
    if not isinstance(first, Card):
        return True
    if isinstance(second, Card):
        return missing(joint(first, second), given) <= jokers
    return second is not None and missing(first.cost, given) - _filled(second, first.cost, given) <= jokers


def _filled(side: Side, cost: Cost, given: Sequence[int]) -> int:
    """How many missing symbols a resource card stands for."""
    if side.resource is None:
        return 1
    for resource, amount in cost:
        if resource == side.resource:
            return min(max(amount - given[resource], 0), side.symbols)
    return 0


@cache
def joint(first: Card, second: Card) -> Cost:
    """Two buildings are paid together (PC-10)."""
    costs = dict(first.cost)
    for resource, amount in second.cost:
        costs[resource] = costs.get(resource, 0) + amount
    return tuple(sorted(costs.items()))


def bill(player: Player, buying: Sequence[Card]) -> list[tuple[int, int]]:
    """What cards have to pay: permanents come first, each once (PC-10, PC-11)."""
    cost = buying[0].cost if len(buying) == 1 else joint(*buying)
    owed = [(resource, amount - player.permanents[resource]) for resource, amount in cost]
    return [(resource, amount) for resource, amount in owed if amount > 0]


Part = tuple[int, tuple[str, ...]]
"""How many jokers one resource of a bill needs, and the other cards spent on it."""


def ways(player: Player, buying: Sequence[Card]) -> Iterator[tuple[str, ...]]:
    """All sets of cards that pay and hold no card that could be left out (PC-11). They come in no order."""
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
    """The ways to pay one resource: nothing is lost unless it is half of a double, with no single beside it."""
    name = RESOURCES[resource]
    return tuple(
        (max(amount - single - 2 * double, 0), (name,) * single + (f"{name}-2",) * double)
        for double in range(doubles + 1)
        for single in range(singles + 1)
        if single + 2 * double <= amount or (single == 0 and 2 * double == amount + 1)
    )


def only_way(player: Player, buying: Sequence[Card]) -> tuple[str, ...] | None:
    """The cards to spend where there is no choice."""
    found = list(islice(ways(player, buying), 2))
    return tuple(sorted(found[0])) if len(found) == 1 else None


def payments(player: Player, buying: Sequence[Card]) -> list[Pay]:
    """The ways as actions: least jokers first, then fewest cards."""
    return sorted(map(Pay, ways(player, buying)), key=_thrift)


def _thrift(pay: Pay) -> tuple[int, int, tuple[str, ...]]:
    return pay.cards.count(INGENUITY), len(pay.cards), pay.cards


def why_not_pay(player: Player, buying: Sequence[Card], cards: Sequence[str]) -> Reason | None:
    """The cards are there, they are enough, and none could be left out (PC-11)."""
    counts = Counter(cards)
    held = dict(zip(FACES, player.stock, strict=True))
    if lent := tuple(sorted(card for card in counts if counts[card] > held.get(card, 0))):
        return Reason("not-held", {"cards": lent})
    given = [counts[name] + 2 * counts[f"{name}-2"] for name in RESOURCES]
    if missing(bill(player, buying), given) > counts[INGENUITY]:
        return Reason("too-little")
    return None if Pay(tuple(cards)) in payments(player, buying) else Reason("too-much")


def stocked(player: Player, sides: Iterable[Side]) -> tuple[int, ...]:
    """The stock with these cards."""
    stock = list(player.stock)
    for side in sides:
        stock[side.number] += 1
    return tuple(stock)


def spent(player: Player, cards: Iterable[str]) -> tuple[int, ...]:
    """The stock without these cards."""
    stock = list(player.stock)
    for card in cards:
        stock[FACES.index(card)] -= 1
    return tuple(stock)
