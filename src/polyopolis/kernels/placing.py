"""One city of a placing game in two machine words a mask, and whole games inside: build, count, choose, play, search.

It knows no game. What a game is stands in two arrays, `land` (masks and places) and `law` (numbers), which `tables.py`
makes from the content that the rules read. A city is two arrays too, `city` (masks) and `book` (numbers).

Everything compiled is in this one file, since the cache on disk notices changes of a function's own file only.
"""

# ruff: noqa: PLR0913, PLR0917 - a kernel is written for the machine: flat, with its arrays as arguments

from collections.abc import Sequence

from polyopolis.kernels.compiled import Floats, Ints, S, U, Words, jit, lowest, ones

FULL = U(2**64 - 1)
NONE = U(0)
ONE = U(1)
LAST = U(63)

MOST_SQUARES = 5
MOST_WAYS = 8
"""In which a shape can lie."""
MOST_SHAPES = 24
MOST_WELLS = 4
MOST_TASKS = 80
MOST_CHURCHES = 6
MOST_FACTORIES = 12
MOST_GROUPS = 48
"""Of one kind: more cannot stand on 88 cells without touching each other."""
MOST_AHEAD = 6
"""Cards left at which all that may come is looked at, if that is little enough."""
MOST_LUCK = 96
"""Rolls after which everybody has stopped."""
CELLS = 128

# land: masks of two words each, then the wells, the shapes, and every place with the cells around it
EAST, SOUTH = 0, 2
"""Cells that share a side, not along the river, with the cell to the right of them, below them."""
NOT_LAST, NOT_FIRST, ALL = 4, 6, 8
EMPTY, TREES, ROCKS, COST = 10, 12, 14, 16
GOAL, WILD, START, GROUND, BANDITS = 18, 20, 22, 24, 26
SQUARE, ACROSS, DOWN = 28, 30, 32
"""Where a block of four lies on one bank, a bar of three across, a bar of three down."""
LONE, SHORE = 34, 36
"""Trees that stand for one, where the others stand for more; cells along the river, where those count."""
WOODS, TRACK, AT_PORT, BESIDE, GARDEN = 38, 40, 42, 44, 46
"""Forest that may be built over, where there is a race for that; the track; the cells around the port, and around all
that lies there from the start; cells that may become a park."""
WELLS = 48
SHAPES = WELLS + 4 * MOST_WELLS
LOWS, HIGHS, SHIFTS = 0, MOST_WAYS, 2 * MOST_WAYS
"""A shape: one column for each way in which it lies, with its anchors in two words and how far each square is from
one; the last square again where it has fewer than the most, and columns of nothing where there are fewer ways."""
SHAPE = SHIFTS + MOST_WAYS * MOST_SQUARES
PLACES = SHAPES + SHAPE * MOST_SHAPES

# law
WIDTH, BEGIN, CIRCLES, RACE_CIRCLES, RACE, GOAL_PURSES, NEVER_PURSES, WELL_COUNT = 0, 1, 2, 3, 4, 5, 6, 7
LIMIT, CARDS, ROW, FIRST_OF_ROW, BLOCK, LINE_COUNT, TREES_EACH, ROCKS_EACH = 8, 9, 10, 11, 12, 13, 14, 15
GROUND_CELLS, PURSE, WAYS = 16, 17, 18
"""PURSE: hundredths of a point that a purse is worth to whoever searches. WAYS: the most in which a shape can lie."""
FOREST, FELLING, INVESTOR, STATION, CUSTOMERS, PORT, PARKS, RED, INDUSTRY = 19, 20, 21, 22, 23, 24, 25, 26, 27
"""Points for the forest and how many cells of it are to be built over, points at once beside the investor and on the
track, the colours that factories need, whether there is a port, whether there are parks and the colour around them.
INDUSTRY: whether there is any of all this."""
ORDER, POINTS, PASSING, TASKS = 28, 44, 92, 156
SLOTS = TASKS + 8 * MOST_TASKS
SLOT_COUNT = 216
COMPASS = 1000
"""Added to the task of a roll that shows the compass."""
LAW = SLOTS + SLOT_COUNT

# a task: its shape (NONE_LEFT: nobody has one), the number of the first way in which that lies, kind, circles for
# passing (0: it must be built), whether it needs no contact, whether it is a factory
FORM, FIRST, KIND, PRICE, ANYWHERE, GEAR = 0, 1, 2, 3, 4, 5
CHURCH, OTHER, NO_KIND, NONE_LEFT = 3, 4, -1, -1

# city
FREE, REACH, UNDER, CHURCH_HALO = 0, 2, 4, 10
OUTLAWS = CHURCH_HALO + 2 * MOST_CHURCHES
LAST_HALO = OUTLAWS + 2
PORT_HALO = LAST_HALO + 2
TOWN_HALO = PORT_HALO + 2
"""Around all that hangs together with the port, and around the rest: whatever is built touches one of the two."""
FACTORY_HALO = TOWN_HALO + 2
GROUP_HALO = FACTORY_HALO + 2 * MOST_FACTORIES
FIT = GROUP_HALO + 6 * MOST_GROUPS
"""Not of the city: where a task fits, as it was last asked."""
CITY = FIT + 2 * MOST_WAYS

# book
BEGUN, PASSED, OPEN, WON, CHURCHES, GONE, USED, BLOCKING = 0, 1, 2, 3, 4, 5, 6, 7
GAINED, OPEN_FOREST, WON_FOREST, FACTORIES = 8, 9, 10, 11
PORT_ON_TRACK, PORT_GEARS, TOWN_ON_TRACK, TOWN_GEARS = 12, 13, 14, 15
TOUCHED = 16
SERVED = TOUCHED + MOST_CHURCHES
AT_WELL = SERVED + MOST_FACTORIES
GROUPS = AT_WELL + MOST_WELLS
GROUP_SIZE = GROUPS + 3
BOOK = GROUP_SIZE + 3 * MOST_GROUPS

