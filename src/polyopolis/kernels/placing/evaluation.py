"""Static value of each choice by weighted features."""

# ruff: noqa: PLR0913, PLR0917 - a kernel is written for the machine: flat, with its arrays as arguments

from polyopolis.kernels.placing.bitmasks import popcount_pair
from polyopolis.kernels.placing.build_moves import can_pass, list_placements
from polyopolis.kernels.placing.features import count_features, outcome
from polyopolis.kernels.placing.layout import (
    CARD_COUNT,
    FEATURE_COUNT,
    FREE,
    GROUND_CELL_COUNT,
    IS_FACTORY,
    KIND,
    NO_BITS,
    NO_KIND,
    PASS,
    PASS_PRICE,
    PASSED_CIRCLES,
    PLACEMENTS,
    REVEALED_TASKS,
    STOP,
    TASKS,
    CityArrays,
    CityScratch,
    SiteArrays,
)
from polyopolis.kernels.runtime.jit import Floats, Ints, Words, entry, jit


@jit
def blend_weights(land: Words, law: Ints, city: Words, book: Ints, weights: Floats, blend: Floats) -> None:
    """Interpolates the weights between the start and the end of a game."""
    covered = 1.0 - popcount_pair(city[FREE], city[FREE + 1]) / law[GROUND_CELL_COUNT]
    phase = book[REVEALED_TASKS] / law[CARD_COUNT] if law[CARD_COUNT] > 0 else covered
    for feature in range(FEATURE_COUNT):
        blend[feature] = weights[feature] + (weights[FEATURE_COUNT + feature] - weights[feature]) * phase


@jit
def features_after(land: Words, law: Ints, city: Words, book: Ints, task: int, choice: int, out: Ints) -> None:
    """Writes the features after a choice."""
    at = TASKS + 8 * task
    if choice == PASS:
        count_features(
            land,
            law,
            city,
            book,
            NO_BITS,
            NO_BITS,
            NO_BITS,
            NO_BITS,
            NO_KIND,
            0,
            book[PASSED_CIRCLES] + law[at + PASS_PRICE],
            out,
        )
    else:
        place = PLACEMENTS + 4 * choice
        count_features(
            land, law, city, book, land[place], land[place + 1], land[place + 2], land[place + 3], law[at + KIND],
            law[at + IS_FACTORY], book[PASSED_CIRCLES], out,
        )  # fmt: skip


@jit
def features_now(land: Words, law: Ints, city: Words, book: Ints, out: Ints) -> None:
    """Writes the present features."""
    count_features(land, law, city, book, NO_BITS, NO_BITS, NO_BITS, NO_BITS, NO_KIND, 0, book[PASSED_CIRCLES], out)


@jit
def choice_value(
    land: Words, law: Ints, city: Words, book: Ints, task: int, choice: int, blend: Floats, out: Ints
) -> float:
    """Returns the static value of the city after a choice."""
    features_after(land, law, city, book, task, choice, out)
    value = 0.0
    for feature in range(FEATURE_COUNT):
        value += blend[feature] * out[feature]
    return value


@entry
def evaluate_choices(site: SiteArrays, arrays: CityArrays, task: int, weights: Floats, scratch: CityScratch) -> int:
    """Writes every choice except stopping with its static value and returns their number; 0 if no cell is free."""
    land, law, city, book, choices, out = site.land, site.law, arrays.city, arrays.book, scratch.choices, scratch.out
    if not (city[FREE] | city[FREE + 1]):
        return 0
    blend_weights(land, law, city, book, weights, scratch.blend)
    number = list_placements(land, law, city, task, choices)
    if can_pass(law, book, task):
        choices[number] = PASS
        number += 1
    for choice in range(number):
        scratch.values[choice] = choice_value(land, law, city, book, task, choices[choice], scratch.blend, out)
    return number


@jit
def best_choice(site: SiteArrays, arrays: CityArrays, task: int, weights: Floats, scratch: CityScratch) -> int:
    """Returns the choice with the highest static value. The value of stopping is the outcome."""
    number = evaluate_choices(site, arrays, task, weights, scratch)
    chosen, most = STOP, outcome(site.land, site.law, arrays.city, arrays.book, scratch.out)
    for choice in range(number):
        if scratch.values[choice] > most:
            chosen, most = scratch.choices[choice], scratch.values[choice]
    return chosen
