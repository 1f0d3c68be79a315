"""The view of a match for one seat, ready for JSON."""

from functools import cache, lru_cache
from typing import Literal

from msgspec import UNSET, Struct

from polyopolis.engine import CHANCE, Result, Sheet
from polyopolis.games.par_scores import par_score
from polyopolis.games.pointcity.actions import Action
from polyopolis.games.pointcity.content import (
    CARDS_PER_TURN,
    MARKET,
    RESOURCES,
    TIERS,
    Card,
    CardPool,
    CivicToken,
    Kind,
    LevelName,
    Resource,
    Side,
    SidePool,
)
from polyopolis.games.pointcity.market import Market, automa_spaces, deck_size
from polyopolis.games.pointcity.pair_prices import Offer, Share, offers, price, stock_by_face
from polyopolis.games.pointcity.scoring import (
    RemainingPotential,
    buildings_counted,
    max_token_count,
    remaining_potential,
    scores,
    token_count,
    turns_left,
)
from polyopolis.games.pointcity.state import Deck, Phase, Player, Setup, State, tokens_to_line_up

CACHED_POOLS = 8192
"""Pools whose views are cached. A turn changes two or three pools of a table."""


class CardView(Struct, frozen=True):
    """A building card and the face on its other side."""

    card: str
    title: str
    """The code of the building's name."""
    tier: int
    face: str
    kind: Kind
    resource: Resource
    """The resource that the building grants, or else the one in its name."""
    cost: dict[str, int]
    points: int


class CellView(Struct, frozen=True):
    """A space of the market. During a turn, a space without a card has no tier."""

    cell: str
    tier: int | None
    face: str | None
    """The face that it shows, or the one behind the building that it shows."""
    building: CardView | None
    kinds: tuple[Kind, ...]
    """The kind of the building that it shows, or else the kinds that may be on its other side."""
    next: Literal["building", "resource"] | None
    """The side that the next card in this space will show (PC-15)."""


class DeckView(Struct, frozen=True):
    """The deck and what is known about it."""

    top: str | None
    tier: int | None
    """The tier of the top card."""
    coming: tuple[str | None, ...]
    """The faces of the cards for the spaces that a turn empties, in reading order. Only the top card is known."""
    cards: int
    left: dict[int, int]
    """The number of cards of each tier, including the top."""
    unseen: dict[int, dict[str, int]]
    """The number of unseen cards by tier and face, including removed cards."""
    unshown: dict[int, dict[str, dict[str, int]]]
    """The number of cards that were not shown, by tier, face and building."""


class PlayerView(Struct, frozen=True):
    """Stock and city of a player, or of the Automa, visible to all."""

    stock: dict[str, int]
    city: tuple[CardView, ...]
    permanents: dict[str, int]
    tokens: tuple[str, ...]
    turns_left: int
    counted: dict[str, tuple[int, ...]]
    """The buildings that each line of the score sheet counts, as positions in `city`."""


class Worth(Struct, frozen=True):
    """The points of a token for one player."""

    now: int
    most: int
    """An upper bound of the points at the end, from public information."""


class TokenView(Struct, frozen=True):
    token: str
    worth: tuple[Worth, ...]
    """The points for each seat."""


class AutomaView(Struct, frozen=True):
    level: LevelName
    cells: tuple[str, ...]
    """The cells that the Automa takes next."""


class TableView(Struct, frozen=True):
    """The public part of the view."""

    setup: Setup
    market: tuple[CellView, ...]
    deck: DeckView
    players: tuple[PlayerView, ...]
    tokens: tuple[TokenView, ...]
    """The tokens that are laid out; in a solo game the line, from the left."""
    line: tuple[str, ...]
    """The tokens lined up so far, while the player sets the line."""
    to_line_up: int
    """The number of tokens that the line still lacks."""
    automa: AutomaView | None
    turn: int
    """The player whose turn it is."""
    turns: int
    """The number of finished turns."""
    phase: Phase
    buying: tuple[CardView, ...]
    """The buildings that were taken and are not paid yet."""
    bill: tuple[Share, ...]
    """The price of these buildings."""
    offers: tuple[Offer, ...]
    """The prices of all pairs of neighbours for the player whose turn it is, while cards can be taken."""
    civic: int
    """The number of tokens that the player may still pick."""
    acting: tuple[int, ...]
    over: bool
    result: Result
    """The score sheets if the match ended now; final when it is over."""
    par: int | None
    """The score of a good player in this mode."""


class View(Struct, frozen=True):
    """The public table, and the legal actions of this seat."""

    table: TableView
    seat: int | None
    choices: tuple[Action, ...]


