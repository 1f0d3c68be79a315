"""Sums of learned n-tuple pattern values: one number per 3 x 3 window by its free cells, one per feature by its count
and the phase of the game, and some for combinations.

With dice any task may come at any time, so the structure of free cells matters most. With cards the remaining ones
are known, so each shape has a number by its remaining cards and placements. Patterns learn in minutes on one core,
where a net needs a GPU.
"""

# ruff: noqa: PLR0913, PLR0917 - a kernel is written for the machine: flat, with its arrays as arguments

from polyopolis.kernels.placing.bitmasks import popcount_pair, shift_down
from polyopolis.kernels.placing.build_moves import can_pass, list_placements
from polyopolis.kernels.placing.features import count_features, score_from_features
from polyopolis.kernels.placing.layout import (
    ANCHORS_HIGH,
    ANCHORS_LOW,
    AT,
    BLOCKING_CARD,
    CARD_COUNT,
    CHURCH,
    COMPASS_ROW_USED,
    FEATURE_COUNT,
    FREE,
    GROUP_COUNTS,
    GROUP_HALOS,
    GROUP_SIZES,
    HEIGHT,
    IS_FACTORY,
    KIND,
    MAX_GROUPS,
    MAX_ORIENTATIONS,
    MAX_SQUARES,
    NO_BITS,
    NO_KIND,
    NO_SHAPE,
    ONE,
    ORIENTATION_COUNT,
    PASS,
    PASS_PRICE,
    PASSED_CIRCLES,
    PLACEMENTS,
    PURSE_HUNDREDTHS,
    SHAPE_NUMBER,
    SHAPE_SIZE,
    SHAPES,
    SQUARE_SHIFTS,
    TASKS,
    TOP_BIT,
    CityArrays,
    CityScratch,
    SiteArrays,
)
from polyopolis.kernels.runtime.jit import ALL_BITS, Floats, Ints, S, U, Words, jit, lowest_bit, popcount

MAX_ROWS, WIDTH = 11, 11
"""Of a board."""
WINDOWS_PER_ROW = WIDTH - 2
MAX_WINDOWS = (MAX_ROWS - 2) * WINDOWS_PER_ROW
WINDOW_STATES = 512
"""States of a window: which of its nine cells are free."""
ROW_MASK = U(2**WIDTH - 1)
PHASE_STEPS, CELLS_PER_PHASE, CARDS_PER_PHASE, LAST_CARDS = 12, 8, 3, 3
"""The phase of a city is the number of free cells or remaining cards, divided by these; each of the last cards is a
phase."""
COUNT_STEPS = 32
SIZE_STEPS, OPENING_STEPS = 16, 8
COMPASS_STEPS = 8
SHAPE_SLOTS, SHAPE_CARD_STEPS, FIT_STEPS = 12, 4, 8
"""Shapes of cards, steps of the number of cards per shape, and steps of the number of placements."""

# offsets of the values: windows, features, colours, compass row (with cards: churches), shapes
FEATURES_AT = MAX_WINDOWS * WINDOW_STATES
COLOURS_AT = FEATURES_AT + FEATURE_COUNT * PHASE_STEPS * COUNT_STEPS
COMPASS_ROW_AT = COLOURS_AT + CHURCH * PHASE_STEPS * SIZE_STEPS * OPENING_STEPS
SHAPES_AT = COMPASS_ROW_AT + COMPASS_STEPS * PHASE_STEPS
PATTERN_COUNT = SHAPES_AT + SHAPE_SLOTS * PHASE_STEPS * SHAPE_CARD_STEPS * FIT_STEPS

