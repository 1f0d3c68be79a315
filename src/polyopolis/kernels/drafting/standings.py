"""Who is ahead, and what that is worth."""

# ruff: noqa: PLR0913, PLR0917 - a kernel is written for the machine: flat, with its arrays as arguments

from polyopolis.kernels.drafting.evaluation import (
    blend,
    city_worth,
    find_prices,
    look_around,
    means_worth,
    turns_left,
)
from polyopolis.kernels.drafting.layout import (
    ALL_TURNS,
    BLOCK,
    CELLS,
    HOPES,
    LEADS,
    LOOMING,
    NONE,
    OVER,
    PHASE,
    PLAYER,
    PLAYERS,
    SEATS,
    TURNS,
    UNSURE,
    WINNING,
)
from polyopolis.kernels.drafting.scores import lead, total
from polyopolis.kernels.runtime.jit import Floats, Ints, jit


@jit
def holdings(law: Ints, draft: Ints, player: int, weights: Floats, desk: Ints, notes: Floats) -> float:
    """What a player has between two turns."""
    at = PLAYER + BLOCK * player
    if player >= law[SEATS]:
        return total(law, draft, player)
    look_around(law, draft, desk)
    for cell in range(CELLS):
        notes[LOOMING + cell] = 0.0
    blend(law, draft, player, turns_left(law, draft, player), weights, notes)
    find_prices(law, draft, at, desk, notes)
    return city_worth(law, draft, at, notes) + means_worth(law, draft, at, NONE, NONE, desk, notes)


@jit
def look_ahead(law: Ints, draft: Ints, weights: Floats, desk: Ints, notes: Floats) -> None:
    """Writes by how much each seat is ahead of the best other player, by the score or by what all have, and what that
    is worth: the surer a win is the less the points beyond it count.
    """
    unsure = 0.0
    if draft[PHASE] == OVER:
        for seat in range(law[SEATS]):
            notes[LEADS + seat] = lead(law, draft, seat)
    else:
        unsure = UNSURE * (1.0 - draft[TURNS] / law[ALL_TURNS])
        likely_leads(law, draft, weights, desk, notes)
    for seat in range(law[SEATS]):
        ahead = notes[LEADS + seat]
        notes[HOPES + seat] = ahead if ahead == 0.0 else ahead + WINNING * ahead / (unsure + abs(ahead))


@jit
def likely_leads(law: Ints, draft: Ints, weights: Floats, desk: Ints, notes: Floats) -> None:
    """Writes how far each seat is before the best other player, by what everybody has."""
    first, second, best = -1e9, -1e9, NONE
    for player in range(law[PLAYERS]):
        own = holdings(law, draft, player, weights, desk, notes)
        notes[LEADS + player] = own
        if own > first:
            first, second, best = own, first, player
        elif own > second:
            second = own
    for seat in range(law[SEATS]):
        notes[LEADS + seat] -= second if seat == best else first
