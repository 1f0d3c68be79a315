"""The score sheet: points at once, then the counting at the end, line by line."""

from collections.abc import Callable, Iterable, Iterator, Sequence

from polyopolis.engine import Line, Result, Sheet, ranks
from polyopolis.games.building import Place, among_all, in_sight, largest_group, ringed, under
from polyopolis.games.mycity.content import COLOURS
from polyopolis.games.mycity.state import City, State
from polyopolis.geometry import Mask, Placement


def scores(state: State) -> Result:
    """Higher scores rank first (MC-19)."""
    sheets = tuple(sheet(state, city) for city in state.cities)
    totals = tuple(total(sheet) for sheet in sheets)
    order = [(-points, empty_by_row(city)) for points, city in zip(totals, state.cities, strict=True)]
    return Result(totals, ranks(order), sheets)


def total(sheet: Iterable[Line]) -> int:
    return sum(line.points for line in sheet)


def empty_by_row(city: City) -> tuple[int, ...]:
    """Ties: fewer empty cells in the top row, then in the second, and so on (MC-19)."""
    return tuple((city.free & city.site.empty & row).bit_count() for row in city.site.grid.rows)


def moved(marker: int, points: int, limit: int | None) -> int:
    """The marker after points at once. At the limit it stays, whatever comes (MC-17)."""
    if limit is None:
        return marker + points
    return limit if marker == limit else min(marker + points, limit)


def sheet(state: State, city: City) -> Sheet:
    """What the marker did during play, then the lines of the episode in their order.

    Who reaches the limit while counting stays there, later minus points included (MC-17). Below 0 is
    remembered, and the end may be negative (MC-18).
    """
    rules = state.episode.rules
    lines = [Line("start", 1, rules.marker), Line("passes", city.passes, city.passes * rules.passing)]
    lines += [Line(race.race, 1, race.points) for race in city.won]
    if rules.limit is not None and city.marker >= rules.limit:
        return (*lines, Line("limit", 1, rules.limit - total(lines)))
    lines += [line for line, _ in _counted(state, city)]
    return tuple(lines) if rules.limit is None else _limited(lines, rules.limit)


def cells_counted(state: State, city: City) -> dict[str, Mask]:
    """The cells that each line of the sheet speaks of."""
    races = {race.race: RACE_CELLS[race.race](city) for race in city.won}
    return races | {line.line: where for line, where in _counted(state, city)}


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


Counted = tuple[Line, Mask]
"""A line of the sheet, and the cells it speaks of."""


def _counted(state: State, city: City) -> Iterator[Counted]:
    for counting in state.episode.rules.counting:
        yield from COUNTING[counting.line](city, counting.points)


def trees(city: City, points: int) -> Iterator[Counted]:
    """Visible trees (MC-14); the count is of cells."""
    yield _visible("trees", city, city.site.trees, points)


def rocks(city: City, points: int) -> Iterator[Counted]:
    """Visible rocks (MC-15); the count is of cells."""
    yield _visible("rocks", city, city.site.rocks, points)


def _visible(line: str, city: City, things: Sequence[tuple[Mask, int]], points: int) -> Counted:
    number, cells = in_sight(things, city.free)
    return Line(line, cells.bit_count(), number * points), cells


def empty(city: City, points: int) -> Iterator[Counted]:
    """Meadow with nothing on it (MC-16)."""
    cells = city.free & city.site.empty
    yield Line("empty", cells.bit_count(), cells.bit_count() * points), cells


def groups(city: City, points: int) -> Iterator[Counted]:
    """For each colour its largest group of touching buildings (MC-23)."""
    for colour in COLOURS:
        size, cells = largest_group(_of(city, colour))
        yield Line(f"group-{colour}", size, size * points), cells


def churches(city: City, points: int) -> Iterator[Counted]:
    """Churches that buildings of all three colours touch (MC-24)."""
    blessed, cells = among_all(_of(city, "church"), [under(_of(city, colour)) for colour in COLOURS])
    yield Line("churches", blessed, blessed * points), cells


def _of(city: City, kind: str) -> list[Placement[Place]]:
    """The buildings of a kind."""
    return [building.at for building in city.buildings if building.card.kind == kind]


def wells(city: City, points: int) -> Iterator[Counted]:
    """Wells not built over, with a different building on each of the four sides (MC-27)."""
    number, cells = ringed(city.site.wells, city.free, [building.at for building in city.buildings])
    yield Line("wells", number, number * points), cells


COUNTING: dict[str, Callable[[City, int], Iterator[Counted]]] = {
    "trees": trees,
    "rocks": rocks,
    "groups": groups,
    "churches": churches,
    "wells": wells,
    "empty": empty,
}
RACE_CELLS: dict[str, Callable[[City], Mask]] = {"gold": lambda city: city.site.veins}
