"""The score sheet: points at once, then the counting at the end, line by line."""

from collections.abc import Callable, Iterator, Sequence
from functools import reduce
from operator import or_

from polyopolis.engine import Line, Result, Sheet, ranks
from polyopolis.games.mycity.content import COLOURS
from polyopolis.games.mycity.state import Building, City, State
from polyopolis.geometry import Mask


def scores(state: State) -> Result:
    """Higher scores rank first (MC-19)."""
    sheets = tuple(sheet(state, city) for city in state.cities)
    totals = tuple(total(sheet) for sheet in sheets)
    order = [(-points, empty_by_row(city)) for points, city in zip(totals, state.cities, strict=True)]
    return Result(totals, ranks(order), sheets)


def total(sheet: Sheet) -> int:
    return sum(line.points for line in sheet)


def empty_by_row(city: City) -> tuple[int, ...]:
    """Ties: fewer empty cells in the top row, then in the second, and so on (MC-19)."""
    return tuple((city.free & city.site.empty & row).bit_count() for row in city.site.grid.rows)


def sheet(state: State, city: City) -> Sheet:
    """What the marker did during play, then the lines of the episode in their order.

    Who reaches the limit while counting stays there, later minus points included (MC-17). Below 0 is
    remembered, and the end may be negative (MC-18).
    """
    rules = state.episode.rules
    lines = [Line("start", 1, rules.marker), Line("passes", city.passes, city.passes * rules.passing)]
    lines += [Line(race.race, 1, race.points) for race in city.won]
    for counting in rules.counting:
        lines += COUNTING[counting.line](city, counting.points)
    return tuple(lines) if rules.limit is None else _limited(lines, rules.limit)


def _limited(lines: Sequence[Line], limit: int) -> Sheet:
    """The lines until the limit is reached, and what goes beyond it taken off."""
    points = 0
    for number, line in enumerate(lines, start=1):
        points += line.points
        if points >= limit:
            return (*lines[:number], Line("limit", 1, limit - points))
    return tuple(lines)


def reached_limit(sheet: Sheet) -> bool:
    return any(line.line == "limit" for line in sheet)


def trees(city: City, points: int) -> Iterator[Line]:
    """Visible trees (MC-14); the count is of cells."""
    yield _visible("trees", city, city.site.trees, points)


def rocks(city: City, points: int) -> Iterator[Line]:
    """Visible rocks (MC-15); the count is of cells."""
    yield _visible("rocks", city, city.site.rocks, points)


def _visible(line: str, city: City, things: Sequence[tuple[Mask, int]], points: int) -> Line:
    seen = [((city.free & where).bit_count(), each) for where, each in things]
    return Line(line, sum(cells for cells, _ in seen), points * sum(cells * each for cells, each in seen))


def empty(city: City, points: int) -> Iterator[Line]:
    """Meadow with nothing on it (MC-16)."""
    cells = (city.free & city.site.empty).bit_count()
    yield Line("empty", cells, cells * points)


def groups(city: City, points: int) -> Iterator[Line]:
    """For each colour its largest group of touching buildings (MC-23)."""
    for colour in COLOURS:
        size = largest_group([building for building in city.buildings if building.card.kind == colour])
        yield Line(f"group-{colour}", size, size * points)


def largest_group(buildings: Sequence[Building]) -> int:
    groups: list[tuple[int, Mask]] = []  # of each group its size and the cells around it
    for building in buildings:
        mask, size, around = building.at.mask, 1, building.at.halo
        apart = []
        for group in groups:
            if group[1] & mask:
                size, around = size + group[0], around | group[1]
            else:
                apart.append(group)
        groups = [*apart, (size, around)]
    return max((size for size, _ in groups), default=0)


def churches(city: City, points: int) -> Iterator[Line]:
    """Churches that buildings of all three colours touch (MC-24)."""
    ground = {colour: _under(city, colour) for colour in COLOURS}
    count = sum(
        all(church.at.halo & ground[colour] for colour in COLOURS)
        for church in city.buildings
        if church.card.kind == "church"
    )
    yield Line("churches", count, count * points)


def _under(city: City, colour: str) -> Mask:
    """The cells under buildings of a colour."""
    return reduce(or_, [building.at.mask for building in city.buildings if building.card.kind == colour], 0)


def wells(city: City, points: int) -> Iterator[Line]:
    """Wells not built over, with a different building on each of the four sides (MC-27)."""
    count = sum(
        bool(well & city.free) and len([1 for building in city.buildings if building.at.mask & sides]) == 4
        for well, sides in city.site.wells
    )
    yield Line("wells", count, count * points)


COUNTING: dict[str, Callable[[City, int], Iterator[Line]]] = {
    "trees": trees,
    "rocks": rocks,
    "groups": groups,
    "churches": churches,
    "wells": wells,
    "empty": empty,
}
