"""What no city can exceed with the luck as it comes: everything at its best, each by itself.

Buildings need not touch, shapes need not fit, groups become one and churches find their neighbours. What is held is
area: exactly the buildings that are built cover so many cells, region by region; and each card is built, passed, or the
end.
"""

# ruff: noqa: PLR0913, PLR0917 - a kernel is written for the machine: flat, with its arrays as arguments

from polyopolis.kernels.placing.bitmasks import pair, raised, shifted
from polyopolis.kernels.placing.features import tally_outlaws
from polyopolis.kernels.placing.layout import (
    AT,
    AT_WELL,
    BARE,
    BEGIN,
    BUILDINGS,
    CARDS,
    CELLS,
    CHURCH,
    CHURCH_HALO,
    CHURCHES,
    CIRCLES,
    CLASSES,
    COVERABLE,
    CUSTOMERS,
    EAST,
    EMPTY,
    FACTORIES,
    FACTORY_HALO,
    FELLING,
    FOREST,
    FORM,
    FREE,
    GAINED,
    GAINS,
    GARDEN,
    GEAR,
    GOAL,
    GROUP_SIZE,
    GROUPS,
    IMPOSSIBLE,
    INVESTOR,
    KIND,
    LIMIT,
    LONE,
    LONE_TREE,
    MOST_GROUPS,
    MOST_SQUARES,
    MOST_WAYS,
    NEVER,
    NONE,
    ONE,
    OPEN,
    OPEN_FOREST,
    ORDERED,
    PARKS,
    PASSED,
    PASSING,
    PLAIN,
    POINTS,
    PORT,
    PORT_GEARS,
    PRICE,
    RACE,
    RED,
    RED_SQUARES,
    REGION,
    RISING,
    ROCK,
    ROCKS,
    ROCKS_EACH,
    SERVED,
    SHAPE,
    SHAPES,
    SHIFTS,
    SHORE,
    SORTS,
    SOUTH,
    STATION,
    TASKS,
    TO_COME,
    TOUCHED,
    TOWN_GEARS,
    TRACK,
    TREE,
    TREES,
    TREES_EACH,
    UNCOVERED,
    UNDER,
    WELL_COUNT,
    WELLS,
    WIDTH,
    WON,
    WON_FOREST,
    WOODS,
    Ground,
    Outlook,
)
from polyopolis.kernels.runtime.jit import Ints, U, Words, entry, jit, lowest


@jit
def squares_of(land: Words, law: Ints, task: int) -> int:
    """How many cells a task covers: the last square of its shape stands there again and again."""
    column, number = SHAPES + SHAPE * law[TASKS + 8 * task + FORM] + SHIFTS, 1
    for square in range(1, MOST_SQUARES):
        if land[column + MOST_WAYS * square] != land[column + MOST_WAYS * (square - 1)]:
            number += 1
    return number


@jit
def columns_of(law: Ints) -> int:
    """So many numbers of circles are told apart. With cards every pass costs the same: that is counted at once."""
    return 1 if law[CARDS] > 0 else law[CIRCLES] + 1


@jit
def earned(law: Ints, kind: int, gear: int) -> int:
    """The most that one more building brings by itself, whatever it covers."""
    points = law[INVESTOR]
    if kind < CHURCH:
        points += max(law[POINTS + AT.groups], 0)
    elif kind == CHURCH:
        points += max(law[POINTS + AT.churches], 0)
    if gear:
        points += max(law[POINTS + AT.factories], 0) + max(law[POINTS + AT.chain], 0)
    return points


@entry
def foretell(ground: Ground, tasks: Ints, kiosks: int, outlook: Outlook) -> None:
    """Writes the outlook on these tasks, from the last to the first; who is not asked has a task below 0.

    Kiosks are buildings of one square and of the first colour that may be added whenever one likes.
    """
    law, number = ground.law, len(tasks)
    _write_gains(law, outlook.gains[GAINS], outlook.gains[ORDERED], False)
    _write_gains(law, outlook.gains[RISING + GAINS], outlook.gains[RISING + ORDERED], True)
    columns = columns_of(law)
    tail, sums, coming = outlook.tails[number], outlook.sums[number], outlook.coming[number]
    for at in range(len(tail)):
        tail[at] = IMPOSSIBLE
    for kiosk in range(kiosks + 1):
        tail[kiosk * columns] = kiosk * earned(law, 0, 0)
    for cells in range(CELLS + 1):
        sums[cells] = min(cells, kiosks)
    for what in range(TO_COME):
        coming[what] = 0
    coming[0], coming[BUILDINGS] = kiosks, kiosks
    for turned in range(number - 1, -1, -1):
        _foretell_one(ground.land, law, tasks[turned], turned, number, columns, outlook)


