"""Search tree of choices with visit counts (similar to UCT). Chance events between the choices are not part of it."""

# ruff: noqa: PLR0913, PLR0917 - a kernel is written for the machine: flat, with its arrays as arguments

from math import sqrt

from polyopolis.kernels.drafting.chance import deal
from polyopolis.kernels.drafting.choice_values import evaluate_choices, highest_choice
from polyopolis.kernels.drafting.layout import (
    BRANCH_NODE,
    BRANCH_VISITS,
    CHOICE_VALUES,
    EXPLORATION_POINTS,
    FIRST_BRANCH,
    LOG_2,
    MAX_BRANCHES,
    MAX_PATH_STEPS,
    MIN_VISITS_TO_EXPAND,
    NODE_BRANCHES,
    NODE_CHOICE,
    NODE_SIZE,
    NODE_VISITS,
    NONE,
    PHASE,
    PHASE_OVER,
    PHASE_TAKE,
    PHASE_TURN,
    SEAT,
    SQRT_2,
    STATIC_VALUE_WEIGHT,
    TURNS_PLAYED,
    UTILITIES,
    DraftScratch,
    Tree,
)
from polyopolis.kernels.drafting.playouts import deal_and_pay
from polyopolis.kernels.drafting.transitions import decide_cheaply
from polyopolis.kernels.runtime.jit import Floats, Ints, jit


@jit
def init_node(nodes: Ints, node: int, after: int) -> None:
    at = node * NODE_SIZE
    nodes[at + NODE_VISITS], nodes[at + NODE_BRANCHES], nodes[at + NODE_CHOICE] = 0, 0, after


@jit
def find_branch(nodes: Ints, node: int, choice: int) -> int:
    """Returns the branch of a choice; NONE if there is none."""
    at = node * NODE_SIZE + FIRST_BRANCH
    for branch in range(nodes[node * NODE_SIZE + NODE_BRANCHES]):
        if nodes[at + 3 * branch] == choice:
            return branch
    return NONE


@jit
def add_branch(tree: Tree, node: int, scratch: DraftScratch, number: int) -> int:
    """Adds a branch for the choice with the highest static value that has none; NONE if all have one."""
    nodes, choices, evals, top = tree.nodes, scratch.choices, scratch.evals, NONE
    for at in range(number):
        better = top == NONE or evals[CHOICE_VALUES + at] > evals[CHOICE_VALUES + top]
        if better and find_branch(nodes, node, choices[at]) == NONE:
            top = at
    if top == NONE:
        return NONE
    branch = nodes[node * NODE_SIZE + NODE_BRANCHES]
    at = node * NODE_SIZE + FIRST_BRANCH + 3 * branch
    nodes[at], nodes[at + BRANCH_VISITS], nodes[at + BRANCH_NODE] = choices[top], 0, NONE
    nodes[node * NODE_SIZE + NODE_BRANCHES] += 1
    tree.sums[node * MAX_BRANCHES + branch], tree.behind[node * MAX_BRANCHES + branch] = 0.0, 0.0
    return branch


@jit
def logarithm(number: float) -> float:
    """Returns the natural logarithm of a number >= 1 by arithmetic alone. Results are bit-identical everywhere,
    unlike those of libraries.

    Factors of two are removed; the logarithm of the rest, as (1 + part) / (1 - part), is a quickly converging series.
    """
    twos, series = 0, 0.0
    while number > SQRT_2:
        number *= 0.5
        twos += 1
    part = (number - 1.0) / (number + 1.0)
    for term in range(10, -1, -1):
        series = series * part * part + 1.0 / (2 * term + 1)
    return twos * LOG_2 + 2.0 * part * series


@jit
def best_static_value(number: int, evals: Floats) -> float:
    """Returns the highest written value of all choices."""
    top = -1e9
    for at in range(number):
        top = max(top, evals[CHOICE_VALUES + at])
    return top


