"""Upper bound of the final score with known tasks. It relaxes the rules: each score line takes its best value on its
own.

Buildings need not touch, shapes need not fit, groups merge and churches find their neighbours. Only area is exact:
the buildings that are built cover their number of cells, region by region, and each card is built, passed or ends the
game.
"""

# ruff: noqa: PLR0913, PLR0917 - a kernel is written for the machine: flat, with its arrays as arguments

from polyopolis.kernels.placing.bitmasks import popcount_pair, shift_down, shift_up
from polyopolis.kernels.placing.features import count_bandits
from polyopolis.kernels.placing.layout import (
    AT,
    BARE,
    BUILDINGS_TO_COME,
    CARD_COUNT,
    CELL_CLASSES,
    CHURCH,
    CHURCH_COLOURS,
    CHURCH_COUNT,
    CHURCH_HALOS,
    COLOUR_CELLS,
    COVERABLE,
    EAST_NEIGHBOUR,
    EMPTY,
    FACTORY_COLOURS,
    FACTORY_COUNT,
    FACTORY_HALOS,
    FOREST_GOAL_CELLS,
    FOREST_POINTS,
    FOREST_RACE_OPEN,
    FOREST_RACE_WON,
    FREE,
    GAIN_ROW,
    GROUP_COUNTS,
    GROUP_SIZES,
    HAS_PARKS,
    HAS_PORT,
    IMPOSSIBLE,
    INVESTOR_POINTS,
    IS_FACTORY,
    KIND,
    LIMIT_ROWS,
    LINE_POINTS,
    LONE_TREE,
    LONE_TREES,
    MASK_CELLS,
    MAX_GROUPS,
    MAX_ORIENTATIONS,
    MAX_SQUARES,
    NEEDED_COLOURS,
    NO_BITS,
    NO_LIMIT,
    ONE,
    ORDER_ROW,
    PARK_CELLS,
    PARK_COLOUR,
    PARK_SQUARES_TO_COME,
    PASS_CIRCLES,
    PASS_POINTS,
    PASS_PRICE,
    PASSED_CIRCLES,
    PLAIN,
    POINTS_GAINED,
    PORT_FACTORIES,
    RACE_GOAL,
    RACE_OPEN,
    RACE_POINTS,
    RACE_WON,
    REGION,
    ROCK,
    ROCKS,
    ROCKS_PER_SIGN,
    SCORE_LIMIT,
    SHAPE_NUMBER,
    SHAPE_SIZE,
    SHAPES,
    SHORE,
    SOUTH_NEIGHBOUR,
    SQUARE_SHIFTS,
    START_SCORE,
    TASKS,
    TERRAIN_SORTS,
    TO_COME_SIZE,
    TRACK,
    TRACK_POINTS,
    TREE,
    TREES,
    TREES_PER_SIGN,
    UNCOVERED,
    UNLINKED_FACTORIES,
    WELL_COUNT,
    WELL_SIDES_BUILT,
    WELLS,
    WIDTH,
    WOODS,
    BoundTables,
    SiteArrays,
)
from polyopolis.kernels.runtime.jit import Ints, U, Words, entry, jit, lowest_bit


@jit
def square_count(land: Words, law: Ints, task: int) -> int:
    """Returns the number of cells of a task. Missing squares repeat the last one."""
    column, number = SHAPES + SHAPE_SIZE * law[TASKS + 8 * task + SHAPE_NUMBER] + SQUARE_SHIFTS, 1
    for square in range(1, MAX_SQUARES):
        if land[column + MAX_ORIENTATIONS * square] != land[column + MAX_ORIENTATIONS * (square - 1)]:
            number += 1
    return number


@jit
def circle_columns(law: Ints) -> int:
    """Returns the number of distinguished circle counts. With cards each pass has the same price, which is counted at
    once."""
    return 1 if law[CARD_COUNT] > 0 else law[PASS_CIRCLES] + 1


