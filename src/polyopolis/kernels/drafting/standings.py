"""Leads over the best opponent, and the utility of a lead."""

# ruff: noqa: PLR0913, PLR0917 - a kernel is written for the machine: flat, with its arrays as arguments

from polyopolis.kernels.drafting.evaluation import (
    city_value,
    list_market_buildings,
    means_value,
    turns_left,
    write_building_values,
    write_weights,
)
from polyopolis.kernels.drafting.layout import (
    CELL_COUNT,
    LEADS,
    NONE,
    PHASE,
    PHASE_OVER,
    PLAYER_COUNT,
    PLAYER_SIZE,
    PLAYERS_AT,
    SEAT_COUNT,
    THREATS,
    TOTAL_TURNS,
    TURNS_PLAYED,
    UNSURE_LEAD_POINTS,
    UTILITIES,
    WIN_POINTS,
)
from polyopolis.kernels.drafting.scores import lead, total_score
from polyopolis.kernels.runtime.jit import Floats, Ints, jit


@jit
def player_value(law: Ints, draft: Ints, player: int, weights: Floats, trial: Ints, evals: Floats) -> float:
    """Returns the static value of a player between two turns."""
    at = PLAYERS_AT + PLAYER_SIZE * player
    if player >= law[SEAT_COUNT]:
        return total_score(law, draft, player)
    list_market_buildings(law, draft, trial)
    for cell in range(CELL_COUNT):
        evals[THREATS + cell] = 0.0
    write_weights(law, draft, player, turns_left(law, draft, player), weights, evals)
    write_building_values(law, draft, at, trial, evals)
    return city_value(law, draft, at, evals) + means_value(law, draft, at, NONE, NONE, trial, evals)


@jit
def write_utilities(law: Ints, draft: Ints, weights: Floats, trial: Ints, evals: Floats) -> None:
    """Writes the lead of each seat, by score or by estimate, and its utility: the lead plus a bonus for winning that
    saturates, so points count less the surer the win is."""
    unsure = 0.0
    if draft[PHASE] == PHASE_OVER:
        for seat in range(law[SEAT_COUNT]):
            evals[LEADS + seat] = lead(law, draft, seat)
    else:
        unsure = UNSURE_LEAD_POINTS * (1.0 - draft[TURNS_PLAYED] / law[TOTAL_TURNS])
        write_estimated_leads(law, draft, weights, trial, evals)
    for seat in range(law[SEAT_COUNT]):
        ahead = evals[LEADS + seat]
        evals[UTILITIES + seat] = ahead if ahead == 0.0 else ahead + WIN_POINTS * ahead / (unsure + abs(ahead))


@jit
def write_estimated_leads(law: Ints, draft: Ints, weights: Floats, trial: Ints, evals: Floats) -> None:
    """Writes the estimated lead of each seat by static values."""
    first, second, best = -1e9, -1e9, NONE
    for player in range(law[PLAYER_COUNT]):
        own = player_value(law, draft, player, weights, trial, evals)
        evals[LEADS + player] = own
        if own > first:
            first, second, best = own, first, player
        elif own > second:
            second = own
    for seat in range(law[SEAT_COUNT]):
        evals[LEADS + seat] -= second if seat == best else first