# view: rows of free cells before and after a choice, rows of the building, window indexes before the choice, number of
# window rows; remaining cards in total, by kind, by shape; indexes of all other values, those of shapes last
ROWS_BEFORE, ROWS_AFTER, ROWS_BUILT = 0, MAX_ROWS, 2 * MAX_ROWS
WINDOW_INDEXES = 3 * MAX_ROWS
WINDOW_ROWS = WINDOW_INDEXES + MAX_WINDOWS
CARDS_LEFT = WINDOW_ROWS + 1
CARDS_OF_KIND = CARDS_LEFT + 1
CARDS_OF_SHAPE = CARDS_OF_KIND + CHURCH + 1
INDEXES = CARDS_OF_SHAPE + SHAPE_SLOTS
INDEXES_WITHOUT_SHAPES = FEATURE_COUNT + CHURCH + 1
INDEX_COUNT = INDEXES_WITHOUT_SHAPES + SHAPE_SLOTS
VIEW_SIZE = INDEXES + INDEX_COUNT
MAX_INDEXES = INDEX_COUNT + MAX_WINDOWS
"""Maximum number of values that are added for one city."""


@jit
def _write_rows(law: Ints, low: int, high: int, view: Ints, at: int) -> None:
    """Writes a mask row by row."""
    for y in range(law[HEIGHT]):
        view[at + y] = S(low & ROW_MASK)
        low, high = shift_down(low, high, U(WIDTH))


@jit
def _window_state(view: Ints, at: int, x: int) -> int:
    """Returns the state of the window at column `x` of three rows."""
    return view[at] >> x & 7 | (view[at + 1] >> x & 7) << 3 | (view[at + 2] >> x & 7) << 6


@jit
def _all_windows(patterns: Floats, view: Ints) -> float:
    """Writes the indexes of all windows and returns the sum of their values."""
    total = 0.0
    for y in range(view[WINDOW_ROWS]):
        for x in range(WINDOWS_PER_ROW):
            window = y * WINDOWS_PER_ROW + x
            view[WINDOW_INDEXES + window] = window * WINDOW_STATES + _window_state(view, ROWS_BEFORE + y, x)
            total += patterns[view[WINDOW_INDEXES + window]]
    return total


@jit
def _changed_windows(patterns: Floats, view: Ints) -> float:
    """Returns the change of that sum by a building, from the windows that it touches."""
    change = 0.0
    for y in range(view[WINDOW_ROWS]):
        across = view[ROWS_BUILT + y] | view[ROWS_BUILT + y + 1] | view[ROWS_BUILT + y + 2]
        if across:
            for x in range(WINDOWS_PER_ROW):
                if across >> x & 7:
                    window = y * WINDOWS_PER_ROW + x
                    change += (
                        patterns[window * WINDOW_STATES + _window_state(view, ROWS_AFTER + y, x)]
                        - patterns[view[WINDOW_INDEXES + window]]
                    )
    return change


@jit
def _count_step(feature: int, count: int) -> int:
    """Returns the step of a feature count."""
    if feature == AT.passes:
        count = -count
    elif feature == AT.pairs:
        count = count // 5
    elif feature in (AT.blocks, AT.bars):
        count = count // 3
    elif feature in (AT.frontier, AT.empty):
        count = count // 2
    return min(max(count, 0), COUNT_STEPS - 1)


@jit
def _phase(law: Ints, left: int, free: int) -> int:
    """Returns the phase of a city with this number of cards and free cells left."""
    phase = left
    if law[CARD_COUNT] == 0:
        phase = free // CELLS_PER_PHASE
    elif left > LAST_CARDS:
        phase = LAST_CARDS - 1 + left // CARDS_PER_PHASE
    return min(phase, PHASE_STEPS - 1)


