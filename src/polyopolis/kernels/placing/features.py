"""Counts the features and the score of a city."""

# ruff: noqa: PLR0913, PLR0917 - a kernel is written for the machine: flat, with its arrays as arguments

from polyopolis.kernels.placing.bitmasks import popcount_pair, shift_down, shift_up
from polyopolis.kernels.placing.build_moves import adjacent_colours, felled_cells, immediate_points
from polyopolis.kernels.placing.layout import (
    AT,
    BLOCK_ANCHORS,
    CHURCH,
    CHURCH_COLOURS,
    CHURCH_COUNT,
    CHURCH_HALOS,
    CITY_BANDITS,
    COLOUR_CELLS,
    COLUMN_BAR_ANCHORS,
    EAST_NEIGHBOUR,
    EMPTY,
    FACTORY_COLOURS,
    FACTORY_COUNT,
    FACTORY_HALOS,
    FEATURE_COUNT,
    FIRST_LATER_FEATURE,
    FOREST_GOAL_CELLS,
    FOREST_POINTS,
    FOREST_RACE_OPEN,
    FOREST_RACE_WON,
    FREE,
    GOAL_PURSES,
    GROUP_COUNTS,
    GROUP_HALOS,
    GROUP_SIZES,
    HAS_BUILT,
    HAS_LATER_RULES,
    HAS_PARKS,
    HAS_PORT,
    INVESTOR_POINTS,
    LAST_HALO,
    LINE_POINTS,
    LONE_TREES,
    MAX_GROUPS,
    NEEDED_COLOURS,
    NEVER_PASSED_PURSES,
    NO_BITS,
    NO_KIND,
    NOT_FIRST_COLUMN,
    NOT_LAST_COLUMN,
    ONE,
    PARK_CELLS,
    PARK_COLOUR,
    PASS_POINTS,
    PASSED_CIRCLES,
    PENALTY_CELLS,
    POINTS_GAINED,
    PORT_FACTORIES,
    PORT_HALO,
    PORT_ON_TRACK,
    PURSE_HUNDREDTHS,
    RACE_GOAL,
    RACE_OPEN,
    RACE_POINTS,
    RACE_WON,
    REACH,
    ROCKS,
    ROCKS_PER_SIGN,
    ROW_BAR_ANCHORS,
    SCORE_LIMIT,
    SCORE_LINE_COUNT,
    SCORE_ORDER,
    SHORE,
    SOUTH_NEIGHBOUR,
    START_SCORE,
    TRACK,
    TREES,
    TREES_PER_SIGN,
    UNLINKED_FACTORIES,
    UNLINKED_HALO,
    UNLINKED_ON_TRACK,
    WELL_COUNT,
    WELL_SIDES_BUILT,
    WELLS,
    WIDTH,
    WILD,
)
from polyopolis.kernels.runtime.jit import Ints, U, Words, jit