# features: first the lines of a score sheet, then what else is known of a city
FEATURES = (
    "trees", "rocks", "empty", "groups", "wells", "churches", "bandits", "complete", "never-passed", "all-trees",
    "no-rocks", "no-empty",
    "race", "passes", "purses", "singles", "twins", "ends", "pairs", "blocks", "bars", "frontier", "steeples", "sides",
    "covered", "parts", "openings", "threats", "going", "dykes",
    "factories", "works", "gained", "beside", "forest", "felled", "port", "chain", "links", "parks", "hedges",
)  # fmt: skip
LINES = (*FEATURES[:12], "dykes", "factories", "port", "chain", "parks")
FEATURE_COUNT = len(FEATURES)

PASS, STOP, WAIT = -1, -2, -3
"""What is decided: these, or the place `turn * 128 + cell`. WAIT: nobody is asked."""

# a node of a walk through all that may come, and its hopes
LEFT, CARD, NUMBER, TRIED, TURNED, NODE = 0, 1, 2, 3, 4, 5
STOPPED, MOST, TOTAL, HOPES = 0, 1, 2, 3
NO_HOPE = -1e9


@jit
def shifted(low: int, high: int, shift: int) -> tuple[int, int]:
    """Towards the first cell."""
    return low >> shift | ((high << ONE) & FULL) << (LAST - shift) & FULL, high >> shift


@jit
def raised(low: int, high: int, shift: int) -> tuple[int, int]:
    """Towards the last cell."""
    return low << shift & FULL, (high << shift | (low >> ONE) >> (LAST - shift)) & FULL


@jit
def around(land: Words, law: Ints, low: int, high: int) -> tuple[int, int]:
    """The cells that share a side with one of these, those themselves included if they touch."""
    width = U(law[WIDTH])
    east_low, east_high = raised(low & land[NOT_LAST], high & land[NOT_LAST + 1], ONE)
    west_low, west_high = shifted(low & land[NOT_FIRST], high & land[NOT_FIRST + 1], ONE)
    down_low, down_high = raised(low, high, width)
    up_low, up_high = shifted(low, high, width)
    return (
        (east_low | west_low | down_low | up_low) & land[ALL],
        (east_high | west_high | down_high | up_high) & land[ALL + 1],
    )


@jit
def fit(land: Words, law: Ints, city: Words, task: int) -> None:
    """Writes the anchors where the shape of a task covers free cells and one that is to be touched, way by way.

    Always for as many ways as there can be, whose number is read from the law: so the compiler takes several ways in
    one step. A short loop whose length it knows it would leave as it is.
    """
    at = TASKS + 8 * task
    shape = U(SHAPES + SHAPE * law[at + FORM])
    free_low, free_high, reach_low, reach_high = city[FREE], city[FREE + 1], city[REACH], city[REACH + 1]
    if law[at + ANYWHERE]:
        reach_low, reach_high = free_low, free_high
    for way in range(law[WAYS]):
        column = shape + U(way)
        low, high, near_low, near_high = land[column + U(LOWS)], land[column + U(HIGHS)], NONE, NONE
        for square in range(MOST_SQUARES):
            shift = land[column + U(SHIFTS + MOST_WAYS * square)]
            back = LAST - shift
            low &= free_low >> shift | ((free_high << ONE) & FULL) << back & FULL
            high &= free_high >> shift
            near_low |= reach_low >> shift | ((reach_high << ONE) & FULL) << back & FULL
            near_high |= reach_high >> shift
        city[U(FIT + LOWS) + U(way)] = low & near_low
        city[U(FIT + HIGHS) + U(way)] = high & near_high


@jit
def can_pass(law: Ints, book: Ints, task: int) -> bool:
    price = law[TASKS + 8 * task + PRICE]
    won = book[WON] * law[RACE_CIRCLES] + book[WON_FOREST] * law[FOREST]
    return price > 0 and book[PASSED] + price <= law[CIRCLES] + book[GAINED] + won


@jit
def listed(land: Words, law: Ints, city: Words, task: int, found: Ints) -> int:
    """Writes every place of a task into `found`; how many there are."""
    fit(land, law, city, task)
    first, number = law[TASKS + 8 * task + FIRST], 0
    for way in range(MOST_WAYS):
        low, high = city[FIT + LOWS + way], city[FIT + HIGHS + way]
        while low:
            found[number] = (first + way) * CELLS + lowest(low)
            low &= low - ONE
            number += 1
        while high:
            found[number] = (first + way) * CELLS + 64 + lowest(high)
            high &= high - ONE
            number += 1
    return number


@jit
def found(land: Words, law: Ints, city: Words, book: Ints) -> None:
    """A city before its first building."""
    for word in range(CITY):
        city[word] = NONE
    for number in range(BOOK):
        book[number] = 0
    for word in range(2):
        city[FREE + word] = land[GROUND + word]
        city[REACH + word] = land[START + word]
        city[OUTLAWS + word] = land[BANDITS + word]
        city[PORT_HALO + word] = land[AT_PORT + word]
    book[OPEN] = 1 if law[RACE] > 0 else 0
    book[OPEN_FOREST] = 1 if law[FOREST] > 0 else 0


@jit
def begin(land: Words, city: Words, book: Ints) -> None:
    """What lies there from the start is no building of one's own: none was built yet."""
    book[BEGUN], book[GAINED] = 0, 0
    for word in range(2):
        city[REACH + word], city[LAST_HALO + word] = land[START + word], NONE


