"""Sequential halving over choices with tree playouts, and evaluation of given choices in given futures."""

# ruff: noqa: PLR0913, PLR0917 - a kernel is written for the machine: flat, with its arrays as arguments

from collections.abc import Sequence
from math import sqrt

from polyopolis.kernels.drafting.chance import shuffle
from polyopolis.kernels.drafting.choice_values import evaluate_choices
from polyopolis.kernels.drafting.layout import (
    CHOICE_VALUES,
    GAMES_PER_SETTLED_CHECK,
    LEADS,
    NO_PLAYERS,
    NONE,
    PLAYER_COUNT,
    SEARCHER,
    SEAT,
    SETTLED_ERRORS,
    TIE_BASE,
    TOTAL_TURNS,
    TURNS_PLAYED,
    UTILITIES,
    DraftScratch,
    SearchPlan,
    Tree,
)
from polyopolis.kernels.drafting.playouts import play_greedy
from polyopolis.kernels.drafting.scores import total_score, unspent_cards
from polyopolis.kernels.drafting.search_tree import backpropagate, find_root, init_node, play_in_tree
from polyopolis.kernels.drafting.standings import write_utilities
from polyopolis.kernels.drafting.transitions import decide
from polyopolis.kernels.runtime.array_ops import copy_into, partial_sort
from polyopolis.kernels.runtime.jit import Floats, Ints, Words, entry, jit
from polyopolis.kernels.runtime.sequential_halving import SearchResult, games_per_choice, half_of, round_count


@jit
def is_settled(gaps: Floats, left: int, games: int, tolerance: int) -> bool:
    """Returns whether no remaining choice can be better than the first by more than the tolerance."""
    for at in range(1, left):
        mean = gaps[2 * at] / games
        spread = max(gaps[2 * at + 1] / games - mean * mean, 0.0)
        if mean + SETTLED_ERRORS * sqrt((spread + 1.0) / games) > tolerance:
            return False
    return True


@jit
def simulate_choices(
    law: Ints,
    first: Ints,
    left: int,
    plan: SearchPlan,
    weights: Floats,
    scratch: DraftScratch,
    found: SearchResult,
    tree: Tree,
    node_count: int,
) -> int:
    """Plays one simulation of every remaining choice with the same chance events. Returns the number of nodes."""
    seat, utility, evals, gaps, until = first[SEAT], 0.0, scratch.evals, tree.gaps, first[TURNS_PLAYED] + plan.turns
    planner = seat if plan.tree_players == SEARCHER else NONE
    for at in range(left):
        copy_into(first, scratch.draft)
        decide(law, scratch.draft, found.choices[at], scratch.choices)
        root = find_root(tree.nodes, found.choices[at])
        node = NONE if plan.tree_players == NO_PLAYERS else root
        node_count = play_in_tree(law, scratch, until, weights, tree, node, node_count, planner, plan.correction)
        write_utilities(law, scratch.draft, weights, scratch.trial, evals)
        backpropagate(tree.nodes, tree.sums, tree.path, evals)
        utility = evals[UTILITIES + seat] if at == 0 else utility
        gap = evals[UTILITIES + seat] - utility
        gaps[2 * at] += gap
        gaps[2 * at + 1] += gap * gap
        found.means[at] += evals[UTILITIES + seat]
        tree.leads[root] += evals[LEADS + seat]
    return node_count


@jit
def freeze_leads(nodes: Ints, chosen: Ints, leads: Floats, keep: int, left: int, games: int) -> None:
    """Replaces the lead of each dropped choice by its mean difference to the first."""
    best = leads[find_root(nodes, chosen[0])]
    for at in range(keep, left):
        root = find_root(nodes, chosen[at])
        leads[root] = (leads[root] - best) / games


