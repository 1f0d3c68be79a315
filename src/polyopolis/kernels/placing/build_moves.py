"""Lists placements of a task and applies a choice to a city."""

# ruff: noqa: PLR0913, PLR0917 - a kernel is written for the machine: flat, with its arrays as arguments

from polyopolis.kernels.placing.bitmasks import popcount_pair
from polyopolis.kernels.placing.layout import (
    ANCHORS_HIGH,
    ANCHORS_LOW,
    ANYWHERE,
    BANDITS,
    BOOK_SIZE,
    CHURCH,
    CHURCH_COLOURS,
    CHURCH_COUNT,
    CHURCH_HALOS,
    CITY_BANDITS,
    CITY_SIZE,
    COLOUR_CELLS,
    FACTORY_COLOURS,
    FACTORY_COUNT,
    FACTORY_HALOS,
    FIRST_ORIENTATION,
    FIT_ANCHORS,
    FOREST_GOAL_CELLS,
    FOREST_POINTS,
    FOREST_RACE_OPEN,
    FOREST_RACE_WON,
    FREE,
    GROUND,
    GROUP_COUNTS,
    GROUP_HALOS,
    GROUP_SIZES,
    HAS_BUILT,
    HAS_LATER_RULES,
    HAS_PORT,
    INVESTOR_POINTS,
    IS_FACTORY,
    KIND,
    LAST_HALO,
    MASK_CELLS,
    MAX_GROUPS,
    MAX_ORIENTATIONS,
    MAX_SQUARES,
    NO_BITS,
    ONE,
    ORIENTATION_COUNT,
    PASS,
    PASS_CIRCLES,
    PASS_PRICE,
    PASSED_CIRCLES,
    PIECE_NEIGHBOURS,
    PLACEMENTS,
    POINTS_GAINED,
    PORT_FACTORIES,
    PORT_HALO,
    PORT_NEIGHBOURS,
    PORT_ON_TRACK,
    RACE_EXTRA_CIRCLES,
    RACE_GOAL,
    RACE_OPEN,
    RACE_POINTS,
    RACE_WON,
    REACH,
    SHAPE_NUMBER,
    SHAPE_SIZE,
    SHAPES,
    SQUARE_SHIFTS,
    START_CELLS,
    TASKS,
    TOP_BIT,
    TRACK,
    TRACK_POINTS,
    UNLINKED_FACTORIES,
    UNLINKED_HALO,
    UNLINKED_ON_TRACK,
    WELL_COUNT,
    WELL_SIDES_BUILT,
    WELLS,
    WOODS,
)
from polyopolis.kernels.runtime.jit import ALL_BITS, Ints, U, Words, jit, lowest_bit


@jit
def find_anchors(land: Words, law: Ints, city: Words, task: int) -> None:
    """Writes, for each orientation, the anchors where a task covers free cells and touches a cell in reach.

    The loop always covers ORIENTATION_COUNT orientations, read from `law`: then the compiler vectorizes it. It does
    not vectorize a short loop of constant length.
    """
    at = TASKS + 8 * task
    shape = U(SHAPES + SHAPE_SIZE * law[at + SHAPE_NUMBER])
    free_low, free_high, reach_low, reach_high = city[FREE], city[FREE + 1], city[REACH], city[REACH + 1]
    if law[at + ANYWHERE]:
        reach_low, reach_high = free_low, free_high
    for way in range(law[ORIENTATION_COUNT]):
        column = shape + U(way)
        low, high, near_low, near_high = land[column + U(ANCHORS_LOW)], land[column + U(ANCHORS_HIGH)], NO_BITS, NO_BITS
        for square in range(MAX_SQUARES):
            shift = land[column + U(SQUARE_SHIFTS + MAX_ORIENTATIONS * square)]
            back = TOP_BIT - shift
            low &= free_low >> shift | ((free_high << ONE) & ALL_BITS) << back & ALL_BITS
            high &= free_high >> shift
            near_low |= reach_low >> shift | ((reach_high << ONE) & ALL_BITS) << back & ALL_BITS
            near_high |= reach_high >> shift
        city[U(FIT_ANCHORS + ANCHORS_LOW) + U(way)] = low & near_low
        city[U(FIT_ANCHORS + ANCHORS_HIGH) + U(way)] = high & near_high


@jit
def can_pass(law: Ints, book: Ints, task: int) -> bool:
    price = law[TASKS + 8 * task + PASS_PRICE]
    won = book[RACE_WON] * law[RACE_EXTRA_CIRCLES] + book[FOREST_RACE_WON] * law[FOREST_POINTS]
    return price > 0 and book[PASSED_CIRCLES] + price <= law[PASS_CIRCLES] + book[POINTS_GAINED] + won