@jit
def erect(
    land: Words, law: Ints, city: Words, book: Ints, kind: int, gear: int,
    low: int, high: int, halo_low: int, halo_high: int,
) -> None:  # fmt: skip
    """One more building: on these cells, among those around it."""
    if law[INDUSTRY]:
        book[GAINED] += gain(land, law, city, low, high)
        _serve(city, book, kind, gear, low, high, halo_low, halo_high)
        if law[PORT]:
            _link(land, city, book, gear, low, high, halo_low, halo_high)
        city[LAST_HALO], city[LAST_HALO + 1] = halo_low, halo_high
    city[FREE] &= ~low
    city[FREE + 1] &= ~high
    if book[BEGUN]:
        city[REACH] |= halo_low
        city[REACH + 1] |= halo_high
    else:
        city[REACH] = halo_low | land[BESIDE]
        city[REACH + 1] = halo_high | land[BESIDE + 1]
        book[BEGUN] = 1
    for well in range(law[WELL_COUNT]):
        at = WELLS + 4 * well
        if low & land[at + 2] | high & land[at + 3]:
            book[AT_WELL + well] += 1
    if kind < CHURCH:
        _join(city, book, kind, low, high, halo_low, halo_high)
    elif kind == CHURCH:
        _bless(city, book, halo_low, halo_high)


@jit
def gain(land: Words, law: Ints, city: Words, low: int, high: int) -> int:
    """What a building brings at once: beside the investor, who stands on the last one, and on the track."""
    points = 0
    if low & city[LAST_HALO] | high & city[LAST_HALO + 1]:
        points += law[INVESTOR]
    if low & land[TRACK] | high & land[TRACK + 1]:
        points += law[STATION]
    return points


@jit
def _serve(city: Words, book: Ints, kind: int, gear: int, low: int, high: int, halo_low: int, halo_high: int) -> None:
    """Factories have a neighbour more; there may be one factory more."""
    factories = book[FACTORIES]
    if kind < CHURCH:
        for factory in range(factories):
            at = FACTORY_HALO + 2 * factory
            if low & city[at] | high & city[at + 1]:
                book[SERVED + factory] |= 1 << kind
    if gear:
        city[FACTORY_HALO + 2 * factories], city[FACTORY_HALO + 2 * factories + 1] = halo_low, halo_high
        book[SERVED + factories] = touching(city, halo_low, halo_high)
        book[FACTORIES] = factories + 1


@jit
def _link(land: Words, city: Words, book: Ints, gear: int, low: int, high: int, halo_low: int, halo_high: int) -> None:
    """What hangs together with the port and what does not; a building may join the two."""
    on_track = 1 if low & land[TRACK] | high & land[TRACK + 1] else 0
    if not (low & city[PORT_HALO] | high & city[PORT_HALO + 1]):
        city[TOWN_HALO], city[TOWN_HALO + 1] = city[TOWN_HALO] | halo_low, city[TOWN_HALO + 1] | halo_high
        book[TOWN_ON_TRACK] |= on_track
        book[TOWN_GEARS] += gear
        return
    city[PORT_HALO], city[PORT_HALO + 1] = city[PORT_HALO] | halo_low, city[PORT_HALO + 1] | halo_high
    book[PORT_ON_TRACK] |= on_track
    book[PORT_GEARS] += gear
    if low & city[TOWN_HALO] | high & city[TOWN_HALO + 1]:
        for word in range(2):
            city[PORT_HALO + word] |= city[TOWN_HALO + word]
            city[TOWN_HALO + word] = NONE
        book[PORT_ON_TRACK] |= book[TOWN_ON_TRACK]
        book[PORT_GEARS] += book[TOWN_GEARS]
        book[TOWN_ON_TRACK], book[TOWN_GEARS] = 0, 0


@jit
def touching(city: Words, halo_low: int, halo_high: int) -> int:
    """The colours that are around something, by their bits."""
    touched = 0
    for kind in range(CHURCH):
        if city[UNDER + 2 * kind] & halo_low | city[UNDER + 2 * kind + 1] & halo_high:
            touched |= 1 << kind
    return touched


@jit
def _join(city: Words, book: Ints, kind: int, low: int, high: int, halo_low: int, halo_high: int) -> None:
    """A building of a colour: the groups that it touches become one, and churches have a neighbour more."""
    city[UNDER + 2 * kind] |= low
    city[UNDER + 2 * kind + 1] |= high
    for church in range(book[CHURCHES]):
        if low & city[CHURCH_HALO + 2 * church] | high & city[CHURCH_HALO + 2 * church + 1]:
            book[TOUCHED + church] |= 1 << kind
    size, kept, first = 1, 0, kind * MOST_GROUPS
    for group in range(first, first + book[GROUPS + kind]):
        group_low, group_high = city[GROUP_HALO + 2 * group], city[GROUP_HALO + 2 * group + 1]
        if low & group_low | high & group_high:
            size += book[GROUP_SIZE + group]
            halo_low |= group_low
            halo_high |= group_high
        else:
            book[GROUP_SIZE + first + kept] = book[GROUP_SIZE + group]
            city[GROUP_HALO + 2 * (first + kept)] = group_low
            city[GROUP_HALO + 2 * (first + kept) + 1] = group_high
            kept += 1
    book[GROUP_SIZE + first + kept] = size
    city[GROUP_HALO + 2 * (first + kept)] = halo_low
    city[GROUP_HALO + 2 * (first + kept) + 1] = halo_high
    book[GROUPS + kind] = kept + 1


@jit
def _bless(city: Words, book: Ints, halo_low: int, halo_high: int) -> None:
    """A church: which colours touch it."""
    church = book[CHURCHES]
    city[CHURCH_HALO + 2 * church] = halo_low
    city[CHURCH_HALO + 2 * church + 1] = halo_high
    book[TOUCHED + church] = touching(city, halo_low, halo_high)
    book[CHURCHES] = church + 1


@jit
def decide(land: Words, law: Ints, city: Words, book: Ints, task: int, choice: int) -> None:
    """Builds or passes, and closes the round: who has covered the goal of an open race wins it."""
    if choice == PASS:
        book[PASSED] += law[TASKS + 8 * task + PRICE]
    else:
        at, asked = PLACES + 4 * choice, TASKS + 8 * task
        erect(
            land, law, city, book, law[asked + KIND], law[asked + GEAR],
            land[at], land[at + 1], land[at + 2], land[at + 3],
        )  # fmt: skip
        if book[OPEN] and not (city[FREE] & land[GOAL] | city[FREE + 1] & land[GOAL + 1]):
            book[OPEN] = 0
            book[WON] = 1
        if book[OPEN_FOREST] and felled(land, city[FREE], city[FREE + 1]) >= law[FELLING]:
            book[OPEN_FOREST] = 0
            book[WON_FOREST] = 1