@jit
def _foretell_one(land: Words, law: Ints, task: int, turned: int, number: int, columns: int, outlook: Outlook) -> None:
    """A task is built, passed, or one has stopped."""
    after, tail, last = outlook.tails[turned + 1], outlook.tails[turned], outlook.tails[number]
    after_sums, sums = outlook.sums[turned + 1], outlook.sums[turned]
    after_coming, coming = outlook.coming[turned + 1], outlook.coming[turned]
    for what in range(TO_COME):
        coming[what] = after_coming[what]
    if task < 0:
        for at in range(len(tail)):
            tail[at] = max(after[at], last[at])
        for cells in range(CELLS + 1):
            sums[cells] = after_sums[cells]
        return
    asked, squares = TASKS + 8 * task, squares_of(land, law, task)
    kind, price = law[asked + KIND], law[asked + PRICE]
    points = earned(law, kind, law[asked + GEAR])
    for cells in range(CELLS + 1):
        for circles in range(columns):
            at = cells * columns + circles
            most = last[at]
            if cells >= squares:
                most = max(most, after[at - squares * columns] + points)
            if price > 0 and law[CARDS] > 0:
                most = max(most, after[at] + law[PASSING + price])
            elif price > 0 and circles >= price:
                most = max(most, after[at - price])
            tail[at] = most
        sums[cells] = cells
        if after_sums[cells] != cells and (cells < squares or after_sums[cells - squares] != cells - squares):
            sums[cells] = sums[cells - 1]
    coming[BUILDINGS] += 1
    if kind < CHURCH:
        coming[kind] += 1
        if kind == law[RED]:
            coming[RED_SQUARES] += squares


@jit
def _write_gains(law: Ints, gains: Ints, ordered: Ints, rising: bool) -> None:
    """What covering a cell of each class brings, and their order. With a limit the lines by which one loses may be left
    out, which are counted last."""
    gains[TREE], gains[LONE_TREE] = law[POINTS + AT.trees] * law[TREES_EACH], law[POINTS + AT.trees]
    gains[ROCK], gains[BARE] = law[POINTS + AT.rocks] * law[ROCKS_EACH], law[POINTS + AT.empty]
    gains[PLAIN], shore = 0, law[POINTS + AT.dykes]
    if rising:
        shore = max(shore, 0)
        for sort in range(SORTS):
            gains[sort] = max(gains[sort], 0)
    for sort in range(SORTS):
        gains[SORTS + sort] = -gains[sort] - shore
        gains[sort] = -gains[sort]
    for place in range(CLASSES):
        ordered[place] = place
        at = place
        while at > 0 and gains[ordered[at]] > gains[ordered[at - 1]]:
            ordered[at - 1], ordered[at] = ordered[at], ordered[at - 1]
            at -= 1


@jit
def _region(land: Words, law: Ints, low: int, high: int, free_low: int, free_high: int) -> tuple[int, int]:
    """All free cells that hang together with these on one bank."""
    width, grows = U(law[WIDTH]), True
    while grows:
        east_low, east_high = raised(low & land[EAST], high & land[EAST + 1], ONE)
        south_low, south_high = raised(low & land[SOUTH], high & land[SOUTH + 1], width)
        west_low, west_high = shifted(low, high, ONE)
        north_low, north_high = shifted(low, high, width)
        more_low = low | (east_low | south_low | west_low & land[EAST] | north_low & land[SOUTH]) & free_low
        more_high = high | (
            (east_high | south_high | west_high & land[EAST + 1] | north_high & land[SOUTH + 1]) & free_high
        )
        grows = more_low != low or more_high != high
        low, high = more_low, more_high
    return low, high


@jit
def _sort_cells(land: Words, low: int, high: int, pools: Ints) -> None:
    """Counts the cells of one region by their classes."""
    for at in range(2):
        shore_low, shore_high = land[SHORE], land[SHORE + 1]
        if at == 0:
            shore_low, shore_high = ~shore_low, ~shore_high
        here_low, here_high, first = low & shore_low, high & shore_high, REGION + SORTS * at
        pools[first + TREE] = pair(here_low & land[TREES], here_high & land[TREES + 1])
        pools[first + LONE_TREE] = pair(here_low & land[LONE], here_high & land[LONE + 1])
        pools[first + ROCK] = pair(here_low & land[ROCKS], here_high & land[ROCKS + 1])
        pools[first + BARE] = pair(here_low & land[EMPTY], here_high & land[EMPTY + 1])
        pools[first + PLAIN] = pair(here_low, here_high) - (
            pools[first + TREE] + pools[first + LONE_TREE] + pools[first + ROCK] + pools[first + BARE]
        )


