"""Evaluates choices with a value net or patterns, without search.

The first layer of the net is a sum of rows, one per input bit, with four 16-bit numbers per word. Results are
bit-identical everywhere: the sums are integers, and the later layers are added in a fixed order.
"""

# ruff: noqa: PLR0913, PLR0917 - a kernel is written for the machine: flat, with its arrays as arguments

from typing import NamedTuple

from polyopolis.kernels.placing.build_moves import can_pass, list_placements
from polyopolis.kernels.placing.layout import FREE, NO_BITS, ONE, PASS, STOP, CityArrays, CityScratch, SiteArrays
from polyopolis.kernels.placing.net_inputs import INPUT_WORDS, count_shapes, write_inputs
from polyopolis.kernels.placing.pattern_values import evaluate_by_patterns
from polyopolis.kernels.runtime.jit import ALL_BITS, Floats, Ints, S, U, Words, jit, lowest_bit

FIRST_LAYER_SIZE = 128
SECOND_LAYER_SIZE = 32
FIRST_LAYER_WORDS = FIRST_LAYER_SIZE // 4
LANE_BITS = U(16)
LANE_OFFSETS = U(0x8000800080008000)
"""LANE_OFFSET in all four lanes, added to make the lanes non-negative."""
LANE_OFFSET = 0x8000
LANE_MASK = U(0xFFFF)

# layers: bias of the second layer, its weights by first-layer number, weights of the output, its bias
SECOND_WEIGHTS_AT = SECOND_LAYER_SIZE
OUTPUT_WEIGHTS_AT = SECOND_WEIGHTS_AT + FIRST_LAYER_SIZE * SECOND_LAYER_SIZE
OUTPUT_BIAS_AT = OUTPUT_WEIGHTS_AT + SECOND_LAYER_SIZE
LAYERS_SIZE = OUTPUT_BIAS_AT + 1
ROWS_SIZE = FIRST_LAYER_WORDS * (64 * INPUT_WORDS + 1)
"""Words of the first layer: one row per input bit, and a last one for the bias."""


class ValueModel(NamedTuple):
    """A value net, or patterns if `patterns` is not empty."""

    rows: Words
    layers: Floats
    patterns: Floats


class ModelScratch(NamedTuple):
    """Work arrays of inference: input bits and first-layer sums before and after a choice, the second layer, and the
    view of the patterns."""

    before: Words
    after: Words
    sums: Words
    changed: Words
    inner: Floats
    pattern_view: Ints


@jit
def _first_layer(rows: Words, sight: Words, sums: Words) -> None:
    for word in range(FIRST_LAYER_WORDS):
        sums[word] = rows[FIRST_LAYER_WORDS * 64 * INPUT_WORDS + word]
    for number in range(INPUT_WORDS):
        bits = sight[number]
        while bits:
            row = FIRST_LAYER_WORDS * (64 * number + lowest_bit(bits))
            bits &= bits - ONE
            for word in range(FIRST_LAYER_WORDS):
                sums[word] = sums[word] + rows[row + word] & ALL_BITS


@jit
def _update_first_layer(rows: Words, before: Words, after: Words, sums: Words, changed: Words) -> None:
    """Updates the sums for changed input bits only."""
    for word in range(FIRST_LAYER_WORDS):
        changed[word] = sums[word]
    for number in range(INPUT_WORDS):
        bits, there = before[number] ^ after[number], after[number]
        while bits:
            bit = lowest_bit(bits)
            row = FIRST_LAYER_WORDS * (64 * number + bit)
            bits &= bits - ONE
            if there >> U(bit) & ONE:
                for word in range(FIRST_LAYER_WORDS):
                    changed[word] = changed[word] + rows[row + word] & ALL_BITS
            else:
                for word in range(FIRST_LAYER_WORDS):
                    changed[word] = changed[word] - rows[row + word] & ALL_BITS


@jit
def _net_output(layers: Floats, sums: Words, inner: Floats) -> float:
    """Returns the output of the later layers: the points still to come."""
    for number in range(SECOND_LAYER_SIZE):
        inner[number] = layers[number]
    for word in range(FIRST_LAYER_WORDS):
        four = sums[word] + LANE_OFFSETS & ALL_BITS
        for lane in range(4):
            value = S(four & LANE_MASK) - LANE_OFFSET
            four = four >> LANE_BITS
            if value > 0:
                row, times = SECOND_WEIGHTS_AT + SECOND_LAYER_SIZE * (4 * word + lane), value * 1.0
                for number in range(SECOND_LAYER_SIZE):
                    inner[number] += times * layers[row + number]
    output = layers[OUTPUT_BIAS_AT]
    for number in range(SECOND_LAYER_SIZE):
        if inner[number] > 0.0:
            output += inner[number] * layers[OUTPUT_WEIGHTS_AT + number]
    return output


@jit
def evaluate_by_model(
    site: SiteArrays,
    arrays: CityArrays,
    task: int,
    left: int,
    model: ValueModel,
    model_scratch: ModelScratch,
    scratch: CityScratch,
) -> int:
    """Writes every choice except stopping with its model value and returns their number; 0 if no cell is free. `left`
    is the remaining cards as bits."""
    if len(model.patterns):
        return evaluate_by_patterns(site, arrays, task, left, model.patterns, model_scratch.pattern_view, scratch)
    land, law, city, book = site.land, site.law, arrays.city, arrays.book
    if not (city[FREE] | city[FREE + 1]):
        return 0
    shapes, number = count_shapes(law, left), list_placements(land, law, city, task, scratch.choices)
    if can_pass(law, book, task):
        scratch.choices[number] = PASS
        number += 1
    write_inputs(land, law, city, book, task, STOP, left, shapes, scratch.out, model_scratch.before)
    _first_layer(model.rows, model_scratch.before, model_scratch.sums)
    for choice in range(number):
        points = write_inputs(
            land, law, city, book, task, scratch.choices[choice], left, shapes, scratch.out, model_scratch.after
        )
        _update_first_layer(
            model.rows, model_scratch.before, model_scratch.after, model_scratch.sums, model_scratch.changed
        )
        scratch.values[choice] = points + _net_output(model.layers, model_scratch.changed, model_scratch.inner)
    return number


@jit
def card_bits(deck: Ints, first: int, end: int) -> int:
    """Returns the cards of a part of the deck as bits."""
    left = NO_BITS
    for card in range(first, end):
        left |= ONE << U(deck[card])
    return left
