"""Random and greedy playouts to the end."""

# ruff: noqa: PLR0913, PLR0917 - a kernel is written for the machine: flat, with its arrays as arguments

from polyopolis.kernels.placing.build_moves import can_pass, decide, find_anchors
from polyopolis.kernels.placing.evaluation import best_choice
from polyopolis.kernels.placing.features import outcome, score
from polyopolis.kernels.placing.layout import (
    BLOCKING_CARD,
    CARD_COUNT,
    COMPASS_FLAG,
    COMPASS_ROW_LENGTH,
    COMPASS_ROW_START,
    COMPASS_ROW_USED,
    DICE_OUTCOMES,
    DICE_TASKS,
    FIRST_ORIENTATION,
    FIT_ANCHORS,
    MASK_CELLS,
    MAX_ORIENTATIONS,
    MAX_ROLLS,
    NEXT_BLOCKED,
    NO_SHAPE,
    ONE,
    PASS,
    REVEALED_TASKS,
    SHAPE_NUMBER,
    STOP,
    TASKS,
    CityArrays,
    CityScratch,
    SiteArrays,
)
from polyopolis.kernels.runtime.array_ops import copy_into
from polyopolis.kernels.runtime.jit import Floats, Ints, Words, jit, lowest_bit, popcount
from polyopolis.kernels.runtime.rng import random_below


@jit
def deal_tasks(law: Ints, book: Ints, deck: Ints, rng: Words, coming: Ints) -> int:
    """Writes the coming tasks and returns their number: the remaining cards in random order, or the maximum number of
    rolls."""
    if law[CARD_COUNT] > 0:
        for number in range(len(deck)):
            other = random_below(rng, number + 1)
            coming[number] = coming[other]
            coming[other] = deck[number]
        return len(deck)
    used = book[COMPASS_ROW_USED]
    for number in range(MAX_ROLLS):
        task = law[DICE_TASKS + random_below(rng, DICE_OUTCOMES)]
        if task >= COMPASS_FLAG:
            task -= COMPASS_FLAG
            if used < law[COMPASS_ROW_LENGTH]:
                task = law[COMPASS_ROW_START] + used
                used += 1
        coming[number] = task
    return MAX_ROLLS


@jit
def reveal_task(law: Ints, book: Ints, task: int) -> bool:
    """Reveals a task and returns whether it can be built: not the blocking card, the task after it, or a missing
    building."""
    book[REVEALED_TASKS] += 1
    if book[NEXT_BLOCKED]:
        book[NEXT_BLOCKED] = 0
        return False
    if task == law[BLOCKING_CARD]:
        book[NEXT_BLOCKED] = 1
        return False
    return law[TASKS + 8 * task + SHAPE_NUMBER] != NO_SHAPE


@jit
def random_placement(land: Words, law: Ints, city: Words, task: int, rng: Words) -> int:
    """Returns a uniformly random placement of a task; STOP if there is none."""
    find_anchors(land, law, city, task)
    number = 0
    for word in range(2 * MAX_ORIENTATIONS):
        number += popcount(city[FIT_ANCHORS + word])
    if number == 0:
        return STOP
    number, word = random_below(rng, number), FIT_ANCHORS
    while number >= popcount(city[word]):
        number -= popcount(city[word])
        word += 1
    anchors = city[word]
    for _ in range(number):
        anchors &= anchors - ONE
    high, way = (word - FIT_ANCHORS) // MAX_ORIENTATIONS, (word - FIT_ANCHORS) % MAX_ORIENTATIONS
    return (law[TASKS + 8 * task + FIRST_ORIENTATION] + way) * MASK_CELLS + 64 * high + lowest_bit(anchors)


@jit
def play_random(site: SiteArrays, scratch: CityScratch, length: int, rng: Words) -> int:
    """Plays to the end with random placements; passes only if it cannot build, stops only if it must. Returns the
    number of decisions."""
    land, law, city, book, decisions = site.land, site.law, scratch.arrays.city, scratch.arrays.book, 0
    for number in range(length):
        task = scratch.coming[number]
        if reveal_task(law, book, task):
            decisions += 1
            choice = random_placement(land, law, city, task, rng)
            if choice == STOP:
                if not can_pass(law, book, task):
                    break
                choice = PASS
            decide(land, law, city, book, task, choice)
    return decisions


@jit
def play_greedy(site: SiteArrays, scratch: CityScratch, length: int, weights: Floats) -> float:
    """Plays to the end by static value and returns the outcome."""
    land, law, city, book = site.land, site.law, scratch.arrays.city, scratch.arrays.book
    for number in range(length):
        task = scratch.coming[number]
        if reveal_task(law, book, task):
            choice = best_choice(site, scratch.arrays, task, weights, scratch)
            if choice == STOP:
                break
            decide(land, law, city, book, task, choice)
    return outcome(land, law, city, book, scratch.out)


@jit
def copy_city(first: CityArrays, arrays: CityArrays) -> None:
    copy_into(first.city, arrays.city)
    copy_into(first.book, arrays.book)


@jit
def random_playouts(
    site: SiteArrays, first: CityArrays, deck: Ints, rng: Words, scratch: CityScratch, results: Ints
) -> int:
    """Plays one random game per result to write. Returns the number of decisions."""
    decisions = 0
    for number in range(len(results)):
        copy_city(first, scratch.arrays)
        length = deal_tasks(site.law, first.book, deck, rng, scratch.coming)
        decisions += play_random(site, scratch, length, rng)
        results[number] = score(site.land, site.law, scratch.arrays.city, scratch.arrays.book, scratch.out)
    return decisions


@jit
def greedy_playouts(
    site: SiteArrays,
    first: CityArrays,
    deck: Ints,
    seeds: Words,
    weights: Floats,
    scratch: CityScratch,
    results: Floats,
) -> None:
    """Plays one greedy game per seed and writes the outcomes."""
    for number in range(len(seeds)):
        copy_city(first, scratch.arrays)
        scratch.rng[0] = seeds[number]
        length = deal_tasks(site.law, first.book, deck, scratch.rng, scratch.coming)
        results[number] = play_greedy(site, scratch, length, weights)
