"""How a placing game and a city lie in arrays: what stands where, what it is called, and which arrays go together.

What a game is stands in two arrays, `land` (masks and places) and `law` (numbers), which `tables.py` makes from the
content that the rules read. A city is two arrays too, `city` (masks) and `book` (numbers).
"""

from collections.abc import Sequence
from typing import NamedTuple

from polyopolis.kernels.runtime.jit import Floats, Ints, U, Words

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
MOST_LINES = 16
"""Of a score sheet."""
MOST_PASSED = 64
"""Circles for passing, none among them."""
MOST_AHEAD = 6
"""Cards left at which all that may come is looked at, if that is little enough."""
MOST_LUCK = 96
"""Rolls after which everybody has stopped."""
CELLS = 128
NEVER = 10**6
"""A limit that nobody reaches."""


class Features(NamedTuple):
    """What is known of a city: first the lines of a score sheet, then what else is counted, then what only the later
    episodes have. A feature is named here and nowhere else; where a name of the rules has a dash this has a bar below.
    """

    trees: int
    rocks: int
    empty: int
    groups: int
    wells: int
    churches: int
    bandits: int
    complete: int
    never_passed: int
    all_trees: int
    no_rocks: int
    no_empty: int

    race: int
    passes: int
    purses: int
    singles: int
    twins: int
    ends: int
    pairs: int
    blocks: int
    bars: int
    frontier: int
    steeples: int
    sides: int
    covered: int
    parts: int
    openings: int
    threats: int
    going: int
    dykes: int

    factories: int
    works: int
    gained: int
    beside: int
    forest: int
    felled: int
    port: int
    chain: int
    links: int
    parks: int
    hedges: int


AT = Features(*range(len(Features._fields)))
"""Where each feature is written."""
FEATURES = tuple(name.replace("_", "-") for name in Features._fields)
FEATURE_COUNT = len(FEATURES)
LATER = AT.factories
"""The first of those that only the later episodes have."""
LINES = (*FEATURES[: AT.race], "dykes", "factories", "port", "chain", "parks")
"""Those that a score sheet can count."""

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
HEIGHT = 28
ORDER = 29
POINTS = ORDER + MOST_LINES
PASSING = POINTS + FEATURE_COUNT
TASKS = PASSING + MOST_PASSED
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


PASS, STOP, WAIT, SIGHT = -1, -2, -3, -4
"""What is decided: these, or the place `turn * 128 + cell`. WAIT: nobody is asked. SIGHT: what is worth most."""

# a node of a walk through all that may come, and its hopes
LEFT, CARD, NUMBER, TRIED, TURNED, NODE = 0, 1, 2, 3, 4, 5
STOPPED, MOST, TOTAL, HOPES = 0, 1, 2, 3
NO_HOPE = -1e9

# what cells bring once they are covered: by what lies on them, and once more for those along the river
TREE, LONE_TREE, ROCK, BARE, PLAIN = 0, 1, 2, 3, 4
SORTS = 5
CLASSES = 2 * SORTS
GAINS, ORDERED = 0, 1
"""What a cell of each class brings, and the classes, the best first; two rows further on the same of a score that may
reach its limit before the lines by which one loses are counted."""
RISING = 2
COVERABLE, UNCOVERED, REGION = 0, CLASSES, 2 * CLASSES
"""Cells of each class: those that may still be covered, all that are not, and those of one region."""
POOLS = 3 * CLASSES

# what is still to come: buildings of each colour, of all kinds, and squares of the colour around parks
BUILDINGS, RED_SQUARES, TO_COME = 3, 4, 5
IMPOSSIBLE = -(10**6)

# of a beam: the best score, after which task and where that city stands, and the most that was left aside may come to
BEST, BEST_AFTER, BEST_AT, ASIDE, FACTS = 0, 1, 2, 3, 4
SHUT_RACE, SHUT_FOREST = 1, 2
"""Who else wins a race in a round, by bits: nobody does afterwards."""


class Ground(NamedTuple):
    """What a game is."""

    land: Words
    law: Ints


class Town(NamedTuple):
    """A city: its masks, its numbers."""

    city: Words
    book: Ints


class Yard(NamedTuple):
    """Arrays to work in, since a kernel allocates nothing: a city to try things on, a generator for one future, the
    tasks that come in it, and what is counted and weighed on the way."""

    town: Town
    luck: Words
    coming: Ints
    blend: Floats
    out: Ints
    choices: Ints
    values: Floats


class Walk(NamedTuple):
    """Arrays to look ahead in, a row for each card that is turned up on the way."""

    cities: Sequence[Words]
    books: Sequence[Ints]
    choices: Sequence[Ints]
    nodes: Sequence[Ints]
    hopes: Sequence[Floats]


class Outlook(NamedTuple):
    """What may come of any city with the luck as it is, a row for each task that was turned up.

    `tails`: the most that buildings bring by themselves if so many cells are covered and so many circles ticked from
    then on. `sums`: how much of a region of so many cells can be covered. `coming`: what is still to come.
    """

    tails: Sequence[Ints]
    sums: Sequence[Ints]
    coming: Sequence[Ints]
    gains: Sequence[Ints]
    pools: Ints


class Beam(NamedTuple):
    """Cities side by side after the same task, and what none that grows from each can exceed."""

    cities: Sequence[Words]
    books: Sequence[Ints]
    bounds: Ints


class Picks(NamedTuple):
    """The best next steps of a beam, a heap whose first is the least: from which city, by which choice. And where
    cities that look alike are found."""

    values: Floats
    parents: Ints
    choices: Ints
    seen: Ints


class Trail(NamedTuple):
    """Where the cities of a beam come from, a row for each task: from which one before it, by which choice."""

    parents: Sequence[Ints]
    choices: Sequence[Ints]
