"""Where a task fits, and a city with one more building."""

# ruff: noqa: PLR0913, PLR0917 - a kernel is written for the machine: flat, with its arrays as arguments

from polyopolis.kernels.placing.bitmasks import pair
from polyopolis.kernels.placing.layout import (
    ANYWHERE,
    AT_PORT,
    AT_WELL,
    BANDITS,
    BEGUN,
    BESIDE,
    BOOK,
    CELLS,
    CHURCH,
    CHURCH_HALO,
    CHURCHES,
    CIRCLES,
    CITY,
    FACTORIES,
    FACTORY_HALO,
    FELLING,
    FIRST,
    FIT,
    FOREST,
    FORM,
    FREE,
    GAINED,
    GEAR,
    GOAL,
    GROUND,
    GROUP_HALO,
    GROUP_SIZE,
    GROUPS,
    HIGHS,
    INDUSTRY,
    INVESTOR,
    KIND,
    LAST,
    LAST_HALO,
    LOWS,
    MOST_GROUPS,
    MOST_SQUARES,
    MOST_WAYS,
    NONE,
    ONE,
    OPEN,
    OPEN_FOREST,
    OUTLAWS,
    PASS,
    PASSED,
    PLACES,
    PORT,
    PORT_GEARS,
    PORT_HALO,
    PORT_ON_TRACK,
    PRICE,
    RACE,
    RACE_CIRCLES,
    REACH,
    SERVED,
    SHAPE,
    SHAPES,
    SHIFTS,
    START,
    STATION,
    TASKS,
    TOUCHED,
    TOWN_GEARS,
    TOWN_HALO,
    TOWN_ON_TRACK,
    TRACK,
    UNDER,
    WAYS,
    WELL_COUNT,
    WELLS,
    WON,
    WON_FOREST,
    WOODS,
)
from polyopolis.kernels.runtime.jit import FULL, Ints, U, Words, jit, lowest


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
def lay_out(land: Words, law: Ints, city: Words, book: Ints) -> None:
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
def felled(land: Words, free_low: int, free_high: int) -> int:
    """The cells of forest that are built over."""
    return pair(land[WOODS] & ~free_low, land[WOODS + 1] & ~free_high)
