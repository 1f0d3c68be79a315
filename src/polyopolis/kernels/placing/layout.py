"""Array layout of a placing game: offsets, sizes, and the tuples of arrays that are passed together.

A game is two arrays, which `kernels/city_arrays.py` makes from content: `land` (masks of the board, shapes and
placements) and `law` (numbers of the rules). A city is two arrays: `city` (masks) and `book` (counters).
"""

from collections.abc import Sequence
from typing import NamedTuple

from polyopolis.kernels.runtime.jit import Floats, Ints, U, Words

NO_BITS = U(0)
ONE = U(1)
TOP_BIT = U(63)

MAX_SQUARES = 5
MAX_ORIENTATIONS = 8
"""Of a shape."""
MAX_SHAPES = 24
MAX_WELLS = 4
MAX_TASKS = 80
MAX_CHURCHES = 6
MAX_FACTORIES = 12
MAX_GROUPS = 48
"""Of one colour: more separate groups do not fit on 88 cells."""
MAX_SCORE_LINES = 16
MAX_PASSED_CIRCLES = 64
"""Number of entries for ticked circles, from 0."""
MAX_SOLVED_CARDS = 6
"""Maximum number of remaining cards for expectimax."""
MAX_ROLLS = 96
"""After this number of rolls all players have stopped."""
MASK_CELLS = 128
NO_LIMIT = 10**6
"""A score limit that is never reached."""


class Features(NamedTuple):
    """Features of a city: the lines of a score sheet, further counts, and counts of later episodes only. The only
    definition of features; dashes of names in the rules are underscores here."""

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
"""Index of each feature."""
FEATURES = tuple(name.replace("_", "-") for name in Features._fields)
FEATURE_COUNT = len(FEATURES)
FIRST_LATER_FEATURE = AT.factories
"""The first feature that only later episodes have."""
SCORE_LINES = (*FEATURES[: AT.race], "dykes", "factories", "port", "chain", "parks")
"""Features that a score sheet can count."""

# land: masks of two words each, then wells, shapes, and all placements with the cells around them
EAST_NEIGHBOUR, SOUTH_NEIGHBOUR = 0, 2
"""Cells whose neighbour to the right (below) is on the same bank."""
NOT_LAST_COLUMN, NOT_FIRST_COLUMN, ALL_CELLS = 4, 6, 8
EMPTY, TREES, ROCKS, PENALTY_CELLS = 10, 12, 14, 16
RACE_GOAL, WILD, START_CELLS, GROUND, BANDITS = 18, 20, 22, 24, 26
BLOCK_ANCHORS, ROW_BAR_ANCHORS, COLUMN_BAR_ANCHORS = 28, 30, 32
"""Anchors of a 2 x 2 block, a horizontal and a vertical bar of three, each on one bank."""
LONE_TREES, SHORE = 34, 36
"""Trees that count for one where other signs count for more; cells along the river if they score."""
WOODS, TRACK, PORT_NEIGHBOURS, PIECE_NEIGHBOURS, PARK_CELLS = 38, 40, 42, 44, 46
"""Forest that may be built over in a forest race; the track; cells around the port; cells around all printed pieces;
cells that may become a park."""
WELLS = 48
SHAPES = WELLS + 4 * MAX_WELLS
ANCHORS_LOW, ANCHORS_HIGH, SQUARE_SHIFTS = 0, MAX_ORIENTATIONS, 2 * MAX_ORIENTATIONS
"""A shape: one column per orientation with its anchors in two words and the shift of each square from its anchor.
Missing squares repeat the last one; missing orientations are zero."""
SHAPE_SIZE = SQUARE_SHIFTS + MAX_ORIENTATIONS * MAX_SQUARES
PLACEMENTS = SHAPES + SHAPE_SIZE * MAX_SHAPES

