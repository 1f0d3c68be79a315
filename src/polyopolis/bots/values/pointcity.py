"""What a stock and a city are worth before the end: the score, what tokens may grow to, and means to build with."""

from collections.abc import Sequence

from polyopolis.games.pointcity.content import FACES, JOKER, RESOURCES, Token
from polyopolis.games.pointcity.paying import ways
from polyopolis.games.pointcity.rules import built
from polyopolis.games.pointcity.scoring import turns_left
from polyopolis.games.pointcity.state import Player, State

WEIGHTS = {
    "symbol": 0.72,
    "joker": 0.8,
    "plenty": 0.3,
    "permanent": 0.22,
    "type": 0.1,
    "growth": 0.13,
    "fade": 2.0,
}
"""Points for a symbol and for a joker in stock, the part of it that symbols beyond the third of a resource are worth;
for a permanent in each turn to come, and for the first of a resource; how many permanents of each resource a turn brings;
over how many turns before the end a stock loses its worth. Found by trying."""


def value(state: State, seat: int) -> float:
    """What is taken counts as built, and a token to be picked as the best one."""
    player = _settled(state, seat)
    turns = max(turns_left(state, seat) - (state.seat == seat), 0)
    growth = WEIGHTS["growth"] * turns
    points = sum(card.points for card in player.city) + sum(expected(token, player, growth) for token in player.tokens)
    return points + _hoped(state, player, growth) + _permanents(player, turns) + _stock(player, turns)


def _settled(state: State, seat: int) -> Player:
    """The player once the buildings taken are paid, by what is thriftiest."""
    player = state.players[seat]
    if not state.buying or state.seat != seat:
        return player
    cards = min(ways(player, state.buying), key=lambda cards: (cards.count("ingenuity"), len(cards)))
    spent = [cards.count(face) for face in FACES]
    left = tuple(own - gone for own, gone in zip(player.stock, spent, strict=True))
    return built(Player(left, player.city, player.permanents, player.tokens), state.buying)


def _hoped(state: State, player: Player, growth: float) -> float:
    """The best of the tokens that are to be picked."""
    civic = state.civic or sum(card.kind == "civic" for card in state.buying)
    if not civic or not state.tokens:
        return 0.0
    return sum(sorted((expected(token, player, growth) for token in state.tokens), reverse=True)[:civic])


def expected(token: Token, player: Player, growth: float) -> float:
    """About what a token will be worth in the end, if permanents of all resources grow alike."""
    permanents = [own + growth for own in player.permanents]
    return token.entry.points * COUNTS[token.entry.counts](token, player, permanents)


def _types(token: Token, player: Player, permanents: Sequence[float]) -> float:
    """The types that reach the threshold, near ones in parts; or those that stay below."""
    if token.entry.most is not None:
        return sum(max(1 - later, 0) for own, later in zip(player.permanents, permanents, strict=True) if not own)
    return sum(min(max(later - token.entry.least + 1, 0), 1) for later in permanents)


COUNTS = {
    "flat": lambda *_: 1.0,
    "types": _types,
    "sets": lambda token, _, permanents: min(permanents[resource] for resource in token.of),
    "ingenuity": lambda _, player, __: player.stock[JOKER],
}


def _permanents(player: Player, turns: int) -> float:
    """They pay in every turn to come, the first of a resource most often."""
    types = sum(own > 0 for own in player.permanents)
    return (WEIGHTS["permanent"] * sum(player.permanents) + WEIGHTS["type"] * types) * turns


def _stock(player: Player, turns: int) -> float:
    symbols = [player.stock[2 * each] + 2 * player.stock[2 * each + 1] for each in range(len(RESOURCES))]
    useful = sum(min(own, 3) + WEIGHTS["plenty"] * max(own - 3, 0) for own in symbols)
    return (WEIGHTS["symbol"] * useful + WEIGHTS["joker"] * player.stock[JOKER]) * turns / (turns + WEIGHTS["fade"])
