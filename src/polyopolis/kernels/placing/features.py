"""What is known of a city: its features, and the score that comes of them."""

# ruff: noqa: PLR0913, PLR0917 - a kernel is written for the machine: flat, with its arrays as arguments

from polyopolis.kernels.placing.bitmasks import pair, raised, shifted
from polyopolis.kernels.placing.build_moves import felled, gain, touching
from polyopolis.kernels.placing.layout import (
    ACROSS,
    AT,
    AT_WELL,
    BEGIN,
    BEGUN,
    CHURCH,
    CHURCH_HALO,
    CHURCHES,
    COST,
    CUSTOMERS,
    DOWN,
    EAST,
    EMPTY,
    FACTORIES,
    FACTORY_HALO,
    FEATURE_COUNT,
    FELLING,
    FOREST,
    FREE,
    GAINED,
    GARDEN,
    GOAL,
    GOAL_PURSES,
    GROUP_HALO,
    GROUP_SIZE,
    GROUPS,
    INDUSTRY,
    INVESTOR,
    LAST_HALO,
    LATER,
    LIMIT,
    LINE_COUNT,
    LONE,
    MOST_GROUPS,
    NEVER_PURSES,
    NO_KIND,
    NONE,
    NOT_FIRST,
    NOT_LAST,
    ONE,
    OPEN,
    OPEN_FOREST,
    ORDER,
    OUTLAWS,
    PARKS,
    PASSED,
    PASSING,
    POINTS,
    PORT,
    PORT_GEARS,
    PORT_HALO,
    PORT_ON_TRACK,
    PURSE,
    RACE,
    REACH,
    RED,
    ROCKS,
    ROCKS_EACH,
    SERVED,
    SHORE,
    SOUTH,
    SQUARE,
    TOUCHED,
    TOWN_GEARS,
    TOWN_HALO,
    TOWN_ON_TRACK,
    TRACK,
    TREES,
    TREES_EACH,
    UNDER,
    WELL_COUNT,
    WELLS,
    WIDTH,
    WILD,
    WON,
    WON_FOREST,
)
from polyopolis.kernels.runtime.jit import Ints, U, Words, jit


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
    out[AT.wells], out[AT.sides] = wells, sides
    tally_outlaws(land, law, city, free_low, free_high, out)
    goal_low, goal_high = land[GOAL], land[GOAL + 1]
    missing = pair(goal_low & free_low, goal_high & free_high)
    goal = pair(goal_low, goal_high)
    done = 1 if goal > 0 and missing == 0 else 0
    out[AT.never_passed] = 1 if passed == 0 else 0
    out[AT.race] = 1 if book[WON] or (book[OPEN] and done) else 0
    out[AT.passes] = law[PASSING + passed]
    out[AT.purses] = done * law[GOAL_PURSES] + out[AT.never_passed] * law[NEVER_PURSES]
    out[AT.covered] = goal - missing if book[OPEN] or law[GOAL_PURSES] > 0 else 0
    out[AT.going] = 1
    out[AT.dykes] = pair(free_low & land[SHORE], free_high & land[SHORE + 1])
    for feature in range(LATER, FEATURE_COUNT):
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
    out[AT.trees], out[AT.rocks], out[AT.empty] = (
        trees * law[TREES_EACH] + lone,
        rocks * law[ROCKS_EACH],
        pair(low & land[EMPTY], high & land[EMPTY + 1]),
    )
    wood = pair(land[TREES], land[TREES + 1]) + pair(land[LONE], land[LONE + 1])
    out[AT.all_trees] = 1 if trees + lone == wood else 0
    out[AT.no_rocks] = 1 if rocks == 0 else 0
    out[AT.no_empty] = 1 if out[AT.empty] == 0 else 0
    width = U(law[WIDTH])
    right_low, right_high = shifted(low, high, ONE)
    below_low, below_high = shifted(low, high, width)
    left_low, left_high = raised(low & land[EAST], high & land[EAST + 1], ONE)
    above_low, above_high = raised(low & land[SOUTH], high & land[SOUTH + 1], width)
    block_low, block_high = low & right_low, high & right_high
    under_low, under_high = shifted(block_low, block_high, width)
    out[AT.blocks] = pair(block_low & under_low & land[SQUARE], block_high & under_high & land[SQUARE + 1])
    far_low, far_high = shifted(right_low, right_high, ONE)
    deep_low, deep_high = shifted(below_low, below_high, width)
    out[AT.bars] = pair(block_low & far_low & land[ACROSS], block_high & far_high & land[ACROSS + 1]) + pair(
        low & below_low & deep_low & land[DOWN], high & below_high & deep_high & land[DOWN + 1]
    )
    right_low, right_high = right_low & land[EAST] & low, right_high & land[EAST + 1] & high
    below_low, below_high = below_low & land[SOUTH] & low, below_high & land[SOUTH + 1] & high
    out[AT.pairs] = pair(right_low, right_high) + pair(below_low, below_high)
    flat_low, flat_high = right_low | left_low, right_high | left_high
    tall_low, tall_high = below_low | above_low, below_high | above_high
    two_low = right_low & left_low | below_low & above_low | flat_low & tall_low
    two_high = right_high & left_high | below_high & above_high | flat_high & tall_high
    cost_low, cost_high = low & land[COST], high & land[COST + 1]
    out[AT.singles] = pair(cost_low & ~(flat_low | tall_low), cost_high & ~(flat_high | tall_high))
    end_low, end_high = low & (flat_low | tall_low) & ~two_low, high & (flat_high | tall_high) & ~two_high
    out[AT.ends] = pair(end_low & cost_low, end_high & cost_high)
    beside_low, beside_high = shifted(end_low, end_high, ONE)
    beneath_low, beneath_high = shifted(end_low, end_high, width)
    out[AT.twins] = pair(end_low & beside_low & land[EAST], end_high & beside_high & land[EAST + 1]) + pair(
        end_low & beneath_low & land[SOUTH], end_high & beneath_high & land[SOUTH + 1]
    )
    out[AT.frontier] = pair(reach_low & low, reach_high & high)


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
    out[AT.groups], out[AT.complete], out[AT.parts], out[AT.openings] = largest, complete, parts, openings


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
    out[AT.churches], out[AT.steeples] = churches, steeples


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
    out[AT.factories], out[AT.works] = factories, works