@jit
def building_points(law: Ints, kind: int, gear: int) -> int:
    """Returns the maximum points of one more building, independent of the cells that it covers."""
    points = law[INVESTOR_POINTS]
    if kind < CHURCH:
        points += max(law[LINE_POINTS + AT.groups], 0)
    elif kind == CHURCH:
        points += max(law[LINE_POINTS + AT.churches], 0)
    if gear:
        points += max(law[LINE_POINTS + AT.factories], 0) + max(law[LINE_POINTS + AT.chain], 0)
    return points


@entry
def write_bound_tables(site: SiteArrays, tasks: Ints, kiosks: int, tables: BoundTables) -> None:
    """Writes the tables for these tasks, from the last to the first. A task below 0 is not asked.

    Kiosks are buildings of one square and the first colour that may be added at any time.
    """
    law, number = site.law, len(tasks)
    _write_gains(law, tables.gains[GAIN_ROW], tables.gains[ORDER_ROW], False)
    _write_gains(law, tables.gains[LIMIT_ROWS + GAIN_ROW], tables.gains[LIMIT_ROWS + ORDER_ROW], True)
    columns = circle_columns(law)
    tail, sums, coming = tables.tails[number], tables.sums[number], tables.coming[number]
    for at in range(len(tail)):
        tail[at] = IMPOSSIBLE
    for kiosk in range(kiosks + 1):
        tail[kiosk * columns] = kiosk * building_points(law, 0, 0)
    for cells in range(MASK_CELLS + 1):
        sums[cells] = min(cells, kiosks)
    for what in range(TO_COME_SIZE):
        coming[what] = 0
    coming[0], coming[BUILDINGS_TO_COME] = kiosks, kiosks
    for turned in range(number - 1, -1, -1):
        _write_task_bounds(site.land, law, tasks[turned], turned, number, columns, tables)


@jit
def _write_task_bounds(
    land: Words, law: Ints, task: int, turned: int, number: int, columns: int, tables: BoundTables
) -> None:
    """Writes the rows of one task: it is built, passed, or the game has ended."""
    after, tail, last = tables.tails[turned + 1], tables.tails[turned], tables.tails[number]
    after_sums, sums = tables.sums[turned + 1], tables.sums[turned]
    after_coming, coming = tables.coming[turned + 1], tables.coming[turned]
    for what in range(TO_COME_SIZE):
        coming[what] = after_coming[what]
    if task < 0:
        for at in range(len(tail)):
            tail[at] = max(after[at], last[at])
        for cells in range(MASK_CELLS + 1):
            sums[cells] = after_sums[cells]
        return
    asked, squares = TASKS + 8 * task, square_count(land, law, task)
    kind, price = law[asked + KIND], law[asked + PASS_PRICE]
    points = building_points(law, kind, law[asked + IS_FACTORY])
    for cells in range(MASK_CELLS + 1):
        for circles in range(columns):
            at = cells * columns + circles
            most = last[at]
            if cells >= squares:
                most = max(most, after[at - squares * columns] + points)
            if price > 0 and law[CARD_COUNT] > 0:
                most = max(most, after[at] + law[PASS_POINTS + price])
            elif price > 0 and circles >= price:
                most = max(most, after[at - price])
            tail[at] = most
        sums[cells] = cells
        if after_sums[cells] != cells and (cells < squares or after_sums[cells - squares] != cells - squares):
            sums[cells] = sums[cells - 1]
    coming[BUILDINGS_TO_COME] += 1
    if kind < CHURCH:
        coming[kind] += 1
        if kind == law[PARK_COLOUR]:
            coming[PARK_SQUARES_TO_COME] += squares


@jit
def _write_gains(law: Ints, gains: Ints, ordered: Ints, rising: bool) -> None:
    """Writes the gain of covering a cell of each class, and their order. With a limit the negative lines, which are
    counted last, may not apply."""
    gains[TREE], gains[LONE_TREE] = law[LINE_POINTS + AT.trees] * law[TREES_PER_SIGN], law[LINE_POINTS + AT.trees]
    gains[ROCK], gains[BARE] = law[LINE_POINTS + AT.rocks] * law[ROCKS_PER_SIGN], law[LINE_POINTS + AT.empty]
    gains[PLAIN], shore = 0, law[LINE_POINTS + AT.dykes]
    if rising:
        shore = max(shore, 0)
        for sort in range(TERRAIN_SORTS):
            gains[sort] = max(gains[sort], 0)
    for sort in range(TERRAIN_SORTS):
        gains[TERRAIN_SORTS + sort] = -gains[sort] - shore
        gains[sort] = -gains[sort]
    for place in range(CELL_CLASSES):
        ordered[place] = place
        at = place
        while at > 0 and gains[ordered[at]] > gains[ordered[at - 1]]:
            ordered[at - 1], ordered[at] = ordered[at], ordered[at - 1]
            at -= 1


