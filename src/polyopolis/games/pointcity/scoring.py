"""The score sheets: buildings, tokens, what is unspent; the Automa's own way of counting."""

from bisect import bisect_right
from collections.abc import Iterable, Sequence
from functools import lru_cache

from msgspec import UNSET, Struct

from polyopolis.engine import IdentityCache, Line, Result, Sheet, ranks
from polyopolis.games.pointcity.content import HAND, JOKER, MARKET, Card, Level, Side, Token
from polyopolis.games.pointcity.state import Player, State


@IdentityCache
def scores(state: State) -> Result:
    """Higher scores rank first; a tie goes to more unspent cards, and is shared if they are equal too (PC-19).

    The Automa is second to nobody who is only as good (PC-24).
    """
    sheets = (*(sheet(player) for player in people(state)), *(automa_sheet(*automa) for automa in _automa(state)))
    totals = tuple(total(lines) for lines in sheets)
    order = [
        (-points, -unspent(player), seat < state.setup.seats == 1)
        for seat, (points, player) in enumerate(zip(totals, state.players, strict=True))
    ]
    return Result(totals, ranks(order), sheets)


def people(state: State) -> tuple[Player, ...]:
    """The players who are not the Automa."""
    return state.players[: state.setup.seats]


def _automa(state: State) -> list[tuple[Player, Level]]:
    if state.setup.automa is UNSET:
        return []
    return [(state.players[-1], getattr(state.content.automa.levels, state.setup.automa))]


def total(lines: Iterable[Line]) -> int:
    return sum(line.points for line in lines)


def unspent(player: Player) -> int:
    """Cards, not symbols (PC-19)."""
    return sum(player.stock)


def sheet(player: Player) -> Sheet:
    """Points of buildings, then each token on its own (PC-18)."""
    tokens = [
        Line(token.name, found, found * token.entry.points)
        for token in player.tokens
        for found in [counted(token, player)]
    ]
    return (_buildings(player), *tokens, Line("unspent", unspent(player), 0))


def _buildings(player: Player) -> Line:
    return Line("buildings", len(player.city), sum(card.points for card in player.city))


def counted(token: Token, player: Player) -> int:
    """What a token counts: permanents, never cards in the stock, Ingenuity aside (PC-18)."""
    match token.entry.counts:
        case "flat":
            return 1
        case "types":
            return sum([_within(token, permanents) for permanents in player.permanents])
        case "sets":
            return min([player.permanents[resource] for resource in token.of])
        case "ingenuity":
            return player.stock[JOKER]


def _within(token: Token, permanents: int) -> bool:
    """Threshold tokens count a resource once."""
    most = token.entry.most
    return permanents >= token.entry.least and (most is None or permanents <= most)


def buildings_counted(player: Player, lines: Iterable[Line]) -> dict[str, tuple[int, ...]]:
    """For each line of a sheet the buildings that it speaks of, as places in the city; none for what lies beside it."""
    tokens = {token.name: token for token in player.tokens}
    found = {line.line: _spoken_of(player, tokens.get(line.line), line.line) for line in lines}
    return {line: places for line, places in found.items() if places}


def _spoken_of(player: Player, token: Token | None, line: str) -> tuple[int, ...]:
    if token:
        return _granting(player.city, _of_token(token, player))
    if line == "permanents":
        return _granting(player.city, player.permanents)
    return _with_points(player.city) if line == "buildings" else ()


def _of_token(token: Token, player: Player) -> tuple[int, ...]:
    """How many permanents of each resource a token counts."""
    match token.entry.counts:
        case "types":
            return tuple([permanents * _within(token, permanents) for permanents in player.permanents])
        case "sets":
            sets = counted(token, player)
            return tuple([sets * (resource in token.of) for resource in range(len(player.permanents))])
        case "flat" | "ingenuity":
            return (0,) * len(player.permanents)


@lru_cache(4096)
def _granting(city: tuple[Card, ...], most: tuple[int, ...]) -> tuple[int, ...]:
    """The first buildings that grant each resource, so many of them."""
    places: list[int] = []
    left = list(most)
    for place, card in enumerate(city):
        if card.grants is not None and left[card.grants]:
            left[card.grants] -= 1
            places.append(place)
    return tuple(places)


