"""What the screen of one seat needs, ready for JSON."""

from functools import cache, lru_cache
from typing import Literal

from msgspec import UNSET, Struct

from polyopolis.engine import CHANCE, Result, Sheet
from polyopolis.games.par_scores import par
from polyopolis.games.pointcity.actions import Action
from polyopolis.games.pointcity.content import (
    HAND,
    MARKET,
    RESOURCES,
    TIERS,
    Card,
    CardPool,
    Kind,
    LevelName,
    Resource,
    Side,
    SidePool,
    Token,
)
from polyopolis.games.pointcity.market import Market, crossing, size
from polyopolis.games.pointcity.pair_prices import Offer, Share, held, offers, price
from polyopolis.games.pointcity.scoring import Hope, at_most, buildings_counted, counted, hope, scores, turns_left
from polyopolis.games.pointcity.state import Deck, Phase, Player, Setup, State, to_line_up

POOLS = 8192
"""Of which it is remembered what they say: a turn changes two or three of those that a table has."""


class CardView(Struct, frozen=True):
    """A building, with the face on its back."""

    card: str
    title: str
    """The code of its name."""
    tier: int
    face: str
    kind: Kind
    resource: Resource
    """What it grants, or else the resource it is named after."""
    cost: dict[str, int]
    points: int


class CellView(Struct, frozen=True):
    """A space of the market. A space without a card, in the middle of a turn, has no tier."""

    cell: str
    tier: int | None
    face: str | None
    """What it shows, or what is behind the building that it shows."""
    building: CardView | None
    kinds: tuple[Kind, ...]
    """Of the building it shows; else the kinds that may be on its back, as far as anybody can know."""
    next: Literal["building", "resource"] | None
    """What the card shows that comes here when this one is taken (PC-15)."""


class DeckView(Struct, frozen=True):
    """The deck and what is known of it. `unshown` has for each tier and face how many of each building are left."""

    top: str | None
    tier: int | None
    """Of the top."""
    coming: tuple[str | None, ...]
    """The faces of the cards for the spaces that a turn empties, in reading order; nobody knows more than the top."""
    cards: int
    left: dict[int, int]
    """Cards of each tier, the top included."""
    unseen: dict[int, dict[str, int]]
    """For each tier how many cards of each face nobody has seen, those left out included."""
    unshown: dict[int, dict[str, dict[str, int]]]


class PlayerView(Struct, frozen=True):
    """Stock and city of a player, or of the Automa; open to all."""

    stock: dict[str, int]
    city: tuple[CardView, ...]
    permanents: dict[str, int]
    tokens: tuple[str, ...]
    turns_left: int
    counted: dict[str, tuple[int, ...]]
    """The buildings that each line of the score sheet speaks of, as places in `city`."""


class Worth(Struct, frozen=True):
    """Points of a token for one player."""

    now: int
    most: int
    """What it can be worth in the end at most, as far as anybody can know."""


class TokenView(Struct, frozen=True):
    token: str
    worth: tuple[Worth, ...]
    """For each seat."""


class AutomaView(Struct, frozen=True):
    level: LevelName
    cells: tuple[str, ...]
    """What it takes next."""


class TableView(Struct, frozen=True):
    """What everybody sees."""

    setup: Setup
    market: tuple[CellView, ...]
    deck: DeckView
    players: tuple[PlayerView, ...]
    tokens: tuple[TokenView, ...]
    """Face up; in a solo game the line, from the left."""
    line: tuple[str, ...]
    """The tokens put in line so far, while that is being done."""
    to_line_up: int
    """How many of them the line still lacks."""
    automa: AutomaView | None
    turn: int
    """Whose turn it is."""
    turns: int
    """How many are over."""
    phase: Phase
    buying: tuple[CardView, ...]
    """Buildings taken and not yet paid."""
    bill: tuple[Share, ...]
    """What they cost."""
    offers: tuple[Offer, ...]
    """While cards are taken: what any two neighbours would cost the one whose turn it is."""
    civic: int
    """Tokens to pick yet."""
    acting: tuple[int, ...]
    over: bool
    result: Result
    """Final when it is over; until then what the sheets would be if it ended now."""
    par: int | None
    """What a good player comes to here."""


class View(Struct, frozen=True):
    """The table, and what this seat may choose now."""

    table: TableView
    seat: int | None
    choices: tuple[Action, ...]


def looked_at(state: State, seat: int | None, choices: tuple[Action, ...]) -> View:
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
        to_line_up=to_line_up(state),
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
        par=par("pointcity", state.setup.automa or "several"),
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


@lru_cache(POOLS)
def _kinds(pool: CardPool) -> tuple[Kind, ...]:
    """Each kind of the pool once."""
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
        coming=((top.face, None) if top else ())[: min(HAND, size(deck))],
        cards=size(deck),
        left={tier: left + bool(top and top.tier == tier) for tier, left in zip(TIERS, deck.left, strict=True)},
        unseen={tier: _faces(pool) for tier, pool in zip(TIERS, deck.unseen, strict=True)},
        unshown=unshown,
    )


@lru_cache(POOLS)
def _buildings(pool: CardPool) -> dict[str, int]:
    return {card.name: count for card, count in pool}


@lru_cache(POOLS)
def _faces(pool: SidePool) -> dict[str, int]:
    return {side.face: count for side, count in pool}


def _player(state: State, number: int, sheet: Sheet) -> PlayerView:
    player = state.players[number]
    return PlayerView(
        stock=held(player.stock),
        city=tuple(map(_card, player.city)),
        permanents=dict(zip(RESOURCES, player.permanents, strict=True)),
        tokens=tuple(token.name for token in player.tokens),
        turns_left=turns_left(state, number),
        counted=buildings_counted(player, sheet),
    )


def _tokens(state: State) -> tuple[TokenView, ...]:
    players = [(state.players[seat], hope(state, seat)) for seat in range(state.setup.seats)]
    return tuple(
        [TokenView(token.name, tuple([_worth(token, *player) for player in players])) for token in state.tokens]
    )


def _worth(token: Token, player: Player, hope: Hope) -> Worth:
    points = token.entry.points
    return Worth(points * counted(token, player), points * at_most(token, player, hope))


def _automa(state: State) -> AutomaView | None:
    """Its next turn: the one that follows, or the one whose cards are being replaced."""
    level = state.setup.automa
    if level is UNSET:
        return None
    played = (state.turns + (state.seat == state.setup.seats)) // len(state.players)
    numbers = sorted(crossing(state.content.automa.start, played))
    return AutomaView(level, tuple(MARKET.names[number] for number in numbers))