# law
WIDTH, START_SCORE, PASS_CIRCLES, RACE_EXTRA_CIRCLES, RACE_POINTS = 0, 1, 2, 3, 4
GOAL_PURSES, NEVER_PASSED_PURSES, WELL_COUNT = 5, 6, 7
SCORE_LIMIT, CARD_COUNT, COMPASS_ROW_LENGTH, COMPASS_ROW_START, BLOCKING_CARD = 8, 9, 10, 11, 12
SCORE_LINE_COUNT, TREES_PER_SIGN, ROCKS_PER_SIGN = 13, 14, 15
GROUND_CELL_COUNT, PURSE_HUNDREDTHS, ORIENTATION_COUNT = 16, 17, 18
"""PURSE_HUNDREDTHS: value of a purse for evaluation. ORIENTATION_COUNT: maximum orientations of a shape."""
FOREST_POINTS, FOREST_GOAL_CELLS, INVESTOR_POINTS, TRACK_POINTS, NEEDED_COLOURS = 19, 20, 21, 22, 23
HAS_PORT, HAS_PARKS, PARK_COLOUR, HAS_LATER_RULES = 24, 25, 26, 27
"""Points for the forest race and its number of cells; immediate points beside the investor and on the track; the
colours that factories need (bits); whether there is a port and are parks; the colour around parks. HAS_LATER_RULES:
whether any of these applies."""
HEIGHT = 28
SCORE_ORDER = 29
LINE_POINTS = SCORE_ORDER + MAX_SCORE_LINES
PASS_POINTS = LINE_POINTS + FEATURE_COUNT
TASKS = PASS_POINTS + MAX_PASSED_CIRCLES
DICE_TASKS = TASKS + 8 * MAX_TASKS
DICE_OUTCOMES = 216
COMPASS_FLAG = 1000
"""Added to the task of a roll that shows the compass."""
LAW_SIZE = DICE_TASKS + DICE_OUTCOMES

# a task: its shape (NO_SHAPE: the building is missing), its first orientation, its kind, circles for passing it
# (0: it must be built), whether it needs no contact, whether it is a factory
SHAPE_NUMBER, FIRST_ORIENTATION, KIND, PASS_PRICE, ANYWHERE, IS_FACTORY = 0, 1, 2, 3, 4, 5
CHURCH, OTHER_KIND, NO_KIND, NO_SHAPE = 3, 4, -1, -1

# city
FREE, REACH, COLOUR_CELLS, CHURCH_HALOS = 0, 2, 4, 10
CITY_BANDITS = CHURCH_HALOS + 2 * MAX_CHURCHES
LAST_HALO = CITY_BANDITS + 2
PORT_HALO = LAST_HALO + 2
UNLINKED_HALO = PORT_HALO + 2
"""PORT_HALO surrounds all buildings linked with the port, UNLINKED_HALO all others. Every new building touches one of
them."""
FACTORY_HALOS = UNLINKED_HALO + 2
GROUP_HALOS = FACTORY_HALOS + 2 * MAX_FACTORIES
FIT_ANCHORS = GROUP_HALOS + 6 * MAX_GROUPS
"""Scratch: anchors where the last task fits."""
CITY_SIZE = FIT_ANCHORS + 2 * MAX_ORIENTATIONS

# book
HAS_BUILT, PASSED_CIRCLES, RACE_OPEN, RACE_WON, CHURCH_COUNT = 0, 1, 2, 3, 4
REVEALED_TASKS, COMPASS_ROW_USED, NEXT_BLOCKED = 5, 6, 7
POINTS_GAINED, FOREST_RACE_OPEN, FOREST_RACE_WON, FACTORY_COUNT = 8, 9, 10, 11
PORT_ON_TRACK, PORT_FACTORIES, UNLINKED_ON_TRACK, UNLINKED_FACTORIES = 12, 13, 14, 15
CHURCH_COLOURS = 16
FACTORY_COLOURS = CHURCH_COLOURS + MAX_CHURCHES
WELL_SIDES_BUILT = FACTORY_COLOURS + MAX_FACTORIES
GROUP_COUNTS = WELL_SIDES_BUILT + MAX_WELLS
GROUP_SIZES = GROUP_COUNTS + 3
BOOK_SIZE = GROUP_SIZES + 3 * MAX_GROUPS