@lru_cache(4096)
def _with_points(city: tuple[Card, ...]) -> tuple[int, ...]:
    return tuple(place for place, card in enumerate(city) if card.points)


def automa_sheet(automa: Player, level: Level) -> Sheet:
    """Its tokens count by their number, whatever they say (PC-23, PC-24)."""
    ingenuity = automa.stock[JOKER]
    return (
        _buildings(automa),
        Line("permanents", sum(automa.permanents), sum(copies(level, found) for found in automa.permanents)),
        Line("tokens", len(automa.tokens), len(automa.tokens) * level.token),
        Line("ingenuity", ingenuity, ingenuity * level.ingenuity),
    )


def copies(level: Level, permanents: int) -> int:
    """The points for so many permanents of one resource."""
    if level.each is not None:
        return level.each * permanents
    return level.copies[min(permanents, len(level.copies)) - 1] if permanents else 0


def turns_left(state: State, player: int) -> int:
    """The turns a player has yet, the one being played included."""
    if state.phase == "over":
        return 0
    cards = state.content.size - sum(state.content.layouts[state.setup.seats].removed)
    left = (cards - len(MARKET.names)) // HAND + 1 - state.turns
    players = len(state.players)
    return (left - (player - state.seat) % players + players - 1) // players


class Hope(Struct, frozen=True):
    """What a player may still get at most: cards in all, permanents of each resource, Ingenuity cards."""

    cards: int
    permanents: Sequence[int]
    ingenuity: int


def hope(state: State, player: int) -> Hope:
    """An upper bound from what everybody knows: cards that are in no city, faces that are in no stock."""
    return Hope(HAND * turns_left(state, player), _permanents_left(state), _ingenuity_left(state))


@IdentityCache
def _permanents_left(state: State) -> list[int]:
    built = map(sum, zip(*(each.permanents for each in state.players), strict=True))
    return [granting - gone for granting, gone in zip(state.content.granting, built, strict=True)]


@IdentityCache
def _ingenuity_left(state: State) -> int:
    open_sides = [side for side in (*state.market, state.deck.top) if type(side) is Side]
    unseen = sum(count for pool in state.deck.unseen for side, count in pool if side.resource is None)
    return unseen + sum(side.resource is None for side in open_sides)


def at_most(token: Token, player: Player, hope: Hope) -> int:
    """The most that a token may count for a player in the end."""
    match token.entry.counts:
        case "types" if token.entry.most is None:
            return _types_at_most(token.entry.least, player.permanents, hope)
        case "sets":
            resources = tuple([(player.permanents[each], hope.permanents[each]) for each in token.of])
            return _sets_at_most(resources, hope.cards)
        case "ingenuity":
            return player.stock[JOKER] + min(hope.cards, hope.ingenuity)
    return counted(token, player)


def _types_at_most(least: int, permanents: Sequence[int], hope: Hope) -> int:
    """The types that need least come first."""
    missing = [(max(least - own, 0), more) for own, more in zip(permanents, hope.permanents, strict=True)]
    found, cards = 0, hope.cards
    for needed in sorted(needed for needed, more in missing if needed <= more):
        if needed <= cards:
            found, cards = found + 1, cards - needed
    return found


@lru_cache(4096)
def _sets_at_most(resources: tuple[tuple[int, int], ...], cards: int) -> int:
    """The most sets from permanents that are there and as many that may come."""
    most = min(own + more for own, more in resources)
    return bisect_right(range(most + 1), cards, key=lambda sets: _needed(resources, sets)) - 1


def _needed(resources: Sequence[tuple[int, int]], sets: int) -> int:
    return sum(max(sets - own, 0) for own, _ in resources)


def granted(permanents: Sequence[int], buildings: Iterable[Card]) -> tuple[int, ...]:
    """The permanents with those of more buildings."""
    found = list(permanents)
    for card in buildings:
        if card.grants is not None:
            found[card.grants] += 1
    return tuple(found)
