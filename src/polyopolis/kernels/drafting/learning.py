"""What choices come to if everybody learns what does well after them."""

# ruff: noqa: PLR0913, PLR0917 - a kernel is written for the machine: flat, with its arrays as arguments

from collections.abc import Sequence

from polyopolis.kernels.compiled import Floats, Ints, entry
from polyopolis.kernels.drafting.deciding import decide
from polyopolis.kernels.drafting.growing import learn, planted, play_through
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
from polyopolis.kernels.drafting.leading import look_ahead
from polyopolis.kernels.drafting.playing import play_on
from polyopolis.kernels.drafting.scoring import total, unspent
from polyopolis.kernels.rows import copied


@entry
def learnt(
    law: Ints, first: Ints, plan: Plan, choices: Ints, orders: Sequence[Ints], weights: Floats, room: Room, tree: Tree,
    leads: Sequence[Floats], hopes: Sequence[Floats], results: Sequence[Ints],
) -> None:  # fmt: skip
    """Like `searching.foretold`, with a tree after every choice that grows from one future to the next: what is done in
    a future follows from those before it, and not from what it brings, so that each of them is a fair trial.

    After the turns of the plan it is written how far whoever decides is ahead, and what is hoped for by that: a row for
    each choice. From there everybody goes on to the end at sight.
    """
    seat, players, nodes = first[SEAT], law[PLAYERS], len(choices)
    planner, until = seat if plan.growing == SEARCHER else NONE, first[TURNS] + plan.turns
    for at in range(len(choices)):
        planted(tree.nodes, at, choices[at])
    for future in range(len(orders)):
        copied(orders[future], room.coming)
        for at in range(len(choices)):
            copied(first, room.draft)
            decide(law, room.draft, choices[at], room.choices)
            nodes = play_through(law, room, until, weights, tree, at, nodes, planner)
            look_ahead(law, room.draft, weights, room.desk, room.notes)
            learn(tree.nodes, tree.sums, tree.path, room.notes)
            leads[at][future], hopes[at][future] = room.notes[LEADS + seat], room.notes[HOPES + seat]
            play_on(law, room, law[ALL_TURNS], weights)
            for player in range(players):
                score = total(law, room.draft, player)
                results[at * players + player][future] = score * TIED + unspent(room.draft, player)
