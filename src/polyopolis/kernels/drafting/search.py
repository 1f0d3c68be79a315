"""What choices come to, by playing on from each of them."""

# ruff: noqa: PLR0913, PLR0917 - a kernel is written for the machine: flat, with its arrays as arguments

from collections.abc import Sequence
from math import sqrt

from polyopolis.kernels.drafting.chance import shuffle
from polyopolis.kernels.drafting.choice_values import valued
from polyopolis.kernels.drafting.layout import (
    ALL_TURNS,
    HOPES,
    LEADS,
    NOBODY,
    NONE,
    OFTEN,
    PLAYERS,
    SEARCHER,
    SEAT,
    SURELY,
    TIED,
    TURNS,
    VALUES,
    Plan,
    Room,
    Tree,
)
from polyopolis.kernels.drafting.playouts import play_on
from polyopolis.kernels.drafting.scores import total, unspent
from polyopolis.kernels.drafting.search_tree import learn, planted, play_through, root_of
from polyopolis.kernels.drafting.standings import look_ahead
from polyopolis.kernels.drafting.transitions import decide
from polyopolis.kernels.runtime.array_ops import copied, sort
from polyopolis.kernels.runtime.jit import Floats, Ints, Words, entry, jit
from polyopolis.kernels.runtime.sequential_halving import Found, games_of_each, halved, rounds_for


@jit
def settled(gaps: Floats, left: int, games: int, alike: int) -> bool:
    """Whether none of the choices that are left can be better than the first by more than so many points."""
    for at in range(1, left):
        mean = gaps[2 * at] / games
        spread = max(gaps[2 * at + 1] / games - mean * mean, 0.0)
        if mean + SURELY * sqrt((spread + 1.0) / games) > alike:
            return False
    return True


@jit
def tried(
    law: Ints, first: Ints, left: int, plan: Plan, weights: Floats, room: Room, found: Found, tree: Tree, nodes: int
) -> int:
    """One simulation more of every choice that is left, all with the same luck; how many nodes there are now."""
    seat, hope, notes, gaps, until = first[SEAT], 0.0, room.notes, tree.gaps, first[TURNS] + plan.turns
    planner = seat if plan.growing == SEARCHER else NONE
    for at in range(left):
        copied(first, room.draft)
        decide(law, room.draft, found.choices[at], room.choices)
        root = root_of(tree.nodes, found.choices[at])
        node = NONE if plan.growing == NOBODY else root
        nodes = play_through(law, room, until, weights, tree, node, nodes, planner, plan.amending)
        look_ahead(law, room.draft, weights, room.desk, notes)
        learn(tree.nodes, tree.sums, tree.path, notes)
        hope = notes[HOPES + seat] if at == 0 else hope
        gap = notes[HOPES + seat] - hope
        gaps[2 * at] += gap
        gaps[2 * at + 1] += gap * gap
        found.means[at] += notes[HOPES + seat]
        tree.leads[root] += notes[LEADS + seat]
    return nodes


@jit
def give_up(grove: Ints, chosen: Ints, leads: Floats, keep: int, left: int, games: int) -> None:
    """Of the choices that are given up only what they lack to the first is kept."""
    best = leads[root_of(grove, chosen[0])]
    for at in range(keep, left):
        root = root_of(grove, chosen[at])
        leads[root] = (leads[root] - best) / games


@entry
def searched(
    law: Ints, first: Ints, plan: Plan, luck: Words, weights: Floats, room: Room, found: Found, tree: Tree
) -> tuple[int, int]:
    """Sequential halving: in every round all choices that are left are tried with the same luck.

    What is worth most at sight is tried first, so many choices at most. A simulation goes on for so many turns by what
    is worth most at sight, for everybody; after each choice a tree may grow, and in it everybody, or the searcher, does
    what has done well for him. It is enough when none can be much better than the first. Writes the choices that were
    tried, the best one first, and by how much each comes out ahead on average; how many there are, and how many
    simulations were played. Those given up in an earlier round lack to the best what they lacked to the first of that
    round.
    """
    chosen, means, leads = found.choices, found.means, tree.leads
    number = valued(law, first, weights, room)
    for at in range(number):
        chosen[at], means[at] = room.choices[at], room.notes[VALUES + at]
    width = left = nodes = min(number, plan.width)
    simulations = 1 if left == 1 else plan.simulations
    sort(chosen, means, number, left)
    for at in range(left):
        planted(tree.nodes, at, chosen[at])
        means[at], leads[at] = 0.0, 0.0
    rounds, games, spent = rounds_for(left), 0, 0
    while left > 1 or games == 0:
        most, played, clear = games_of_each(simulations, rounds, left), 0, False
        for at in range(2 * left):
            tree.gaps[at] = 0.0
        while played < most and not clear:
            shuffle(law, first, luck, room.coming)
            nodes = tried(law, first, left, plan, weights, room, found, tree, nodes)
            played += 1
            clear = played % OFTEN == 0 and settled(tree.gaps, left, played, plan.alike)
        games += played
        spent += played * left
        sort(chosen, means, left, left)
        keep = 1 if clear else halved(left)
        give_up(tree.nodes, chosen, leads, keep, left, games)
        left = keep
    best = leads[root_of(tree.nodes, chosen[0])] / games
    for at in range(width):
        means[at] = best + (leads[root_of(tree.nodes, chosen[at])] if at > 0 else 0.0)
    return width, spent


@entry
def judged(
    law: Ints, first: Ints, turns: int, choices: Ints, luck: Words, weights: Floats, room: Room,
    leads: Sequence[Floats], hopes: Sequence[Floats],
) -> None:  # fmt: skip
    """Writes what every one of these choices comes to in every future, if all go on for so many turns by what is worth
    most at sight: the lead, and what is hoped for by that. A row for each choice, one number for each word of luck,
    with which the generator of that future begins.
    """
    seat, until = first[SEAT], first[TURNS] + turns
    for future in range(len(luck)):
        room.luck[0] = luck[future]
        shuffle(law, first, room.luck, room.coming)
        for at in range(len(choices)):
            copied(first, room.draft)
            decide(law, room.draft, choices[at], room.choices)
            play_on(law, room, until, weights)
            look_ahead(law, room.draft, weights, room.desk, room.notes)
            leads[at][future], hopes[at][future] = room.notes[LEADS + seat], room.notes[HOPES + seat]


@entry
def foretold(
    law: Ints, first: Ints, choices: Ints, orders: Sequence[Ints], weights: Floats, room: Room, results: Sequence[Ints]
) -> None:
    """Writes how every player ends after every one of these choices, NONE for what is worth most at sight, if all that
    comes is told, a row for each future, and everybody plays to the end by what is worth most at sight. A row for each
    choice and player: the score, and below TIED the cards that settle ties.
    """
    players = law[PLAYERS]
    for future in range(len(orders)):
        copied(orders[future], room.coming)
        for at in range(len(choices)):
            copied(first, room.draft)
            if choices[at] != NONE:
                decide(law, room.draft, choices[at], room.choices)
            play_on(law, room, law[ALL_TURNS], weights)
            for player in range(players):
                score = total(law, room.draft, player)
                results[at * players + player][future] = score * TIED + unspent(room.draft, player)