@jit
def _pool(land: Words, law: Ints, city: Words, sums: Ints, ordered: Ints, pools: Ints) -> None:
    """Counts what may be covered, region by region: of one that no buildings fill the worst cells stay as they are."""
    for at in range(REGION):
        pools[at] = 0
    free_low, free_high = city[FREE], city[FREE + 1]
    rest_low, rest_high = free_low, free_high
    while rest_low | rest_high:
        low, high = NONE, NONE
        if rest_low:
            low = ONE << U(lowest(rest_low))
        else:
            high = ONE << U(lowest(rest_high))
        low, high = _region(land, law, low, high, free_low, free_high)
        rest_low, rest_high = rest_low & ~low, rest_high & ~high
        _sort_cells(land, low, high, pools)
        size = pair(low, high)
        waste = size - sums[size]
        for place in range(CLASSES - 1, -1, -1):
            kept = ordered[place]
            cells = pools[REGION + kept]
            left = min(waste, cells)
            waste -= left
            pools[COVERABLE + kept] += cells - left
            pools[UNCOVERED + kept] += cells


@jit
def _standing(land: Words, law: Ints, city: Words, book: Ints, coming: Ints, out: Ints) -> int:
    """What does not hang on cells, and what was brought at once: all at its best."""
    free_low, free_high = city[FREE], city[FREE + 1]
    points = law[BEGIN] + book[GAINED] + _joined(law, book, coming) + _among(law, city, book, coming)
    for well in range(law[WELL_COUNT]):
        at = WELLS + 4 * well
        sides = book[AT_WELL + well] + pair(free_low & land[at + 2], free_high & land[at + 3])
        if sides >= 4 and free_low & land[at] | free_high & land[at + 1]:
            points += max(law[POINTS + AT.wells], 0)
    tally_outlaws(land, law, city, NONE, NONE, out)
    points += out[AT.bandits] * law[POINTS + AT.bandits]
    if law[PORT]:
        points += max(law[POINTS + AT.port], 0)
        points += (book[PORT_GEARS] + book[TOWN_GEARS]) * max(law[POINTS + AT.chain], 0)
    points += law[STATION] * min(coming[BUILDINGS], pair(free_low & land[TRACK], free_high & land[TRACK + 1]))
    if law[PARKS]:
        points += _most_parks(land, law, city, coming) * _park(law)
    return points


@jit
def _joined(law: Ints, book: Ints, coming: Ints) -> int:
    """Groups: all of a colour become one if there is a building of it to come, which is counted with that."""
    groups, whole = 0, 0
    for colour in range(CHURCH):
        total, largest, first = 0, 0, colour * MOST_GROUPS
        for group in range(first, first + book[GROUPS + colour]):
            total += book[GROUP_SIZE + group]
            largest = max(largest, book[GROUP_SIZE + group])
        if coming[colour] > 0:
            groups += total
            whole += 1
        else:
            groups += largest
            whole += book[GROUPS + colour] == 1
    return groups * max(law[POINTS + AT.groups], 0) + whole * max(law[POINTS + AT.complete], 0)


@jit
def _among(law: Ints, city: Words, book: Ints, coming: Ints) -> int:
    """Churches and factories that stand: with room beside them they get every colour that is to come."""
    points, to_come = 0, 0
    for colour in range(CHURCH):
        if coming[colour] > 0:
            to_come |= 1 << colour
    for church in range(book[CHURCHES]):
        at, touched = CHURCH_HALO + 2 * church, book[TOUCHED + church]
        if city[at] & city[FREE] | city[at + 1] & city[FREE + 1]:
            touched |= to_come
        if touched == 7:
            points += max(law[POINTS + AT.churches], 0)
    for factory in range(book[FACTORIES]):
        at, served = FACTORY_HALO + 2 * factory, book[SERVED + factory]
        if city[at] & city[FREE] | city[at + 1] & city[FREE + 1]:
            served |= to_come
        if served & law[CUSTOMERS] == law[CUSTOMERS]:
            points += max(law[POINTS + AT.factories], 0)
    return points


