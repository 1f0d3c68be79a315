"""The score sheets: buildings, tokens and unspent cards; the Automa's sheet; upper bounds of tokens."""

from bisect import bisect_right
from collections.abc import Iterable, Sequence
from functools import lru_cache

from msgspec import UNSET, Struct

from polyopolis.engine import IdentityCache, Line, Result, Sheet, ranks
from polyopolis.games.pointcity.content import CARDS_PER_TURN, JOKER, MARKET, AutomaLevel, Card, CivicToken, Side
from polyopolis.games.pointcity.state import Player, State


@IdentityCache
def scores(state: State) -> Result:
    """Ranks players by score, then by unspent cards; players with equal numbers share the rank (PC-19).

    A full tie with the Automa is not a win for the player (PC-24).
    """
    sheets = (
        *(sheet(player) for player in human_players(state)),
        *(automa_sheet(*automa) for automa in _automa(state)),
    )
    totals = tuple(total(lines) for lines in sheets)
    order = [
        (-points, -unspent(player), seat < state.setup.seats == 1)
        for seat, (points, player) in enumerate(zip(totals, state.players, strict=True))
    ]
    return Result(totals, ranks(order), sheets)


def human_players(state: State) -> tuple[Player, ...]:
    """Returns the players without the Automa."""
    return state.players[: state.setup.seats]


def _automa(state: State) -> list[tuple[Player, AutomaLevel]]:
    if state.setup.automa is UNSET:
        return []
    return [(state.players[-1], getattr(state.content.automa.levels, state.setup.automa))]


def total(lines: Iterable[Line]) -> int:
    return sum(line.points for line in lines)


def unspent(player: Player) -> int:
    """Returns the number of cards, not of symbols, in the stock (PC-19)."""
    return sum(player.stock)


def sheet(player: Player) -> Sheet:
    """Returns the lines for buildings, for each token (PC-18) and for unspent cards."""
    tokens = [
        Line(token.name, found, found * token.entry.points)
        for token in player.tokens
        for found in [token_count(token, player)]
    ]
    return (_buildings(player), *tokens, Line("unspent", unspent(player), 0))


def _buildings(player: Player) -> Line:
    return Line("buildings", len(player.city), sum(card.points for card in player.city))


def token_count(token: CivicToken, player: Player) -> int:
    """Returns the count of a token. Tokens count permanents and, of the stock, only Ingenuity cards (PC-18)."""
    match token.entry.counts:
        case "flat":
            return 1
        case "types":
            return sum([_within(token, permanents) for permanents in player.permanents])
        case "sets":
            return min([player.permanents[resource] for resource in token.of])
        case "ingenuity":
            return player.stock[JOKER]


def _within(token: CivicToken, permanents: int) -> bool:
    """Returns whether a threshold token counts a resource, which it counts once."""
    most = token.entry.most
    return permanents >= token.entry.least and (most is None or permanents <= most)


def buildings_counted(player: Player, lines: Iterable[Line]) -> dict[str, tuple[int, ...]]:
    """Returns the positions in the city of the buildings that each line counts, for lines that count buildings."""
    tokens = {token.name: token for token in player.tokens}
    found = {line.line: _buildings_of_line(player, tokens.get(line.line), line.line) for line in lines}
    return {line: places for line, places in found.items() if places}


def _buildings_of_line(player: Player, token: CivicToken | None, line: str) -> tuple[int, ...]:
    if token:
        return _granting(player.city, _of_token(token, player))
    if line == "permanents":
        return _granting(player.city, player.permanents)
    return _with_points(player.city) if line == "buildings" else ()


def _of_token(token: CivicToken, player: Player) -> tuple[int, ...]:
    """Returns the number of permanents of each resource that a token counts."""
    match token.entry.counts:
        case "types":
            return tuple([permanents * _within(token, permanents) for permanents in player.permanents])
        case "sets":
            sets = token_count(token, player)
            return tuple([sets * (resource in token.of) for resource in range(len(player.permanents))])
        case "flat" | "ingenuity":
            return (0,) * len(player.permanents)


@lru_cache(4096)
def _granting(city: tuple[Card, ...], most: tuple[int, ...]) -> tuple[int, ...]:
    """Returns the positions of the first buildings that grant each resource, at most `most` of each."""
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


