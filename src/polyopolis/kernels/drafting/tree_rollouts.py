"""What a choice comes to if everybody has learnt what does well after it."""

# ruff: noqa: PLR0913, PLR0917 - a kernel is written for the machine: flat, with its arrays as arguments

from collections.abc import Sequence

from polyopolis.kernels.drafting.chance import shuffle
from polyopolis.kernels.drafting.layout import (
    ALL_TURNS,
    HOPES,
    LEADS,
    NONE,
    PLAYERS,
    SEARCHER,
    SEAT,
    TIED,
    TURNS,
    Plan,
    Room,
    Tree,
)
from polyopolis.kernels.drafting.playouts import play_on
from polyopolis.kernels.drafting.scores import total, unspent
from polyopolis.kernels.drafting.search_tree import learn, planted, play_through
from polyopolis.kernels.drafting.standings import look_ahead
from polyopolis.kernels.drafting.transitions import decide
from polyopolis.kernels.runtime.array_ops import copied
from polyopolis.kernels.runtime.jit import Floats, Ints, Words, entry, jit


@jit
def tried_out(
    law: Ints, first: Ints, plan: Plan, choice: int, weights: Floats, room: Room, tree: Tree, nodes: int
) -> int:
    """The turns of the plan after a choice, with the luck that is written; how many nodes there are now."""
    planner = first[SEAT] if plan.growing == SEARCHER else NONE
    copied(first, room.draft)
    decide(law, room.draft, choice, room.choices)
    nodes = play_through(law, room, first[TURNS] + plan.turns, weights, tree, 0, nodes, planner, plan.amending)
    look_ahead(law, room.draft, weights, room.desk, room.notes)
    learn(tree.nodes, tree.sums, tree.path, room.notes)
    return nodes


@entry
def learnt(
    law: Ints, first: Ints, plan: Plan, choice: int, luck: Words, orders: Sequence[Ints], weights: Floats, room: Room,
    tree: Tree, leads: Floats, hopes: Floats, results: Sequence[Ints],
) -> None:  # fmt: skip
    """Writes how far whoever decides is ahead when the turns of the plan are over, and what is hoped for by that, in
    one future after the other.

    A tree grows after the choice, at first in as many simulations as the plan has, then from one future to the next:
    what is done in a future follows from what came before it, and not from what it brings, so that each of them is a
    fair trial. Those that are told, a row for each, come first and go on to their end at sight: for each player the
    score is written, and below TIED the cards that settle ties.
    """
    seat, nodes = first[SEAT], 1
    planted(tree.nodes, 0, choice)
    for _ in range(plan.simulations):
        shuffle(law, first, luck, room.coming)
        nodes = tried_out(law, first, plan, choice, weights, room, tree, nodes)
    for future in range(len(leads)):
        if future < len(orders):
            copied(orders[future], room.coming)
        else:
            shuffle(law, first, luck, room.coming)
        nodes = tried_out(law, first, plan, choice, weights, room, tree, nodes)
        leads[future], hopes[future] = room.notes[LEADS + seat], room.notes[HOPES + seat]
        if future < len(orders):
            play_on(law, room, law[ALL_TURNS], weights)
            for player in range(law[PLAYERS]):
                score = total(law, room.draft, player)
                results[player][future] = score * TIED + unspent(room.draft, player)
