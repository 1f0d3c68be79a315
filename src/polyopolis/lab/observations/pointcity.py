"""Observation of Point City."""

from collections.abc import Sequence
from typing import Any, get_args

from polyopolis.games.pointcity.content import FACES, MARKET, RESOURCES, TIERS, Card, Kind, Side, content
from polyopolis.games.pointcity.state import Phase, Player
from polyopolis.lab.action_numbers.pointcity import CARDS, TOKENS
from polyopolis.lab.game_table import GameTable
from polyopolis.lab.observations.observation_parts import ObservationPart, counts, one_hot

KINDS: tuple[str, ...] = get_args(Kind)
PHASES: tuple[str, ...] = get_args(Phase)
SIDES = tuple(content().sides.values())
SPACE = len(TIERS) + len(FACES) + len(KINDS) + 2 * len(RESOURCES) + 1
MAX_PLAYERS = 4
MAX_VALUE = 999


def _side(side: Side | None) -> list[int]:
    return [*one_hot(TIERS, side and side.tier), *one_hot(FACES, side and side.face)]


def _building(card: Card | None) -> list[int]:
    costs = dict(card.cost) if card else {}
    return [
        *one_hot(KINDS, card and card.kind),
        *one_hot(range(len(RESOURCES)), card and card.resource),
        *(costs.get(resource, 0) for resource in range(len(RESOURCES))),
        card.points if card else 0,
    ]


def _space(shown: Side | Card | None) -> list[int]:
    if isinstance(shown, Card):
        return [*one_hot(TIERS, shown.side.tier), *one_hot(FACES, None), *_building(shown)]
    return [*_side(shown), *_building(None)]


def _market(table: GameTable, seat: int) -> list[list[int]]:
    return [_space(shown) for shown in table.state.market]


def _players(table: GameTable, seat: int) -> list[list[int]]:
    """Rows of the observing seat, then of the others in order, and last of the Automa."""
    state, scores = table.state, table.match.result.scores
    order = [*((seat + step) % table.seats for step in range(table.seats)), *range(table.seats, len(state.players))]
    rows = [_player(state.players[player], scores[player]) for player in order]
    return [*rows, *([[0] * PLAYER] * (MAX_PLAYERS - len(rows)))]


def _player(player: Player, score: int) -> list[int]:
    medals = counts(TOKENS, [token.name for token in player.tokens])
    return [*player.stock, *player.permanents, len(player.city), score, *medals]


PLAYER = len(FACES) + len(RESOURCES) + 2 + len(TOKENS)


def _deck(table: GameTable, seat: int) -> list[int]:
    """A building that was not shown may be in the deck, in a stock or removed from the game."""
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
    return [*one_hot(PHASES, state.phase), *one_hot(range(MAX_PLAYERS), whose), state.turns, state.civic]


def _buying(table: GameTable, seat: int) -> list[list[int]]:
    cards = [*table.state.buying, None, None][:2]
    return [_building(card) for card in cards]


BUILDING = len(KINDS) + 2 * len(RESOURCES) + 1
PARTS = (
    ObservationPart(
        "market",
        (len(MARKET.names), SPACE),
        _market,
        f"each space: tier; the resource face ({', '.join(FACES)}), or the building: kind ({', '.join(KINDS)}), "
        f"resource ({', '.join(RESOURCES)}), cost by resource, points",
        0,
        MAX_VALUE,
    ),
    ObservationPart(
        "players",
        (MAX_PLAYERS, PLAYER),
        _players,
        "the observing seat first, the Automa last: stock by face, permanents by resource, buildings, present score, "
        "tokens",
        -MAX_VALUE,
        MAX_VALUE,
    ),
    ObservationPart(
        "deck",
        (len(TIERS) + len(FACES) + len(TIERS) + len(SIDES) + len(CARDS),),
        _deck,
        "the top card (tier, face); cards below it by tier; unseen cards by side; buildings not yet shown",
        0,
        MAX_VALUE,
    ),
    ObservationPart(
        "tokens",
        (2, len(TOKENS)),
        _tokens,
        "position of each token on the table, and in the line while it is being set; 0: not there",
        0,
        MAX_VALUE,
    ),
    ObservationPart(
        "turn",
        (len(PHASES) + MAX_PLAYERS + 2,),
        _turn,
        f"phase ({', '.join(PHASES)}); deciding seat, counted from the observing seat; turns played; tokens to pick",
        0,
        MAX_VALUE,
    ),
    ObservationPart("buying", (2, BUILDING), _buying, "buildings to pay, as in the market", 0, MAX_VALUE),
)
