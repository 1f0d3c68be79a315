"""Point City: the rules, in the order of the rulebook. Rule ids are those of docs/games/pointcity.md."""

from collections.abc import Iterable, Sequence
from typing import get_args

from msgspec import UNSET
from msgspec.structs import replace

from polyopolis.engine import CHANCE, BadSetup, Reason, Step, Tagged, why_not_due
from polyopolis.games.pointcity.actions import (
    Action,
    Built,
    Dealt,
    Draw,
    Drew,
    Ended,
    FirstNamed,
    Flip,
    Flipped,
    LineAsDrawn,
    LinedUp,
    LineUp,
    NameFirst,
    Paid,
    Pay,
    PickToken,
    ShowBuilding,
    ShowFace,
    Skip,
    Skipped,
    Take,
    TokenLaidOut,
    TokenTaken,
    Took,
    TopShown,
    Turned,
)
from polyopolis.games.pointcity.campaign_rules import alike, carried, onward, standings
from polyopolis.games.pointcity.content import JOKER, MARKET, NEWEST, Card, CivicToken, LevelName, Side, content
from polyopolis.games.pointcity.market import (
    PAIR_OF,
    automa_spaces,
    building_odds,
    face_odds,
    flips,
    next_tier,
    reveal_building,
    reveal_face,
    stack_deck,
    with_cell,
)
from polyopolis.games.pointcity.payment import (
    available_symbols,
    can_take,
    only_payment,
    payments,
    stock_with,
    stock_without,
    takes,
    why_not_pay,
)
from polyopolis.games.pointcity.scoring import scores, with_permanents
from polyopolis.games.pointcity.state import EMPTY_STOCK, STARTING_STOCK, Player, Setup, Space, State, tokens_to_line_up
from polyopolis.games.pointcity.view import View, view_of

__all__ = [
    "Action", "Setup", "alike", "apply", "carried", "key", "legal", "odds", "onward", "scores", "seats", "standings",
    "start", "to_act", "version", "view", "why_not",
]  # fmt: skip

key = "pointcity"
version = 1
seats = range(1, 5)

Events = tuple[Tagged, ...]

_CHANCE = frozenset({CHANCE})
_NO_SEATS: frozenset[int] = frozenset()
_SEATS = tuple(frozenset({seat}) for seat in range(seats[-1]))


# Setup.


def start(setup: Setup) -> State:
    """Some cards are removed, the tiers are stacked (PC-2), and each player gets an Ingenuity card (PC-5).

    In a solo game, the Automa is the second player and gets none (PC-21, PC-23). To choose tokens, all are laid out.
    """
    _check(setup)
    material = content(setup.content)
    people, drawn = (Player(STARTING_STOCK),) * setup.seats, setup.tokens is UNSET
    return State(
        setup=setup,
        content=material,
        deck=stack_deck(material, material.layouts[setup.seats]),
        players=people if setup.automa is UNSET else (*people, Player(EMPTY_STOCK)),
        acting=_CHANCE,
        phase="tokens" if drawn else "opening",
        tokens=() if drawn else tuple(material.tokens.values()),
    )


def _check(setup: Setup) -> None:
    if setup.seats not in seats:
        raise BadSetup(f"Point City is for {seats[0]} to {seats[-1]} seats, not for {setup.seats}")
    if not 1 <= setup.content <= NEWEST:
        raise BadSetup(f"Point City has content 1 to {NEWEST}, not {setup.content}")
    if setup.seats == 1 and setup.automa is UNSET:
        raise BadSetup(f"one seat plays against the Automa; automa is one of {', '.join(get_args(LevelName))}")
    if setup.seats > 1 and setup.automa is not UNSET:
        raise BadSetup(f"the Automa plays against one seat, not against {setup.seats}")
    if setup.seats > 1 and setup.tokens is not UNSET:
        raise BadSetup(f"tokens can be chosen by one seat, not by {setup.seats}")


def to_act(state: State) -> frozenset[int]:
    """Players take turns clockwise (PC-5)."""
    return state.acting


def odds(state: State) -> Sequence[tuple[Action, int]]:
    """Tokens and the first player are drawn uniformly; for cards, see decision 0003."""
    match state.phase:
        case "tokens":
            return [(token.pick, 1) for token in state.content.tokens.values() if token not in state.tokens]
        case "first":
            return [(NameFirst(seat), 1) for seat in range(state.setup.seats)]
        case "flip" | "refill":
            return building_odds(state.deck, *_turning(state))
    return face_odds(state.deck)


