"""What a stock and a city are worth before the end: the score, what tokens may grow to, and means to build with."""

from collections.abc import Callable, Sequence

from msgspec import UNSET

from polyopolis.games.pointcity.content import FACES, JOKER, RESOURCES, Card, Token
from polyopolis.games.pointcity.payment import missing, symbols, ways
from polyopolis.games.pointcity.rules import built
from polyopolis.games.pointcity.scoring import turns_left
from polyopolis.games.pointcity.state import Player, State

WEIGHTS = {
    "symbol": 0.5,
    "joker": 1.2,
    "plenty": 0.48,
    "fade": 1.05,
    "permanent": 0.58,
    "type": 0.07,
    "growth": 0.087,
    "reach": 0.4,
    "civic": 7.2,
    "drawn": 0.85,
    "flip": 3.4,
    "hidden": 2.0,
}
"""Points, found by cross-entropy over some thousand games.

Stock: for a symbol, for a joker, the part that symbols beyond the third of a resource are worth, and over how many
turns before the end it all fades. Permanents: for each one in every turn to come, and for the first of a resource.
Tokens: how many permanents of each resource a turn brings. Market: the part that a building in reach is worth already,
a civic one as so many points. Luck: for a card drawn unseen, for turning a card, and the part of what may be behind it.
"""


AUTOMA_TAKES = 3
"""Tokens that the Automa takes from the line in most games; over 60 games against greedy 2.8 on average."""


def value(state: State, seat: int) -> float:
    return sum(parts(state, seat).values())


def parts(state: State, seat: int) -> dict[str, float]:
    """What is taken counts as built, a token to be picked as the best one, and luck as what it brings on average."""
    player = _settled(state, seat)
    turns = max(turns_left(state, seat) - (state.seat == seat), 0)
    growth = WEIGHTS["growth"] * turns
    tokens = sum(expected(token, player, growth) for token in player.tokens)
    return {
        "buildings": float(sum(card.points for card in player.city)),
        "tokens": tokens + _hoped(state, player, growth) + _lined_up(state, player, growth),
        "permanents": _permanents(player, turns),
        "stock": _stock(player, turns),
        "reach": _reach(state, player, turns),
        "luck": _luck(state, player, turns),
    }


def _settled(state: State, seat: int) -> Player:
    """The player once the buildings taken are paid, by what is thriftiest."""
    player = state.players[seat]
    if not state.buying or state.seat != seat:
        return player
    cards = min(ways(player, state.buying), key=lambda cards: (cards.count("ingenuity"), len(cards)))
    left = tuple(own - cards.count(face) for face, own in zip(FACES, player.stock, strict=True))
    return built(Player(left, player.city, player.permanents, player.tokens), state.buying)


def _hoped(state: State, player: Player, growth: float) -> float:
    """The best of the tokens that are to be picked."""
    civic = state.civic or sum(card.kind == "civic" for card in state.buying)
    if not civic or not state.tokens:
        return 0.0
    return sum(sorted((expected(token, player, growth) for token in state.tokens), reverse=True)[:civic])


def _lined_up(state: State, player: Player, growth: float) -> float:
    """A line of one's own choice before the first turn: for the Automa what is worth least, then what is worth most."""
    if state.setup.tokens is UNSET or state.turns:
        return 0.0
    line = [expected(token, player, growth) for token in (state.tokens if state.phase == "turn" else state.line)]
    return sum(line[AUTOMA_TAKES:]) - sum(line[:AUTOMA_TAKES])


def expected(token: Token, player: Player, growth: float) -> float:
    """About what a token will be worth in the end, if permanents of all resources grow alike."""
    permanents = [own + growth for own in player.permanents]
    return token.entry.points * COUNTS[token.entry.counts](token, player, permanents)


def _types(token: Token, player: Player, permanents: Sequence[float]) -> float:
    """The types that reach the threshold, near ones in parts; or those that stay below."""
    if token.entry.most is not None:
        return sum(max(1 - later, 0) for own, later in zip(player.permanents, permanents, strict=True) if not own)
    return sum(min(max(later - token.entry.least + 1, 0), 1) for later in permanents)


COUNTS: dict[str, Callable[[Token, Player, Sequence[float]], float]] = {
    "flat": lambda token, player, permanents: 1.0,
    "types": _types,
    "sets": lambda token, player, permanents: min(permanents[resource] for resource in token.of),
    "ingenuity": lambda token, player, permanents: player.stock[JOKER],
}


def _permanents(player: Player, turns: int) -> float:
    """They pay in every turn to come, the first of a resource most often."""
    types = sum(own > 0 for own in player.permanents)
    return (WEIGHTS["permanent"] * sum(player.permanents) + WEIGHTS["type"] * types) * turns


def _stock(player: Player, turns: int) -> float:
    held = [player.stock[2 * each] + 2 * player.stock[2 * each + 1] for each in range(len(RESOURCES))]
    useful = sum(min(own, 3) + WEIGHTS["plenty"] * max(own - 3, 0) for own in held)
    return (WEIGHTS["symbol"] * useful + WEIGHTS["joker"] * player.stock[JOKER]) * turns / (turns + WEIGHTS["fade"])


def _reach(state: State, player: Player, turns: int) -> float:
    """The two best buildings of the market, each the less the more symbols are missing."""
    if not turns:
        return 0.0
    given, jokers = symbols(player), player.stock[JOKER]
    near = [
        _worth(card, turns) * (1 - lacking / 3)
        for card in state.market
        if isinstance(card, Card) and (lacking := max(missing(card.cost, given) - jokers, 0)) < 3
    ]
    return WEIGHTS["reach"] * sum(sorted(near)[-2:])


def _worth(card: Card, turns: int) -> float:
    match card.kind:
        case "civic":
            return WEIGHTS["civic"]
        case "resource":
            return card.points + WEIGHTS["permanent"] * turns
        case "points":
            return card.points


def _luck(state: State, player: Player, turns: int) -> float:
    match state.phase:
        case "draw":
            return WEIGHTS["drawn"]
        case "flip":
            return WEIGHTS["flip"] + WEIGHTS["hidden"] * _behind(state, player, turns)
    return 0.0


def _behind(state: State, player: Player, turns: int) -> float:
    """What a card that is being turned may be, as far as the player could pay for it."""
    side = state.market[state.spaces[0].number]
    assert side
    assert not isinstance(side, Card)
    pool = state.deck.unshown[side.index]
    given, jokers = symbols(player), player.stock[JOKER]
    payable = sum(count * _worth(card, turns) for card, count in pool if missing(card.cost, given) <= jokers)
    return payable / sum(count for _, count in pool)
