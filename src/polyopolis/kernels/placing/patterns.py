"""What a city comes to by patterns: a sum of numbers that were learnt. One for every window of nine cells, by which of
them are free; one for every feature, by how much of it there is and how far the city is; and some for what goes
together.

Where dice are thrown anything may come at any time: what matters is how the free cells lie. Such a sum says that after
some minutes of games on one core, where a net needs a card.
"""

# ruff: noqa: PLR0913, PLR0917 - a kernel is written for the machine: flat, with its arrays as arguments

from polyopolis.kernels.compiled import Floats, Ints, S, U, Words, jit
from polyopolis.kernels.placing.bits import pair, shifted
from polyopolis.kernels.placing.building import can_pass, listed
from polyopolis.kernels.placing.counting import counted, tally
from polyopolis.kernels.placing.layout import (
    AT,
    CHURCH,
    FREE,
    GROUP_HALO,
    GROUP_SIZE,
    GROUPS,
    KIND,
    MOST_GROUPS,
    NO_KIND,
    NONE,
    PASS,
    PASSED,
    PLACES,
    PRICE,
    PURSE,
    TASKS,
    USED,
    Ground,
    Town,
    Yard,
)

HEIGHT, WIDTH = 8, 11
"""Of a sheet."""
DOWN, ACROSS = HEIGHT - 2, WIDTH - 2
WINDOWS = DOWN * ACROSS
WINDOW = 512
"""Ways in which nine cells are free."""
ROW = U(2**WIDTH - 1)
PHASES, CELLS_OF_PHASE = 12, 8
COUNTED = AT.going
"""Features, all that lie before this one."""
COUNTS = 32
SIZES, OPENINGS = 16, 8
MOST_USED = 8

# where the numbers lie: of the windows, the features, the colours, the row of the compass
OF_FEATURES = WINDOWS * WINDOW
OF_COLOURS = OF_FEATURES + COUNTED * PHASES * COUNTS
OF_ROW = OF_COLOURS + CHURCH * PHASES * SIZES * OPENINGS
PATTERNS = OF_ROW + MOST_USED * PHASES

# what is looked at: the rows of free cells before and after something is decided and of the building, the
# windows before it, and the marks: which numbers count beside those of windows
BEFORE, AFTER, BUILT = 0, HEIGHT, 2 * HEIGHT
SEEN = 3 * HEIGHT
MARKS = SEEN + WINDOWS
MARK_COUNT = COUNTED + CHURCH + 1
VIEW = MARKS + MARK_COUNT
NOTES = MARK_COUNT + WINDOWS
"""All numbers that count for one city."""


@jit
def _write_rows(low: int, high: int, view: Ints, at: int) -> None:
    """A mask, row by row."""
    for y in range(HEIGHT):
        view[at + y] = S(low & ROW)
        low, high = shifted(low, high, U(WIDTH))


@jit
def _window(view: Ints, at: int, x: int) -> int:
    """Which of nine cells are free, of three rows from here on."""
    return view[at] >> x & 7 | (view[at + 1] >> x & 7) << 3 | (view[at + 2] >> x & 7) << 6


@jit
def _all_windows(patterns: Floats, view: Ints) -> float:
    """The sum over all windows of a city, which are written too."""
    total = 0.0
    for y in range(DOWN):
        for x in range(ACROSS):
            window = y * ACROSS + x
            view[SEEN + window] = window * WINDOW + _window(view, BEFORE + y, x)
            total += patterns[view[SEEN + window]]
    return total


@jit
def _changed_windows(patterns: Floats, view: Ints) -> float:
    """How much that sum changes by a building: only windows that it lies in do."""
    change = 0.0
    for y in range(DOWN):
        across = view[BUILT + y] | view[BUILT + y + 1] | view[BUILT + y + 2]
        if across:
            for x in range(ACROSS):
                if across >> x & 7:
                    window = y * ACROSS + x
                    change += patterns[window * WINDOW + _window(view, AFTER + y, x)] - patterns[view[SEEN + window]]
    return change


@jit
def _step(feature: int, count: int) -> int:
    """A count in steps as wide as it is large."""
    if feature == AT.passes:
        count = -count
    elif feature == AT.pairs:
        count = count // 5
    elif feature in (AT.blocks, AT.bars):
        count = count // 3
    elif feature in (AT.frontier, AT.empty):
        count = count // 2
    return min(max(count, 0), COUNTS - 1)