@jit
def best_branch(tree: Tree, node: int, scratch: DraftScratch, number: int, correction: int) -> int:
    """Returns the branch with the best result plus exploration; NONE if none of the branches is legal now."""
    nodes, evals = tree.nodes, scratch.evals
    curious, best, most = logarithm(nodes[node * NODE_SIZE + NODE_VISITS] + 1.0), NONE, -1e9
    top = best_static_value(number, evals)
    for at in range(number):
        branch = find_branch(nodes, node, scratch.choices[at])
        if branch != NONE:
            taken, behind = (
                nodes[node * NODE_SIZE + FIRST_BRANCH + 3 * branch + BRANCH_VISITS],
                evals[CHOICE_VALUES + at] - top,
            )
            utility = tree.sums[node * MAX_BRANCHES + branch] / max(taken, 1) + EXPLORATION_POINTS * sqrt(
                curious / max(taken, 1)
            )
            utility += STATIC_VALUE_WEIGHT * behind / (taken + 1)
            if correction > 0 and taken > 0:
                utility += correction * (behind - tree.behind[node * MAX_BRANCHES + branch] / taken)
            if utility > most:
                best, most = branch, utility
    return best


@jit
def select_branch(tree: Tree, node: int, scratch: DraftScratch, number: int, correction: int) -> int:
    """Returns the branch to follow. The number of branches grows with the visits of the node."""
    visits, used = tree.nodes[node * NODE_SIZE + NODE_VISITS], tree.nodes[node * NODE_SIZE + NODE_BRANCHES]
    if used < MAX_BRANCHES and used <= sqrt(visits):
        branch = add_branch(tree, node, scratch, number)
        if branch != NONE:
            return branch
    return best_branch(tree, node, scratch, number, correction)


@jit
def record_gap(tree: Tree, node: int, branch: int, scratch: DraftScratch, number: int) -> None:
    """Records the static gap of a branch to the best choice in this simulation."""
    choice, top = tree.nodes[node * NODE_SIZE + FIRST_BRANCH + 3 * branch], best_static_value(number, scratch.evals)
    for at in range(number):
        if scratch.choices[at] == choice:
            tree.behind[node * MAX_BRANCHES + branch] += scratch.evals[CHOICE_VALUES + at] - top


@jit
def play_in_tree(
    law: Ints,
    scratch: DraftScratch,
    until: int,
    weights: Floats,
    tree: Tree,
    node: int,
    node_count: int,
    planner: int,
    correction: int,
) -> int:
    """Like `play_greedy`, but `planner` (NONE: all players) follows the tree. Writes the path: its length, then node,
    branch and seat of each step. Returns the number of nodes. Payments and tokens are always chosen by static value."""
    draft, coming, nodes, path = scratch.draft, scratch.coming, tree.nodes, tree.path
    path[0], most = 0, len(tree.sums) // MAX_BRANCHES
    deal_and_pay(law, draft, coming)
    while draft[PHASE] != PHASE_OVER and draft[TURNS_PLAYED] < until:
        number, branch = evaluate_choices(law, draft, weights, scratch), NONE
        plans = node != NONE and planner in (NONE, draft[SEAT])
        if plans and draft[PHASE] in (PHASE_TURN, PHASE_TAKE) and path[0] < MAX_PATH_STEPS:
            branch = select_branch(tree, node, scratch, number, correction)
        if branch == NONE:
            choice = highest_choice(scratch.choices, number, scratch.evals)
        else:
            at, step = node * NODE_SIZE + FIRST_BRANCH + 3 * branch, 1 + 3 * path[0]
            choice, path[step], path[step + 1], path[step + 2] = nodes[at], node, branch, draft[SEAT]
            path[0] += 1
            if correction > 0:
                record_gap(tree, node, branch, scratch, number)
            if (
                nodes[at + BRANCH_NODE] == NONE
                and nodes[at + BRANCH_VISITS] >= MIN_VISITS_TO_EXPAND
                and node_count < most
            ):
                init_node(nodes, node_count, NONE)
                nodes[at + BRANCH_NODE] = node_count
                node_count += 1
            node = nodes[at + BRANCH_NODE]
        decide_cheaply(law, draft, choice)
        deal(law, draft, coming)
    return node_count


@jit
def backpropagate(nodes: Ints, sums: Floats, path: Ints, evals: Floats) -> None:
    """Adds the utility of each seat to the branches on the path."""
    for step in range(path[0]):
        node, branch, seat = path[1 + 3 * step], path[2 + 3 * step], path[3 + 3 * step]
        nodes[node * NODE_SIZE + NODE_VISITS] += 1
        nodes[node * NODE_SIZE + FIRST_BRANCH + 3 * branch + BRANCH_VISITS] += 1
        sums[node * MAX_BRANCHES + branch] += evals[UTILITIES + seat]


@jit
def find_root(nodes: Ints, choice: int) -> int:
    """Returns the node after a choice of the search."""
    root = 0
    while nodes[root * NODE_SIZE + NODE_CHOICE] != choice:
        root += 1
    return root