PASS, STOP, WAIT, GREEDY = -1, -2, -3, -4
"""Choices, besides the placement `orientation * 128 + cell`. WAIT: no decision. GREEDY: the choice with the highest
static value."""

# a node of expectimax, and its values
NODE_CARDS_LEFT, NODE_CARD, NODE_CHOICE_COUNT, NODE_TRIED, NODE_REVEALED, NODE_SIZE = 0, 1, 2, 3, 4, 5
STOP_VALUE, BEST_VALUE, VALUE_SUM, NODE_VALUES_SIZE = 0, 1, 2, 3
NO_VALUE = -1e9

# classes of cells for the upper bound: by terrain, and again for cells along the river
TREE, LONE_TREE, ROCK, BARE, PLAIN = 0, 1, 2, 3, 4
TERRAIN_SORTS = 5
CELL_CLASSES = 2 * TERRAIN_SORTS
GAIN_ROW, ORDER_ROW = 0, 1
"""Rows of `gains`: gain per cell of each class, and the classes ordered by gain, highest first. Two rows further on
(see LIMIT_ROWS) the same for a score that may reach its limit before the negative lines are counted."""
LIMIT_ROWS = 2
COVERABLE, UNCOVERED, REGION = 0, CELL_CLASSES, 2 * CELL_CLASSES
"""Number of cells of each class: those that may still be covered, all uncovered ones, and those of one region."""
POOLS_SIZE = 3 * CELL_CLASSES

# buildings to come: of each colour, of all kinds, and squares of the colour around parks
BUILDINGS_TO_COME, PARK_SQUARES_TO_COME, TO_COME_SIZE = 3, 4, 5
IMPOSSIBLE = -(10**6)

# facts of a beam: the best score, the task count and index of that city, and the highest bound of discarded cities
BEST_SCORE, BEST_TASK_COUNT, BEST_INDEX, DISCARDED_BOUND, FACTS_SIZE = 0, 1, 2, 3, 4
CLOSE_RACE, CLOSE_FOREST_RACE = 1, 2
"""Bits: another seat wins the race in this round, so it is closed afterwards."""


class SiteArrays(NamedTuple):
    """Constant arrays of a game."""

    land: Words
    law: Ints


class CityArrays(NamedTuple):
    """Masks and counters of a city."""

    city: Words
    book: Ints


class CityScratch(NamedTuple):
    """Work arrays, because kernels do not allocate: a city to change, the generator of a future and its tasks,
    blended weights, features, choices and their values."""

    arrays: CityArrays
    rng: Words
    coming: Ints
    blend: Floats
    out: Ints
    choices: Ints
    values: Floats


class ExpectimaxStack(NamedTuple):
    """Work arrays of expectimax, one row per revealed card."""

    cities: Sequence[Words]
    books: Sequence[Ints]
    choices: Sequence[Ints]
    nodes: Sequence[Ints]
    values: Sequence[Floats]


class BoundTables(NamedTuple):
    """Tables of the upper bound for known tasks, one row per revealed task.

    `tails`: the maximum points of buildings alone, by number of cells still covered and circles still ticked. `sums`:
    the maximum number of cells covered in a region by its size. `coming`: buildings still to come.
    """

    tails: Sequence[Ints]
    sums: Sequence[Ints]
    coming: Sequence[Ints]
    gains: Sequence[Ints]
    pools: Ints


class Beam(NamedTuple):
    """Cities after the same task, and the upper bound of each."""

    cities: Sequence[Words]
    books: Sequence[Ints]
    bounds: Ints


class BeamCandidates(NamedTuple):
    """The best next steps of a beam as a heap, lowest value first: source city and choice. `seen` is the hash table
    of duplicates."""

    values: Floats
    parents: Ints
    choices: Ints
    seen: Ints


class BeamTrail(NamedTuple):
    """Source city and choice of each city of the beam, one row per task."""

    parents: Sequence[Ints]
    choices: Sequence[Ints]