@jit
def _region(land: Words, law: Ints, low: int, high: int, free_low: int, free_high: int) -> tuple[int, int]:
    """Returns the free cells connected with these on one bank."""
    width, grows = U(law[WIDTH]), True
    while grows:
        east_low, east_high = shift_up(low & land[EAST_NEIGHBOUR], high & land[EAST_NEIGHBOUR + 1], ONE)
        south_low, south_high = shift_up(low & land[SOUTH_NEIGHBOUR], high & land[SOUTH_NEIGHBOUR + 1], width)
        west_low, west_high = shift_down(low, high, ONE)
        north_low, north_high = shift_down(low, high, width)
        more_low = (
            low
            | (east_low | south_low | west_low & land[EAST_NEIGHBOUR] | north_low & land[SOUTH_NEIGHBOUR]) & free_low
        )
        more_high = high | (
            (east_high | south_high | west_high & land[EAST_NEIGHBOUR + 1] | north_high & land[SOUTH_NEIGHBOUR + 1])
            & free_high
        )
        grows = more_low != low or more_high != high
        low, high = more_low, more_high
    return low, high


@jit
def _count_classes(land: Words, low: int, high: int, pools: Ints) -> None:
    """Counts the cells of one region by class."""
    for at in range(2):
        shore_low, shore_high = land[SHORE], land[SHORE + 1]
        if at == 0:
            shore_low, shore_high = ~shore_low, ~shore_high
        here_low, here_high, first = low & shore_low, high & shore_high, REGION + TERRAIN_SORTS * at
        pools[first + TREE] = popcount_pair(here_low & land[TREES], here_high & land[TREES + 1])
        pools[first + LONE_TREE] = popcount_pair(here_low & land[LONE_TREES], here_high & land[LONE_TREES + 1])
        pools[first + ROCK] = popcount_pair(here_low & land[ROCKS], here_high & land[ROCKS + 1])
        pools[first + BARE] = popcount_pair(here_low & land[EMPTY], here_high & land[EMPTY + 1])
        pools[first + PLAIN] = popcount_pair(here_low, here_high) - (
            pools[first + TREE] + pools[first + LONE_TREE] + pools[first + ROCK] + pools[first + BARE]
        )


@jit
def _pool_cells(land: Words, law: Ints, city: Words, sums: Ints, ordered: Ints, pools: Ints) -> None:
    """Counts the coverable cells. In a region that the buildings cannot fill, the cells with the lowest gain stay
    uncovered."""
    for at in range(REGION):
        pools[at] = 0
    free_low, free_high = city[FREE], city[FREE + 1]
    rest_low, rest_high = free_low, free_high
    while rest_low | rest_high:
        low, high = NO_BITS, NO_BITS
        if rest_low:
            low = ONE << U(lowest_bit(rest_low))
        else:
            high = ONE << U(lowest_bit(rest_high))
        low, high = _region(land, law, low, high, free_low, free_high)
        rest_low, rest_high = rest_low & ~low, rest_high & ~high
        _count_classes(land, low, high, pools)
        size = popcount_pair(low, high)
        waste = size - sums[size]
        for place in range(CELL_CLASSES - 1, -1, -1):
            kept = ordered[place]
            cells = pools[REGION + kept]
            left = min(waste, cells)
            waste -= left
            pools[COVERABLE + kept] += cells - left
            pools[UNCOVERED + kept] += cells