def _turning(state: State) -> tuple[Side, int]:
    """Returns the card that is being turned over, and its space."""
    number = state.spaces[0].number
    side = state.market[number] or state.deck.top
    assert isinstance(side, Side)
    return side, number


# Actions.


def legal(state: State, seat: int) -> Sequence[Action]:
    player = state.players[seat]
    match state.phase:
        case "line" | "choose":
            named: list[Action] = [LineUp(token.name) for token in state.tokens]
            return named if state.line or state.phase == "choose" else [*named, _AS_DRAWN]
        case "pay":
            return payments(player, state.buying)
        case "token":
            return [token.pick for token in state.tokens]
        case "turn":
            return [*flips(state.market), *_takes(state, player)]
    return _takes(state, player)


_AS_DRAWN, _DRAW, _SKIP = LineAsDrawn(), Draw(), Skip()


def _takes(state: State, player: Player) -> list[Action]:
    """Two neighbours that the player can pay, or the top two of the deck (PC-7, PC-9); else skip (PC-17)."""
    found: list[Action] = [*takes(state.market, player)]
    if state.deck.top:
        found.append(_DRAW)
    return found or [_SKIP]


def why_not(state: State, seat: int, action: Action) -> Reason | None:
    if reason := why_not_due(state.acting, seat):
        return reason
    if seat == CHANCE:
        return Reason("not-an-action")
    player = state.players[seat]
    match action, state.phase:
        case Flip(at), "turn":
            return _why_not_flip(state, at)
        case Flip(), "take":
            return Reason("flipped-already")
        case Take(cells), "turn" | "take":
            return _why_not_take(state, player, cells)
        case Draw(), "turn" | "take":
            return None if state.deck.top else Reason("deck-empty")
        case Skip(), "turn" | "take":
            return None if _takes(state, player) == [_SKIP] else Reason("must-take")
        case Pay(cards), "pay":
            return why_not_pay(player, state.buying, cards)
        case (PickToken(name), "token") | (LineUp(name), "line" | "choose"):
            return None if name in [token.name for token in state.tokens] else Reason("no-token", {"token": name})
        case LineAsDrawn(), "line":
            return Reason("line-begun") if state.line else None
        case ((NameFirst() | ShowFace() | ShowBuilding()), _):
            return Reason("not-an-action")
    return Reason("not-now")


def _why_not_flip(state: State, at: str) -> Reason | None:
    """A card in a row or column that shows only resources; buildings are never turned back (PC-6)."""
    if at not in MARKET:
        return Reason("off-market", {"cells": (at,)})
    if type(state.market[MARKET.names.index(at)]) is Card:
        return Reason("building-already", {"cells": (at,)})
    return None if Flip(at) in flips(state.market) else Reason("no-resource-line", {"cells": (at,)})


def _why_not_take(state: State, player: Player, cells: tuple[str, ...]) -> Reason | None:
    if unknown := tuple(cell for cell in cells if cell not in MARKET):
        return Reason("off-market", {"cells": unknown})
    if cells not in PAIR_OF:
        return Reason("not-neighbours")
    first, second = PAIR_OF[cells]
    enough = can_take(state.market[first], state.market[second], available_symbols(player), player.stock[JOKER])
    return None if enough else Reason("cannot-pay", {"cells": cells})


def view(state: State, seat: int | None) -> View:
    """All known information is public (PC-8, PC-16); a seat that decides sees its choices."""
    return view_of(state, seat, tuple(legal(state, seat)) if seat in state.acting and seat is not None else ())


# Results of actions.


def apply(state: State, seat: int, action: Action) -> Step:
    match action:
        case ShowFace(face):
            return _show_face(state, face)
        case ShowBuilding(at, name):
            return _show_building(state, at, state.content.cards[name])
        case Flip(at):
            spaces = (Space(MARKET.names.index(at), True),)
            return Step(replace(state, spaces=spaces, acting=_CHANCE, phase="flip"), (Flipped(seat, at),))
        case Take(cells):
            return _take(state, seat, PAIR_OF[cells])
        case Draw():
            return _draw(state, seat)
        case Pay(cards):
            return _build(state, seat, state.buying, cards, ())
        case PickToken(name):
            token = state.content.tokens[name]
            return _lay_out(state, token) if seat == CHANCE else _pick(state, seat, token)
        case NameFirst(first):
            return Step(replace(state, seat=first, phase="opening"), (FirstNamed(first),))
        case LineUp(name):
            return _line_up(state, seat, state.content.tokens[name])
        case LineAsDrawn():
            lined = tuple(LinedUp(seat, token.name) for token in state.tokens)
            return Step(replace(state, phase="turn"), lined)
        case Skip():
            return _end(state, (Skipped(seat),))


