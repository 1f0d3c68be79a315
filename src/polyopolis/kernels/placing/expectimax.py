"""When little may come: all of it, in every order of the cards."""

# ruff: noqa: PLR0913, PLR0917 - a kernel is written for the machine: flat, with its arrays as arguments

from polyopolis.kernels.placing.build_moves import can_pass, decide, listed
from polyopolis.kernels.placing.features import outcome
from polyopolis.kernels.placing.layout import (
    BLOCK,
    CARD,
    CARDS,
    FORM,
    LEFT,
    MOST,
    MOST_AHEAD,
    NO_HOPE,
    NONE_LEFT,
    NUMBER,
    PASS,
    STOPPED,
    TASKS,
    TOTAL,
    TRIED,
    TURNED,
    WAIT,
    Ground,
    Town,
    Walk,
)
from polyopolis.kernels.placing.playouts import asked
from polyopolis.kernels.runtime.array_ops import copied, sort
from polyopolis.kernels.runtime.jit import Floats, Ints, Words, entry, jit
from polyopolis.kernels.runtime.sequential_halving import Found


@entry
def futures(land: Words, law: Ints, city: Words, task: int, deck: Ints, limit: int, choices: Ints) -> int:
    """About how many ways there are to play on to the end, in all orders of the cards; no more than the limit."""
    if law[CARDS] == 0 or len(deck) > MOST_AHEAD:
        return limit
    number = listed(land, law, city, task, choices) + 1
    for card in range(len(deck)):
        task, places = deck[card], 0
        if task != law[BLOCK] and law[TASKS + 8 * task + FORM] != NONE_LEFT:
            places = listed(land, law, city, task, choices)
        number *= (card + 1) * (places + 1)
        if number >= limit:
            return limit
    return number


@jit
def _arrive(land: Words, law: Ints, city: Words, book: Ints, left: int, node: Ints, hopes: Floats, out: Ints) -> None:
    """A city on the way, with the cards left, by their bits: to stop here is worth this."""
    node[LEFT], node[CARD], node[NUMBER], node[TRIED], node[TURNED] = left, -1, 0, 0, 0
    hopes[STOPPED], hopes[MOST], hopes[TOTAL] = outcome(land, law, city, book, out), 0.0, 0.0


@jit
def _turn(
    land: Words, law: Ints, city: Words, book: Ints, later: Ints, deck: Ints, node: Ints, hopes: Floats, choices: Ints
) -> bool:
    """The next of the cards left, and what can be done with it; whether there is one."""
    if node[CARD] >= 0:
        hopes[TOTAL] += hopes[MOST]
        node[TURNED] += 1
    node[CARD] += 1
    while node[CARD] < len(deck) and not node[LEFT] >> node[CARD] & 1:
        node[CARD] += 1
    if node[CARD] == len(deck):
        return False
    task = deck[node[CARD]]
    copied(book, later)
    if asked(law, later, task):
        hopes[MOST], number = hopes[STOPPED], listed(land, law, city, task, choices)
        if can_pass(law, book, task):
            choices[number] = PASS
            number += 1
    else:
        hopes[MOST], number, choices[0] = NO_HOPE, 1, WAIT
    node[NUMBER], node[TRIED] = number, 0
    return True


@jit
def foreseen(ground: Ground, deck: Ints, out: Ints, walk: Walk) -> float:
    """What the first city of a walk comes to on average, played as well as can be: any of the cards may be next, then
    any other.

    A walk through all that may come, without recursion, which numba cannot keep on disk.
    """
    land, law, cities, books = ground.land, ground.law, walk.cities, walk.books
    depth, value = 0, 0.0
    _arrive(land, law, cities[0], books[0], (1 << len(deck)) - 1, walk.nodes[0], walk.hopes[0], out)
    while depth >= 0:
        node, hopes, after, later = walk.nodes[depth], walk.hopes[depth], cities[depth + 1], books[depth + 1]
        if node[TRIED] < node[NUMBER]:
            choice, task = walk.choices[depth][node[TRIED]], deck[node[CARD]]
            node[TRIED] += 1
            copied(cities[depth], after)
            copied(books[depth], later)
            if choice == WAIT:
                asked(law, later, task)
            else:
                decide(land, law, after, later, task, choice)
            depth += 1
            left = node[LEFT] & ~(1 << node[CARD])
            _arrive(land, law, after, later, left, walk.nodes[depth], walk.hopes[depth], out)
        elif not _turn(land, law, cities[depth], books[depth], later, deck, node, hopes, walk.choices[depth]):
            value = hopes[TOTAL] / node[TURNED] if node[TURNED] else hopes[STOPPED]
            depth -= 1
            if depth >= 0:
                walk.hopes[depth][MOST] = max(walk.hopes[depth][MOST], value)
    return value


@entry
def solved(ground: Ground, town: Town, task: int, deck: Ints, out: Ints, walk: Walk, found: Found) -> int:
    """Like `searched`, without chance: every choice with what it comes to when all that may come is looked at."""
    number = listed(ground.land, ground.law, town.city, task, found.choices)
    if can_pass(ground.law, town.book, task):
        found.choices[number] = PASS
        number += 1
    for choice in range(number):
        copied(town.city, walk.cities[0])
        copied(town.book, walk.books[0])
        decide(ground.land, ground.law, walk.cities[0], walk.books[0], task, found.choices[choice])
        found.means[choice] = foreseen(ground, deck, out, walk)
    sort(found.choices, found.means, number, number)
    return number
