"""Evaluation of a position in Point City: the score, the expected value of tokens, and resources."""

from collections.abc import Callable, Sequence

from msgspec import UNSET

from polyopolis.games.pointcity.content import FACES, JOKER, RESOURCES, Card, CivicToken
from polyopolis.games.pointcity.payment import available_symbols, missing_symbols, ways_to_pay
from polyopolis.games.pointcity.rules import with_buildings
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
"""Weights in points, tuned by the cross-entropy method over some thousand games.

- Stock: `symbol`, `joker`; `plenty` is the factor for symbols beyond the third of a resource; `fade` is the number of
  turns before the end over which the stock loses its value.
- Permanents: `permanent` for each one and remaining turn, `type` for each resource with at least one.
- Tokens: `growth` is the expected number of new permanents per resource and turn.
- Market: `reach` is the share of its value that an affordable building already counts; `civic` is the value of a
  civic one.
- Chance: `drawn` for drawing a card unseen, `flip` for turning a card, `hidden` as the share of its expected value.
"""


AUTOMA_TOKENS = 3
"""Number of tokens that the Automa usually takes from the line (mean 2.8 in 60 games against greedy)."""


def value(state: State, seat: int) -> float:
    return sum(parts(state, seat).values())


def parts(state: State, seat: int) -> dict[str, float]:
    """The value by feature. Taken buildings count as built, a token to pick as the best one, and chance by its mean."""
    player = _after_payment(state, seat)
    turns = max(turns_left(state, seat) - (state.seat == seat), 0)
    growth = WEIGHTS["growth"] * turns
    tokens = sum(expected_points(token, player, growth) for token in player.tokens)
    return {
        "buildings": float(sum(card.points for card in player.city)),
        "tokens": tokens + _best_tokens(state, player, growth) + _chosen_line(state, player, growth),
        "permanents": _permanents(player, turns),
        "stock": _stock(player, turns),
        "reach": _reach(state, player, turns),
        "luck": _luck(state, player, turns),
    }


def _after_payment(state: State, seat: int) -> Player:
    """The player after paying for the taken buildings in the cheapest way."""
    player = state.players[seat]
    if not state.buying or state.seat != seat:
        return player
    cards = min(ways_to_pay(player, state.buying), key=lambda cards: (cards.count("ingenuity"), len(cards)))
    left = tuple(own - cards.count(face) for face, own in zip(FACES, player.stock, strict=True))
    return with_buildings(Player(left, player.city, player.permanents, player.tokens), state.buying)


def _best_tokens(state: State, player: Player, growth: float) -> float:
    """Value of the best tokens that the player is about to pick."""
    civic = state.civic or sum(card.kind == "civic" for card in state.buying)
    if not civic or not state.tokens:
        return 0.0
    return sum(sorted((expected_points(token, player, growth) for token in state.tokens), reverse=True)[:civic])


def _chosen_line(state: State, player: Player, growth: float) -> float:
    """Value of the token line that a solo player chooses: the Automa takes the first `AUTOMA_TOKENS`."""
    if state.setup.tokens is UNSET or state.turns:
        return 0.0
    line = [expected_points(token, player, growth) for token in (state.tokens if state.phase == "turn" else state.line)]
    return sum(line[AUTOMA_TOKENS:]) - sum(line[:AUTOMA_TOKENS])


def expected_points(token: CivicToken, player: Player, growth: float) -> float:
    """Expected final points of a token if permanents of all resources grow at the same rate."""
    permanents = [own + growth for own in player.permanents]
    return token.entry.points * TOKEN_COUNTS[token.entry.counts](token, player, permanents)


def _types(token: CivicToken, player: Player, permanents: Sequence[float]) -> float:
    """Number of types that reach the threshold, counting close ones partly; or of types that stay below the maximum."""
    if token.entry.most is not None:
        return sum(max(1 - later, 0) for own, later in zip(player.permanents, permanents, strict=True) if not own)
    return sum(min(max(later - token.entry.least + 1, 0), 1) for later in permanents)


TOKEN_COUNTS: dict[str, Callable[[CivicToken, Player, Sequence[float]], float]] = {
    "flat": lambda token, player, permanents: 1.0,
    "types": _types,
    "sets": lambda token, player, permanents: min(permanents[resource] for resource in token.of),
    "ingenuity": lambda token, player, permanents: player.stock[JOKER],
}


def _permanents(player: Player, turns: int) -> float:
    types = sum(own > 0 for own in player.permanents)
    return (WEIGHTS["permanent"] * sum(player.permanents) + WEIGHTS["type"] * types) * turns


def _stock(player: Player, turns: int) -> float:
    held = [player.stock[2 * each] + 2 * player.stock[2 * each + 1] for each in range(len(RESOURCES))]
    useful = sum(min(own, 3) + WEIGHTS["plenty"] * max(own - 3, 0) for own in held)
    return (WEIGHTS["symbol"] * useful + WEIGHTS["joker"] * player.stock[JOKER]) * turns / (turns + WEIGHTS["fade"])


def _reach(state: State, player: Player, turns: int) -> float:
    """The two best buildings of the market, discounted by missing symbols."""
    if not turns:
        return 0.0
    given, jokers = available_symbols(player), player.stock[JOKER]
    near = [
        _worth(card, turns) * (1 - lacking / 3)
        for card in state.market
        if isinstance(card, Card) and (lacking := max(missing_symbols(card.cost, given) - jokers, 0)) < 3
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
            return WEIGHTS["flip"] + WEIGHTS["hidden"] * _hidden_card(state, player, turns)
    return 0.0


def _hidden_card(state: State, player: Player, turns: int) -> float:
    """Mean value of the card that is being turned, counting only cards that the player can pay for."""
    side = state.market[state.spaces[0].number]
    assert side
    assert not isinstance(side, Card)
    pool = state.deck.unshown[side.index]
    given, jokers = available_symbols(player), player.stock[JOKER]
    payable = sum(count * _worth(card, turns) for card, count in pool if missing_symbols(card.cost, given) <= jokers)
    return payable / sum(count for _, count in pool)