@jit
def count_features(
    land: Words, law: Ints, city: Words, book: Ints,
    low: int, high: int, halo_low: int, halo_high: int, kind: int, gear: int, passed: int, out: Ints,
) -> None:  # fmt: skip
    """Writes the features of the city with one more building, or with none (NO_KIND)."""
    free_low, free_high = city[FREE] & ~low, city[FREE + 1] & ~high
    reach_low, reach_high = halo_low, halo_high
    if book[HAS_BUILT] or kind == NO_KIND:
        reach_low, reach_high = reach_low | city[REACH], reach_high | city[REACH + 1]
    _count_cells(land, law, free_low, free_high, reach_low, reach_high, out)
    _count_groups(city, book, low, high, halo_low, halo_high, kind, free_low, free_high, out)
    _count_churches(city, book, low, high, halo_low, halo_high, kind, free_low, free_high, out)
    wells, sides = 0, 0
    for well in range(law[WELL_COUNT]):
        at, count = WELLS + 4 * well, book[WELL_SIDES_BUILT + well]
        if low & land[at + 2] | high & land[at + 3]:
            count += 1
        if free_low & land[at] | free_high & land[at + 1]:
            wells += count == 4
            if count + popcount_pair(free_low & land[at + 2], free_high & land[at + 3]) == 4:
                sides += count
    out[AT.wells], out[AT.sides] = wells, sides
    count_bandits(land, law, city, free_low, free_high, out)
    goal_low, goal_high = land[RACE_GOAL], land[RACE_GOAL + 1]
    missing = popcount_pair(goal_low & free_low, goal_high & free_high)
    goal = popcount_pair(goal_low, goal_high)
    done = 1 if goal > 0 and missing == 0 else 0
    out[AT.never_passed] = 1 if passed == 0 else 0
    out[AT.race] = 1 if book[RACE_WON] or (book[RACE_OPEN] and done) else 0
    out[AT.passes] = law[PASS_POINTS + passed]
    out[AT.purses] = done * law[GOAL_PURSES] + out[AT.never_passed] * law[NEVER_PASSED_PURSES]
    out[AT.covered] = goal - missing if book[RACE_OPEN] or law[GOAL_PURSES] > 0 else 0
    out[AT.going] = 1
    out[AT.dykes] = popcount_pair(free_low & land[SHORE], free_high & land[SHORE + 1])
    for feature in range(FIRST_LATER_FEATURE, FEATURE_COUNT):
        out[feature] = 0
    if law[HAS_LATER_RULES]:
        _count_factories(law, city, book, low, high, halo_low, halo_high, kind, gear, free_low, free_high, out)
        _count_gains(land, law, city, book, low, high, halo_low, halo_high, kind, free_low, free_high, out)
        if law[HAS_PORT]:
            _count_port(land, city, book, low, high, gear, out)
        if law[HAS_PARKS]:
            _count_parks(land, law, city, low, high, kind, free_low, free_high, out)


@jit
def _count_cells(land: Words, law: Ints, low: int, high: int, reach_low: int, reach_high: int, out: Ints) -> None:
    """Counts visible terrain and the structure of free cells: singles, pairs, dead ends, blocks and bars."""
    trees = popcount_pair(low & land[TREES], high & land[TREES + 1])
    lone = popcount_pair(low & land[LONE_TREES], high & land[LONE_TREES + 1])
    rocks = popcount_pair(low & land[ROCKS], high & land[ROCKS + 1])
    out[AT.trees], out[AT.rocks], out[AT.empty] = (
        trees * law[TREES_PER_SIGN] + lone,
        rocks * law[ROCKS_PER_SIGN],
        popcount_pair(low & land[EMPTY], high & land[EMPTY + 1]),
    )
    wood = popcount_pair(land[TREES], land[TREES + 1]) + popcount_pair(land[LONE_TREES], land[LONE_TREES + 1])
    out[AT.all_trees] = 1 if trees + lone == wood else 0
    out[AT.no_rocks] = 1 if rocks == 0 else 0
    out[AT.no_empty] = 1 if out[AT.empty] == 0 else 0
    width = U(law[WIDTH])
    right_low, right_high = shift_down(low, high, ONE)
    below_low, below_high = shift_down(low, high, width)
    left_low, left_high = shift_up(low & land[EAST_NEIGHBOUR], high & land[EAST_NEIGHBOUR + 1], ONE)
    above_low, above_high = shift_up(low & land[SOUTH_NEIGHBOUR], high & land[SOUTH_NEIGHBOUR + 1], width)
    block_low, block_high = low & right_low, high & right_high
    under_low, under_high = shift_down(block_low, block_high, width)
    out[AT.blocks] = popcount_pair(
        block_low & under_low & land[BLOCK_ANCHORS], block_high & under_high & land[BLOCK_ANCHORS + 1]
    )
    far_low, far_high = shift_down(right_low, right_high, ONE)
    deep_low, deep_high = shift_down(below_low, below_high, width)
    out[AT.bars] = popcount_pair(
        block_low & far_low & land[ROW_BAR_ANCHORS], block_high & far_high & land[ROW_BAR_ANCHORS + 1]
    ) + popcount_pair(
        low & below_low & deep_low & land[COLUMN_BAR_ANCHORS],
        high & below_high & deep_high & land[COLUMN_BAR_ANCHORS + 1],
    )
    right_low, right_high = right_low & land[EAST_NEIGHBOUR] & low, right_high & land[EAST_NEIGHBOUR + 1] & high
    below_low, below_high = below_low & land[SOUTH_NEIGHBOUR] & low, below_high & land[SOUTH_NEIGHBOUR + 1] & high
    out[AT.pairs] = popcount_pair(right_low, right_high) + popcount_pair(below_low, below_high)
    flat_low, flat_high = right_low | left_low, right_high | left_high
    tall_low, tall_high = below_low | above_low, below_high | above_high
    two_low = right_low & left_low | below_low & above_low | flat_low & tall_low
    two_high = right_high & left_high | below_high & above_high | flat_high & tall_high
    cost_low, cost_high = low & land[PENALTY_CELLS], high & land[PENALTY_CELLS + 1]
    out[AT.singles] = popcount_pair(cost_low & ~(flat_low | tall_low), cost_high & ~(flat_high | tall_high))
    end_low, end_high = low & (flat_low | tall_low) & ~two_low, high & (flat_high | tall_high) & ~two_high
    out[AT.ends] = popcount_pair(end_low & cost_low, end_high & cost_high)
    beside_low, beside_high = shift_down(end_low, end_high, ONE)
    beneath_low, beneath_high = shift_down(end_low, end_high, width)
    out[AT.twins] = popcount_pair(
        end_low & beside_low & land[EAST_NEIGHBOUR], end_high & beside_high & land[EAST_NEIGHBOUR + 1]
    ) + popcount_pair(
        end_low & beneath_low & land[SOUTH_NEIGHBOUR], end_high & beneath_high & land[SOUTH_NEIGHBOUR + 1]
    )
    out[AT.frontier] = popcount_pair(reach_low & low, reach_high & high)