@jit
def _fixed_points(land: Words, law: Ints, city: Words, book: Ints, coming: Ints, out: Ints) -> int:
    """Returns the maximum points that do not depend on covered cells."""
    free_low, free_high = city[FREE], city[FREE + 1]
    points = (
        law[START_SCORE]
        + book[POINTS_GAINED]
        + _group_points(law, book, coming)
        + _neighbour_points(law, city, book, coming)
    )
    for well in range(law[WELL_COUNT]):
        at = WELLS + 4 * well
        sides = book[WELL_SIDES_BUILT + well] + popcount_pair(free_low & land[at + 2], free_high & land[at + 3])
        if sides >= 4 and free_low & land[at] | free_high & land[at + 1]:
            points += max(law[LINE_POINTS + AT.wells], 0)
    count_bandits(land, law, city, NO_BITS, NO_BITS, out)
    points += out[AT.bandits] * law[LINE_POINTS + AT.bandits]
    if law[HAS_PORT]:
        points += max(law[LINE_POINTS + AT.port], 0)
        points += (book[PORT_FACTORIES] + book[UNLINKED_FACTORIES]) * max(law[LINE_POINTS + AT.chain], 0)
    points += law[TRACK_POINTS] * min(
        coming[BUILDINGS_TO_COME], popcount_pair(free_low & land[TRACK], free_high & land[TRACK + 1])
    )
    if law[HAS_PARKS]:
        points += _max_parks(land, law, city, coming) * _park_points(law)
    return points


@jit
def _group_points(law: Ints, book: Ints, coming: Ints) -> int:
    """Returns the maximum points of groups. All groups of a colour merge if another building of it comes."""
    groups, whole = 0, 0
    for colour in range(CHURCH):
        total, largest, first = 0, 0, colour * MAX_GROUPS
        for group in range(first, first + book[GROUP_COUNTS + colour]):
            total += book[GROUP_SIZES + group]
            largest = max(largest, book[GROUP_SIZES + group])
        if coming[colour] > 0:
            groups += total
            whole += 1
        else:
            groups += largest
            whole += book[GROUP_COUNTS + colour] == 1
    return groups * max(law[LINE_POINTS + AT.groups], 0) + whole * max(law[LINE_POINTS + AT.complete], 0)


@jit
def _neighbour_points(law: Ints, city: Words, book: Ints, coming: Ints) -> int:
    """Returns the maximum points of churches and factories: with a free cell beside them they get every colour that
    comes."""
    points, to_come = 0, 0
    for colour in range(CHURCH):
        if coming[colour] > 0:
            to_come |= 1 << colour
    for church in range(book[CHURCH_COUNT]):
        at, touched = CHURCH_HALOS + 2 * church, book[CHURCH_COLOURS + church]
        if city[at] & city[FREE] | city[at + 1] & city[FREE + 1]:
            touched |= to_come
        if touched == 7:
            points += max(law[LINE_POINTS + AT.churches], 0)
    for factory in range(book[FACTORY_COUNT]):
        at, served = FACTORY_HALOS + 2 * factory, book[FACTORY_COLOURS + factory]
        if city[at] & city[FREE] | city[at + 1] & city[FREE + 1]:
            served |= to_come
        if served & law[NEEDED_COLOURS] == law[NEEDED_COLOURS]:
            points += max(law[LINE_POINTS + AT.factories], 0)
    return points


@jit
def _max_parks(land: Words, law: Ints, city: Words, coming: Ints) -> int:
    """Returns the maximum number of parks: a park has four red sides, and a red square has at most four."""
    red = COLOUR_CELLS + 2 * law[PARK_COLOUR]
    return min(
        popcount_pair(city[FREE] & land[PARK_CELLS], city[FREE + 1] & land[PARK_CELLS + 1]),
        popcount_pair(city[red], city[red + 1]) + coming[PARK_SQUARES_TO_COME],
    )


@jit
def _park_points(law: Ints) -> int:
    """Returns the maximum gain of a cell by being a park."""
    spared = max(-law[LINE_POINTS + AT.rocks] * law[ROCKS_PER_SIGN], -law[LINE_POINTS + AT.empty], 0)
    return max(law[LINE_POINTS + AT.trees] + law[LINE_POINTS + AT.parks] + spared, 0)