@jit
def _tally_gains(
    land: Words, law: Ints, city: Words, book: Ints, low: int, high: int, halo_low: int, halo_high: int, kind: int,
    free_low: int, free_high: int, out: Ints,
) -> None:  # fmt: skip
    """Points at once, the free cells around the last building, and the race for the forest."""
    out[AT.gained] = book[GAINED] + gain(land, law, city, low, high)
    if law[INVESTOR] > 0:
        if kind == NO_KIND:
            halo_low, halo_high = city[LAST_HALO], city[LAST_HALO + 1]
        out[AT.beside] = pair(halo_low & free_low, halo_high & free_high)
    woods = felled(land, free_low, free_high)
    out[AT.forest] = 1 if book[WON_FOREST] or (book[OPEN_FOREST] and woods >= law[FELLING]) else 0
    out[AT.felled] = woods if book[OPEN_FOREST] else 0


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
    out[AT.port], out[AT.chain], out[AT.links] = on_track, on_track * gears, links


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
    out[AT.trees] += parks
    out[AT.rocks] -= law[ROCKS_EACH] * pair(park_low & land[ROCKS], park_high & land[ROCKS + 1])
    out[AT.empty] -= pair(park_low & land[EMPTY], park_high & land[EMPTY + 1])
    out[AT.parks] = parks
    out[AT.hedges] = (
        pair(
            across_low & (north_low | south_low) | down_low & (east_low | west_low),
            across_high & (north_high | south_high) | down_high & (east_high | west_high),
        )
        - parks
    )


@jit
def tally_outlaws(land: Words, law: Ints, city: Words, free_low: int, free_high: int, out: Ints) -> None:
    """Bandits that are free, and the sides on which a building is missing."""
    out[AT.bandits], out[AT.threats] = 0, 0
    low, high = city[OUTLAWS], city[OUTLAWS + 1]
    if not (low | high):
        return
    width = U(law[WIDTH])
    gap_low, gap_high = free_low | land[WILD], free_high | land[WILD + 1]
    east_low, east_high = raised(gap_low & land[NOT_LAST], gap_high & land[NOT_LAST + 1], ONE)
    west_low, west_high = shifted(gap_low & land[NOT_FIRST], gap_high & land[NOT_FIRST + 1], ONE)
    down_low, down_high = raised(gap_low, gap_high, width)
    up_low, up_high = shifted(gap_low, gap_high, width)
    out[AT.bandits] = pair(
        (east_low | west_low | down_low | up_low) & low, (east_high | west_high | down_high | up_high) & high
    )
    out[AT.threats] = (
        pair(east_low & low, east_high & high)
        + pair(west_low & low, west_high & high)
        + pair(down_low & low, down_high & high)
        + pair(up_low & low, up_high & high)
    )


@jit
def counted(law: Ints, out: Ints) -> int:
    """The score of a city whose features these are: line by line, until a limit is reached."""
    score = law[BEGIN] + out[AT.passes] + out[AT.race] * law[RACE] + out[AT.gained] + out[AT.forest] * law[FOREST]
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
    return points + out[AT.purses] * law[PURSE] / 100.0