def _lay_out(state: State, token: CivicToken) -> Step:
    """Some of the 22 tokens are laid out (PC-4); then, with several players, the first player is determined (PC-5)."""
    tokens = (*state.tokens, token)
    enough = len(tokens) == state.content.layouts[state.setup.seats].tokens
    after = "first" if state.setup.seats > 1 else "opening"
    return Step(replace(state, tokens=tokens, phase=after if enough else "tokens"), (TokenLaidOut(token.name),))


def _show_face(state: State, face: str) -> Step:
    side, deck = reveal_face(state.deck, face)
    state = replace(state, deck=deck)
    match state.phase:
        case "opening" if None in state.market:
            return _deal(state, side)
        case "opening":
            return _open(_with_top(state, side), (TopShown(face),))
        case "draw":
            return _new_top(_stock(state, state.seat, [side]), (Drew(state.seat, face),))
    return _refill(_with_top(state, side), (TopShown(face),))


def _with_top(state: State, side: Side) -> State:
    return replace(state, deck=replace(state.deck, top=side))


def _deal(state: State, side: Side) -> Step:
    """The market is filled row by row, with resource faces up (PC-3)."""
    number = state.market.index(None)
    return Step(replace(state, market=with_cell(state.market, number, side)), (Dealt(MARKET.names[number], side.face),))


def _open(state: State, events: Events) -> Step:
    """In a solo game, the player sets the order of the tokens, or also chooses them, before the first turn (PC-21)."""
    alone = "line" if state.setup.tokens is UNSET else "choose"
    phase = "turn" if state.setup.automa is UNSET else alone
    return Step(replace(state, acting=_SEATS[state.seat], phase=phase), events)


def _line_up(state: State, seat: int, token: CivicToken) -> Step:
    """Adds the next token to the line. When the line is complete, the other tokens are removed."""
    tokens, line = tuple(other for other in state.tokens if other is not token), (*state.line, token)
    event = LinedUp(seat, token.name)
    if tokens_to_line_up(state) > 1:
        return Step(replace(state, tokens=tokens, line=line), (event,))
    return Step(replace(state, tokens=line, line=(), phase="turn"), (event,))


def _show_building(state: State, at: str, card: Card) -> Step:
    """The building of a card is determined when the card is turned, by a flip (PC-6) or for the market (PC-15)."""
    flipped = state.phase == "flip"
    state = replace(
        state,
        deck=reveal_building(state.deck, card),
        market=with_cell(state.market, state.spaces[0].number, card),
        spaces=state.spaces[1:],
    )
    event = Turned(at, card.name)
    if flipped:
        return Step(replace(state, acting=_SEATS[state.seat], phase="take"), (event,))
    return _new_top(state, (event,))


def _take(state: State, seat: int, numbers: Sequence[int]) -> Step:
    """Resources go to the stock (PC-8); then buildings are paid, without a decision if there is only one way."""
    state, buying, event = _taken(state, seat, numbers)
    if not buying:
        return _refill(state, (event,))
    cards = only_payment(state.players[seat], buying)
    if cards is None:
        return Step(replace(state, buying=buying, phase="pay"), (event,))
    return _build(state, seat, buying, cards, (event,))


def _taken(state: State, seat: int, numbers: Sequence[int]) -> tuple[State, tuple[Card, ...], Took]:
    """Takes two cards from the market. Returns also the buildings among them, which must be paid.

    The next card in each space shows the opposite side (PC-15).
    """
    market, cards = list(state.market), [state.market[number] for number in numbers]
    for number in numbers:
        market[number] = None
    sides = [card for card in cards if type(card) is Side]
    buying = tuple([card for card in cards if type(card) is Card])
    spaces = tuple([Space(number, type(card) is Side) for number, card in zip(numbers, cards, strict=True)])
    names = tuple([card.face if isinstance(card, Side) else card.name for card in cards if card])
    event = Took(seat, tuple([MARKET.names[number] for number in numbers]), names)
    state = replace(state, market=tuple(market), spaces=spaces)
    return _stock(state, seat, sides) if sides else state, buying, event