@jit
def _max_points(
    land: Words, law: Ints, city: Words, book: Ints, turned: int, tables: BoundTables, rising: int, standing: int
) -> int:
    """Returns the maximum over all numbers of cells covered and circles ticked from now on."""
    pools, gains, ordered = tables.pools, tables.gains[rising + GAIN_ROW], tables.gains[rising + ORDER_ROW]
    tail, columns = tables.tails[turned], circle_columns(law)
    _pool_cells(land, law, city, tables.sums[turned], ordered, pools)
    points, room = standing, 0
    for each in range(CELL_CLASSES):
        points -= gains[each] * pools[UNCOVERED + each]
        room += pools[COVERABLE + each]
    missing = popcount_pair(city[FREE] & land[RACE_GOAL], city[FREE + 1] & land[RACE_GOAL + 1])
    felled = popcount_pair(land[WOODS] & ~city[FREE], land[WOODS + 1] & ~city[FREE + 1])
    most, place, used = IMPOSSIBLE, 0, 0
    for cells in range(room + 1):
        if cells > 0:
            while used == pools[COVERABLE + ordered[place]]:
                place, used = place + 1, 0
            points += gains[ordered[place]]
            used += 1
        value = points
        if book[RACE_WON] or (book[RACE_OPEN] and cells >= missing):
            value += law[RACE_POINTS]
        if book[FOREST_RACE_WON] or (book[FOREST_RACE_OPEN] and felled + cells >= law[FOREST_GOAL_CELLS]):
            value += law[FOREST_POINTS]
        value += _extra_points(land, law, pools, cells, room)
        for circles in range(min(columns, law[PASS_CIRCLES] - book[PASSED_CIRCLES] + 1) if columns > 1 else 1):
            passed = book[PASSED_CIRCLES] + circles
            whole = value + tail[cells * columns + circles] + law[PASS_POINTS + passed]
            if passed == 0:
                whole += max(law[LINE_POINTS + AT.never_passed], 0)
            most = max(most, whole)
    return most


@jit
def _cells_of_sort(pools: Ints, at: int, sort: int) -> int:
    """Returns the cells of one terrain, with and without river."""
    return pools[at + sort] + pools[at + TERRAIN_SORTS + sort]


@jit
def _extra_points(land: Words, law: Ints, pools: Ints, cells: int, room: int) -> int:
    """Returns the points for all trees visible, no rocks, and no empty cells."""
    points = 0
    if law[LINE_POINTS + AT.all_trees] > 0:
        trees = _cells_of_sort(pools, UNCOVERED, TREE) + _cells_of_sort(pools, UNCOVERED, LONE_TREE)
        coverable = _cells_of_sort(pools, COVERABLE, TREE) + _cells_of_sort(pools, COVERABLE, LONE_TREE)
        wood = popcount_pair(land[TREES], land[TREES + 1]) + popcount_pair(land[LONE_TREES], land[LONE_TREES + 1])
        if trees == wood and cells <= room - coverable:
            points += law[LINE_POINTS + AT.all_trees]
    if law[LINE_POINTS + AT.no_rocks] > 0 and cells >= _cells_of_sort(pools, UNCOVERED, ROCK):
        points += law[LINE_POINTS + AT.no_rocks]
    if law[LINE_POINTS + AT.no_empty] > 0 and cells >= _cells_of_sort(pools, UNCOVERED, BARE):
        points += law[LINE_POINTS + AT.no_empty]
    return points


@jit
def city_bound(land: Words, law: Ints, city: Words, book: Ints, turned: int, tables: BoundTables, out: Ints) -> int:
    """Returns the upper bound of all continuations of a city after `turned` tasks.

    If the limit can be reached before the negative lines are counted, it is the bound.
    """
    standing = _fixed_points(land, law, city, book, tables.coming[turned], out)
    if (
        law[SCORE_LIMIT] < NO_LIMIT
        and _max_points(land, law, city, book, turned, tables, LIMIT_ROWS, standing) >= law[SCORE_LIMIT]
    ):
        return law[SCORE_LIMIT]
    return _max_points(land, law, city, book, turned, tables, GAIN_ROW, standing)
