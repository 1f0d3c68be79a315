"""What a net says of a city: its first layer is a sum of rows, one for each bit that is seen, four numbers in a word.

All of it is the same to the last bit wherever it runs: the sums are of whole numbers, which no order changes, and the
layers behind are added up in one order.
"""

# ruff: noqa: PLR0913, PLR0917 - a kernel is written for the machine: flat, with its arrays as arguments

from typing import NamedTuple

from polyopolis.kernels.placing.build_moves import can_pass, listed
from polyopolis.kernels.placing.layout import FREE, NONE, ONE, PASS, STOP, Ground, Town, Yard
from polyopolis.kernels.placing.net_inputs import SIGHT, held, see
from polyopolis.kernels.placing.pattern_values import recalled
from polyopolis.kernels.runtime.jit import FULL, Floats, Ints, S, U, Words, jit, lowest

WIDE = 128
"""Numbers of the first layer."""
INNER = 32
"""Of the second."""
PACKED = WIDE // 4
LANE = U(16)
MIDDLE = U(0x8000800080008000)
"""Half of what a lane holds, in all four: added so that none is below nothing."""
HALF = 0x8000
LANES = U(0xFFFF)

# layers: what is added to the second, its rows, one for each number of the first; the weights of the third; its own
SECOND = INNER
THIRD = SECOND + WIDE * INNER
LAST_OF_ALL = THIRD + INNER
LAYERS = LAST_OF_ALL + 1
ROWS = PACKED * (64 * SIGHT + 1)
"""Of the first layer, one for each bit; the last one is there whatever is seen."""


class Judge(NamedTuple):
    """A net, or patterns where there are some."""

    rows: Words
    layers: Floats
    patterns: Floats


class Eyes(NamedTuple):
    """Arrays to look with: what is seen before something is decided and after it, with the sums of both."""

    before: Words
    after: Words
    sums: Words
    changed: Words
    inner: Floats
    scene: Ints
    """What is looked at by patterns."""


@jit
def _sum(rows: Words, sight: Words, sums: Words) -> None:
    for word in range(PACKED):
        sums[word] = rows[PACKED * 64 * SIGHT + word]
    for number in range(SIGHT):
        bits = sight[number]
        while bits:
            row = PACKED * (64 * number + lowest(bits))
            bits &= bits - ONE
            for word in range(PACKED):
                sums[word] = sums[word] + rows[row + word] & FULL


@jit
def _change(rows: Words, before: Words, after: Words, sums: Words, changed: Words) -> None:
    """The sums once other bits are seen: only rows of those that differ are added or taken away."""
    for word in range(PACKED):
        changed[word] = sums[word]
    for number in range(SIGHT):
        bits, there = before[number] ^ after[number], after[number]
        while bits:
            bit = lowest(bits)
            row = PACKED * (64 * number + bit)
            bits &= bits - ONE
            if there >> U(bit) & ONE:
                for word in range(PACKED):
                    changed[word] = changed[word] + rows[row + word] & FULL
            else:
                for word in range(PACKED):
                    changed[word] = changed[word] - rows[row + word] & FULL


@jit
def _said(layers: Floats, sums: Words, inner: Floats) -> float:
    """The layers behind the first: what is still to come, in points."""
    for number in range(INNER):
        inner[number] = layers[number]
    for word in range(PACKED):
        four = sums[word] + MIDDLE & FULL
        for lane in range(4):
            value = S(four & LANES) - HALF
            four = four >> LANE
            if value > 0:
                row, times = SECOND + INNER * (4 * word + lane), value * 1.0
                for number in range(INNER):
                    inner[number] += times * layers[row + number]
    said = layers[LAST_OF_ALL]
    for number in range(INNER):
        if inner[number] > 0.0:
            said += inner[number] * layers[THIRD + number]
    return said


@jit
def gazed(ground: Ground, town: Town, task: int, left: int, judge: Judge, eyes: Eyes, yard: Yard) -> int:
    """Writes every choice but to stop, and what a net says that it comes to; how many there are. Which cards are left
    say the bits. None once no cell is free."""
    if len(judge.patterns):
        return recalled(ground, town, task, left, judge.patterns, eyes.scene, yard)
    land, law, city, book = ground.land, ground.law, town.city, town.book
    if not (city[FREE] | city[FREE + 1]):
        return 0
    shapes, number = held(law, left), listed(land, law, city, task, yard.choices)
    if can_pass(law, book, task):
        yard.choices[number] = PASS
        number += 1
    see(land, law, city, book, task, STOP, left, shapes, yard.out, eyes.before)
    _sum(judge.rows, eyes.before, eyes.sums)
    for choice in range(number):
        points = see(land, law, city, book, task, yard.choices[choice], left, shapes, yard.out, eyes.after)
        _change(judge.rows, eyes.before, eyes.after, eyes.sums, eyes.changed)
        yard.values[choice] = points + _said(judge.layers, eyes.changed, eyes.inner)
    return number


@jit
def bits_of(deck: Ints, first: int, end: int) -> int:
    """The cards of a row between two places, as bits."""
    left = NONE
    for card in range(first, end):
        left |= ONE << U(deck[card])
    return left