@jit
def list_placements(land: Words, law: Ints, city: Words, task: int, found: Ints) -> int:
    """Writes all placements of a task to `found` and returns their number."""
    find_anchors(land, law, city, task)
    first, number = law[TASKS + 8 * task + FIRST_ORIENTATION], 0
    for way in range(MAX_ORIENTATIONS):
        low, high = city[FIT_ANCHORS + ANCHORS_LOW + way], city[FIT_ANCHORS + ANCHORS_HIGH + way]
        while low:
            found[number] = (first + way) * MASK_CELLS + lowest_bit(low)
            low &= low - ONE
            number += 1
        while high:
            found[number] = (first + way) * MASK_CELLS + 64 + lowest_bit(high)
            high &= high - ONE
            number += 1
    return number


@jit
def init_city(land: Words, law: Ints, city: Words, book: Ints) -> None:
    """Resets a city to the state before its first building."""
    for word in range(CITY_SIZE):
        city[word] = NO_BITS
    for number in range(BOOK_SIZE):
        book[number] = 0
    for word in range(2):
        city[FREE + word] = land[GROUND + word]
        city[REACH + word] = land[START_CELLS + word]
        city[CITY_BANDITS + word] = land[BANDITS + word]
        city[PORT_HALO + word] = land[PORT_NEIGHBOURS + word]
    book[RACE_OPEN] = 1 if law[RACE_POINTS] > 0 else 0
    book[FOREST_RACE_OPEN] = 1 if law[FOREST_POINTS] > 0 else 0


@jit
def reset_contact(land: Words, city: Words, book: Ints) -> None:
    """Sets the reach to the start cells after printed pieces were added: they are no own buildings."""
    book[HAS_BUILT], book[POINTS_GAINED] = 0, 0
    for word in range(2):
        city[REACH + word], city[LAST_HALO + word] = land[START_CELLS + word], NO_BITS


@jit
def add_building(
    land: Words, law: Ints, city: Words, book: Ints, kind: int, gear: int,
    low: int, high: int, halo_low: int, halo_high: int,
) -> None:  # fmt: skip
    """Adds a building on these cells; the halo is the cells around it."""
    if law[HAS_LATER_RULES]:
        book[POINTS_GAINED] += immediate_points(land, law, city, low, high)
        _update_factories(city, book, kind, gear, low, high, halo_low, halo_high)
        if law[HAS_PORT]:
            _update_port_links(land, city, book, gear, low, high, halo_low, halo_high)
        city[LAST_HALO], city[LAST_HALO + 1] = halo_low, halo_high
    city[FREE] &= ~low
    city[FREE + 1] &= ~high
    if book[HAS_BUILT]:
        city[REACH] |= halo_low
        city[REACH + 1] |= halo_high
    else:
        city[REACH] = halo_low | land[PIECE_NEIGHBOURS]
        city[REACH + 1] = halo_high | land[PIECE_NEIGHBOURS + 1]
        book[HAS_BUILT] = 1
    for well in range(law[WELL_COUNT]):
        at = WELLS + 4 * well
        if low & land[at + 2] | high & land[at + 3]:
            book[WELL_SIDES_BUILT + well] += 1
    if kind < CHURCH:
        _merge_groups(city, book, kind, low, high, halo_low, halo_high)
    elif kind == CHURCH:
        _add_church(city, book, halo_low, halo_high)


@jit
def immediate_points(land: Words, law: Ints, city: Words, low: int, high: int) -> int:
    """Returns the points that a building brings at once: beside the investor, who stands on the last one, and on the
    track."""
    points = 0
    if low & city[LAST_HALO] | high & city[LAST_HALO + 1]:
        points += law[INVESTOR_POINTS]
    if low & land[TRACK] | high & land[TRACK + 1]:
        points += law[TRACK_POINTS]
    return points


@jit
def _update_factories(
    city: Words, book: Ints, kind: int, gear: int, low: int, high: int, halo_low: int, halo_high: int
) -> None:
    """Records a new neighbour of factories, or a new factory."""
    factories = book[FACTORY_COUNT]
    if kind < CHURCH:
        for factory in range(factories):
            at = FACTORY_HALOS + 2 * factory
            if low & city[at] | high & city[at + 1]:
                book[FACTORY_COLOURS + factory] |= 1 << kind
    if gear:
        city[FACTORY_HALOS + 2 * factories], city[FACTORY_HALOS + 2 * factories + 1] = halo_low, halo_high
        book[FACTORY_COLOURS + factories] = adjacent_colours(city, halo_low, halo_high)
        book[FACTORY_COUNT] = factories + 1


