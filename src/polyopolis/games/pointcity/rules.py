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
from polyopolis.games.pointcity.content import JOKER, MARKET, NEWEST, Card, LevelName, Side, Token, content
from polyopolis.games.pointcity.market import (
    PAIR_OF,
    building_odds,
    crossing,
    face_odds,
    flips,
    next_tier,
    put,
    seen,
    shown,
    stacked,
)
from polyopolis.games.pointcity.payment import (
    can_take,
    only_way,
    payments,
    spent,
    stocked,
    symbols,
    takes,
    why_not_pay,
)
from polyopolis.games.pointcity.scoring import granted, scores
from polyopolis.games.pointcity.state import EMPTY_STOCK, INGENUITY_ALONE, Player, Setup, Space, State, to_line_up
from polyopolis.games.pointcity.view import View, looked_at

__all__ = [
    "Action", "Setup", "alike", "apply", "carried", "key", "legal", "odds", "onward", "scores", "seats", "standings",
    "start", "to_act", "version", "view", "why_not",
]  # fmt: skip

key = "pointcity"
version = 1
seats = range(1, 5)

Events = tuple[Tagged, ...]

_CHANCE = frozenset({CHANCE})
_NOBODY: frozenset[int] = frozenset()
_SEATS = tuple(frozenset({seat}) for seat in range(seats[-1]))


# Before the first turn.


