"""Exhaustive search (expectimax) over all orders of the remaining cards."""

# ruff: noqa: PLR0913, PLR0917 - a kernel is written for the machine: flat, with its arrays as arguments

from polyopolis.kernels.placing.build_moves import can_pass, decide, list_placements
from polyopolis.kernels.placing.features import outcome
from polyopolis.kernels.placing.layout import (
    BEST_VALUE,
    BLOCKING_CARD,
    CARD_COUNT,
    MAX_SOLVED_CARDS,
    NO_SHAPE,
    NO_VALUE,
    NODE_CARD,
    NODE_CARDS_LEFT,
    NODE_CHOICE_COUNT,
    NODE_REVEALED,
    NODE_TRIED,
    PASS,
    SHAPE_NUMBER,
    STOP_VALUE,
    TASKS,
    VALUE_SUM,
    WAIT,
    CityArrays,
    ExpectimaxStack,
    SiteArrays,
)
from polyopolis.kernels.placing.playouts import reveal_task
from polyopolis.kernels.runtime.array_ops import copy_into, partial_sort
from polyopolis.kernels.runtime.jit import Floats, Ints, Words, entry, jit
from polyopolis.kernels.runtime.sequential_halving import SearchResult


@entry
def count_continuations(land: Words, law: Ints, city: Words, task: int, deck: Ints, limit: int, choices: Ints) -> int:
    """Returns roughly the number of continuations in all orders of the cards, at most `limit`."""
    if law[CARD_COUNT] == 0 or len(deck) > MAX_SOLVED_CARDS:
        return limit
    number = list_placements(land, law, city, task, choices) + 1
    for card in range(len(deck)):
        task, places = deck[card], 0
        if task != law[BLOCKING_CARD] and law[TASKS + 8 * task + SHAPE_NUMBER] != NO_SHAPE:
            places = list_placements(land, law, city, task, choices)
        number *= (card + 1) * (places + 1)
        if number >= limit:
            return limit
    return number


@jit
def _enter_node(
    land: Words, law: Ints, city: Words, book: Ints, left: int, node: Ints, values: Floats, out: Ints
) -> None:
    """Initializes a node with the remaining cards (bits) and the value of stopping."""
    node[NODE_CARDS_LEFT], node[NODE_CARD], node[NODE_CHOICE_COUNT], node[NODE_TRIED], node[NODE_REVEALED] = (
        left,
        -1,
        0,
        0,
        0,
    )
    values[STOP_VALUE], values[BEST_VALUE], values[VALUE_SUM] = outcome(land, law, city, book, out), 0.0, 0.0


@jit
def _next_card(
    land: Words, law: Ints, city: Words, book: Ints, later: Ints, deck: Ints, node: Ints, values: Floats, choices: Ints
) -> bool:
    """Reveals the next possible card and lists its choices. Returns False if there is none."""
    if node[NODE_CARD] >= 0:
        values[VALUE_SUM] += values[BEST_VALUE]
        node[NODE_REVEALED] += 1
    node[NODE_CARD] += 1
    while node[NODE_CARD] < len(deck) and not node[NODE_CARDS_LEFT] >> node[NODE_CARD] & 1:
        node[NODE_CARD] += 1
    if node[NODE_CARD] == len(deck):
        return False
    task = deck[node[NODE_CARD]]
    copy_into(book, later)
    if reveal_task(law, later, task):
        values[BEST_VALUE], number = values[STOP_VALUE], list_placements(land, law, city, task, choices)
        if can_pass(law, book, task):
            choices[number] = PASS
            number += 1
    else:
        values[BEST_VALUE], number, choices[0] = NO_VALUE, 1, WAIT
    node[NODE_CHOICE_COUNT], node[NODE_TRIED] = number, 0
    return True


@jit
def expectimax_value(site: SiteArrays, deck: Ints, out: Ints, stack: ExpectimaxStack) -> float:
    """Returns the expected outcome of the first city of the stack with best play.

    Iterative, because numba cannot cache recursive functions.
    """
    land, law, cities, books = site.land, site.law, stack.cities, stack.books
    depth, value = 0, 0.0
    _enter_node(land, law, cities[0], books[0], (1 << len(deck)) - 1, stack.nodes[0], stack.values[0], out)
    while depth >= 0:
        node, values, after, later = stack.nodes[depth], stack.values[depth], cities[depth + 1], books[depth + 1]
        if node[NODE_TRIED] < node[NODE_CHOICE_COUNT]:
            choice, task = stack.choices[depth][node[NODE_TRIED]], deck[node[NODE_CARD]]
            node[NODE_TRIED] += 1
            copy_into(cities[depth], after)
            copy_into(books[depth], later)
            if choice == WAIT:
                reveal_task(law, later, task)
            else:
                decide(land, law, after, later, task, choice)
            depth += 1
            left = node[NODE_CARDS_LEFT] & ~(1 << node[NODE_CARD])
            _enter_node(land, law, after, later, left, stack.nodes[depth], stack.values[depth], out)
        elif not _next_card(land, law, cities[depth], books[depth], later, deck, node, values, stack.choices[depth]):
            value = values[VALUE_SUM] / node[NODE_REVEALED] if node[NODE_REVEALED] else values[STOP_VALUE]
            depth -= 1
            if depth >= 0:
                stack.values[depth][BEST_VALUE] = max(stack.values[depth][BEST_VALUE], value)
    return value


@entry
def solve_choices(
    site: SiteArrays, arrays: CityArrays, task: int, deck: Ints, out: Ints, stack: ExpectimaxStack, found: SearchResult
) -> int:
    """Like `search_choices`, but exact: writes every choice with its expectimax value, best first."""
    number = list_placements(site.land, site.law, arrays.city, task, found.choices)
    if can_pass(site.law, arrays.book, task):
        found.choices[number] = PASS
        number += 1
    for choice in range(number):
        copy_into(arrays.city, stack.cities[0])
        copy_into(arrays.book, stack.books[0])
        decide(site.land, site.law, stack.cities[0], stack.books[0], task, found.choices[choice])
        found.means[choice] = expectimax_value(site, deck, out, stack)
    partial_sort(found.choices, found.means, number, number)
    return number
