"""Random and greedy playouts."""

# ruff: noqa: PLR0913, PLR0917 - a kernel is written for the machine: flat, with its arrays as arguments

from polyopolis.kernels.drafting.chance import deal, open_game
from polyopolis.kernels.drafting.choice_values import best_choice
from polyopolis.kernels.drafting.layout import (
    PHASE,
    PHASE_OVER,
    PHASE_PAY,
    PLAYER_COUNT,
    TOTAL_TURNS,
    TURNS_PLAYED,
    DraftScratch,
)
from polyopolis.kernels.drafting.legal_choices import list_choices
from polyopolis.kernels.drafting.scores import total_score
from polyopolis.kernels.drafting.transitions import build_cheaply, decide, decide_cheaply
from polyopolis.kernels.runtime.array_ops import copy_into
from polyopolis.kernels.runtime.jit import Floats, Ints, Words, jit
from polyopolis.kernels.runtime.rng import random_below


@jit
def deal_and_pay(law: Ints, draft: Ints, coming: Ints) -> None:
    """Applies chance events, and pays cheaply if a payment is due."""
    deal(law, draft, coming)
    if draft[PHASE] == PHASE_PAY:
        build_cheaply(law, draft)
        deal(law, draft, coming)


@jit
def play_greedy(law: Ints, scratch: DraftScratch, until: int, weights: Floats) -> None:
    """Plays on for all players by static value until `until` turns are over."""
    draft, coming = scratch.draft, scratch.coming
    deal_and_pay(law, draft, coming)
    while draft[PHASE] != PHASE_OVER and draft[TURNS_PLAYED] < until:
        decide_cheaply(law, draft, best_choice(law, draft, weights, scratch))
        deal(law, draft, coming)


@jit
def random_playouts(law: Ints, first: Ints, rng: Words, scratch: DraftScratch, results: Ints) -> int:
    """Plays random games and writes the score of the first player. Returns the number of decisions."""
    draft, choices, decisions = scratch.draft, scratch.choices, 0
    for number in range(len(results)):
        copy_into(first, draft)
        open_game(law, draft, rng, scratch.coming)
        while draft[PHASE] != PHASE_OVER:
            decide(law, draft, choices[random_below(rng, list_choices(law, draft, choices))], choices)
            deal(law, draft, scratch.coming)
            decisions += 1
        results[number] = total_score(law, draft, 0)
    return decisions


@jit
def greedy_playouts(
    law: Ints, first: Ints, seeds: Words, weights: Floats, scratch: DraftScratch, results: Floats
) -> None:
    """Plays one greedy game per seed and writes the scores of all players."""
    players = law[PLAYER_COUNT]
    for number in range(len(seeds)):
        copy_into(first, scratch.draft)
        scratch.rng[0] = seeds[number]
        open_game(law, scratch.draft, scratch.rng, scratch.coming)
        play_greedy(law, scratch, law[TOTAL_TURNS], weights)
        for player in range(players):
            results[number * players + player] = total_score(law, scratch.draft, player)
