"""Search guided by a value net or n-tuple patterns."""

# ruff: noqa: PLR0913, PLR0917 - a kernel is written for the machine: flat, with its arrays as arguments

from polyopolis.kernels.placing.build_moves import decide
from polyopolis.kernels.placing.features import outcome
from polyopolis.kernels.placing.layout import (
    CARD_COUNT,
    COMPASS_ROW_START,
    COMPASS_ROW_USED,
    NO_BITS,
    ONE,
    CityArrays,
    CityScratch,
    SiteArrays,
)
from polyopolis.kernels.placing.net_inference import ModelScratch, ValueModel, card_bits, evaluate_by_model
from polyopolis.kernels.placing.playouts import copy_city, deal_tasks, reveal_task
from polyopolis.kernels.runtime.array_ops import partial_sort
from polyopolis.kernels.runtime.jit import Ints, U, Words, entry, jit
from polyopolis.kernels.runtime.sequential_halving import (
    SearchResult,
    finish_means,
    games_per_choice,
    keep_better_half,
    round_count,
)


@jit
def play_by_model(
    site: SiteArrays, scratch: CityScratch, length: int, horizon: int, model: ValueModel, model_scratch: ModelScratch
) -> float:
    """Plays on by model value and returns the outcome, or the model value after `horizon` tasks."""
    land, law, city, book = site.land, site.law, scratch.arrays.city, scratch.arrays.book
    left = card_bits(scratch.coming, 0, length) if law[CARD_COUNT] > 0 else NO_BITS
    for number in range(length):
        task = scratch.coming[number]
        if law[CARD_COUNT] > 0:
            left &= ~(ONE << U(task))
        elif task >= law[COMPASS_ROW_START]:
            book[COMPASS_ROW_USED] += 1
        if reveal_task(law, book, task):
            choices = evaluate_by_model(site, scratch.arrays, task, left, model, model_scratch, scratch)
            most, best = outcome(land, law, city, book, scratch.out), -1
            for choice in range(choices):
                if scratch.values[choice] > most:
                    most, best = scratch.values[choice], choice
            if best < 0 or number + 1 >= horizon:
                return most
            decide(land, law, city, book, task, scratch.choices[best])
    return outcome(land, law, city, book, scratch.out)


@entry
def model_values(
    site: SiteArrays,
    arrays: CityArrays,
    task: int,
    deck: Ints,
    model: ValueModel,
    model_scratch: ModelScratch,
    scratch: CityScratch,
) -> int:
    """Writes every choice except stopping with its model value and returns their number."""
    return evaluate_by_model(site, arrays, task, card_bits(deck, 0, len(deck)), model, model_scratch, scratch)


@entry
def search_by_model(
    site: SiteArrays, arrays: CityArrays, task: int, deck: Ints, simulations: int, width: int, trust: int, horizon: int,
    rng: Words, model: ValueModel, model_scratch: ModelScratch, scratch: CityScratch, found: SearchResult,
) -> int:  # fmt: skip
    """Like `search_choices`, with a model: it selects the choices, its value counts like `trust` simulations, and
    playouts follow it up to `horizon` tasks."""
    number = evaluate_by_model(site, arrays, task, card_bits(deck, 0, len(deck)), model, model_scratch, scratch)
    width = left = min(number, width)
    if left == 0:
        return 0
    partial_sort(scratch.choices, scratch.values, number, left)
    for choice in range(left):
        found.choices[choice], found.means[choice] = scratch.choices[choice], trust * scratch.values[choice]
    rounds, tried = round_count(left), trust
    for _ in range(rounds):
        games = games_per_choice(simulations, rounds, left)
        for _ in range(games):
            length = deal_tasks(site.law, arrays.book, deck, rng, scratch.coming)
            for choice in range(left):
                copy_city(arrays, scratch.arrays)
                decide(site.land, site.law, scratch.arrays.city, scratch.arrays.book, task, found.choices[choice])
                found.means[choice] += play_by_model(site, scratch, length, horizon, model, model_scratch)
        tried += games
        left = keep_better_half(found, left, tried)
    finish_means(found, width, tried)
    return width