def start(setup: Setup) -> State:
    """Some cards are left out, the tiers are stacked (PC-2), and everybody gets an Ingenuity card (PC-5).

    Alone, the Automa is the second player; it gets none (PC-21, PC-23). Tokens that are chosen lie there all.
    """
    _check(setup)
    material = content(setup.content)
    people, drawn = (Player(INGENUITY_ALONE),) * setup.seats, setup.tokens is UNSET
    return State(
        setup=setup,
        content=material,
        deck=stacked(material, material.layouts[setup.seats]),
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
        raise BadSetup(f"alone one plays against the Automa; automa is {', '.join(get_args(LevelName))}")
    if setup.seats > 1 and setup.automa is not UNSET:
        raise BadSetup(f"the Automa is for one seat alone, not for {setup.seats}")
    if setup.seats > 1 and setup.tokens is not UNSET:
        raise BadSetup(f"tokens are chosen by one seat alone, not by {setup.seats}")


def to_act(state: State) -> frozenset[int]:
    """One after the other, clockwise (PC-5)."""
    return state.acting


def odds(state: State) -> Sequence[tuple[Action, int]]:
    """Tokens and the first player are any of those there are; of cards see docs/decisions/0003."""
    match state.phase:
        case "tokens":
            return [(token.pick, 1) for token in state.content.tokens.values() if token not in state.tokens]
        case "first":
            return [(NameFirst(seat), 1) for seat in range(state.setup.seats)]
        case "flip" | "refill":
            return building_odds(state.deck, *_turning(state))
    return face_odds(state.deck)


def _turning(state: State) -> tuple[Side, int]:
    """The card that is being turned to its building, and its space."""
    number = state.spaces[0].number
    side = state.market[number] or state.deck.top
    assert isinstance(side, Side)
    return side, number


# What a seat may do.


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
    """Two neighbours that can be paid, or the top two of the deck (PC-7, PC-9). Who can do neither skips (PC-17)."""
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
    """One card of a row or column that shows only resources, never back from building to resource (PC-6)."""
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
    enough = can_take(state.market[first], state.market[second], symbols(player), player.stock[JOKER])
    return None if enough else Reason("cannot-pay", {"cells": cells})


def view(state: State, seat: int | None) -> View:
    """All that anybody knows is open to all (PC-8, PC-16); a seat that decides sees its choices."""
    return looked_at(state, seat, tuple(legal(state, seat)) if seat in state.acting and seat is not None else ())


# What comes of it.


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


def _lay_out(state: State, token: Token) -> Step:
    """So many of the 22 tokens are laid out (PC-4); then, among several, the first player is named (PC-5)."""
    tokens = (*state.tokens, token)
    enough = len(tokens) == state.content.layouts[state.setup.seats].tokens
    after = "first" if state.setup.seats > 1 else "opening"
    return Step(replace(state, tokens=tokens, phase=after if enough else "tokens"), (TokenLaidOut(token.name),))


def _show_face(state: State, face: str) -> Step:
    side, deck = seen(state.deck, face)
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
    """The market is filled row by row, resource faces up (PC-3)."""
    number = state.market.index(None)
    return Step(replace(state, market=put(state.market, number, side)), (Dealt(MARKET.names[number], side.face),))


def _open(state: State, events: Events) -> Step:
    """Alone, the tokens and their order, or only their order, are set before the first turn (PC-21)."""
    alone = "line" if state.setup.tokens is UNSET else "choose"
    phase = "turn" if state.setup.automa is UNSET else alone
    return Step(replace(state, acting=_SEATS[state.seat], phase=phase), events)


def _line_up(state: State, seat: int, token: Token) -> Step:
    """The next token of the line. Those that do not come into it are put back."""
    tokens, line = tuple(other for other in state.tokens if other is not token), (*state.line, token)
    event = LinedUp(seat, token.name)
    if to_line_up(state) > 1:
        return Step(replace(state, tokens=tokens, line=line), (event,))
    return Step(replace(state, tokens=line, line=(), phase="turn"), (event,))


def _show_building(state: State, at: str, card: Card) -> Step:
    """What is behind a card is known once it is turned, by a flip (PC-6) or for the market (PC-15)."""
    flipped = state.phase == "flip"
    state = replace(
        state,
        deck=shown(state.deck, card),
        market=put(state.market, state.spaces[0].number, card),
        spaces=state.spaces[1:],
    )
    event = Turned(at, card.name)
    if flipped:
        return Step(replace(state, acting=_SEATS[state.seat], phase="take"), (event,))
    return _new_top(state, (event,))


def _take(state: State, seat: int, numbers: Sequence[int]) -> Step:
    """Resources go to the stock (PC-8); then buildings are paid, at once where there is only one way."""
    state, buying, event = _taken(state, seat, numbers)
    if not buying:
        return _refill(state, (event,))
    cards = only_way(state.players[seat], buying)
    if cards is None:
        return Step(replace(state, buying=buying, phase="pay"), (event,))
    return _build(state, seat, buying, cards, (event,))


def _taken(state: State, seat: int, numbers: Sequence[int]) -> tuple[State, tuple[Card, ...], Took]:
    """The market without two cards, and the buildings among them. Each space takes the opposite face (PC-15)."""
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
    return _with(state, seat, replace(player, stock=stocked(player, sides)))


def _with(state: State, seat: int, player: Player) -> State:
    return replace(state, players=(*state.players[:seat], player, *state.players[seat + 1 :]))


def _build(state: State, seat: int, buying: tuple[Card, ...], cards: tuple[str, ...], events: Events) -> Step:
    """The buildings are paid and stand in the city; what they grant serves from the next turn on (PC-10)."""
    player = state.players[seat]
    state = _with(state, seat, built(replace(player, stock=spent(player, cards)), buying))
    paid = (Paid(seat, cards),) if cards else ()
    news = tuple([Built(seat, card.name) for card in buying])
    civic = len([card for card in buying if card.kind == "civic"])
    return _civic(replace(state, buying=(), civic=civic), (*events, *paid, *news))


def built(player: Player, buildings: tuple[Card, ...]) -> Player:
    permanents = granted(player.permanents, buildings)
    return Player(player.stock, (*player.city, *buildings), permanents, player.tokens)


def _civic(state: State, events: Events) -> Step:
    """A token for each civic building, before the refill; nothing when none is left (PC-14)."""
    if state.civic and state.tokens:
        return Step(replace(state, acting=_SEATS[state.seat], phase="token"), events)
    return _refill(replace(state, civic=0), events)


def _pick(state: State, seat: int, token: Token) -> Step:
    state = _with_token(replace(state, civic=state.civic - 1), seat, token)
    return _civic(state, (TokenTaken(seat, token.name),))


def _with_token(state: State, seat: int, token: Token) -> State:
    player = state.players[seat]
    left = tuple(other for other in state.tokens if other is not token)
    return _with(replace(state, tokens=left), seat, replace(player, tokens=(*player.tokens, token)))


def _draw(state: State, seat: int) -> Step:
    """The top card, then the one below, which nobody has seen before; the market stays as it is (PC-13)."""
    top = state.deck.top
    assert top
    state = _stock(replace(state, deck=replace(state.deck, top=None)), seat, [top])
    return Step(replace(state, acting=_CHANCE, phase="draw"), (Drew(seat, top.face),))


# The end of a turn.


def _refill(state: State, events: Events) -> Step:
    """The next card for the first space, in reading order (PC-15). The game ends when there is none (PC-17)."""
    if not state.spaces:
        return _next_turn(state, events)
    top = state.deck.top
    if top is None:
        return _end(state, events)
    space = state.spaces[0]
    if space.building:
        return Step(replace(state, acting=_CHANCE, phase="refill"), events)
    state = replace(state, market=put(state.market, space.number, top), spaces=state.spaces[1:])
    return _new_top(state, (*events, Dealt(MARKET.names[space.number], top.face)))


def _new_top(state: State, events: Events) -> Step:
    """The top card is gone; the next one shows its face, if there is one."""
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
    """It takes where its markers cross and below (PC-22), pays nothing, and civic buildings bring the leftmost
    tokens (PC-23)."""
    numbers = sorted(crossing(state.content.automa.start, state.turns // len(state.players)))
    state, buying, event = _taken(state, state.seat, numbers)
    state = _with(state, state.seat, built(state.players[state.seat], buying))
    events = (*events, event, *(Built(state.seat, card.name) for card in buying))
    civic = len([card for card in buying if card.kind == "civic"])
    for token in state.tokens[:civic]:
        state = _with_token(state, state.seat, token)
        events = (*events, TokenTaken(state.seat, token.name))
    return _refill(state, events)


def _end(state: State, events: Events) -> Step:
    return Step(replace(state, acting=_NOBODY, phase="over", spaces=()), (*events, Ended()))