@jit
def _count_groups(
    city: Words, book: Ints, low: int, high: int, halo_low: int, halo_high: int, kind: int,
    free_low: int, free_high: int, out: Ints,
) -> None:  # fmt: skip
    """Counts the largest groups, complete colours, extra groups, and cells where the largest groups can grow."""
    largest, complete, parts, openings = 0, 0, 0, 0
    for colour in range(CHURCH):
        first, count = colour * MAX_GROUPS, book[GROUP_COUNTS + colour]
        best, best_low, best_high = 0, NO_BITS, NO_BITS
        size, own_low, own_high, groups = 1, halo_low, halo_high, count
        for group in range(first, first + count):
            group_low, group_high = city[GROUP_HALOS + 2 * group], city[GROUP_HALOS + 2 * group + 1]
            if colour == kind and low & group_low | high & group_high:
                size += book[GROUP_SIZES + group]
                own_low |= group_low
                own_high |= group_high
                groups -= 1
            elif book[GROUP_SIZES + group] > best:
                best, best_low, best_high = book[GROUP_SIZES + group], group_low, group_high
        if colour == kind:
            groups += 1
            if size > best:
                best, best_low, best_high = size, own_low, own_high
        largest += best
        complete += groups == 1
        parts += max(groups - 1, 0)
        openings += min(popcount_pair(best_low & free_low, best_high & free_high), 6)
    out[AT.groups], out[AT.complete], out[AT.parts], out[AT.openings] = largest, complete, parts, openings


@jit
def colour_count(bits: int) -> int:
    """Returns the number of colours in three bits."""
    return (bits & 1) + (bits >> 1 & 1) + (bits >> 2)


