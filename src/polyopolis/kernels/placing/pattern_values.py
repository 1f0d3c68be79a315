"""What a city comes to by patterns: a sum of numbers that were learnt. One for every window of nine cells, by which of
them are free; one for every feature, by how much of it there is and how far the city is; and some for what goes
together.

Where dice are thrown anything may come at any time: what matters is how the free cells lie. Where cards are turned up
it is known which ones are left, so there is a number for every shape, too, by how many of them it is on and in how many
places it still fits. Such a sum says that after some minutes of games on one core, where a net needs a card.
"""

# ruff: noqa: PLR0913, PLR0917 - a kernel is written for the machine: flat, with its arrays as arguments

from polyopolis.kernels.placing.bitmasks import pair, shifted
from polyopolis.kernels.placing.build_moves import can_pass, listed
from polyopolis.kernels.placing.features import counted, tally
from polyopolis.kernels.placing.layout import (
    AT,
    BLOCK,
    CARDS,
    CHURCH,
    FEATURE_COUNT,
    FORM,
    FREE,
    GEAR,
    GROUP_HALO,
    GROUP_SIZE,
    GROUPS,
    HEIGHT,
    HIGHS,
    KIND,
    LAST,
    LOWS,
    MOST_GROUPS,
    MOST_SQUARES,
    MOST_WAYS,
    NO_KIND,
    NONE,
    NONE_LEFT,
    ONE,
    PASS,
    PASSED,
    PLACES,
    PRICE,
    PURSE,
    SHAPE,
    SHAPES,
    SHIFTS,
    TASKS,
    USED,
    WAYS,
    Ground,
    Town,
    Yard,
)
from polyopolis.kernels.runtime.jit import FULL, Floats, Ints, S, U, Words, jit, lowest, ones

MOST_ROWS, WIDTH = 11, 11
"""Of a board."""
ACROSS = WIDTH - 2
WINDOWS = (MOST_ROWS - 2) * ACROSS
WINDOW = 512
"""Ways in which nine cells are free."""
ROW = U(2**WIDTH - 1)
PHASES, CELLS_OF_PHASE, CARDS_OF_PHASE, LAST_CARDS = 12, 8, 3, 3
"""How far a city is: so many free cells, or cards that are left, are a phase; each of the last cards is one."""
COUNTS = 32
SIZES, OPENINGS = 16, 8
MOST_USED = 8
FORMS, ALIKE, FITTING = 12, 4, 8
"""Shapes of cards, how many cards have one, and steps in which is counted how often it fits."""

# where the numbers lie: of the windows, the features, the colours, the row of the compass or the churches, the shapes
OF_FEATURES = WINDOWS * WINDOW
OF_COLOURS = OF_FEATURES + FEATURE_COUNT * PHASES * COUNTS
OF_ROW = OF_COLOURS + CHURCH * PHASES * SIZES * OPENINGS
OF_FORMS = OF_ROW + MOST_USED * PHASES
PATTERNS = OF_FORMS + FORMS * PHASES * ALIKE * FITTING

# what is looked at: the rows of free cells before and after something is decided and of the building, the windows
# before it, and how many rows of them there are; the cards that are left, all, of each kind, of each shape; and the
# marks: which numbers count beside those of windows, those of shapes last
BEFORE, AFTER, BUILT = 0, MOST_ROWS, 2 * MOST_ROWS
SEEN = 3 * MOST_ROWS
DOWN = SEEN + WINDOWS
LEFT = DOWN + 1
OF_KIND = LEFT + 1
OF_FORM = OF_KIND + CHURCH + 1
MARKS = OF_FORM + FORMS
WITHOUT_FORMS = FEATURE_COUNT + CHURCH + 1
MARK_COUNT = WITHOUT_FORMS + FORMS
VIEW = MARKS + MARK_COUNT
NOTES = MARK_COUNT + WINDOWS
"""All numbers that may count for one city."""


@jit
def _write_rows(law: Ints, low: int, high: int, view: Ints, at: int) -> None:
    """A mask, row by row."""
    for y in range(law[HEIGHT]):
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
    for y in range(view[DOWN]):
        for x in range(ACROSS):
            window = y * ACROSS + x
            view[SEEN + window] = window * WINDOW + _window(view, BEFORE + y, x)
            total += patterns[view[SEEN + window]]
    return total


@jit
def _changed_windows(patterns: Floats, view: Ints) -> float:
    """How much that sum changes by a building: only windows that it lies in do."""
    change = 0.0
    for y in range(view[DOWN]):
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
def _phase(law: Ints, left: int, free: int) -> int:
    """How far a city is, with so many cards left and cells free."""
    phase = left
    if law[CARDS] == 0:
        phase = free // CELLS_OF_PHASE
    elif left > LAST_CARDS:
        phase = LAST_CARDS - 1 + left // CARDS_OF_PHASE
    return min(phase, PHASES - 1)


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
def _fitting(land: Words, law: Ints, form: int, free_low: int, free_high: int) -> int:
    """In how many places a shape fits on free cells, in steps that become wider."""
    first, places = U(SHAPES + SHAPE * form), 0
    for way in range(law[WAYS]):
        column = first + U(way)
        low, high = land[column + U(LOWS)], land[column + U(HIGHS)]
        for square in range(MOST_SQUARES):
            shift = land[column + U(SHIFTS + MOST_WAYS * square)]
            back = LAST - shift
            low &= free_low >> shift | ((free_high << ONE) & FULL) << back & FULL
            high &= free_high >> shift
        places += pair(low, high)
    if places < FITTING // 2:
        return places
    return 4 + (places > 6) + (places > 12) + (places > 24)