@jit
def _most_parks(land: Words, law: Ints, city: Words, coming: Ints) -> int:
    """A park has four red sides, and a red square has no more than four."""
    red = UNDER + 2 * law[RED]
    return min(
        pair(city[FREE] & land[GARDEN], city[FREE + 1] & land[GARDEN + 1]),
        pair(city[red], city[red + 1]) + coming[RED_SQUARES],
    )


@jit
def _park(law: Ints) -> int:
    """The most that a cell gains by being a park instead of lying bare."""
    spared = max(-law[POINTS + AT.rocks] * law[ROCKS_EACH], -law[POINTS + AT.empty], 0)
    return max(law[POINTS + AT.trees] + law[POINTS + AT.parks] + spared, 0)


@jit
def _most(
    land: Words, law: Ints, city: Words, book: Ints, turned: int, outlook: Outlook, rising: int, standing: int
) -> int:
    """The best over all numbers of cells that may be covered and circles that may be ticked from now on."""
    pools, gains, ordered = outlook.pools, outlook.gains[rising + GAINS], outlook.gains[rising + ORDERED]
    tail, columns = outlook.tails[turned], columns_of(law)
    _pool(land, law, city, outlook.sums[turned], ordered, pools)
    points, room = standing, 0
    for each in range(CLASSES):
        points -= gains[each] * pools[UNCOVERED + each]
        room += pools[COVERABLE + each]
    missing = pair(city[FREE] & land[GOAL], city[FREE + 1] & land[GOAL + 1])
    felled = pair(land[WOODS] & ~city[FREE], land[WOODS + 1] & ~city[FREE + 1])
    most, place, used = IMPOSSIBLE, 0, 0
    for cells in range(room + 1):
        if cells > 0:
            while used == pools[COVERABLE + ordered[place]]:
                place, used = place + 1, 0
            points += gains[ordered[place]]
            used += 1
        value = points
        if book[WON] or (book[OPEN] and cells >= missing):
            value += law[RACE]
        if book[WON_FOREST] or (book[OPEN_FOREST] and felled + cells >= law[FELLING]):
            value += law[FOREST]
        value += _extras(land, law, pools, cells, room)
        for circles in range(min(columns, law[CIRCLES] - book[PASSED] + 1) if columns > 1 else 1):
            passed = book[PASSED] + circles
            whole = value + tail[cells * columns + circles] + law[PASSING + passed]
            if passed == 0:
                whole += max(law[POINTS + AT.never_passed], 0)
            most = max(most, whole)
    return most


@jit
def _of_both(pools: Ints, at: int, sort: int) -> int:
    """Cells of one sort, away from the river and along it."""
    return pools[at + sort] + pools[at + SORTS + sort]


@jit
def _extras(land: Words, law: Ints, pools: Ints, cells: int, room: int) -> int:
    """What is counted if all trees are in sight, no rocks, or no empty cells."""
    points = 0
    if law[POINTS + AT.all_trees] > 0:
        trees = _of_both(pools, UNCOVERED, TREE) + _of_both(pools, UNCOVERED, LONE_TREE)
        coverable = _of_both(pools, COVERABLE, TREE) + _of_both(pools, COVERABLE, LONE_TREE)
        wood = pair(land[TREES], land[TREES + 1]) + pair(land[LONE], land[LONE + 1])
        if trees == wood and cells <= room - coverable:
            points += law[POINTS + AT.all_trees]
    if law[POINTS + AT.no_rocks] > 0 and cells >= _of_both(pools, UNCOVERED, ROCK):
        points += law[POINTS + AT.no_rocks]
    if law[POINTS + AT.no_empty] > 0 and cells >= _of_both(pools, UNCOVERED, BARE):
        points += law[POINTS + AT.no_empty]
    return points


@jit
def bounded(land: Words, law: Ints, city: Words, book: Ints, turned: int, outlook: Outlook, out: Ints) -> int:
    """What no city that grows from this one can exceed, once so many tasks were turned up.

    Where there is a limit, whoever can reach it before the lines by which one loses are counted is bound by it alone.
    """
    standing = _standing(land, law, city, book, outlook.coming[turned], out)
    if law[LIMIT] < NEVER and _most(land, law, city, book, turned, outlook, RISING, standing) >= law[LIMIT]:
        return law[LIMIT]
    return _most(land, law, city, book, turned, outlook, GAINS, standing)
