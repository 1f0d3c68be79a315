"""Value of a choice when players follow a search tree."""

# ruff: noqa: PLR0913, PLR0917 - a kernel is written for the machine: flat, with its arrays as arguments

from collections.abc import Sequence

from polyopolis.kernels.drafting.chance import shuffle
from polyopolis.kernels.drafting.layout import (
    LEADS,
    NONE,
    PLAYER_COUNT,
    SEARCHER,
    SEAT,
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
from polyopolis.kernels.drafting.search_tree import backpropagate, init_node, play_in_tree
from polyopolis.kernels.drafting.standings import write_utilities
from polyopolis.kernels.drafting.transitions import decide
from polyopolis.kernels.runtime.array_ops import copy_into
from polyopolis.kernels.runtime.jit import Floats, Ints, Words, entry, jit


@jit
def simulate_choice(
    law: Ints,
    first: Ints,
    plan: SearchPlan,
    choice: int,
    weights: Floats,
    scratch: DraftScratch,
    tree: Tree,
    node_count: int,
) -> int:
    """Plays the turns of the plan after a choice with the written chance events. Returns the number of nodes."""
    planner = first[SEAT] if plan.tree_players == SEARCHER else NONE
    copy_into(first, scratch.draft)
    decide(law, scratch.draft, choice, scratch.choices)
    node_count = play_in_tree(
        law, scratch, first[TURNS_PLAYED] + plan.turns, weights, tree, 0, node_count, planner, plan.correction
    )
    write_utilities(law, scratch.draft, weights, scratch.trial, scratch.evals)
    backpropagate(tree.nodes, tree.sums, tree.path, scratch.evals)
    return node_count


@entry
def estimate_with_tree(
    law: Ints, first: Ints, plan: SearchPlan, choice: int, rng: Words, orders: Sequence[Ints], weights: Floats,
    scratch: DraftScratch, tree: Tree, leads: Floats, utilities: Floats, results: Sequence[Ints],
) -> None:  # fmt: skip
    """Writes the lead and utility of the deciding seat after the turns of the plan, future by future.

    A tree grows after the choice: first in `plan.simulations` simulations, then from future to future. Decisions in a
    future only use results of earlier ones, so each future is an unbiased trial. Futures with a given order come
    first and are played greedily to the end; their results are written for each player: score * TIE_BASE + unspent
    cards.
    """
    seat, node_count = first[SEAT], 1
    init_node(tree.nodes, 0, choice)
    for _ in range(plan.simulations):
        shuffle(law, first, rng, scratch.coming)
        node_count = simulate_choice(law, first, plan, choice, weights, scratch, tree, node_count)
    for future in range(len(leads)):
        if future < len(orders):
            copy_into(orders[future], scratch.coming)
        else:
            shuffle(law, first, rng, scratch.coming)
        node_count = simulate_choice(law, first, plan, choice, weights, scratch, tree, node_count)
        leads[future], utilities[future] = scratch.evals[LEADS + seat], scratch.evals[UTILITIES + seat]
        if future < len(orders):
            play_greedy(law, scratch, law[TOTAL_TURNS], weights)
            for player in range(law[PLAYER_COUNT]):
                score = total_score(law, scratch.draft, player)
                results[player][future] = score * TIE_BASE + unspent_cards(scratch.draft, player)
