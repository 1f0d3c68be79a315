"""Input features of the value net: a row of bits for the city after a choice.

First planes with a bit per cell, then the remaining cards, then counts in unary up to a limit. The first layer of a
net is therefore a sum of rows, and one building changes few of them.
"""

# ruff: noqa: PLR0913, PLR0917 - a kernel is written for the machine: flat, with its arrays as arguments

from polyopolis.kernels.placing.bitmasks import popcount_pair, shift_up
from polyopolis.kernels.placing.build_moves import adjacent_colours
from polyopolis.kernels.placing.features import count_features, score_from_features
from polyopolis.kernels.placing.layout import (
    ANCHORS_HIGH,
    ANCHORS_LOW,
    AT,
    BLOCKING_CARD,
    CHURCH,
    CHURCH_COLOURS,
    CHURCH_COUNT,
    CHURCH_HALOS,
    COLOUR_CELLS,
    EMPTY,
    FREE,
    GROUND,
    GROUP_COUNTS,
    GROUP_HALOS,
    GROUP_SIZES,
    HAS_BUILT,
    IS_FACTORY,
    KIND,
    MAX_GROUPS,
    MAX_ORIENTATIONS,
    MAX_SQUARES,
    NO_BITS,
    NO_KIND,
    ONE,
    PASS,
    PASS_CIRCLES,
    PASS_PRICE,
    PASSED_CIRCLES,
    PLACEMENTS,
    RACE_EXTRA_CIRCLES,
    REACH,
    ROCKS,
    SHAPE_NUMBER,
    SHAPE_SIZE,
    SHAPES,
    SQUARE_SHIFTS,
    TASKS,
    TOP_BIT,
)
from polyopolis.kernels.runtime.jit import ALL_BITS, Ints, S, U, Words, jit, lowest_bit, popcount

MAX_SEEN_SHAPES = 10
"""Shapes with planes of their own."""
MAX_CARDS = 64

# planes of two words each: colours; churches; free cells that no shape can cover; free cells in reach; cells where a
# church needs a colour; cells where the largest group of a colour can grow, and the other groups; cells that each shape
# can cover; cells that at least 2, 4, 8 of the remaining cards can cover
COLOUR_PLANES, CHURCH_PLANE, DEAD_PLANE, FRONTIER_PLANE, WANTED_PLANES, GROWTH_PLANES, OTHER_GROWTH_PLANES = (
    0,
    3,
    4,
    5,
    6,
    9,
    12,
)
COVER_PLANES = 15
COVER_COUNT_PLANES = COVER_PLANES + MAX_SEEN_SHAPES
PLANE_COUNT = COVER_COUNT_PLANES + 3
# further words: remaining cards; number of placements per shape; groups, churches and wells; progress; lost cells
CARDS_LEFT_WORD = 2 * PLANE_COUNT
FIT_COUNT_WORDS = CARDS_LEFT_WORD + 1
GROUPS_WORD = FIT_COUNT_WORDS + 3
PROGRESS_WORD = GROUPS_WORD + 1
LOST_CELLS_WORD = PROGRESS_WORD + 1
ROOM_WORD = LOST_CELLS_WORD + 1
INPUT_WORDS = 64
"""Number of input words."""


@jit
def unary(count: int, most: int) -> int:
    """Returns a count in unary, at most `most` bits."""
    return (ONE << U(max(min(count, most), 0))) - ONE


@jit
def unary_levels(count: int) -> int:
    """Returns a count in unary, in seven steps of increasing width."""
    level = min(count, 3)
    if count >= 5:
        level = 4 + (count >= 8) + (count >= 13) + (count >= 21)
    return unary(level, 7)


@jit
def count_shapes(law: Ints, left: int) -> int:
    """Returns the number of remaining cards per shape, four bits each. `left` is the remaining cards as bits."""
    shapes = NO_BITS
    while left:
        task = lowest_bit(left)
        left &= left - ONE
        if task != law[BLOCKING_CARD]:
            shapes += ONE << U(4 * law[TASKS + 8 * task + SHAPE_NUMBER])
    return shapes