@jit
def pair(low: int, high: int) -> int:
    return ones(low) + ones(high)


@jit
def felled(land: Words, free_low: int, free_high: int) -> int:
    """The cells of forest that are built over."""
    return pair(land[WOODS] & ~free_low, land[WOODS + 1] & ~free_high)


@jit
def tally(
    land: Words, law: Ints, city: Words, book: Ints,
    low: int, high: int, halo_low: int, halo_high: int, kind: int, gear: int, passed: int, out: Ints,
) -> None:  # fmt: skip
    """Writes the features of the city as it would be with one more building, or with none."""
    free_low, free_high = city[FREE] & ~low, city[FREE + 1] & ~high
    reach_low, reach_high = halo_low, halo_high
    if book[BEGUN] or kind == NO_KIND:
        reach_low, reach_high = reach_low | city[REACH], reach_high | city[REACH + 1]
    _tally_cells(land, law, free_low, free_high, reach_low, reach_high, out)
    _tally_groups(city, book, low, high, halo_low, halo_high, kind, free_low, free_high, out)
    _tally_churches(city, book, low, high, halo_low, halo_high, kind, free_low, free_high, out)
    wells, sides = 0, 0
    for well in range(law[WELL_COUNT]):
        at, count = WELLS + 4 * well, book[AT_WELL + well]
        if low & land[at + 2] | high & land[at + 3]:
            count += 1
        if free_low & land[at] | free_high & land[at + 1]:
            wells += count == 4
            if count + pair(free_low & land[at + 2], free_high & land[at + 3]) == 4:
                sides += count
    out[4], out[23] = wells, sides
    _tally_outlaws(land, law, city, free_low, free_high, out)
    goal_low, goal_high = land[GOAL], land[GOAL + 1]
    missing = pair(goal_low & free_low, goal_high & free_high)
    goal = pair(goal_low, goal_high)
    done = 1 if goal > 0 and missing == 0 else 0
    out[8] = 1 if passed == 0 else 0
    out[12] = 1 if book[WON] or (book[OPEN] and done) else 0
    out[13] = law[PASSING + passed]
    out[14] = done * law[GOAL_PURSES] + out[8] * law[NEVER_PURSES]
    out[24] = goal - missing if book[OPEN] or law[GOAL_PURSES] > 0 else 0
    out[28] = 1
    out[29] = pair(free_low & land[SHORE], free_high & land[SHORE + 1])
    for feature in range(30, FEATURE_COUNT):
        out[feature] = 0
    if law[INDUSTRY]:
        _tally_factories(law, city, book, low, high, halo_low, halo_high, kind, gear, free_low, free_high, out)
        _tally_gains(land, law, city, book, low, high, halo_low, halo_high, kind, free_low, free_high, out)
        if law[PORT]:
            _tally_port(land, city, book, low, high, gear, out)
        if law[PARKS]:
            _tally_parks(land, law, city, low, high, kind, free_low, free_high, out)


@jit
def _tally_cells(land: Words, law: Ints, low: int, high: int, reach_low: int, reach_high: int, out: Ints) -> None:
    """What is in sight, and how the free cells lie: alone, in pairs, at dead ends, in blocks and bars."""
    trees = pair(low & land[TREES], high & land[TREES + 1])
    lone = pair(low & land[LONE], high & land[LONE + 1])
    rocks = pair(low & land[ROCKS], high & land[ROCKS + 1])
    out[0], out[1], out[2] = (
        trees * law[TREES_EACH] + lone,
        rocks * law[ROCKS_EACH],
        pair(low & land[EMPTY], high & land[EMPTY + 1]),
    )
    wood = pair(land[TREES], land[TREES + 1]) + pair(land[LONE], land[LONE + 1])
    out[9] = 1 if trees + lone == wood else 0
    out[10] = 1 if rocks == 0 else 0
    out[11] = 1 if out[2] == 0 else 0
    width = U(law[WIDTH])
    right_low, right_high = shifted(low, high, ONE)
    below_low, below_high = shifted(low, high, width)
    left_low, left_high = raised(low & land[EAST], high & land[EAST + 1], ONE)
    above_low, above_high = raised(low & land[SOUTH], high & land[SOUTH + 1], width)
    block_low, block_high = low & right_low, high & right_high
    under_low, under_high = shifted(block_low, block_high, width)
    out[19] = pair(block_low & under_low & land[SQUARE], block_high & under_high & land[SQUARE + 1])
    far_low, far_high = shifted(right_low, right_high, ONE)
    deep_low, deep_high = shifted(below_low, below_high, width)
    out[20] = pair(block_low & far_low & land[ACROSS], block_high & far_high & land[ACROSS + 1]) + pair(
        low & below_low & deep_low & land[DOWN], high & below_high & deep_high & land[DOWN + 1]
    )
    right_low, right_high = right_low & land[EAST] & low, right_high & land[EAST + 1] & high
    below_low, below_high = below_low & land[SOUTH] & low, below_high & land[SOUTH + 1] & high
    out[18] = pair(right_low, right_high) + pair(below_low, below_high)
    flat_low, flat_high = right_low | left_low, right_high | left_high
    tall_low, tall_high = below_low | above_low, below_high | above_high
    two_low = right_low & left_low | below_low & above_low | flat_low & tall_low
    two_high = right_high & left_high | below_high & above_high | flat_high & tall_high
    cost_low, cost_high = low & land[COST], high & land[COST + 1]
    out[15] = pair(cost_low & ~(flat_low | tall_low), cost_high & ~(flat_high | tall_high))
    end_low, end_high = low & (flat_low | tall_low) & ~two_low, high & (flat_high | tall_high) & ~two_high
    out[17] = pair(end_low & cost_low, end_high & cost_high)
    beside_low, beside_high = shifted(end_low, end_high, ONE)
    beneath_low, beneath_high = shifted(end_low, end_high, width)
    out[16] = pair(end_low & beside_low & land[EAST], end_high & beside_high & land[EAST + 1]) + pair(
        end_low & beneath_low & land[SOUTH], end_high & beneath_high & land[SOUTH + 1]
    )
    out[21] = pair(reach_low & low, reach_high & high)


