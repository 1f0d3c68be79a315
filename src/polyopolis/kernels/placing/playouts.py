"""Whole games of one city."""

# ruff: noqa: PLR0913, PLR0917 - a kernel is written for the machine: flat, with its arrays as arguments

from polyopolis.kernels.placing.build_moves import can_pass, decide, fit
from polyopolis.kernels.placing.evaluation import best
from polyopolis.kernels.placing.features import outcome, score
from polyopolis.kernels.placing.layout import (
    BLOCK,
    BLOCKING,
    CARDS,
    CELLS,
    COMPASS,
    FIRST,
    FIRST_OF_ROW,
    FIT,
    FORM,
    GONE,
    MOST_LUCK,
    MOST_WAYS,
    NONE_LEFT,
    ONE,
    PASS,
    ROW,
    SLOT_COUNT,
    SLOTS,
    STOP,
    TASKS,
    USED,
    Ground,
    Town,
    Yard,
)
from polyopolis.kernels.runtime.array_ops import copied
from polyopolis.kernels.runtime.jit import Floats, Ints, Words, jit, lowest, ones
from polyopolis.kernels.runtime.rng import below


@jit
def dealt(law: Ints, book: Ints, deck: Ints, luck: Words, coming: Ints) -> int:
    """Writes the tasks to come: the cards that are left in any order, or as many rolls as anybody can use."""
    if law[CARDS] > 0:
        for number in range(len(deck)):
            other = below(luck, number + 1)
            coming[number] = coming[other]
            coming[other] = deck[number]
        return len(deck)
    used = book[USED]
    for number in range(MOST_LUCK):
        task = law[SLOTS + below(luck, SLOT_COUNT)]
        if task >= COMPASS:
            task -= COMPASS
            if used < law[ROW]:
                task = law[FIRST_OF_ROW] + used
                used += 1
        coming[number] = task
    return MOST_LUCK


@jit
def asked(law: Ints, book: Ints, task: int) -> bool:
    """Turns up a task: whether it is built. Nobody builds the blocking card or the one after it, or what he lacks."""
    book[GONE] += 1
    if book[BLOCKING]:
        book[BLOCKING] = 0
        return False
    if task == law[BLOCK]:
        book[BLOCKING] = 1
        return False
    return law[TASKS + 8 * task + FORM] != NONE_LEFT


@jit
def any_place(land: Words, law: Ints, city: Words, task: int, luck: Words) -> int:
    """One of the places of a task, each as likely as the others; STOP if there is none."""
    fit(land, law, city, task)
    number = 0
    for word in range(2 * MOST_WAYS):
        number += ones(city[FIT + word])
    if number == 0:
        return STOP
    number, word = below(luck, number), FIT
    while number >= ones(city[word]):
        number -= ones(city[word])
        word += 1
    anchors = city[word]
    for _ in range(number):
        anchors &= anchors - ONE
    high, way = (word - FIT) // MOST_WAYS, (word - FIT) % MOST_WAYS
    return (law[TASKS + 8 * task + FIRST] + way) * CELLS + 64 * high + lowest(anchors)


@jit
def play_anyhow(ground: Ground, yard: Yard, length: int, luck: Words) -> int:
    """A city to its end: builds anywhere, passes when it cannot, stops when it must. How many decisions it took."""
    land, law, city, book, decisions = ground.land, ground.law, yard.town.city, yard.town.book, 0
    for number in range(length):
        task = yard.coming[number]
        if asked(law, book, task):
            decisions += 1
            choice = any_place(land, law, city, task, luck)
            if choice == STOP:
                if not can_pass(law, book, task):
                    break
                choice = PASS
            decide(land, law, city, book, task, choice)
    return decisions


@jit
def play_well(ground: Ground, yard: Yard, length: int, weights: Floats) -> float:
    """A city to its end, by what is worth most each time; what comes of it."""
    land, law, city, book = ground.land, ground.law, yard.town.city, yard.town.book
    for number in range(length):
        task = yard.coming[number]
        if asked(law, book, task):
            choice = best(ground, yard.town, task, weights, yard)
            if choice == STOP:
                break
            decide(land, law, city, book, task, choice)
    return outcome(land, law, city, book, yard.out)


@jit
def copied_town(first: Town, town: Town) -> None:
    """A city like another."""
    copied(first.city, town.city)
    copied(first.book, town.book)


@jit
def random_games(ground: Ground, first: Town, deck: Ints, luck: Words, yard: Yard, results: Ints) -> int:
    """Whole random games, as many as there are results to write. How many decisions they took."""
    decisions = 0
    for number in range(len(results)):
        copied_town(first, yard.town)
        length = dealt(ground.law, first.book, deck, luck, yard.coming)
        decisions += play_anyhow(ground, yard, length, luck)
        results[number] = score(ground.land, ground.law, yard.town.city, yard.town.book, yard.out)
    return decisions


@jit
def good_games(
    ground: Ground, first: Town, deck: Ints, luck: Words, weights: Floats, yard: Yard, results: Floats
) -> None:
    """Whole games by what is worth most, one for each future."""
    for number in range(len(luck)):
        copied_town(first, yard.town)
        yard.luck[0] = luck[number]
        length = dealt(ground.law, first.book, deck, yard.luck, yard.coming)
        results[number] = play_well(ground, yard, length, weights)