@jit
def _update_port_links(
    land: Words, city: Words, book: Ints, gear: int, low: int, high: int, halo_low: int, halo_high: int
) -> None:
    """Updates which buildings are linked with the port. A building may join linked and unlinked ones."""
    on_track = 1 if low & land[TRACK] | high & land[TRACK + 1] else 0
    if not (low & city[PORT_HALO] | high & city[PORT_HALO + 1]):
        city[UNLINKED_HALO], city[UNLINKED_HALO + 1] = (
            city[UNLINKED_HALO] | halo_low,
            city[UNLINKED_HALO + 1] | halo_high,
        )
        book[UNLINKED_ON_TRACK] |= on_track
        book[UNLINKED_FACTORIES] += gear
        return
    city[PORT_HALO], city[PORT_HALO + 1] = city[PORT_HALO] | halo_low, city[PORT_HALO + 1] | halo_high
    book[PORT_ON_TRACK] |= on_track
    book[PORT_FACTORIES] += gear
    if low & city[UNLINKED_HALO] | high & city[UNLINKED_HALO + 1]:
        for word in range(2):
            city[PORT_HALO + word] |= city[UNLINKED_HALO + word]
            city[UNLINKED_HALO + word] = NO_BITS
        book[PORT_ON_TRACK] |= book[UNLINKED_ON_TRACK]
        book[PORT_FACTORIES] += book[UNLINKED_FACTORIES]
        book[UNLINKED_ON_TRACK], book[UNLINKED_FACTORIES] = 0, 0


@jit
def adjacent_colours(city: Words, halo_low: int, halo_high: int) -> int:
    """Returns the colours that touch a halo, as bits."""
    touched = 0
    for kind in range(CHURCH):
        if city[COLOUR_CELLS + 2 * kind] & halo_low | city[COLOUR_CELLS + 2 * kind + 1] & halo_high:
            touched |= 1 << kind
    return touched


@jit
def _merge_groups(city: Words, book: Ints, kind: int, low: int, high: int, halo_low: int, halo_high: int) -> None:
    """Adds a coloured building: merges the groups that it touches and updates the colours at churches."""
    city[COLOUR_CELLS + 2 * kind] |= low
    city[COLOUR_CELLS + 2 * kind + 1] |= high
    for church in range(book[CHURCH_COUNT]):
        if low & city[CHURCH_HALOS + 2 * church] | high & city[CHURCH_HALOS + 2 * church + 1]:
            book[CHURCH_COLOURS + church] |= 1 << kind
    size, kept, first = 1, 0, kind * MAX_GROUPS
    for group in range(first, first + book[GROUP_COUNTS + kind]):
        group_low, group_high = city[GROUP_HALOS + 2 * group], city[GROUP_HALOS + 2 * group + 1]
        if low & group_low | high & group_high:
            size += book[GROUP_SIZES + group]
            halo_low |= group_low
            halo_high |= group_high
        else:
            book[GROUP_SIZES + first + kept] = book[GROUP_SIZES + group]
            city[GROUP_HALOS + 2 * (first + kept)] = group_low
            city[GROUP_HALOS + 2 * (first + kept) + 1] = group_high
            kept += 1
    book[GROUP_SIZES + first + kept] = size
    city[GROUP_HALOS + 2 * (first + kept)] = halo_low
    city[GROUP_HALOS + 2 * (first + kept) + 1] = halo_high
    book[GROUP_COUNTS + kind] = kept + 1


@jit
def _add_church(city: Words, book: Ints, halo_low: int, halo_high: int) -> None:
    """Adds a church with the colours that touch it."""
    church = book[CHURCH_COUNT]
    city[CHURCH_HALOS + 2 * church] = halo_low
    city[CHURCH_HALOS + 2 * church + 1] = halo_high
    book[CHURCH_COLOURS + church] = adjacent_colours(city, halo_low, halo_high)
    book[CHURCH_COUNT] = church + 1


@jit
def decide(land: Words, law: Ints, city: Words, book: Ints, task: int, choice: int) -> None:
    """Builds or passes, and awards open races whose goal is covered."""
    if choice == PASS:
        book[PASSED_CIRCLES] += law[TASKS + 8 * task + PASS_PRICE]
    else:
        at, asked = PLACEMENTS + 4 * choice, TASKS + 8 * task
        add_building(
            land, law, city, book, law[asked + KIND], law[asked + IS_FACTORY],
            land[at], land[at + 1], land[at + 2], land[at + 3],
        )  # fmt: skip
        if book[RACE_OPEN] and not (city[FREE] & land[RACE_GOAL] | city[FREE + 1] & land[RACE_GOAL + 1]):
            book[RACE_OPEN] = 0
            book[RACE_WON] = 1
        if book[FOREST_RACE_OPEN] and felled_cells(land, city[FREE], city[FREE + 1]) >= law[FOREST_GOAL_CELLS]:
            book[FOREST_RACE_OPEN] = 0
            book[FOREST_RACE_WON] = 1


@jit
def felled_cells(land: Words, free_low: int, free_high: int) -> int:
    """Returns the number of forest cells that are built over."""
    return popcount_pair(land[WOODS] & ~free_low, land[WOODS + 1] & ~free_high)