@jit
def _tally_groups(
    city: Words, book: Ints, low: int, high: int, halo_low: int, halo_high: int, kind: int,
    free_low: int, free_high: int, out: Ints,
) -> None:  # fmt: skip
    """The largest groups, the colours in one piece, the parts beyond the first, and where the largest can grow."""
    largest, complete, parts, openings = 0, 0, 0, 0
    for colour in range(CHURCH):
        first, count = colour * MOST_GROUPS, book[GROUPS + colour]
        best, best_low, best_high = 0, NONE, NONE
        size, own_low, own_high, groups = 1, halo_low, halo_high, count
        for group in range(first, first + count):
            group_low, group_high = city[GROUP_HALO + 2 * group], city[GROUP_HALO + 2 * group + 1]
            if colour == kind and low & group_low | high & group_high:
                size += book[GROUP_SIZE + group]
                own_low |= group_low
                own_high |= group_high
                groups -= 1
            elif book[GROUP_SIZE + group] > best:
                best, best_low, best_high = book[GROUP_SIZE + group], group_low, group_high
        if colour == kind:
            groups += 1
            if size > best:
                best, best_low, best_high = size, own_low, own_high
        largest += best
        complete += groups == 1
        parts += max(groups - 1, 0)
        openings += min(pair(best_low & free_low, best_high & free_high), 6)
    out[3], out[7], out[25], out[26] = largest, complete, parts, openings


@jit
def colours(bits: int) -> int:
    """How many of the three."""
    return (bits & 1) + (bits >> 1 & 1) + (bits >> 2)


@jit
def _tally_churches(
    city: Words, book: Ints, low: int, high: int, halo_low: int, halo_high: int, kind: int,
    free_low: int, free_high: int, out: Ints,
) -> None:  # fmt: skip
    """Churches among all colours, and the colours at those that can still get there."""
    churches, steeples = 0, 0
    for church in range(book[CHURCHES]):
        church_low, church_high = city[CHURCH_HALO + 2 * church], city[CHURCH_HALO + 2 * church + 1]
        touched = book[TOUCHED + church]
        if 0 <= kind < CHURCH and low & church_low | high & church_high:
            touched |= 1 << kind
        if touched == 7:
            churches += 1
        elif church_low & free_low | church_high & free_high:
            steeples += colours(touched)
    if kind == CHURCH:
        touched = touching(city, halo_low, halo_high)
        if touched == 7:
            churches += 1
        elif halo_low & free_low | halo_high & free_high:
            steeples += colours(touched)
    out[5], out[22] = churches, steeples


@jit
def _tally_factories(
    law: Ints, city: Words, book: Ints, low: int, high: int, halo_low: int, halo_high: int, kind: int, gear: int,
    free_low: int, free_high: int, out: Ints,
) -> None:  # fmt: skip
    """Factories between the colours they need, and those colours at the ones that can still get there."""
    factories, works, needed = 0, 0, law[CUSTOMERS]
    for factory in range(book[FACTORIES] + gear):
        if factory < book[FACTORIES]:
            at, served = FACTORY_HALO + 2 * factory, book[SERVED + factory]
            around_low, around_high = city[at], city[at + 1]
            if 0 <= kind < CHURCH and low & around_low | high & around_high:
                served |= 1 << kind
        else:
            around_low, around_high = halo_low, halo_high
            served = touching(city, halo_low, halo_high)
        served &= needed
        if served == needed:
            factories += 1
        elif around_low & free_low | around_high & free_high:
            works += colours(served)
    out[30], out[31] = factories, works


@jit
def _tally_gains(
    land: Words, law: Ints, city: Words, book: Ints, low: int, high: int, halo_low: int, halo_high: int, kind: int,
    free_low: int, free_high: int, out: Ints,
) -> None:  # fmt: skip
    """Points at once, the free cells around the last building, and the race for the forest."""
    out[32] = book[GAINED] + gain(land, law, city, low, high)
    if law[INVESTOR] > 0:
        if kind == NO_KIND:
            halo_low, halo_high = city[LAST_HALO], city[LAST_HALO + 1]
        out[33] = pair(halo_low & free_low, halo_high & free_high)
    woods = felled(land, free_low, free_high)
    out[34] = 1 if book[WON_FOREST] or (book[OPEN_FOREST] and woods >= law[FELLING]) else 0
    out[35] = woods if book[OPEN_FOREST] else 0


@jit
def _tally_port(land: Words, city: Words, book: Ints, low: int, high: int, gear: int, out: Ints) -> None:
    """The port if a line leads from it to the track, the factories along that line, and whether there is one line."""
    on_track, gears, links = book[PORT_ON_TRACK], book[PORT_GEARS], 0
    apart = city[TOWN_HALO] | city[TOWN_HALO + 1]
    if low & city[PORT_HALO] | high & city[PORT_HALO + 1]:
        gears += gear
        if low & land[TRACK] | high & land[TRACK + 1]:
            on_track = 1
        if low & city[TOWN_HALO] | high & city[TOWN_HALO + 1]:
            on_track |= book[TOWN_ON_TRACK]
            gears += book[TOWN_GEARS]
            links = 1
    if not apart and book[BEGUN]:
        links = 1
    out[36], out[37], out[38] = on_track, on_track * gears, links