@jit
def _count_churches(
    city: Words, book: Ints, low: int, high: int, halo_low: int, halo_high: int, kind: int,
    free_low: int, free_high: int, out: Ints,
) -> None:  # fmt: skip
    """Counts churches with all colours, and colours at churches that can still be completed."""
    churches, steeples = 0, 0
    for church in range(book[CHURCH_COUNT]):
        church_low, church_high = city[CHURCH_HALOS + 2 * church], city[CHURCH_HALOS + 2 * church + 1]
        touched = book[CHURCH_COLOURS + church]
        if 0 <= kind < CHURCH and low & church_low | high & church_high:
            touched |= 1 << kind
        if touched == 7:
            churches += 1
        elif church_low & free_low | church_high & free_high:
            steeples += colour_count(touched)
    if kind == CHURCH:
        touched = adjacent_colours(city, halo_low, halo_high)
        if touched == 7:
            churches += 1
        elif halo_low & free_low | halo_high & free_high:
            steeples += colour_count(touched)
    out[AT.churches], out[AT.steeples] = churches, steeples


@jit
def _count_factories(
    law: Ints, city: Words, book: Ints, low: int, high: int, halo_low: int, halo_high: int, kind: int, gear: int,
    free_low: int, free_high: int, out: Ints,
) -> None:  # fmt: skip
    """Counts factories with all needed colours, and needed colours at factories that can still be completed."""
    factories, works, needed = 0, 0, law[NEEDED_COLOURS]
    for factory in range(book[FACTORY_COUNT] + gear):
        if factory < book[FACTORY_COUNT]:
            at, served = FACTORY_HALOS + 2 * factory, book[FACTORY_COLOURS + factory]
            around_low, around_high = city[at], city[at + 1]
            if 0 <= kind < CHURCH and low & around_low | high & around_high:
                served |= 1 << kind
        else:
            around_low, around_high = halo_low, halo_high
            served = adjacent_colours(city, halo_low, halo_high)
        served &= needed
        if served == needed:
            factories += 1
        elif around_low & free_low | around_high & free_high:
            works += colour_count(served)
    out[AT.factories], out[AT.works] = factories, works


@jit
def _count_gains(
    land: Words, law: Ints, city: Words, book: Ints, low: int, high: int, halo_low: int, halo_high: int, kind: int,
    free_low: int, free_high: int, out: Ints,
) -> None:  # fmt: skip
    """Counts immediate points, free cells around the last building, and the forest race."""
    out[AT.gained] = book[POINTS_GAINED] + immediate_points(land, law, city, low, high)
    if law[INVESTOR_POINTS] > 0:
        if kind == NO_KIND:
            halo_low, halo_high = city[LAST_HALO], city[LAST_HALO + 1]
        out[AT.beside] = popcount_pair(halo_low & free_low, halo_high & free_high)
    woods = felled_cells(land, free_low, free_high)
    out[AT.forest] = 1 if book[FOREST_RACE_WON] or (book[FOREST_RACE_OPEN] and woods >= law[FOREST_GOAL_CELLS]) else 0
    out[AT.felled] = woods if book[FOREST_RACE_OPEN] else 0


@jit
def _count_port(land: Words, city: Words, book: Ints, low: int, high: int, gear: int, out: Ints) -> None:
    """Counts the port link to the track, the factories on it, and whether all buildings are linked."""
    on_track, gears, links = book[PORT_ON_TRACK], book[PORT_FACTORIES], 0
    apart = city[UNLINKED_HALO] | city[UNLINKED_HALO + 1]
    if low & city[PORT_HALO] | high & city[PORT_HALO + 1]:
        gears += gear
        if low & land[TRACK] | high & land[TRACK + 1]:
            on_track = 1
        if low & city[UNLINKED_HALO] | high & city[UNLINKED_HALO + 1]:
            on_track |= book[UNLINKED_ON_TRACK]
            gears += book[UNLINKED_FACTORIES]
            links = 1
    if not apart and book[HAS_BUILT]:
        links = 1
    out[AT.port], out[AT.chain], out[AT.links] = on_track, on_track * gears, links


