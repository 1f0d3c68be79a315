"""Action numbers of Point City: flips, pairs to take, drawing, tokens, and payments, the cheapest first."""

from collections.abc import Sequence

from polyopolis.games.pointcity.actions import (
    Action,
    Draw,
    Flip,
    LineAsDrawn,
    LineUp,
    NameFirst,
    Pay,
    PickToken,
    ShowBuilding,
    ShowFace,
    Skip,
    Take,
)
from polyopolis.games.pointcity.content import FACES, MARKET, content
from polyopolis.games.pointcity.market import PAIRS
from polyopolis.games.pointcity.payment import payments
from polyopolis.games.pointcity.state import State
from polyopolis.lab.action_numbers.number_ranges import consecutive_ranges, total_count

TOKENS = tuple(content().tokens)
CARDS = tuple(content().cards)
TAKES = tuple(take for take, *_ in PAIRS)
MAX_PAYMENTS = 4096
"""More than the number of payments for any two buildings from any stock."""
CHANCES = max(len(TOKENS), len(CARDS), len(FACES))
"""Tokens, seats, faces and buildings share numbers, because they are never due together."""

SECTIONS = consecutive_ranges(
    flip=len(MARKET.names), take=len(TAKES), draw=1, skip=1, as_drawn=1, token=len(TOKENS), pay=MAX_PAYMENTS
)  # fmt: skip
COUNT = total_count(SECTIONS)
(DRAW,), (SKIP,), (AS_DRAWN,) = (SECTIONS[name] for name in ("draw", "skip", "as_drawn"))
_SINGLE_ACTIONS: dict[int, Action] = {DRAW: Draw(), SKIP: Skip(), AS_DRAWN: LineAsDrawn()}


def number(state: State, seat: int, action: Action) -> int:
    match action:
        case Flip(at):
            return SECTIONS["flip"][MARKET.names.index(at)]
        case Take():
            return SECTIONS["take"][TAKES.index(action)]
        case PickToken(token) | LineUp(token):
            return SECTIONS["token"][TOKENS.index(token)]
        case Pay():
            return SECTIONS["pay"][payments(state.players[seat], state.buying).index(action)]
    return next(number for number, alone in _SINGLE_ACTIONS.items() if alone == action)


def allowed(state: State, seat: int, legal: Sequence[Action]) -> list[int]:
    """Payments are listed in the order of their numbers."""
    if state.phase == "pay":
        return list(SECTIONS["pay"][: len(legal)])
    return [number(state, seat, action) for action in legal]


def action(state: State, seat: int, number: int) -> Action | None:
    """Returns the action of a number. Token numbers line up a token while the line is being set, and pick one
    otherwise."""
    if number in SECTIONS["flip"]:
        return Flip(MARKET.names[SECTIONS["flip"].index(number)])
    if number in SECTIONS["take"]:
        return TAKES[SECTIONS["take"].index(number)]
    if number in SECTIONS["token"]:
        token = TOKENS[SECTIONS["token"].index(number)]
        return LineUp(token) if state.phase in ("line", "choose") else PickToken(token)
    if number in SECTIONS["pay"]:
        ways = payments(state.players[seat], state.buying) if state.phase == "pay" else []
        at = SECTIONS["pay"].index(number)
        return ways[at] if at < len(ways) else None
    return _SINGLE_ACTIONS.get(number)


def chance(state: State, action: Action) -> int:
    match action:
        case PickToken(token):
            return TOKENS.index(token)
        case NameFirst(seat):
            return seat
        case ShowFace(face):
            return FACES.index(face)
        case ShowBuilding(_, card):
            return CARDS.index(card)
    raise ValueError(action)