@jit
def _colour_step(
    city: Words, book: Ints, colour: int, low: int, high: int, halo_low: int, halo_high: int, kind: int,
    free_low: int, free_high: int,
) -> int:  # fmt: skip
    """Returns the combined step of the size of the largest group of a colour and the cells where it can grow."""
    first, best, best_low, best_high = colour * MAX_GROUPS, 0, NO_BITS, NO_BITS
    size, own_low, own_high = 1, halo_low, halo_high
    for group in range(first, first + book[GROUP_COUNTS + colour]):
        group_low, group_high = city[GROUP_HALOS + 2 * group], city[GROUP_HALOS + 2 * group + 1]
        if colour == kind and low & group_low | high & group_high:
            size += book[GROUP_SIZES + group]
            own_low |= group_low
            own_high |= group_high
        elif book[GROUP_SIZES + group] > best:
            best, best_low, best_high = book[GROUP_SIZES + group], group_low, group_high
    if colour == kind and size > best:
        best, best_low, best_high = size, own_low, own_high
    openings = min(popcount_pair(best_low & free_low, best_high & free_high), OPENING_STEPS - 1)
    return min(best, SIZE_STEPS - 1) * OPENING_STEPS + openings


@jit
def _fit_step(land: Words, law: Ints, form: int, free_low: int, free_high: int) -> int:
    """Returns the step of the number of placements of a shape on free cells."""
    first, places = U(SHAPES + SHAPE_SIZE * form), 0
    for way in range(law[ORIENTATION_COUNT]):
        column = first + U(way)
        low, high = land[column + U(ANCHORS_LOW)], land[column + U(ANCHORS_HIGH)]
        for square in range(MAX_SQUARES):
            shift = land[column + U(SQUARE_SHIFTS + MAX_ORIENTATIONS * square)]
            back = TOP_BIT - shift
            low &= free_low >> shift | ((free_high << ONE) & ALL_BITS) << back & ALL_BITS
            high &= free_high >> shift
        places += popcount_pair(low, high)
    if places < FIT_STEPS // 2:
        return places
    return 4 + (places > 6) + (places > 12) + (places > 24)


@jit
def _write_shape_indexes(land: Words, law: Ints, free_low: int, free_high: int, phase: int, view: Ints) -> None:
    """Writes the indexes for the shapes of the remaining cards."""
    for form in range(SHAPE_SLOTS):
        number, fitting = view[CARDS_OF_SHAPE + form], 0
        if number > 0:
            fitting = _fit_step(land, law, form, free_low, free_high)
        alike = (form * PHASE_STEPS + phase) * SHAPE_CARD_STEPS + min(number, SHAPE_CARD_STEPS - 1)
        view[INDEXES + INDEXES_WITHOUT_SHAPES + form] = SHAPES_AT + alike * FIT_STEPS + fitting


@jit
def write_indexes(
    land: Words, law: Ints, city: Words, book: Ints, task: int, choice: int, out: Ints, view: Ints
) -> float:
    """Writes the indexes after a choice, except those of windows, and the rows of free cells. Returns the outcome at
    that point."""
    at, kind, gear, passed = TASKS + 8 * task, NO_KIND, 0, book[PASSED_CIRCLES]
    low, high, halo_low, halo_high = NO_BITS, NO_BITS, NO_BITS, NO_BITS
    if choice == PASS:
        passed += law[at + PASS_PRICE]
    else:
        place = PLACEMENTS + 4 * choice
        low, high, halo_low, halo_high = land[place], land[place + 1], land[place + 2], land[place + 3]
        kind, gear = law[at + KIND], law[at + IS_FACTORY]
    count_features(land, law, city, book, low, high, halo_low, halo_high, kind, gear, passed, out)
    _write_rows(law, low, high, view, ROWS_BUILT)
    for y in range(law[HEIGHT]):
        view[ROWS_AFTER + y] = view[ROWS_BEFORE + y] & ~view[ROWS_BUILT + y]
    free_low, free_high = city[FREE] & ~low, city[FREE + 1] & ~high
    phase, mark = _phase(law, view[CARDS_LEFT], popcount_pair(free_low, free_high)), INDEXES
    for feature in range(FEATURE_COUNT):
        view[mark] = FEATURES_AT + (feature * PHASE_STEPS + phase) * COUNT_STEPS + _count_step(feature, out[feature])
        mark += 1
    for colour in range(CHURCH):
        found = _colour_step(city, book, colour, low, high, halo_low, halo_high, kind, free_low, free_high)
        coming = min(view[CARDS_OF_KIND + colour], PHASE_STEPS - 1) if law[CARD_COUNT] > 0 else phase
        view[mark] = COLOURS_AT + (colour * PHASE_STEPS + coming) * SIZE_STEPS * OPENING_STEPS + found
        mark += 1
    if law[CARD_COUNT] > 0:
        view[mark] = (
            COMPASS_ROW_AT
            + min(out[AT.steeples], COMPASS_STEPS - 1) * PHASE_STEPS
            + min(view[CARDS_OF_KIND + CHURCH], PHASE_STEPS - 1)
        )
        _write_shape_indexes(land, law, free_low, free_high, phase, view)
    else:
        view[mark] = COMPASS_ROW_AT + min(book[COMPASS_ROW_USED], COMPASS_STEPS - 1) * PHASE_STEPS + phase
    return score_from_features(law, out) + out[AT.purses] * law[PURSE_HUNDREDTHS] / 100.0