@jit
def _tally_parks(
    land: Words, law: Ints, city: Words, low: int, high: int, kind: int, free_low: int, free_high: int, out: Ints
) -> None:
    """Parks are trees, and no rocks or empty cells any more; hedges lack one red side."""
    red, garden_low, garden_high = UNDER + 2 * law[RED], free_low & land[GARDEN], free_high & land[GARDEN + 1]
    red_low, red_high = city[red], city[red + 1]
    if kind == law[RED]:
        red_low, red_high = red_low | low, red_high | high
    width = U(law[WIDTH])
    east_low, east_high = shifted(red_low, red_high, ONE)
    west_low, west_high = raised(red_low, red_high, ONE)
    south_low, south_high = shifted(red_low, red_high, width)
    north_low, north_high = raised(red_low, red_high, width)
    across_low, across_high = east_low & west_low & garden_low, east_high & west_high & garden_high
    down_low, down_high = north_low & south_low & garden_low, north_high & south_high & garden_high
    park_low, park_high = across_low & down_low, across_high & down_high
    parks = pair(park_low, park_high)
    out[0] += parks
    out[1] -= law[ROCKS_EACH] * pair(park_low & land[ROCKS], park_high & land[ROCKS + 1])
    out[2] -= pair(park_low & land[EMPTY], park_high & land[EMPTY + 1])
    out[39] = parks
    out[40] = (
        pair(
            across_low & (north_low | south_low) | down_low & (east_low | west_low),
            across_high & (north_high | south_high) | down_high & (east_high | west_high),
        )
        - parks
    )


@jit
def _tally_outlaws(land: Words, law: Ints, city: Words, free_low: int, free_high: int, out: Ints) -> None:
    """Bandits that are free, and the sides on which a building is missing."""
    out[6], out[27] = 0, 0
    low, high = city[OUTLAWS], city[OUTLAWS + 1]
    if not (low | high):
        return
    width = U(law[WIDTH])
    gap_low, gap_high = free_low | land[WILD], free_high | land[WILD + 1]
    east_low, east_high = raised(gap_low & land[NOT_LAST], gap_high & land[NOT_LAST + 1], ONE)
    west_low, west_high = shifted(gap_low & land[NOT_FIRST], gap_high & land[NOT_FIRST + 1], ONE)
    down_low, down_high = raised(gap_low, gap_high, width)
    up_low, up_high = shifted(gap_low, gap_high, width)
    out[6] = pair((east_low | west_low | down_low | up_low) & low, (east_high | west_high | down_high | up_high) & high)
    out[27] = (
        pair(east_low & low, east_high & high)
        + pair(west_low & low, west_high & high)
        + pair(down_low & low, down_high & high)
        + pair(up_low & low, up_high & high)
    )


@jit
def counted(law: Ints, out: Ints) -> int:
    """The score of a city whose features these are: line by line, until a limit is reached."""
    score = law[BEGIN] + out[13] + out[12] * law[RACE] + out[32] + out[34] * law[FOREST]
    for number in range(law[LINE_COUNT]):
        line = law[ORDER + number]
        score += out[line] * law[POINTS + line]
        if score >= law[LIMIT]:
            return law[LIMIT]
    return score


@jit
def score(land: Words, law: Ints, city: Words, book: Ints, out: Ints) -> int:
    tally(land, law, city, book, NONE, NONE, NONE, NONE, NO_KIND, 0, book[PASSED], out)
    return counted(law, out)


@jit
def outcome(land: Words, law: Ints, city: Words, book: Ints, out: Ints) -> float:
    """The score, and what purses are worth later."""
    points = score(land, law, city, book, out)
    return points + out[14] * law[PURSE] / 100.0


@jit
def drawn(luck: Words) -> int:
    """The next number of a generator (splitmix64)."""
    luck[0] = luck[0] + U(0x9E3779B97F4A7C15) & FULL
    mixed = luck[0]
    mixed = (mixed ^ mixed >> U(30)) * U(0xBF58476D1CE4E5B9) & FULL
    mixed = (mixed ^ mixed >> U(27)) * U(0x94D049BB133111EB) & FULL
    return mixed ^ mixed >> U(31)


@jit
def below(luck: Words, limit: int) -> int:
    """A number from 0 to limit - 1, by the upper 32 bits of a draw."""
    return S((drawn(luck) >> U(32)) * U(limit) >> U(32))


@jit
def dealt(law: Ints, book: Ints, deck: Ints, cards: int, luck: Words, coming: Ints) -> int:
    """Writes the tasks to come: the cards that are left in any order, or as many rolls as anybody can use."""
    if law[CARDS] > 0:
        for number in range(cards):
            other = below(luck, number + 1)
            coming[number] = coming[other]
            coming[other] = deck[number]
        return cards
    used = book[USED]
    for number in range(MOST_LUCK):
        task = law[SLOTS + below(luck, SLOT_COUNT)]
        if task >= COMPASS:
            task -= COMPASS
            if used < law[ROW]:
                task = law[FIRST_OF_ROW] + used
                used += 1
        coming[number] = task
    return MOST_LUCK


@jit
def asked(law: Ints, book: Ints, task: int) -> bool:
    """Turns up a task: whether it is built. Nobody builds the blocking card or the one after it, or what he lacks."""
    book[GONE] += 1
    if book[BLOCKING]:
        book[BLOCKING] = 0
        return False
    if task == law[BLOCK]:
        book[BLOCKING] = 1
        return False
    return law[TASKS + 8 * task + FORM] != NONE_LEFT


@jit
def any_place(land: Words, law: Ints, city: Words, task: int, luck: Words) -> int:
    """One of the places of a task, each as likely as the others; STOP if there is none."""
    fit(land, law, city, task)
    number = 0
    for word in range(2 * MOST_WAYS):
        number += ones(city[FIT + word])
    if number == 0:
        return STOP
    number, word = below(luck, number), FIT
    while number >= ones(city[word]):
        number -= ones(city[word])
        word += 1
    anchors = city[word]
    for _ in range(number):
        anchors &= anchors - ONE
    high, way = (word - FIT) // MOST_WAYS, (word - FIT) % MOST_WAYS
    return (law[TASKS + 8 * task + FIRST] + way) * CELLS + 64 * high + lowest(anchors)