@jit
def _mark_forms(land: Words, law: Ints, free_low: int, free_high: int, phase: int, view: Ints) -> None:
    """Which numbers count for the shapes of the cards that are left."""
    for form in range(FORMS):
        number, fitting = view[OF_FORM + form], 0
        if number > 0:
            fitting = _fitting(land, law, form, free_low, free_high)
        alike = (form * PHASES + phase) * ALIKE + min(number, ALIKE - 1)
        view[MARKS + WITHOUT_FORMS + form] = OF_FORMS + alike * FITTING + fitting


@jit
def marked(land: Words, law: Ints, city: Words, book: Ints, task: int, choice: int, out: Ints, view: Ints) -> float:
    """Writes which numbers count beside those of windows once this is decided, and the rows of cells that are then
    free. The points that then stand, with what purses are worth."""
    at, kind, gear, passed = TASKS + 8 * task, NO_KIND, 0, book[PASSED]
    low, high, halo_low, halo_high = NONE, NONE, NONE, NONE
    if choice == PASS:
        passed += law[at + PRICE]
    else:
        place = PLACES + 4 * choice
        low, high, halo_low, halo_high = land[place], land[place + 1], land[place + 2], land[place + 3]
        kind, gear = law[at + KIND], law[at + GEAR]
    tally(land, law, city, book, low, high, halo_low, halo_high, kind, gear, passed, out)
    _write_rows(law, low, high, view, BUILT)
    for y in range(law[HEIGHT]):
        view[AFTER + y] = view[BEFORE + y] & ~view[BUILT + y]
    free_low, free_high = city[FREE] & ~low, city[FREE + 1] & ~high
    phase, mark = _phase(law, view[LEFT], pair(free_low, free_high)), MARKS
    for feature in range(FEATURE_COUNT):
        view[mark] = OF_FEATURES + (feature * PHASES + phase) * COUNTS + _step(feature, out[feature])
        mark += 1
    for colour in range(CHURCH):
        found = _colour(city, book, colour, low, high, halo_low, halo_high, kind, free_low, free_high)
        coming = min(view[OF_KIND + colour], PHASES - 1) if law[CARDS] > 0 else phase
        view[mark] = OF_COLOURS + (colour * PHASES + coming) * SIZES * OPENINGS + found
        mark += 1
    if law[CARDS] > 0:
        view[mark] = OF_ROW + min(out[AT.steeples], MOST_USED - 1) * PHASES + min(view[OF_KIND + CHURCH], PHASES - 1)
        _mark_forms(land, law, free_low, free_high, phase, view)
    else:
        view[mark] = OF_ROW + min(book[USED], MOST_USED - 1) * PHASES + phase
    return counted(law, out) + out[AT.purses] * law[PURSE] / 100.0


@jit
def look_round(law: Ints, city: Words, left: int, view: Ints) -> None:
    """Writes the rows of free cells, before anything is decided, and how many cards are left; which ones say the
    bits."""
    _write_rows(law, city[FREE], city[FREE + 1], view, BEFORE)
    view[DOWN], view[LEFT] = law[HEIGHT] - 2, ones(left)
    for at in range(OF_KIND, MARKS):
        view[at] = 0
    while left:
        at = TASKS + 8 * lowest(left)
        if lowest(left) != law[BLOCK] and law[at + FORM] != NONE_LEFT:
            view[OF_KIND + law[at + KIND]] += 1
            view[OF_FORM + law[at + FORM]] += 1
        left &= left - ONE


@jit
def marks(law: Ints) -> int:
    """How many numbers count beside those of windows: those of shapes where there are cards."""
    return MARK_COUNT if law[CARDS] > 0 else WITHOUT_FORMS


@jit
def notes_of(law: Ints) -> int:
    """How many numbers count."""
    return marks(law) + (law[HEIGHT] - 2) * ACROSS


@jit
def recalled(ground: Ground, town: Town, task: int, left: int, patterns: Floats, view: Ints, yard: Yard) -> int:
    """Writes every choice but to stop, and what it comes to by patterns; how many there are. Which cards are left say
    the bits. None once no cell is free."""
    land, law, city, book = ground.land, ground.law, town.city, town.book
    if not (city[FREE] | city[FREE + 1]):
        return 0
    number = listed(land, law, city, task, yard.choices)
    if can_pass(law, book, task):
        yard.choices[number] = PASS
        number += 1
    look_round(law, city, left, view)
    before, end = _all_windows(patterns, view), MARKS + marks(law)
    for choice in range(number):
        value = before + marked(land, law, city, book, task, yard.choices[choice], yard.out, view)
        if yard.choices[choice] != PASS:
            value += _changed_windows(patterns, view)
        for mark in range(MARKS, end):
            value += patterns[view[mark]]
        yard.values[choice] = value
    return number


@jit
def noted(law: Ints, view: Ints, notes: Ints) -> int:
    """Writes all numbers that count for what was last looked at; how many there are."""
    number = marks(law)
    for mark in range(number):
        notes[mark] = view[MARKS + mark]
    for y in range(view[DOWN]):
        for x in range(ACROSS):
            notes[number] = (y * ACROSS + x) * WINDOW + _window(view, AFTER + y, x)
            number += 1
    return number