@entry
def search_choices(
    law: Ints,
    first: Ints,
    plan: SearchPlan,
    rng: Words,
    weights: Floats,
    scratch: DraftScratch,
    found: SearchResult,
    tree: Tree,
) -> tuple[int, int]:
    """Sequential halving with common random numbers.

    The `width` choices with the highest static value are tried. A simulation plays a number of turns greedily; in the
    tree after each choice, all players or the searcher follow the branches with the best results. The search stops
    early when it is settled. Writes the choices, best first, with their mean leads; returns their number and the
    number of simulations. The lead of a choice that was dropped earlier is the best lead minus its mean difference in
    its last round.
    """
    chosen, means, leads = found.choices, found.means, tree.leads
    number = evaluate_choices(law, first, weights, scratch)
    for at in range(number):
        chosen[at], means[at] = scratch.choices[at], scratch.evals[CHOICE_VALUES + at]
    width = left = node_count = min(number, plan.width)
    simulations = 1 if left == 1 else plan.simulations
    partial_sort(chosen, means, number, left)
    for at in range(left):
        init_node(tree.nodes, at, chosen[at])
        means[at], leads[at] = 0.0, 0.0
    rounds, games, spent = round_count(left), 0, 0
    while left > 1 or games == 0:
        most, played, clear = games_per_choice(simulations, rounds, left), 0, False
        for at in range(2 * left):
            tree.gaps[at] = 0.0
        while played < most and not clear:
            shuffle(law, first, rng, scratch.coming)
            node_count = simulate_choices(law, first, left, plan, weights, scratch, found, tree, node_count)
            played += 1
            clear = played % GAMES_PER_SETTLED_CHECK == 0 and is_settled(tree.gaps, left, played, plan.tolerance)
        games += played
        spent += played * left
        partial_sort(chosen, means, left, left)
        keep = 1 if clear else half_of(left)
        freeze_leads(tree.nodes, chosen, leads, keep, left, games)
        left = keep
    best = leads[find_root(tree.nodes, chosen[0])] / games
    for at in range(width):
        means[at] = best + (leads[find_root(tree.nodes, chosen[at])] if at > 0 else 0.0)
    return width, spent


@entry
def estimate_choices(
    law: Ints, first: Ints, turns: int, choices: Ints, seeds: Words, weights: Floats, scratch: DraftScratch,
    leads: Sequence[Floats], utilities: Sequence[Floats],
) -> None:  # fmt: skip
    """Plays each choice greedily for a number of turns in each future and writes leads and utilities: a row per
    choice, a column per seed."""
    seat, until = first[SEAT], first[TURNS_PLAYED] + turns
    for future in range(len(seeds)):
        scratch.rng[0] = seeds[future]
        shuffle(law, first, scratch.rng, scratch.coming)
        for at in range(len(choices)):
            copy_into(first, scratch.draft)
            decide(law, scratch.draft, choices[at], scratch.choices)
            play_greedy(law, scratch, until, weights)
            write_utilities(law, scratch.draft, weights, scratch.trial, scratch.evals)
            leads[at][future], utilities[at][future] = scratch.evals[LEADS + seat], scratch.evals[UTILITIES + seat]


@entry
def play_futures(
    law: Ints,
    first: Ints,
    choices: Ints,
    orders: Sequence[Ints],
    weights: Floats,
    scratch: DraftScratch,
    results: Sequence[Ints],
) -> None:
    """Plays each choice (NONE: the greedy one) greedily to the end in futures with given card orders, one row per
    future. Writes a row per choice and player: score * TIE_BASE + unspent cards."""
    players = law[PLAYER_COUNT]
    for future in range(len(orders)):
        copy_into(orders[future], scratch.coming)
        for at in range(len(choices)):
            copy_into(first, scratch.draft)
            if choices[at] != NONE:
                decide(law, scratch.draft, choices[at], scratch.choices)
            play_greedy(law, scratch, law[TOTAL_TURNS], weights)
            for player in range(players):
                score = total_score(law, scratch.draft, player)
                results[at * players + player][future] = score * TIE_BASE + unspent_cards(scratch.draft, player)