@jit
def _colour(
    city: Words, book: Ints, colour: int, low: int, high: int, halo_low: int, halo_high: int, kind: int,
    free_low: int, free_high: int,
) -> int:  # fmt: skip
    """How large the largest group of a colour is, and on how many cells it can grow."""
    first, best, best_low, best_high = colour * MOST_GROUPS, 0, NONE, NONE
    size, own_low, own_high = 1, halo_low, halo_high
    for group in range(first, first + book[GROUPS + colour]):
        group_low, group_high = city[GROUP_HALO + 2 * group], city[GROUP_HALO + 2 * group + 1]
        if colour == kind and low & group_low | high & group_high:
            size += book[GROUP_SIZE + group]
            own_low |= group_low
            own_high |= group_high
        elif book[GROUP_SIZE + group] > best:
            best, best_low, best_high = book[GROUP_SIZE + group], group_low, group_high
    if colour == kind and size > best:
        best, best_low, best_high = size, own_low, own_high
    openings = min(pair(best_low & free_low, best_high & free_high), OPENINGS - 1)
    return min(best, SIZES - 1) * OPENINGS + openings


@jit
def marked(land: Words, law: Ints, city: Words, book: Ints, task: int, choice: int, out: Ints, view: Ints) -> float:
    """Writes which numbers count beside those of windows once this is decided, and the rows of cells that are then
    free. The points that then stand, with what purses are worth."""
    at, kind, passed = TASKS + 8 * task, NO_KIND, book[PASSED]
    low, high, halo_low, halo_high = NONE, NONE, NONE, NONE
    if choice == PASS:
        passed += law[at + PRICE]
    else:
        place = PLACES + 4 * choice
        low, high, halo_low, halo_high = land[place], land[place + 1], land[place + 2], land[place + 3]
        kind = law[at + KIND]
    tally(land, law, city, book, low, high, halo_low, halo_high, kind, 0, passed, out)
    _write_rows(low, high, view, BUILT)
    for y in range(HEIGHT):
        view[AFTER + y] = view[BEFORE + y] & ~view[BUILT + y]
    free_low, free_high = city[FREE] & ~low, city[FREE + 1] & ~high
    phase, mark = min(pair(free_low, free_high) // CELLS_OF_PHASE, PHASES - 1), MARKS
    for feature in range(COUNTED):
        view[mark] = OF_FEATURES + (feature * PHASES + phase) * COUNTS + _step(feature, out[feature])
        mark += 1
    for colour in range(CHURCH):
        found = _colour(city, book, colour, low, high, halo_low, halo_high, kind, free_low, free_high)
        view[mark] = OF_COLOURS + (colour * PHASES + phase) * SIZES * OPENINGS + found
        mark += 1
    view[mark] = OF_ROW + min(book[USED], MOST_USED - 1) * PHASES + phase
    return counted(law, out) + out[AT.purses] * law[PURSE] / 100.0


@jit
def look_round(city: Words, view: Ints) -> None:
    """Writes the rows of free cells, before anything is decided."""
    _write_rows(city[FREE], city[FREE + 1], view, BEFORE)


@jit
def recalled(ground: Ground, town: Town, task: int, patterns: Floats, view: Ints, yard: Yard) -> int:
    """Writes every choice but to stop, and what it comes to by patterns; how many there are. None once no cell is
    free."""
    land, law, city, book = ground.land, ground.law, town.city, town.book
    if not (city[FREE] | city[FREE + 1]):
        return 0
    number = listed(land, law, city, task, yard.choices)
    if can_pass(law, book, task):
        yard.choices[number] = PASS
        number += 1
    look_round(city, view)
    before = _all_windows(patterns, view)
    for choice in range(number):
        value = before + marked(land, law, city, book, task, yard.choices[choice], yard.out, view)
        if yard.choices[choice] != PASS:
            value += _changed_windows(patterns, view)
        for mark in range(MARKS, VIEW):
            value += patterns[view[mark]]
        yard.values[choice] = value
    return number


@jit
def noted(view: Ints, notes: Ints) -> None:
    """Writes all numbers that count for what was last looked at."""
    for mark in range(MARK_COUNT):
        notes[mark] = view[MARKS + mark]
    for y in range(DOWN):
        for x in range(ACROSS):
            window = y * ACROSS + x
            notes[MARK_COUNT + window] = window * WINDOW + _window(view, AFTER + y, x)