@jit
def _count_parks(
    land: Words, law: Ints, city: Words, low: int, high: int, kind: int, free_low: int, free_high: int, out: Ints
) -> None:
    """Counts parks, which are trees instead of rocks or empty cells, and hedges, which lack one red side."""
    red, garden_low, garden_high = (
        COLOUR_CELLS + 2 * law[PARK_COLOUR],
        free_low & land[PARK_CELLS],
        free_high & land[PARK_CELLS + 1],
    )
    red_low, red_high = city[red], city[red + 1]
    if kind == law[PARK_COLOUR]:
        red_low, red_high = red_low | low, red_high | high
    width = U(law[WIDTH])
    east_low, east_high = shift_down(red_low, red_high, ONE)
    west_low, west_high = shift_up(red_low, red_high, ONE)
    south_low, south_high = shift_down(red_low, red_high, width)
    north_low, north_high = shift_up(red_low, red_high, width)
    across_low, across_high = east_low & west_low & garden_low, east_high & west_high & garden_high
    down_low, down_high = north_low & south_low & garden_low, north_high & south_high & garden_high
    park_low, park_high = across_low & down_low, across_high & down_high
    parks = popcount_pair(park_low, park_high)
    out[AT.trees] += parks
    out[AT.rocks] -= law[ROCKS_PER_SIGN] * popcount_pair(park_low & land[ROCKS], park_high & land[ROCKS + 1])
    out[AT.empty] -= popcount_pair(park_low & land[EMPTY], park_high & land[EMPTY + 1])
    out[AT.parks] = parks
    out[AT.hedges] = (
        popcount_pair(
            across_low & (north_low | south_low) | down_low & (east_low | west_low),
            across_high & (north_high | south_high) | down_high & (east_high | west_high),
        )
        - parks
    )


@jit
def count_bandits(land: Words, law: Ints, city: Words, free_low: int, free_high: int, out: Ints) -> None:
    """Counts free bandits and their open sides."""
    out[AT.bandits], out[AT.threats] = 0, 0
    low, high = city[CITY_BANDITS], city[CITY_BANDITS + 1]
    if not (low | high):
        return
    width = U(law[WIDTH])
    gap_low, gap_high = free_low | land[WILD], free_high | land[WILD + 1]
    east_low, east_high = shift_up(gap_low & land[NOT_LAST_COLUMN], gap_high & land[NOT_LAST_COLUMN + 1], ONE)
    west_low, west_high = shift_down(gap_low & land[NOT_FIRST_COLUMN], gap_high & land[NOT_FIRST_COLUMN + 1], ONE)
    down_low, down_high = shift_up(gap_low, gap_high, width)
    up_low, up_high = shift_down(gap_low, gap_high, width)
    out[AT.bandits] = popcount_pair(
        (east_low | west_low | down_low | up_low) & low, (east_high | west_high | down_high | up_high) & high
    )
    out[AT.threats] = (
        popcount_pair(east_low & low, east_high & high)
        + popcount_pair(west_low & low, west_high & high)
        + popcount_pair(down_low & low, down_high & high)
        + popcount_pair(up_low & low, up_high & high)
    )


@jit
def score_from_features(law: Ints, out: Ints) -> int:
    """Returns the score for these features: line by line, until the limit is reached."""
    score = (
        law[START_SCORE]
        + out[AT.passes]
        + out[AT.race] * law[RACE_POINTS]
        + out[AT.gained]
        + out[AT.forest] * law[FOREST_POINTS]
    )
    for number in range(law[SCORE_LINE_COUNT]):
        line = law[SCORE_ORDER + number]
        score += out[line] * law[LINE_POINTS + line]
        if score >= law[SCORE_LIMIT]:
            return law[SCORE_LIMIT]
    return score


@jit
def score(land: Words, law: Ints, city: Words, book: Ints, out: Ints) -> int:
    count_features(land, law, city, book, NO_BITS, NO_BITS, NO_BITS, NO_BITS, NO_KIND, 0, book[PASSED_CIRCLES], out)
    return score_from_features(law, out)


@jit
def outcome(land: Words, law: Ints, city: Words, book: Ints, out: Ints) -> float:
    """Returns the score plus the value of purses."""
    points = score(land, law, city, book, out)
    return points + out[AT.purses] * law[PURSE_HUNDREDTHS] / 100.0
