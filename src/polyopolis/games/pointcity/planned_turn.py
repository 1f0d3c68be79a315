"""The state as if it were a seat's turn, so that it can plan ahead while others play (premoves)."""

from msgspec.structs import replace

from polyopolis.games.pointcity.actions import Action, Draw, Flip, Take
from polyopolis.games.pointcity.content import MARKET, Side
from polyopolis.games.pointcity.state import State


def at_turn(state: State, seat: int) -> State | None:
    """Returns the state as if it were the turn of this seat; None while cards are being paid or laid out."""
    if state.phase not in ("turn", "take"):
        return None
    return replace(state, acting=frozenset({seat}), seat=seat, phase="turn")


def grounds(state: State, action: Action) -> tuple[str, ...]:
    """Returns the cards that an action takes or turns over; a planned action requires that they are unchanged."""
    match action:
        case Take(cells):
            return tuple(_shown(state, cell) for cell in cells)
        case Flip(at):
            return (_shown(state, at),)
        case Draw():
            return (state.deck.top.face,) if state.deck.top else ()
    return ()


def _shown(state: State, cell: str) -> str:
    card = state.market[MARKET.names.index(cell)]
    if card is None:
        return ""
    return card.face if isinstance(card, Side) else card.name
