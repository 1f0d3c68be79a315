"""A tree of what may be chosen, whatever luck brings in between."""

# ruff: noqa: PLR0913, PLR0917 - a kernel is written for the machine: flat, with its arrays as arguments

from math import sqrt

from polyopolis.kernels.drafting.chance import deal
from polyopolis.kernels.drafting.choice_values import highest, valued
from polyopolis.kernels.drafting.layout import (
    AFTER,
    BRANCH,
    BRANCHES,
    EXPLORING,
    HOPES,
    LEADS_TO,
    LEANING,
    LOG_2,
    MOST_STEPS,
    NODE,
    NONE,
    OVER,
    PHASE,
    RIPE,
    ROOT,
    SEAT,
    TAKE,
    TAKEN,
    TURN,
    TURNS,
    USED,
    VALUES,
    VISITS,
    Room,
    Tree,
)
from polyopolis.kernels.drafting.playouts import carry_on
from polyopolis.kernels.drafting.transitions import act
from polyopolis.kernels.runtime.jit import Floats, Ints, jit


@jit
def planted(grove: Ints, node: int, after: int) -> None:
    """A new node."""
    at = node * NODE
    grove[at + VISITS], grove[at + USED], grove[at + AFTER] = 0, 0, after


@jit
def branch_of(grove: Ints, node: int, choice: int) -> int:
    """The branch with a choice; NONE if there is none yet."""
    at = node * NODE + BRANCH
    for branch in range(grove[node * NODE + USED]):
        if grove[at + 3 * branch] == choice:
            return branch
    return NONE


@jit
def grown(tree: Tree, node: int, room: Room, number: int) -> int:
    """A new branch: the choice that is worth most at sight and has none; NONE if all have one."""
    grove, choices, notes, top = tree.nodes, room.choices, room.notes, NONE
    for at in range(number):
        better = top == NONE or notes[VALUES + at] > notes[VALUES + top]
        if better and branch_of(grove, node, choices[at]) == NONE:
            top = at
    if top == NONE:
        return NONE
    branch = grove[node * NODE + USED]
    at = node * NODE + BRANCH + 3 * branch
    grove[at], grove[at + TAKEN], grove[at + LEADS_TO] = choices[top], 0, NONE
    grove[node * NODE + USED] += 1
    tree.sums[node * BRANCHES + branch], tree.behind[node * BRANCHES + branch] = 0.0, 0.0
    return branch


@jit
def logarithm(number: float) -> float:
    """Of a number from 1 on. By arithmetic alone, which has the same last bit everywhere; what libraries find has not.

    Twos are taken out until little is left, whose logarithm is that of (1 + part) / (1 - part): a quick series.
    """
    twos, series = 0, 0.0
    while number > ROOT:
        number *= 0.5
        twos += 1
    part = (number - 1.0) / (number + 1.0)
    for term in range(10, -1, -1):
        series = series * part * part + 1.0 / (2 * term + 1)
    return twos * LOG_2 + 2.0 * part * series


@jit
def top_at_sight(number: int, notes: Floats) -> float:
    """What the best of all choices is worth."""
    top = -1e9
    for at in range(number):
        top = max(top, notes[VALUES + at])
    return top


@jit
def most_promising(tree: Tree, node: int, room: Room, number: int, amending: int) -> int:
    """The branch that has done best, with some curiosity; NONE if luck has left none of them."""
    grove, notes = tree.nodes, room.notes
    curious, best, most = logarithm(grove[node * NODE + VISITS] + 1.0), NONE, -1e9
    top = top_at_sight(number, notes)
    for at in range(number):
        branch = branch_of(grove, node, room.choices[at])
        if branch != NONE:
            taken, behind = grove[node * NODE + BRANCH + 3 * branch + TAKEN], notes[VALUES + at] - top
            hope = tree.sums[node * BRANCHES + branch] / max(taken, 1) + EXPLORING * sqrt(curious / max(taken, 1))
            hope += LEANING * behind / (taken + 1)
            if amending > 0 and taken > 0:
                hope += amending * (behind - tree.behind[node * BRANCHES + branch] / taken)
            if hope > most:
                best, most = branch, hope
    return best


@jit
def branched(tree: Tree, node: int, room: Room, number: int, amending: int) -> int:
    """Where to go on from a node: the more often it is reached the more of its choices are tried."""
    visits, used = tree.nodes[node * NODE + VISITS], tree.nodes[node * NODE + USED]
    if used < BRANCHES and used <= sqrt(visits):
        branch = grown(tree, node, room, number)
        if branch != NONE:
            return branch
    return most_promising(tree, node, room, number, amending)


@jit
def note_behind(tree: Tree, node: int, branch: int, room: Room, number: int) -> None:
    """How far a branch that is taken is behind the best at sight, with the luck of this simulation."""
    choice, top = tree.nodes[node * NODE + BRANCH + 3 * branch], top_at_sight(number, room.notes)
    for at in range(number):
        if room.choices[at] == choice:
            tree.behind[node * BRANCHES + branch] += room.notes[VALUES + at] - top


@jit
def play_through(
    law: Ints, room: Room, until: int, weights: Floats, tree: Tree, node: int, nodes: int, planner: int, amending: int
) -> int:
    """Like `play_on`, but in the tree by what has done well, one player or, for NONE, everybody. Writes the branches
    taken, and who took them, after how many there are; how many nodes there are now. Ways to pay and tokens are always
    chosen at sight.
    """
    draft, coming, grove, path = room.draft, room.coming, tree.nodes, tree.path
    path[0], most = 0, len(tree.sums) // BRANCHES
    carry_on(law, draft, coming)
    while draft[PHASE] != OVER and draft[TURNS] < until:
        number, branch = valued(law, draft, weights, room), NONE
        plans = node != NONE and planner in (NONE, draft[SEAT])
        if plans and draft[PHASE] in (TURN, TAKE) and path[0] < MOST_STEPS:
            branch = branched(tree, node, room, number, amending)
        if branch == NONE:
            choice = highest(room.choices, number, room.notes)
        else:
            at, step = node * NODE + BRANCH + 3 * branch, 1 + 3 * path[0]
            choice, path[step], path[step + 1], path[step + 2] = grove[at], node, branch, draft[SEAT]
            path[0] += 1
            if amending > 0:
                note_behind(tree, node, branch, room, number)
            if grove[at + LEADS_TO] == NONE and grove[at + TAKEN] >= RIPE and nodes < most:
                planted(grove, nodes, NONE)
                grove[at + LEADS_TO] = nodes
                nodes += 1
            node = grove[at + LEADS_TO]
        act(law, draft, choice)
        deal(law, draft, coming)
    return nodes


@jit
def learn(grove: Ints, sums: Floats, path: Ints, notes: Floats) -> None:
    """Everybody remembers what came of it for him."""
    for step in range(path[0]):
        node, branch, seat = path[1 + 3 * step], path[2 + 3 * step], path[3 + 3 * step]
        grove[node * NODE + VISITS] += 1
        grove[node * NODE + BRANCH + 3 * branch + TAKEN] += 1
        sums[node * BRANCHES + branch] += notes[HOPES + seat]


@jit
def root_of(grove: Ints, choice: int) -> int:
    """The node after a choice of the search."""
    root = 0
    while grove[root * NODE + AFTER] != choice:
        root += 1
    return root