def _stock(state: State, seat: int, sides: Iterable[Side]) -> State:
    player = state.players[seat]
    return _with(state, seat, replace(player, stock=stock_with(player, sides)))


def _with(state: State, seat: int, player: Player) -> State:
    return replace(state, players=(*state.players[:seat], player, *state.players[seat + 1 :]))


def _build(state: State, seat: int, buying: tuple[Card, ...], cards: tuple[str, ...], events: Events) -> Step:
    """The buildings are paid and added to the city; their permanents count from the next turn on (PC-10)."""
    player = state.players[seat]
    state = _with(state, seat, with_buildings(replace(player, stock=stock_without(player, cards)), buying))
    paid = (Paid(seat, cards),) if cards else ()
    news = tuple([Built(seat, card.name) for card in buying])
    civic = len([card for card in buying if card.kind == "civic"])
    return _civic(replace(state, buying=(), civic=civic), (*events, *paid, *news))


def with_buildings(player: Player, buildings: tuple[Card, ...]) -> Player:
    permanents = with_permanents(player.permanents, buildings)
    return Player(player.stock, (*player.city, *buildings), permanents, player.tokens)


def _civic(state: State, events: Events) -> Step:
    """The player picks a token for each civic building before the refill, while there are any (PC-14)."""
    if state.civic and state.tokens:
        return Step(replace(state, acting=_SEATS[state.seat], phase="token"), events)
    return _refill(replace(state, civic=0), events)


def _pick(state: State, seat: int, token: CivicToken) -> Step:
    state = _with_token(replace(state, civic=state.civic - 1), seat, token)
    return _civic(state, (TokenTaken(seat, token.name),))


def _with_token(state: State, seat: int, token: CivicToken) -> State:
    player = state.players[seat]
    left = tuple(other for other in state.tokens if other is not token)
    return _with(replace(state, tokens=left), seat, replace(player, tokens=(*player.tokens, token)))


def _draw(state: State, seat: int) -> Step:
    """The player takes the top card and the unseen one below; the market does not change (PC-13)."""
    top = state.deck.top
    assert top
    state = _stock(replace(state, deck=replace(state.deck, top=None)), seat, [top])
    return Step(replace(state, acting=_CHANCE, phase="draw"), (Drew(seat, top.face),))


# The end of a turn.


def _refill(state: State, events: Events) -> Step:
    """Fills the first empty space in reading order (PC-15). The game ends when the deck is empty (PC-17)."""
    if not state.spaces:
        return _next_turn(state, events)
    top = state.deck.top
    if top is None:
        return _end(state, events)
    space = state.spaces[0]
    if space.building:
        return Step(replace(state, acting=_CHANCE, phase="refill"), events)
    state = replace(state, market=with_cell(state.market, space.number, top), spaces=state.spaces[1:])
    return _new_top(state, (*events, Dealt(MARKET.names[space.number], top.face)))


def _new_top(state: State, events: Events) -> Step:
    """The next card of the deck shows its face, if there is one."""
    deck = replace(state.deck, top=None)
    if next_tier(deck) is None:
        return _refill(replace(state, deck=deck), events)
    return Step(replace(state, deck=deck, acting=_CHANCE, phase="top"), events)


def _next_turn(state: State, events: Events) -> Step:
    seat = (state.seat + 1) % len(state.players)
    state = replace(state, seat=seat, turns=state.turns + 1)
    if seat == state.setup.seats:
        return _automa(state, events)
    return Step(replace(state, acting=_SEATS[seat], phase="turn"), events)


def _automa(state: State, events: Events) -> Step:
    """The Automa takes the card where its markers cross and the one below (PC-22).

    It does not pay, and takes the leftmost tokens for civic buildings (PC-23).
    """
    numbers = sorted(automa_spaces(state.content.automa.start, state.turns // len(state.players)))
    state, buying, event = _taken(state, state.seat, numbers)
    state = _with(state, state.seat, with_buildings(state.players[state.seat], buying))
    events = (*events, event, *(Built(state.seat, card.name) for card in buying))
    civic = len([card for card in buying if card.kind == "civic"])
    for token in state.tokens[:civic]:
        state = _with_token(state, state.seat, token)
        events = (*events, TokenTaken(state.seat, token.name))
    return _refill(state, events)


def _end(state: State, events: Events) -> Step:
    return Step(replace(state, acting=_NO_SEATS, phase="over", spaces=()), (*events, Ended()))
