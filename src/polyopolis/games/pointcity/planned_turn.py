"""A turn that somebody plans while others play: with the table as it lies, as long as that is still there."""

from msgspec.structs import replace

from polyopolis.games.pointcity.actions import Action, Draw, Flip, Take
from polyopolis.games.pointcity.content import MARKET, Side
from polyopolis.games.pointcity.state import State


def at_turn(state: State, seat: int) -> State | None:
    """As if it were the turn of this seat now; None while cards are being paid or laid out."""
    if state.phase not in ("turn", "take"):
        return None
    return replace(state, acting=frozenset({seat}), seat=seat, phase="turn")


def grounds(state: State, action: Action) -> tuple[str, ...]:
    """What an action takes or turns, by name."""
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