@jit
def write_inputs(
    land: Words, law: Ints, city: Words, book: Ints, task: int, choice: int, left: int, shapes: int,
    out: Ints, sight: Words,
) -> int:  # fmt: skip
    """Writes the inputs and features after a choice and returns its score."""
    at, kind, gear, passed = TASKS + 8 * task, NO_KIND, 0, book[PASSED_CIRCLES]
    low, high, halo_low, halo_high = NO_BITS, NO_BITS, NO_BITS, NO_BITS
    if choice >= 0:
        place = PLACEMENTS + 4 * choice
        low, high, halo_low, halo_high = land[place], land[place + 1], land[place + 2], land[place + 3]
        kind, gear = law[at + KIND], law[at + IS_FACTORY]
    elif choice == PASS:
        passed += law[at + PASS_PRICE]
    count_features(land, law, city, book, low, high, halo_low, halo_high, kind, gear, passed, out)
    free_low, free_high = city[FREE] & ~low, city[FREE + 1] & ~high
    reach_low, reach_high = halo_low, halo_high
    if book[HAS_BUILT] or kind == NO_KIND:
        reach_low, reach_high = reach_low | city[REACH], reach_high | city[REACH + 1]
    reach_low, reach_high = reach_low & free_low, reach_high & free_high
    sight[2 * FRONTIER_PLANE], sight[2 * FRONTIER_PLANE + 1] = reach_low, reach_high
    sight[CARDS_LEFT_WORD] = left
    standing = _write_groups(city, book, low, high, halo_low, halo_high, kind, free_low, free_high, sight)
    _write_churches(land, city, book, low, high, halo_low, halo_high, kind, free_low, free_high, sight)
    live_low, live_high, cells = _write_covers(land, free_low, free_high, reach_low, reach_high, shapes, sight)
    stuck = _stuck_churches(law, left, sight)
    dead_low, dead_high = free_low & ~live_low, free_high & ~live_high
    sight[2 * DEAD_PLANE], sight[2 * DEAD_PLANE + 1] = dead_low, dead_high
    built = book[CHURCH_COUNT] + (1 if kind == CHURCH else 0)
    sight[GROUPS_WORD] = (
        standing
        | unary(out[AT.churches], 3) << U(36)
        | unary(built, 3) << U(39)
        | unary(stuck, 3) << U(42)
        | unary(out[AT.steeples], 6) << U(45)
        | unary(max(out[AT.sides], 4 * out[AT.wells]), 4) << U(51)
        | unary(out[AT.covered], 4) << U(55)
        | unary(out[AT.race], 1) << U(59)
    )
    free = popcount_pair(free_low, free_high)
    circles = law[PASS_CIRCLES] + out[AT.race] * law[RACE_EXTRA_CIRCLES]
    sight[PROGRESS_WORD] = (
        unary(passed, 14)
        | unary(1 if passed >= circles else 0, 1) << U(14)
        | unary(popcount(left), 27) << U(15)
        | unary((cells - free) // 4 + 10, 20) << U(42)
    )
    sight[LOST_CELLS_WORD] = (
        unary(popcount_pair(dead_low & land[EMPTY], dead_high & land[EMPTY + 1]), 12)
        | unary(popcount_pair(dead_low & land[ROCKS], dead_high & land[ROCKS + 1]), 6) << U(12)
        | unary(out[AT.singles], 10) << U(18)
        | unary(out[AT.twins], 8) << U(28)
        | unary(out[AT.ends], 12) << U(36)
        | unary(popcount_pair(reach_low, reach_high) // 2, 16) << U(48)
    )
    sight[ROOM_WORD] = (
        unary(free // 4, 24) | unary(out[AT.blocks] // 3, 20) << U(24) | unary(out[AT.bars] // 5, 20) << U(44)
    )
    return score_from_features(law, out)


@jit
def _write_groups(
    city: Words, book: Ints, low: int, high: int, halo_low: int, halo_high: int, kind: int,
    free_low: int, free_high: int, sight: Words,
) -> int:  # fmt: skip
    """Writes the planes of each colour, of the growth of its largest group and of its other groups. Returns the bits
    of group sizes and counts."""
    seen = NO_BITS
    for colour in range(CHURCH):
        first, groups = colour * MAX_GROUPS, book[GROUP_COUNTS + colour]
        under_low, under_high = city[COLOUR_CELLS + 2 * colour], city[COLOUR_CELLS + 2 * colour + 1]
        size, own_low, own_high, number = 0, NO_BITS, NO_BITS, 0
        if colour == kind:
            under_low, under_high = under_low | low, under_high | high
            size, own_low, own_high, number = 1, halo_low, halo_high, 1
        best, best_low, best_high, rest_low, rest_high = 0, NO_BITS, NO_BITS, NO_BITS, NO_BITS
        for group in range(first, first + groups):
            group_low, group_high = city[GROUP_HALOS + 2 * group], city[GROUP_HALOS + 2 * group + 1]
            if colour == kind and low & group_low | high & group_high:
                size += book[GROUP_SIZES + group]
                own_low |= group_low
                own_high |= group_high
            else:
                number += 1
                if book[GROUP_SIZES + group] > best:
                    rest_low, rest_high = rest_low | best_low, rest_high | best_high
                    best, best_low, best_high = book[GROUP_SIZES + group], group_low, group_high
                else:
                    rest_low, rest_high = rest_low | group_low, rest_high | group_high
        if size > best:
            rest_low, rest_high = rest_low | best_low, rest_high | best_high
            best, best_low, best_high = size, own_low, own_high
        else:
            rest_low, rest_high = rest_low | own_low, rest_high | own_high
        plane = 2 * (COLOUR_PLANES + colour)
        sight[plane], sight[plane + 1] = under_low, under_high
        plane = 2 * (GROWTH_PLANES + colour)
        sight[plane], sight[plane + 1] = best_low & free_low, best_high & free_high
        plane = 2 * (OTHER_GROWTH_PLANES + colour)
        sight[plane], sight[plane + 1] = rest_low & free_low, rest_high & free_high
        seen |= (unary(best, 8) | unary(number, 4) << U(8)) << U(12 * colour)
    return seen


@jit
def _write_churches(
    land: Words, city: Words, book: Ints, low: int, high: int, halo_low: int, halo_high: int, kind: int,
    free_low: int, free_high: int, sight: Words,
) -> None:  # fmt: skip
    """Writes the planes of churches and of the cells where they need each colour."""
    cells_low, cells_high = land[GROUND] & ~free_low, land[GROUND + 1] & ~free_high
    for colour in range(CHURCH):
        plane = 2 * (COLOUR_PLANES + colour)
        cells_low, cells_high = cells_low & ~sight[plane], cells_high & ~sight[plane + 1]
        sight[2 * (WANTED_PLANES + colour)], sight[2 * (WANTED_PLANES + colour) + 1] = NO_BITS, NO_BITS
    sight[2 * CHURCH_PLANE], sight[2 * CHURCH_PLANE + 1] = cells_low, cells_high
    churches = book[CHURCH_COUNT]
    for church in range(churches + 1):
        if church < churches:
            around_low, around_high = city[CHURCH_HALOS + 2 * church], city[CHURCH_HALOS + 2 * church + 1]
            touched = book[CHURCH_COLOURS + church]
            if 0 <= kind < CHURCH and low & around_low | high & around_high:
                touched |= 1 << kind
        elif kind == CHURCH:
            around_low, around_high, touched = halo_low, halo_high, adjacent_colours(city, halo_low, halo_high)
        else:
            around_low, around_high, touched = NO_BITS, NO_BITS, 7
        for colour in range(CHURCH):
            if not touched >> colour & 1:
                plane = 2 * (WANTED_PLANES + colour)
                sight[plane] |= around_low & free_low
                sight[plane + 1] |= around_high & free_high


@jit
def _write_covers(
    land: Words, free_low: int, free_high: int, reach_low: int, reach_high: int, shapes: int, sight: Words
) -> tuple[int, int, int]:
    """Writes the planes of cells that the remaining cards can cover, per shape and in total. Returns the cells that
    any can cover, and the total size of the remaining buildings."""
    live_low, live_high, cells = NO_BITS, NO_BITS, 0
    one_low, one_high, two_low, two_high, four_low, four_high = NO_BITS, NO_BITS, NO_BITS, NO_BITS, NO_BITS, NO_BITS
    eight_low, eight_high = NO_BITS, NO_BITS
    sight[FIT_COUNT_WORDS], sight[FIT_COUNT_WORDS + 1], sight[FIT_COUNT_WORDS + 2] = NO_BITS, NO_BITS, NO_BITS
    for shape in range(MAX_SEEN_SHAPES):
        number, cover_low, cover_high = shapes >> U(4 * shape) & U(15), NO_BITS, NO_BITS
        if number:
            anywhere, beside, form = 0, 0, NO_BITS
            first = U(SHAPES + SHAPE_SIZE * shape)
            for way in range(MAX_ORIENTATIONS):
                column = first + U(way)
                low, high = land[column + U(ANCHORS_LOW)], land[column + U(ANCHORS_HIGH)]
                if not low | high:
                    break
                near_low, near_high, form = NO_BITS, NO_BITS, NO_BITS
                for square in range(MAX_SQUARES):
                    shift = land[column + U(SQUARE_SHIFTS + MAX_ORIENTATIONS * square)]
                    back = TOP_BIT - shift
                    form |= ONE << shift
                    low &= free_low >> shift | ((free_high << ONE) & ALL_BITS) << back & ALL_BITS
                    high &= free_high >> shift
                    near_low |= reach_low >> shift | ((reach_high << ONE) & ALL_BITS) << back & ALL_BITS
                    near_high |= reach_high >> shift
                if low | high:
                    anywhere += popcount_pair(low, high)
                    beside += popcount_pair(low & near_low, high & near_high)
                    for square in range(MAX_SQUARES):
                        up_low, up_high = shift_up(
                            low, high, land[column + U(SQUARE_SHIFTS + MAX_ORIENTATIONS * square)]
                        )
                        cover_low, cover_high = cover_low | up_low, cover_high | up_high
            cells += S(number) * popcount(form)
            fitting = (
                unary_levels(beside) | unary_levels(anywhere) << U(7) | unary(1 if anywhere == 0 else 0, 1) << U(14)
            )
            fitting |= unary(1 if beside == 0 else 0, 1) << U(15)
            sight[FIT_COUNT_WORDS + shape // 4] |= fitting << U(16 * (shape % 4))
            live_low, live_high = live_low | cover_low, live_high | cover_high
            # counted in binary: planes for 1, 2, 4, and for 8 or more
            for bit in range(3):
                if number >> U(bit) & ONE:
                    add_low, add_high = cover_low, cover_high
                    if bit == 0:
                        rest_low, rest_high = one_low & add_low, one_high & add_high
                        one_low, one_high = one_low ^ add_low, one_high ^ add_high
                        add_low, add_high = rest_low, rest_high
                    if bit <= 1:
                        rest_low, rest_high = two_low & add_low, two_high & add_high
                        two_low, two_high = two_low ^ add_low, two_high ^ add_high
                        add_low, add_high = rest_low, rest_high
                    eight_low, eight_high = eight_low | four_low & add_low, eight_high | four_high & add_high
                    four_low, four_high = four_low ^ add_low, four_high ^ add_high
        plane = 2 * (COVER_PLANES + shape)
        sight[plane], sight[plane + 1] = cover_low, cover_high
    sight[2 * COVER_COUNT_PLANES + 4], sight[2 * COVER_COUNT_PLANES + 5] = eight_low, eight_high
    sight[2 * COVER_COUNT_PLANES + 2], sight[2 * COVER_COUNT_PLANES + 3] = eight_low | four_low, eight_high | four_high
    sight[2 * COVER_COUNT_PLANES], sight[2 * COVER_COUNT_PLANES + 1] = (
        eight_low | four_low | two_low,
        eight_high | four_high | two_high,
    )
    return live_low, live_high, cells


@jit
def _stuck_churches(law: Ints, left: int, sight: Words) -> int:
    """Returns the number of remaining churches that cannot be built now; they cannot be passed."""
    stuck = 0
    while left:
        task = lowest_bit(left)
        left &= left - ONE
        if law[TASKS + 8 * task + KIND] == CHURCH:
            shape = law[TASKS + 8 * task + SHAPE_NUMBER]
            if sight[FIT_COUNT_WORDS + shape // 4] >> U(16 * (shape % 4) + 15) & ONE:
                stuck += 1
    return stuck