def view_of(state: State, seat: int | None, choices: tuple[Action, ...]) -> View:
    return View(_table(state), seat, choices)


def _table(state: State) -> TableView:
    result = scores(state)
    return TableView(
        setup=state.setup,
        market=tuple([_cell(state.market, number, state.deck) for number in range(len(MARKET.names))]),
        deck=_deck(state.deck),
        players=tuple(_player(state, number, sheet) for number, sheet in enumerate(result.sheets)),
        tokens=_tokens(state),
        line=tuple(token.name for token in state.line),
        to_line_up=tokens_to_line_up(state),
        automa=_automa(state),
        turn=state.seat,
        turns=state.turns,
        phase=state.phase,
        buying=tuple(map(_card, state.buying)),
        bill=price(state.players[state.seat], state.buying),
        offers=offers(state.market, state.players[state.seat]) if state.phase in ("turn", "take") else (),
        civic=state.civic,
        acting=tuple(sorted(state.acting - {CHANCE})),
        over=not state.acting,
        result=result,
        par=par_score("pointcity", state.setup.automa or "several"),
    )


def _cell(market: Market, number: int, deck: Deck) -> CellView:
    cell, found = MARKET.names[number], market[number]
    match found:
        case Side():
            return CellView(cell, found.tier, found.face, None, _kinds(deck.unshown[found.index]), "building")
        case Card():
            return CellView(cell, found.side.tier, found.side.face, _card(found), (found.kind,), "resource")
        case None:
            return CellView(cell, None, None, None, (), None)


@lru_cache(CACHED_POOLS)
def _kinds(pool: CardPool) -> tuple[Kind, ...]:
    """Returns each kind of the pool once."""
    return tuple(dict.fromkeys(card.kind for card, _ in pool))


@cache
def _card(card: Card) -> CardView:
    return CardView(
        card=card.name,
        title=card.title,
        tier=card.side.tier,
        face=card.side.face,
        kind=card.kind,
        resource=RESOURCES[card.resource],
        cost={RESOURCES[resource]: amount for resource, amount in card.cost},
        points=card.points,
    )


def _deck(deck: Deck) -> DeckView:
    unshown: dict[int, dict[str, dict[str, int]]] = {tier: {} for tier in TIERS}
    for pool in filter(None, deck.unshown):
        side = pool[0][0].side
        unshown[side.tier][side.face] = _buildings(pool)
    top = deck.top
    return DeckView(
        top=top.face if top else None,
        tier=top.tier if top else None,
        coming=((top.face, None) if top else ())[: min(CARDS_PER_TURN, deck_size(deck))],
        cards=deck_size(deck),
        left={tier: left + bool(top and top.tier == tier) for tier, left in zip(TIERS, deck.left, strict=True)},
        unseen={tier: _faces(pool) for tier, pool in zip(TIERS, deck.unseen, strict=True)},
        unshown=unshown,
    )


@lru_cache(CACHED_POOLS)
def _buildings(pool: CardPool) -> dict[str, int]:
    return {card.name: count for card, count in pool}


@lru_cache(CACHED_POOLS)
def _faces(pool: SidePool) -> dict[str, int]:
    return {side.face: count for side, count in pool}


def _player(state: State, number: int, sheet: Sheet) -> PlayerView:
    player = state.players[number]
    return PlayerView(
        stock=stock_by_face(player.stock),
        city=tuple(map(_card, player.city)),
        permanents=dict(zip(RESOURCES, player.permanents, strict=True)),
        tokens=tuple(token.name for token in player.tokens),
        turns_left=turns_left(state, number),
        counted=buildings_counted(player, sheet),
    )


def _tokens(state: State) -> tuple[TokenView, ...]:
    players = [(state.players[seat], remaining_potential(state, seat)) for seat in range(state.setup.seats)]
    return tuple(
        [TokenView(token.name, tuple([_worth(token, *player) for player in players])) for token in state.tokens]
    )


def _worth(token: CivicToken, player: Player, hope: RemainingPotential) -> Worth:
    points = token.entry.points
    return Worth(points * token_count(token, player), points * max_token_count(token, player, hope))


def _automa(state: State) -> AutomaView | None:
    """Returns the cells of the Automa's next turn. While its cards are being replaced, this is the turn after."""
    level = state.setup.automa
    if level is UNSET:
        return None
    played = (state.turns + (state.seat == state.setup.seats)) // len(state.players)
    numbers = sorted(automa_spaces(state.content.automa.start, played))
    return AutomaView(level, tuple(MARKET.names[number] for number in numbers))