def automa_sheet(automa: Player, level: AutomaLevel) -> Sheet:
    """Returns the sheet of the Automa, whose tokens all score the same (PC-23, PC-24)."""
    ingenuity = automa.stock[JOKER]
    return (
        _buildings(automa),
        Line("permanents", sum(automa.permanents), sum(permanent_points(level, found) for found in automa.permanents)),
        Line("tokens", len(automa.tokens), len(automa.tokens) * level.token),
        Line("ingenuity", ingenuity, ingenuity * level.ingenuity),
    )


def permanent_points(level: AutomaLevel, permanents: int) -> int:
    """Returns the Automa's points for a number of permanents of one resource."""
    if level.each is not None:
        return level.each * permanents
    return level.copies[min(permanents, len(level.copies)) - 1] if permanents else 0


def turns_left(state: State, player: int) -> int:
    """Returns the number of turns that a player has left, including the current one."""
    if state.phase == "over":
        return 0
    cards = state.content.size - sum(state.content.layouts[state.setup.seats].removed)
    left = (cards - len(MARKET.names)) // CARDS_PER_TURN + 1 - state.turns
    players = len(state.players)
    return (left - (player - state.seat) % players + players - 1) // players


class RemainingPotential(Struct, frozen=True):
    """Upper bounds of what a player can still get: cards, permanents of each resource, Ingenuity cards."""

    cards: int
    permanents: Sequence[int]
    ingenuity: int


def remaining_potential(state: State, player: int) -> RemainingPotential:
    """Returns upper bounds from public information: cards that are in no city, faces that are in no stock."""
    return RemainingPotential(
        CARDS_PER_TURN * turns_left(state, player), _permanents_left(state), _ingenuity_left(state)
    )


@IdentityCache
def _permanents_left(state: State) -> list[int]:
    built = map(sum, zip(*(each.permanents for each in state.players), strict=True))
    return [granting - gone for granting, gone in zip(state.content.granting, built, strict=True)]


@IdentityCache
def _ingenuity_left(state: State) -> int:
    open_sides = [side for side in (*state.market, state.deck.top) if type(side) is Side]
    unseen = sum(count for pool in state.deck.unseen for side, count in pool if side.resource is None)
    return unseen + sum(side.resource is None for side in open_sides)


def max_token_count(token: CivicToken, player: Player, hope: RemainingPotential) -> int:
    """Returns an upper bound of the final count of a token for a player."""
    match token.entry.counts:
        case "types" if token.entry.most is None:
            return _types_at_most(token.entry.least, player.permanents, hope)
        case "sets":
            resources = tuple([(player.permanents[each], hope.permanents[each]) for each in token.of])
            return _sets_at_most(resources, hope.cards)
        case "ingenuity":
            return player.stock[JOKER] + min(hope.cards, hope.ingenuity)
    return token_count(token, player)


def _types_at_most(least: int, permanents: Sequence[int], hope: RemainingPotential) -> int:
    """Completes the types that need the fewest permanents first."""
    missing = [(max(least - own, 0), more) for own, more in zip(permanents, hope.permanents, strict=True)]
    found, cards = 0, hope.cards
    for needed in sorted(needed for needed, more in missing if needed <= more):
        if needed <= cards:
            found, cards = found + 1, cards - needed
    return found


@lru_cache(4096)
def _sets_at_most(resources: tuple[tuple[int, int], ...], cards: int) -> int:
    """Returns the maximum number of sets; `resources` are the present and the possible further permanents of each."""
    most = min(own + more for own, more in resources)
    return bisect_right(range(most + 1), cards, key=lambda sets: _needed(resources, sets)) - 1


def _needed(resources: Sequence[tuple[int, int]], sets: int) -> int:
    return sum(max(sets - own, 0) for own, _ in resources)


def with_permanents(permanents: Sequence[int], buildings: Iterable[Card]) -> tuple[int, ...]:
    """Returns the permanents with those of more buildings."""
    found = list(permanents)
    for card in buildings:
        if card.grants is not None:
            found[card.grants] += 1
    return tuple(found)
