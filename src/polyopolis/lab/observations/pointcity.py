"""What a seat sees in Point City."""

from collections.abc import Sequence
from typing import Any, get_args

from polyopolis.games.pointcity.content import FACES, MARKET, RESOURCES, TIERS, Card, Kind, Side, content
from polyopolis.games.pointcity.state import Phase, Player
from polyopolis.lab.action_numbers.pointcity import CARDS, TOKENS
from polyopolis.lab.game_table import GameTable
from polyopolis.lab.observations.observation_parts import Part, counts, one_of

KINDS: tuple[str, ...] = get_args(Kind)
PHASES: tuple[str, ...] = get_args(Phase)
SIDES = tuple(content().sides.values())
SPACE = len(TIERS) + len(FACES) + len(KINDS) + 2 * len(RESOURCES) + 1
MOST_PLAYERS = 4
MANY = 999


def _side(side: Side | None) -> list[int]:
    return [*one_of(TIERS, side and side.tier), *one_of(FACES, side and side.face)]


def _house(card: Card | None) -> list[int]:
    costs = dict(card.cost) if card else {}
    return [
        *one_of(KINDS, card and card.kind),
        *one_of(range(len(RESOURCES)), card and card.resource),
        *(costs.get(resource, 0) for resource in range(len(RESOURCES))),
        card.points if card else 0,
    ]


def _space(shown: Side | Card | None) -> list[int]:
    if isinstance(shown, Card):
        return [*one_of(TIERS, shown.side.tier), *one_of(FACES, None), *_house(shown)]
    return [*_side(shown), *_house(None)]


def _market(table: GameTable, seat: int) -> list[list[int]]:
    return [_space(shown) for shown in table.state.market]


def _players(table: GameTable, seat: int) -> list[list[int]]:
    """One's own first; then the others in their order, and last the Automa."""
    state, scores = table.state, table.match.result.scores
    order = [*((seat + step) % table.seats for step in range(table.seats)), *range(table.seats, len(state.players))]
    rows = [_player(state.players[player], scores[player]) for player in order]
    return [*rows, *([[0] * PLAYER] * (MOST_PLAYERS - len(rows)))]


def _player(player: Player, score: int) -> list[int]:
    medals = counts(TOKENS, [token.name for token in player.tokens])
    return [*player.stock, *player.permanents, len(player.city), score, *medals]


PLAYER = len(FACES) + len(RESOURCES) + 2 + len(TOKENS)


def _deck(table: GameTable, seat: int) -> list[int]:
    """A card that is not shown yet may lie in the deck, in a stock or out of the game: nobody knows."""
    deck = table.state.deck
    unseen = {side.index: count for pool in deck.unseen for side, count in pool}
    unshown = {card.name: count for pool in deck.unshown for card, count in pool}
    return [
        *_side(deck.top),
        *deck.left,
        *(unseen.get(side.index, 0) for side in SIDES),
        *(unshown.get(name, 0) for name in CARDS),
    ]


def _tokens(table: GameTable, seat: int) -> list[list[int]]:
    state = table.state
    return [_places(state.tokens), _places(state.line)]


def _places(row: Sequence[Any]) -> list[int]:
    names = [token.name for token in row]
    return [names.index(name) + 1 if name in names else 0 for name in TOKENS]


def _turn(table: GameTable, seat: int) -> list[int]:
    state = table.state
    whose = (state.seat - seat) % table.seats
    return [*one_of(PHASES, state.phase), *one_of(range(MOST_PLAYERS), whose), state.turns, state.civic]


def _buying(table: GameTable, seat: int) -> list[list[int]]:
    cards = [*table.state.buying, None, None][:2]
    return [_house(card) for card in cards]


HOUSE = len(KINDS) + 2 * len(RESOURCES) + 1
PARTS = (
    Part("market", (len(MARKET.names), SPACE), _market, f"each space: tier; the resource face ({', '.join(FACES)}), or "
         f"the building: kind ({', '.join(KINDS)}), resource ({', '.join(RESOURCES)}), cost in each resource, points",
         0, MANY),
    Part("players", (MOST_PLAYERS, PLAYER), _players, "one's own row first, the Automa's last: stock by face, "
         "permanents by resource, buildings, score now, tokens", -MANY, MANY),
    Part("deck", (len(TIERS) + len(FACES) + len(TIERS) + len(SIDES) + len(CARDS),), _deck, "the top card (tier, face); "
         "cards below it by tier; cards of each side that nobody has seen; buildings that were not shown yet", 0, MANY),
    Part("tokens", (2, len(TOKENS)), _tokens, "the place of each token among those that lie out, and in the line that "
         "is being set; 0: not there", 0, MANY),
    Part("turn", (len(PHASES) + MOST_PLAYERS + 2,), _turn, f"phase ({', '.join(PHASES)}); whose turn it is, one's own "
         "first; turns that are over; tokens to pick", 0, MANY),
    Part("buying", (2, HOUSE), _buying, "buildings that were taken and are to be paid, as in the market", 0, MANY),
)  # fmt: skip