@jit
def play_anyhow(land: Words, law: Ints, city: Words, book: Ints, coming: Ints, length: int, luck: Words) -> int:
    """A city to its end: builds anywhere, passes when it cannot, stops when it must. How many decisions it took."""
    decisions = 0
    for number in range(length):
        task = coming[number]
        if asked(law, book, task):
            decisions += 1
            choice = any_place(land, law, city, task, luck)
            if choice == STOP:
                if not can_pass(law, book, task):
                    break
                choice = PASS
            decide(land, law, city, book, task, choice)
    return decisions


@jit
def copied(source: Words, target: Words) -> None:
    for word in range(len(source)):
        target[word] = source[word]


@jit
def random_games(
    land: Words, law: Ints, first_city: Words, first_book: Ints, city: Words, book: Ints, deck: Ints, coming: Ints,
    luck: Words, out: Ints, results: Ints,
) -> int:  # fmt: skip
    """Whole random games, as many as there are results to write. How many decisions they took."""
    decisions = 0
    for number in range(len(results)):
        copied(first_city, city)
        copied(first_book, book)
        length = dealt(law, book, deck, law[CARDS], luck, coming)
        decisions += play_anyhow(land, law, city, book, coming, length, luck)
        results[number] = score(land, law, city, book, out)
    return decisions


@jit
def blended(land: Words, law: Ints, city: Words, book: Ints, weights: Floats, blend: Floats) -> None:
    """The weights of this phase: between those of the first and of the last moment."""
    covered = 1.0 - pair(city[FREE], city[FREE + 1]) / law[GROUND_CELLS]
    phase = book[GONE] / law[CARDS] if law[CARDS] > 0 else covered
    for feature in range(FEATURE_COUNT):
        blend[feature] = weights[feature] + (weights[FEATURE_COUNT + feature] - weights[feature]) * phase


@jit
def foresee(land: Words, law: Ints, city: Words, book: Ints, task: int, choice: int, out: Ints) -> None:
    """Writes the features of the city once this is decided."""
    at = TASKS + 8 * task
    if choice == PASS:
        tally(land, law, city, book, NONE, NONE, NONE, NONE, NO_KIND, 0, book[PASSED] + law[at + PRICE], out)
    else:
        place = PLACES + 4 * choice
        tally(
            land, law, city, book, land[place], land[place + 1], land[place + 2], land[place + 3], law[at + KIND],
            law[at + GEAR], book[PASSED], out,
        )  # fmt: skip


@jit
def worth(land: Words, law: Ints, city: Words, book: Ints, task: int, choice: int, blend: Floats, out: Ints) -> float:
    """What a city is worth once this is decided."""
    foresee(land, law, city, book, task, choice, out)
    value = 0.0
    for feature in range(FEATURE_COUNT):
        value += blend[feature] * out[feature]
    return value


@jit
def valued(
    land: Words, law: Ints, city: Words, book: Ints, task: int, weights: Floats, blend: Floats, out: Ints,
    choices: Ints, values: Floats,
) -> int:  # fmt: skip
    """Writes every choice but to stop, and what it is worth; how many there are. None once no cell is free."""
    if not (city[FREE] | city[FREE + 1]):
        return 0
    blended(land, law, city, book, weights, blend)
    number = listed(land, law, city, task, choices)
    if can_pass(law, book, task):
        choices[number] = PASS
        number += 1
    for choice in range(number):
        values[choice] = worth(land, law, city, book, task, choices[choice], blend, out)
    return number


@jit
def best(
    land: Words, law: Ints, city: Words, book: Ints, task: int, weights: Floats, blend: Floats, out: Ints,
    choices: Ints, values: Floats,
) -> int:  # fmt: skip
    """What is worth most; to stop is worth the score."""
    number = valued(land, law, city, book, task, weights, blend, out, choices, values)
    chosen, most = STOP, outcome(land, law, city, book, out)
    for choice in range(number):
        if values[choice] > most:
            chosen, most = choices[choice], values[choice]
    return chosen


@jit
def play_well(
    land: Words, law: Ints, city: Words, book: Ints, coming: Ints, length: int, weights: Floats, blend: Floats,
    out: Ints, choices: Ints, values: Floats,
) -> float:  # fmt: skip
    """A city to its end, by what is worth most each time; what comes of it."""
    for number in range(length):
        task = coming[number]
        if asked(law, book, task):
            choice = best(land, law, city, book, task, weights, blend, out, choices, values)
            if choice == STOP:
                break
            decide(land, law, city, book, task, choice)
    return outcome(land, law, city, book, out)


@jit
def good_games(
    land: Words, law: Ints, first_city: Words, first_book: Ints, city: Words, book: Ints, deck: Ints, coming: Ints,
    luck: Words, weights: Floats, blend: Floats, out: Ints, choices: Ints, values: Floats, seeds: Words,
    results: Floats,
) -> None:  # fmt: skip
    """Whole games by what is worth most, one for each seed of luck."""
    for number in range(len(seeds)):
        copied(first_city, city)
        copied(first_book, book)
        luck[0] = seeds[number]
        length = dealt(law, book, deck, law[CARDS], luck, coming)
        results[number] = play_well(land, law, city, book, coming, length, weights, blend, out, choices, values)


@jit
def sort(choices: Ints, values: Floats, number: int, first: int) -> None:
    """The choices with the highest values in front, so many of them."""
    for place in range(first):
        top = place
        for other in range(place + 1, number):
            if values[other] > values[top]:
                top = other
        choices[place], choices[top] = choices[top], choices[place]
        values[place], values[top] = values[top], values[place]


@jit
def futures(land: Words, law: Ints, city: Words, task: int, deck: Ints, limit: int, choices: Ints) -> int:
    """About how many ways there are to play on to the end, in all orders of the cards; no more than the limit."""
    if law[CARDS] == 0 or len(deck) > MOST_AHEAD:
        return limit
    number = listed(land, law, city, task, choices) + 1
    for card in range(len(deck)):
        task, places = deck[card], 0
        if task != law[BLOCK] and law[TASKS + 8 * task + FORM] != NONE_LEFT:
            places = listed(land, law, city, task, choices)
        number *= (card + 1) * (places + 1)
        if number >= limit:
            return limit
    return number


