"""What a net sees of a city once something is decided: a row of bits.

First planes, a bit for each cell; then the cards that are left; then counts, each as so many bits as it comes to, up to
a limit: so a net's first layer is a sum of rows, and a city that differs by one building differs by few of them.
"""

# ruff: noqa: PLR0913, PLR0917 - a kernel is written for the machine: flat, with its arrays as arguments

from polyopolis.kernels.placing.bitmasks import pair, raised
from polyopolis.kernels.placing.build_moves import touching
from polyopolis.kernels.placing.features import counted, tally
from polyopolis.kernels.placing.layout import (
    AT,
    BEGUN,
    BLOCK,
    CHURCH,
    CHURCH_HALO,
    CHURCHES,
    CIRCLES,
    EMPTY,
    FORM,
    FREE,
    GEAR,
    GROUND,
    GROUP_HALO,
    GROUP_SIZE,
    GROUPS,
    HIGHS,
    KIND,
    LAST,
    LOWS,
    MOST_GROUPS,
    MOST_SQUARES,
    MOST_WAYS,
    NO_KIND,
    NONE,
    ONE,
    PASS,
    PASSED,
    PLACES,
    PRICE,
    RACE_CIRCLES,
    REACH,
    ROCKS,
    SHAPE,
    SHAPES,
    SHIFTS,
    TASKS,
    TOUCHED,
    UNDER,
)
from polyopolis.kernels.runtime.jit import FULL, Ints, S, U, Words, jit, lowest, ones

MOST_SEEN = 10
"""Shapes of which a net sees where they fit."""
MOST_CARDS = 64

# planes of two words each: the colours, the churches; free cells that nothing fits on; free cells that may be touched;
# where a colour is wanted by a church; where the largest group of a colour can grow, and where the others can; where
# each shape may still come to lie; and cells that so many of the cards left may come to cover
COLOURS, CHURCH_CELLS, DEAD, FRONTIER, WANTED, GROWING, APART = 0, 3, 4, 5, 6, 9, 12
COVERS = 15
MANY = COVERS + MOST_SEEN
PLANE_COUNT = MANY + 3
# words behind them: the cards that are left; of each shape in how many places it fits; of the groups, churches and
# wells; of how far the game is; of cells that are lost
CARDS_LEFT = 2 * PLANE_COUNT
FITTING = CARDS_LEFT + 1
STANDING = FITTING + 3
WAY_GONE = STANDING + 1
LOST = WAY_GONE + 1
ROOM = LOST + 1
SIGHT = 64
"""Words that a net sees."""


@jit
def steps(count: int, most: int) -> int:
    """A count as so many bits, no more than the most."""
    return (ONE << U(max(min(count, most), 0))) - ONE


@jit
def levels(count: int) -> int:
    """A count in seven steps that become wider."""
    level = min(count, 3)
    if count >= 5:
        level = 4 + (count >= 8) + (count >= 13) + (count >= 21)
    return steps(level, 7)


@jit
def held(law: Ints, left: int) -> int:
    """How many of the cards that are left have each shape, in four bits each; which are left say the bits."""
    shapes = NONE
    while left:
        task = lowest(left)
        left &= left - ONE
        if task != law[BLOCK]:
            shapes += ONE << U(4 * law[TASKS + 8 * task + FORM])
    return shapes


