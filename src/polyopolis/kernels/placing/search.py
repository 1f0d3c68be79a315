"""Sequential halving over choices with playouts, and evaluation of given choices in given futures."""

# ruff: noqa: PLR0913, PLR0917 - a kernel is written for the machine: flat, with its arrays as arguments

from collections.abc import Sequence

from polyopolis.kernels.placing.build_moves import decide
from polyopolis.kernels.placing.evaluation import best_choice, evaluate_choices
from polyopolis.kernels.placing.layout import GREEDY, STOP, WAIT, CityArrays, CityScratch, SiteArrays
from polyopolis.kernels.placing.playouts import copy_city, deal_tasks, play_greedy
from polyopolis.kernels.runtime.array_ops import copy_into, partial_sort
from polyopolis.kernels.runtime.jit import Floats, Ints, Words, entry, jit
from polyopolis.kernels.runtime.sequential_halving import (
    SearchResult,
    finish_means,
    games_per_choice,
    keep_better_half,
    round_count,
)


@jit
def playout_after(
    site: SiteArrays, arrays: CityArrays, task: int, choice: int, length: int, weights: Floats, scratch: CityScratch
) -> float:
    """Returns the outcome of a choice with a greedy playout of the tasks in `scratch.coming`."""
    copy_city(arrays, scratch.arrays)
    if choice == STOP:
        length = 0
    else:
        decide(site.land, site.law, scratch.arrays.city, scratch.arrays.book, task, choice)
    return play_greedy(site, scratch, length, weights)


@entry
def search_choices(
    site: SiteArrays, arrays: CityArrays, task: int, deck: Ints, simulations: int, width: int, rng: Words,
    weights: Floats, scratch: CityScratch, found: SearchResult,
) -> int:  # fmt: skip
    """Flat Monte Carlo search with sequential halving and common random numbers.

    The `width` choices with the highest static value are tried. Each simulation is a greedy playout. Writes the
    choices, best first, with their mean outcomes, and returns their number. The mean of a choice that was dropped
    earlier is the best mean minus its mean difference in its last round: with common random numbers the difference is
    more precise than either mean.
    """
    number = evaluate_choices(site, arrays, task, weights, scratch)
    width = left = min(number, width)
    if left == 0:
        return 0
    partial_sort(scratch.choices, scratch.values, number, left)
    for choice in range(left):
        found.choices[choice], found.means[choice] = scratch.choices[choice], 0.0
    rounds, tried = round_count(left), 0
    for _ in range(rounds):
        games = games_per_choice(simulations, rounds, left)
        for _ in range(games):
            length = deal_tasks(site.law, arrays.book, deck, rng, scratch.coming)
            for choice in range(left):
                found.means[choice] += playout_after(
                    site, arrays, task, found.choices[choice], length, weights, scratch
                )
        tried += games
        left = keep_better_half(found, left, tried)
    finish_means(found, width, tried)
    return width


@entry
def estimate_choices(
    site: SiteArrays, arrays: CityArrays, task: int, deck: Ints, choices: Ints, seeds: Words, weights: Floats,
    scratch: CityScratch, results: Sequence[Floats],
) -> None:  # fmt: skip
    """Writes the outcome of each choice in each future: a row per choice, a column per seed."""
    for future in range(len(seeds)):
        scratch.rng[0] = seeds[future]
        length = deal_tasks(site.law, arrays.book, deck, scratch.rng, scratch.coming)
        for choice in range(len(choices)):
            results[choice][future] = playout_after(site, arrays, task, choices[choice], length, weights, scratch)


@entry
def play_futures(
    site: SiteArrays, arrays: CityArrays, task: int, choices: Ints, orders: Sequence[Ints], length: int,
    weights: Floats, scratch: CityScratch, results: Sequence[Floats],
) -> None:  # fmt: skip
    """Like `estimate_choices`, with given task orders, one row per future. GREEDY stands for the choice with the
    highest static value, WAIT makes no decision before the first task."""
    for future in range(len(orders)):
        copy_into(orders[future], scratch.coming)
        for number in range(len(choices)):
            copy_city(arrays, scratch.arrays)
            choice = choices[number]
            if choice == GREEDY:
                choice = best_choice(site, scratch.arrays, task, weights, scratch)
            if choice not in (STOP, WAIT):
                decide(site.land, site.law, scratch.arrays.city, scratch.arrays.book, task, choice)
            results[number][future] = play_greedy(site, scratch, 0 if choice == STOP else length, weights)