@jit
def _arrive(land: Words, law: Ints, city: Words, book: Ints, left: int, node: Ints, hopes: Floats, out: Ints) -> None:
    """A city on the way, with the cards left, by their bits: to stop here is worth this."""
    node[LEFT], node[CARD], node[NUMBER], node[TRIED], node[TURNED] = left, -1, 0, 0, 0
    hopes[STOPPED], hopes[MOST], hopes[TOTAL] = outcome(land, law, city, book, out), 0.0, 0.0


@jit
def _turn(
    land: Words, law: Ints, city: Words, book: Ints, later: Ints, deck: Ints, node: Ints, hopes: Floats, choices: Ints
) -> bool:
    """The next of the cards left, and what can be done with it; whether there is one."""
    if node[CARD] >= 0:
        hopes[TOTAL] += hopes[MOST]
        node[TURNED] += 1
    node[CARD] += 1
    while node[CARD] < len(deck) and not node[LEFT] >> node[CARD] & 1:
        node[CARD] += 1
    if node[CARD] == len(deck):
        return False
    task = deck[node[CARD]]
    copied(book, later)
    if asked(law, later, task):
        hopes[MOST], number = hopes[STOPPED], listed(land, law, city, task, choices)
        if can_pass(law, book, task):
            choices[number] = PASS
            number += 1
    else:
        hopes[MOST], number, choices[0] = NO_HOPE, 1, WAIT
    node[NUMBER], node[TRIED] = number, 0
    return True


@jit
def foreseen(
    land: Words, law: Ints, cities: Sequence[Words], books: Sequence[Ints], deck: Ints, out: Ints,
    ahead: Sequence[Ints], nodes: Sequence[Ints], hopes: Sequence[Floats],
) -> float:  # fmt: skip
    """What the first city comes to on average, played as well as can be: any of the cards may be next, then any other.

    A walk through all that may come, without recursion, which numba cannot keep on disk.
    """
    depth, value = 0, 0.0
    _arrive(land, law, cities[0], books[0], (1 << len(deck)) - 1, nodes[0], hopes[0], out)
    while depth >= 0:
        node, after, later = nodes[depth], cities[depth + 1], books[depth + 1]
        if node[TRIED] < node[NUMBER]:
            choice, task = ahead[depth][node[TRIED]], deck[node[CARD]]
            node[TRIED] += 1
            copied(cities[depth], after)
            copied(books[depth], later)
            if choice == WAIT:
                asked(law, later, task)
            else:
                decide(land, law, after, later, task, choice)
            depth += 1
            _arrive(land, law, after, later, node[LEFT] & ~(1 << node[CARD]), nodes[depth], hopes[depth], out)
        elif not _turn(land, law, cities[depth], books[depth], later, deck, node, hopes[depth], ahead[depth]):
            value = hopes[depth][TOTAL] / node[TURNED] if node[TURNED] else hopes[depth][STOPPED]
            depth -= 1
            if depth >= 0:
                hopes[depth][MOST] = max(hopes[depth][MOST], value)
    return value


@jit
def solved(
    land: Words, law: Ints, city: Words, book: Ints, task: int, deck: Ints, cities: Sequence[Words],
    books: Sequence[Ints], out: Ints, ahead: Sequence[Ints], nodes: Sequence[Ints], hopes: Sequence[Floats],
    chosen: Ints, means: Floats,
) -> int:  # fmt: skip
    """Like `searched`, without chance: every choice with what it comes to when all that may come is looked at."""
    number = listed(land, law, city, task, chosen)
    if can_pass(law, book, task):
        chosen[number] = PASS
        number += 1
    for choice in range(number):
        copied(city, cities[0])
        copied(book, books[0])
        decide(land, law, cities[0], books[0], task, chosen[choice])
        means[choice] = foreseen(land, law, cities, books, deck, out, ahead, nodes, hopes)
    sort(chosen, means, number, number)
    return number


@jit
def searched(
    land: Words, law: Ints, first_city: Words, first_book: Ints, task: int, deck: Ints, simulations: int, width: int,
    city: Words, book: Ints, coming: Ints, luck: Words, weights: Floats, blend: Floats, out: Ints, choices: Ints,
    values: Floats, chosen: Ints, means: Floats,
) -> int:  # fmt: skip
    """Flat Monte Carlo by sequential halving: in every round all that are left are tried with the same luck.

    What is worth most at sight is tried first, so many choices at most. Every simulation plays to the end by what is
    worth most. Writes the choices that were tried into `chosen`, the best one first, and what each comes to on average
    into `means`; how many there are. Those given up in an earlier round come to less than the best by what they lacked
    to the first of that round: with the same luck that is known better than either mean.
    """
    number = valued(land, law, first_city, first_book, task, weights, blend, out, choices, values)
    width = left = min(number, width)
    sort(choices, values, number, left)
    for choice in range(left):
        chosen[choice] = choices[choice]
        means[choice] = 0.0
    if left == 0:
        return 0
    rounds, tried = 1, 0
    while 1 << rounds < left:
        rounds += 1
    budget = simulations // rounds
    for _ in range(rounds):
        games = max(1, budget // max(left, 2))
        for _ in range(games):
            length = dealt(law, first_book, deck, len(deck), luck, coming)
            for choice in range(left):
                copied(first_city, city)
                copied(first_book, book)
                decide(land, law, city, book, task, chosen[choice])
                means[choice] += play_well(
                    land, law, city, book, coming, length, weights, blend, out, choices, values
                )  # fmt: skip
        tried += games
        sort(chosen, means, left, left)
        keep = (left + 1) // 2
        for choice in range(keep, left):
            means[choice] = (means[choice] - means[0]) / tried
        left = keep
    means[0] /= tried
    for choice in range(1, width):
        means[choice] += means[0]
    return width