@jit
def write_view(law: Ints, city: Words, left: int, view: Ints) -> None:
    """Writes the rows of free cells and the numbers of remaining cards before a choice. `left` is the remaining cards
    as bits."""
    _write_rows(law, city[FREE], city[FREE + 1], view, ROWS_BEFORE)
    view[WINDOW_ROWS], view[CARDS_LEFT] = law[HEIGHT] - 2, popcount(left)
    for at in range(CARDS_OF_KIND, INDEXES):
        view[at] = 0
    while left:
        at = TASKS + 8 * lowest_bit(left)
        if lowest_bit(left) != law[BLOCKING_CARD] and law[at + SHAPE_NUMBER] != NO_SHAPE:
            view[CARDS_OF_KIND + law[at + KIND]] += 1
            view[CARDS_OF_SHAPE + law[at + SHAPE_NUMBER]] += 1
        left &= left - ONE


@jit
def index_count(law: Ints) -> int:
    """Returns the number of indexes without windows. Shapes count only with cards."""
    return INDEX_COUNT if law[CARD_COUNT] > 0 else INDEXES_WITHOUT_SHAPES


@jit
def all_index_count(law: Ints) -> int:
    """Returns the number of all indexes."""
    return index_count(law) + (law[HEIGHT] - 2) * WINDOWS_PER_ROW


@jit
def evaluate_by_patterns(
    site: SiteArrays, arrays: CityArrays, task: int, left: int, patterns: Floats, view: Ints, scratch: CityScratch
) -> int:
    """Writes every choice except stopping with its pattern value and returns their number; 0 if no cell is free.
    `left` is the remaining cards as bits."""
    land, law, city, book = site.land, site.law, arrays.city, arrays.book
    if not (city[FREE] | city[FREE + 1]):
        return 0
    number = list_placements(land, law, city, task, scratch.choices)
    if can_pass(law, book, task):
        scratch.choices[number] = PASS
        number += 1
    write_view(law, city, left, view)
    before, end = _all_windows(patterns, view), INDEXES + index_count(law)
    for choice in range(number):
        value = before + write_indexes(land, law, city, book, task, scratch.choices[choice], scratch.out, view)
        if scratch.choices[choice] != PASS:
            value += _changed_windows(patterns, view)
        for mark in range(INDEXES, end):
            value += patterns[view[mark]]
        scratch.values[choice] = value
    return number


@jit
def list_indexes(law: Ints, view: Ints, notes: Ints) -> int:
    """Writes all indexes of the last evaluated choice and returns their number."""
    number = index_count(law)
    for mark in range(number):
        notes[mark] = view[INDEXES + mark]
    for y in range(view[WINDOW_ROWS]):
        for x in range(WINDOWS_PER_ROW):
            notes[number] = (y * WINDOWS_PER_ROW + x) * WINDOW_STATES + _window_state(view, ROWS_AFTER + y, x)
            number += 1
    return number
