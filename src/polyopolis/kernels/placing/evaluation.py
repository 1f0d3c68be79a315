"""What a city is worth at sight."""

# ruff: noqa: PLR0913, PLR0917 - a kernel is written for the machine: flat, with its arrays as arguments

from polyopolis.kernels.placing.bitmasks import pair
from polyopolis.kernels.placing.build_moves import can_pass, listed
from polyopolis.kernels.placing.features import outcome, tally
from polyopolis.kernels.placing.layout import (
    CARDS,
    FEATURE_COUNT,
    FREE,
    GEAR,
    GONE,
    GROUND_CELLS,
    KIND,
    NO_KIND,
    NONE,
    PASS,
    PASSED,
    PLACES,
    PRICE,
    STOP,
    TASKS,
    Ground,
    Town,
    Yard,
)
from polyopolis.kernels.runtime.jit import Floats, Ints, Words, entry, jit


@jit
def blended(land: Words, law: Ints, city: Words, book: Ints, weights: Floats, blend: Floats) -> None:
    """The weights of this phase: between those of the first and of the last moment."""
    covered = 1.0 - pair(city[FREE], city[FREE + 1]) / law[GROUND_CELLS]
    phase = book[GONE] / law[CARDS] if law[CARDS] > 0 else covered
    for feature in range(FEATURE_COUNT):
        blend[feature] = weights[feature] + (weights[FEATURE_COUNT + feature] - weights[feature]) * phase


@jit
def foresee(land: Words, law: Ints, city: Words, book: Ints, task: int, choice: int, out: Ints) -> None:
    """Writes the features of the city once this is decided."""
    at = TASKS + 8 * task
    if choice == PASS:
        tally(land, law, city, book, NONE, NONE, NONE, NONE, NO_KIND, 0, book[PASSED] + law[at + PRICE], out)
    else:
        place = PLACES + 4 * choice
        tally(
            land, law, city, book, land[place], land[place + 1], land[place + 2], land[place + 3], law[at + KIND],
            law[at + GEAR], book[PASSED], out,
        )  # fmt: skip


@jit
def look(land: Words, law: Ints, city: Words, book: Ints, out: Ints) -> None:
    """Writes the features of the city as it is."""
    tally(land, law, city, book, NONE, NONE, NONE, NONE, NO_KIND, 0, book[PASSED], out)


@jit
def worth(land: Words, law: Ints, city: Words, book: Ints, task: int, choice: int, blend: Floats, out: Ints) -> float:
    """What a city is worth once this is decided."""
    foresee(land, law, city, book, task, choice, out)
    value = 0.0
    for feature in range(FEATURE_COUNT):
        value += blend[feature] * out[feature]
    return value


@entry
def valued(ground: Ground, town: Town, task: int, weights: Floats, yard: Yard) -> int:
    """Writes every choice but to stop, and what it is worth; how many there are. None once no cell is free."""
    land, law, city, book, choices, out = ground.land, ground.law, town.city, town.book, yard.choices, yard.out
    if not (city[FREE] | city[FREE + 1]):
        return 0
    blended(land, law, city, book, weights, yard.blend)
    number = listed(land, law, city, task, choices)
    if can_pass(law, book, task):
        choices[number] = PASS
        number += 1
    for choice in range(number):
        yard.values[choice] = worth(land, law, city, book, task, choices[choice], yard.blend, out)
    return number


@jit
def best(ground: Ground, town: Town, task: int, weights: Floats, yard: Yard) -> int:
    """What is worth most; to stop is worth the score."""
    number = valued(ground, town, task, weights, yard)
    chosen, most = STOP, outcome(ground.land, ground.law, town.city, town.book, yard.out)
    for choice in range(number):
        if yard.values[choice] > most:
            chosen, most = yard.choices[choice], yard.values[choice]
    return chosen