@jit
def see(
    land: Words, law: Ints, city: Words, book: Ints, task: int, choice: int, left: int, shapes: int,
    out: Ints, sight: Words,
) -> int:  # fmt: skip
    """Writes what is seen of the city once this is decided, and its features. The score that it then has."""
    at, kind, gear, passed = TASKS + 8 * task, NO_KIND, 0, book[PASSED]
    low, high, halo_low, halo_high = NONE, NONE, NONE, NONE
    if choice >= 0:
        place = PLACES + 4 * choice
        low, high, halo_low, halo_high = land[place], land[place + 1], land[place + 2], land[place + 3]
        kind, gear = law[at + KIND], law[at + GEAR]
    elif choice == PASS:
        passed += law[at + PRICE]
    tally(land, law, city, book, low, high, halo_low, halo_high, kind, gear, passed, out)
    free_low, free_high = city[FREE] & ~low, city[FREE + 1] & ~high
    reach_low, reach_high = halo_low, halo_high
    if book[BEGUN] or kind == NO_KIND:
        reach_low, reach_high = reach_low | city[REACH], reach_high | city[REACH + 1]
    reach_low, reach_high = reach_low & free_low, reach_high & free_high
    sight[2 * FRONTIER], sight[2 * FRONTIER + 1] = reach_low, reach_high
    sight[CARDS_LEFT] = left
    standing = _see_groups(city, book, low, high, halo_low, halo_high, kind, free_low, free_high, sight)
    _see_churches(land, city, book, low, high, halo_low, halo_high, kind, free_low, free_high, sight)
    live_low, live_high, cells = _see_covers(land, free_low, free_high, reach_low, reach_high, shapes, sight)
    stuck = _stuck(law, left, sight)
    dead_low, dead_high = free_low & ~live_low, free_high & ~live_high
    sight[2 * DEAD], sight[2 * DEAD + 1] = dead_low, dead_high
    built = book[CHURCHES] + (1 if kind == CHURCH else 0)
    sight[STANDING] = (
        standing
        | steps(out[AT.churches], 3) << U(36)
        | steps(built, 3) << U(39)
        | steps(stuck, 3) << U(42)
        | steps(out[AT.steeples], 6) << U(45)
        | steps(max(out[AT.sides], 4 * out[AT.wells]), 4) << U(51)
        | steps(out[AT.covered], 4) << U(55)
        | steps(out[AT.race], 1) << U(59)
    )
    free = pair(free_low, free_high)
    circles = law[CIRCLES] + out[AT.race] * law[RACE_CIRCLES]
    sight[WAY_GONE] = (
        steps(passed, 14)
        | steps(1 if passed >= circles else 0, 1) << U(14)
        | steps(ones(left), 27) << U(15)
        | steps((cells - free) // 4 + 10, 20) << U(42)
    )
    sight[LOST] = (
        steps(pair(dead_low & land[EMPTY], dead_high & land[EMPTY + 1]), 12)
        | steps(pair(dead_low & land[ROCKS], dead_high & land[ROCKS + 1]), 6) << U(12)
        | steps(out[AT.singles], 10) << U(18)
        | steps(out[AT.twins], 8) << U(28)
        | steps(out[AT.ends], 12) << U(36)
        | steps(pair(reach_low, reach_high) // 2, 16) << U(48)
    )
    sight[ROOM] = steps(free // 4, 24) | steps(out[AT.blocks] // 3, 20) << U(24) | steps(out[AT.bars] // 5, 20) << U(44)
    return counted(law, out)


@jit
def _see_groups(
    city: Words, book: Ints, low: int, high: int, halo_low: int, halo_high: int, kind: int,
    free_low: int, free_high: int, sight: Words,
) -> int:  # fmt: skip
    """Where each colour stands, where its largest group can grow and where the others can; their sizes and numbers."""
    seen = NONE
    for colour in range(CHURCH):
        first, groups = colour * MOST_GROUPS, book[GROUPS + colour]
        under_low, under_high = city[UNDER + 2 * colour], city[UNDER + 2 * colour + 1]
        size, own_low, own_high, number = 0, NONE, NONE, 0
        if colour == kind:
            under_low, under_high = under_low | low, under_high | high
            size, own_low, own_high, number = 1, halo_low, halo_high, 1
        best, best_low, best_high, rest_low, rest_high = 0, NONE, NONE, NONE, NONE
        for group in range(first, first + groups):
            group_low, group_high = city[GROUP_HALO + 2 * group], city[GROUP_HALO + 2 * group + 1]
            if colour == kind and low & group_low | high & group_high:
                size += book[GROUP_SIZE + group]
                own_low |= group_low
                own_high |= group_high
            else:
                number += 1
                if book[GROUP_SIZE + group] > best:
                    rest_low, rest_high = rest_low | best_low, rest_high | best_high
                    best, best_low, best_high = book[GROUP_SIZE + group], group_low, group_high
                else:
                    rest_low, rest_high = rest_low | group_low, rest_high | group_high
        if size > best:
            rest_low, rest_high = rest_low | best_low, rest_high | best_high
            best, best_low, best_high = size, own_low, own_high
        else:
            rest_low, rest_high = rest_low | own_low, rest_high | own_high
        plane = 2 * (COLOURS + colour)
        sight[plane], sight[plane + 1] = under_low, under_high
        plane = 2 * (GROWING + colour)
        sight[plane], sight[plane + 1] = best_low & free_low, best_high & free_high
        plane = 2 * (APART + colour)
        sight[plane], sight[plane + 1] = rest_low & free_low, rest_high & free_high
        seen |= (steps(best, 8) | steps(number, 4) << U(8)) << U(12 * colour)
    return seen


@jit
def _see_churches(
    land: Words, city: Words, book: Ints, low: int, high: int, halo_low: int, halo_high: int, kind: int,
    free_low: int, free_high: int, sight: Words,
) -> None:  # fmt: skip
    """Where churches stand, and where they want each colour."""
    cells_low, cells_high = land[GROUND] & ~free_low, land[GROUND + 1] & ~free_high
    for colour in range(CHURCH):
        plane = 2 * (COLOURS + colour)
        cells_low, cells_high = cells_low & ~sight[plane], cells_high & ~sight[plane + 1]
        sight[2 * (WANTED + colour)], sight[2 * (WANTED + colour) + 1] = NONE, NONE
    sight[2 * CHURCH_CELLS], sight[2 * CHURCH_CELLS + 1] = cells_low, cells_high
    churches = book[CHURCHES]
    for church in range(churches + 1):
        if church < churches:
            around_low, around_high = city[CHURCH_HALO + 2 * church], city[CHURCH_HALO + 2 * church + 1]
            touched = book[TOUCHED + church]
            if 0 <= kind < CHURCH and low & around_low | high & around_high:
                touched |= 1 << kind
        elif kind == CHURCH:
            around_low, around_high, touched = halo_low, halo_high, touching(city, halo_low, halo_high)
        else:
            around_low, around_high, touched = NONE, NONE, 7
        for colour in range(CHURCH):
            if not touched >> colour & 1:
                plane = 2 * (WANTED + colour)
                sight[plane] |= around_low & free_low
                sight[plane + 1] |= around_high & free_high


@jit
def _see_covers(
    land: Words, free_low: int, free_high: int, reach_low: int, reach_high: int, shapes: int, sight: Words
) -> tuple[int, int, int]:
    """Where the shapes of the cards that are left may come to lie, each and all; how many cells they have."""
    live_low, live_high, cells = NONE, NONE, 0
    one_low, one_high, two_low, two_high, four_low, four_high = NONE, NONE, NONE, NONE, NONE, NONE
    eight_low, eight_high = NONE, NONE
    sight[FITTING], sight[FITTING + 1], sight[FITTING + 2] = NONE, NONE, NONE
    for shape in range(MOST_SEEN):
        number, cover_low, cover_high = shapes >> U(4 * shape) & U(15), NONE, NONE
        if number:
            anywhere, beside, form = 0, 0, NONE
            first = U(SHAPES + SHAPE * shape)
            for way in range(MOST_WAYS):
                column = first + U(way)
                low, high = land[column + U(LOWS)], land[column + U(HIGHS)]
                if not low | high:
                    break
                near_low, near_high, form = NONE, NONE, NONE
                for square in range(MOST_SQUARES):
                    shift = land[column + U(SHIFTS + MOST_WAYS * square)]
                    back = LAST - shift
                    form |= ONE << shift
                    low &= free_low >> shift | ((free_high << ONE) & FULL) << back & FULL
                    high &= free_high >> shift
                    near_low |= reach_low >> shift | ((reach_high << ONE) & FULL) << back & FULL
                    near_high |= reach_high >> shift
                if low | high:
                    anywhere += pair(low, high)
                    beside += pair(low & near_low, high & near_high)
                    for square in range(MOST_SQUARES):
                        up_low, up_high = raised(low, high, land[column + U(SHIFTS + MOST_WAYS * square)])
                        cover_low, cover_high = cover_low | up_low, cover_high | up_high
            cells += S(number) * ones(form)
            fitting = levels(beside) | levels(anywhere) << U(7) | steps(1 if anywhere == 0 else 0, 1) << U(14)
            fitting |= steps(1 if beside == 0 else 0, 1) << U(15)
            sight[FITTING + shape // 4] |= fitting << U(16 * (shape % 4))
            live_low, live_high = live_low | cover_low, live_high | cover_high
            # counted bit by bit: a plane for the ones, the twos, the fours, and for eight and more
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
        plane = 2 * (COVERS + shape)
        sight[plane], sight[plane + 1] = cover_low, cover_high
    sight[2 * MANY + 4], sight[2 * MANY + 5] = eight_low, eight_high
    sight[2 * MANY + 2], sight[2 * MANY + 3] = eight_low | four_low, eight_high | four_high
    sight[2 * MANY], sight[2 * MANY + 1] = eight_low | four_low | two_low, eight_high | four_high | two_high
    return live_low, live_high, cells


@jit
def _stuck(law: Ints, left: int, sight: Words) -> int:
    """How many churches are left that nobody could build now: they cannot be passed."""
    stuck = 0
    while left:
        task = lowest(left)
        left &= left - ONE
        if law[TASKS + 8 * task + KIND] == CHURCH:
            shape = law[TASKS + 8 * task + FORM]
            if sight[FITTING + shape // 4] >> U(16 * (shape % 4) + 15) & ONE:
                stuck += 1
    return stuck
