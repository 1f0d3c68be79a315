"""The score sheet: points at once, then the counting at the end, line by line."""

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence

from msgspec.structs import replace

from polyopolis.engine import IdentityCache, Line, Result, Sheet, ranks
from polyopolis.games.mycity.content import COLOURS, Colour, Race
from polyopolis.games.mycity.state import Building, City, State
from polyopolis.games.placement import Place, among_all, in_sight, largest_group, ringed, under
from polyopolis.geometry import Mask, Placement


@IdentityCache
def scores(state: State) -> Result:
    """Higher scores rank first (MC-19)."""
    sheets = tuple(sheet(state, city) for city in state.cities)
    totals = tuple(total(sheet) for sheet in sheets)
    order = [(-points, empty_by_row(grown(state, city))) for points, city in zip(totals, state.cities, strict=True)]
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
    lines = [Line("start", 1, rules.marker)]
    if rules.passing is not None:
        lines.append(Line("passes", city.passes, city.passes * rules.passing))
    for once in rules.at_once:
        times = city.gained.count(once.line)
        lines.append(Line(once.line, times, times * once.points))
    lines += [Line(race.race, 1, race.points) for race in city.won]
    if rules.limit is not None and city.marker >= rules.limit:
        return (*lines, Line("limit", 1, rules.limit - total(lines)))
    lines += [line for line, _ in _counted(state, city)]
    return tuple(lines) if rules.limit is None else _limited(lines, rules.limit)


def cells_counted(state: State, city: City) -> dict[str, Mask]:
    """The cells that each line of the sheet speaks of."""
    races = {race.race: RACE_CELLS[race.race](city) for race in city.won}
    at_once = {once.line: ONCE_CELLS[once.line](city) for once in state.episode.rules.at_once}
    return races | at_once | {line.line: where for line, where in _counted(state, city)}


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


@IdentityCache
def _counted(state: State, city: City) -> tuple[Counted, ...]:
    city = grown(state, city)
    lines = state.episode.rules.counting
    return tuple(counted for line in lines for counted in COUNTING[line.line](city, line.points))


def grown(state: State, city: City) -> City:
    """The city with its parks, which are trees before anything is counted (MC-E22)."""
    if all(counting.line != "parks" for counting in state.episode.rules.counting):
        return city
    cells = park_cells(city)
    return replace(city, site=city.site.planted(cells)) if cells else city


def park_cells(city: City) -> Mask:
    """Empty or rock cells with a red building on each of their four sides (MC-E22). The border does not close."""
    site, red = city.site, under(by_kind(city)["red"])
    width = site.grid.width
    closed = red << 1 & red >> 1 & red << width & red >> width
    return closed & site.inland & city.free & (site.empty | site.stony)


def parks(city: City, points: int) -> Iterator[Counted]:
    """The new parks; each is counted once more among the trees (MC-E22)."""
    number = city.site.parks.bit_count()
    yield Line("parks", number, number * points), city.site.parks


def trees(city: City, points: int) -> Iterator[Counted]:
    """Visible trees (MC-14); the count is of cells."""
    yield _visible("trees", city, city.site.trees, points)


def rocks(city: City, points: int) -> Iterator[Counted]:
    """Visible rocks (MC-15); the count is of cells."""
    yield _visible("rocks", city, city.site.rocks, points)


def _visible(line: str, city: City, things: Sequence[tuple[Mask, int]], points: int) -> Counted:
    number, cells = in_sight(things, city.free)
    return Line(line, cells.bit_count(), number * points), cells


def dykes(city: City, points: int) -> Iterator[Counted]:
    """Cells along the river without a building, on top of anything else (MC-E8)."""
    yield _each("dykes", city.free & city.site.shore, points)


def empty(city: City, points: int) -> Iterator[Counted]:
    """Meadow with nothing on it (MC-16)."""
    yield _each("empty", city.free & city.site.empty, points)


def _each(line: str, cells: Mask, points: int) -> Counted:
    return Line(line, cells.bit_count(), cells.bit_count() * points), cells


def groups(city: City, points: int) -> Iterator[Counted]:
    """For each colour its largest group of touching buildings (MC-23)."""
    built = by_kind(city)
    for colour in COLOURS:
        size, cells = largest_group(built[colour])
        yield Line(f"group-{colour}", size, size * points), cells


def churches(city: City, points: int) -> Iterator[Counted]:
    """Churches that buildings of all three colours touch (MC-24)."""
    built = by_kind(city)
    blessed, cells = among_all(built["church"], [under(built[colour]) for colour in COLOURS])
    yield Line("churches", blessed, blessed * points), cells


def wells(city: City, points: int) -> Iterator[Counted]:
    """Wells not built over, with a different building on each of the four sides (MC-27)."""
    number, cells = ringed(city.site.wells, city.free, [building.at for building in lasting_buildings(city)])
    yield Line("wells", number, number * points), cells


def factories(city: City, points: int) -> Iterator[Counted]:
    """Factories that touch a yellow and a red building (MC-E14)."""
    built = by_kind(city)
    number, cells = among_all(_with_gear(city.buildings, city), [under(built["yellow"]), under(built["red"])])
    yield Line("factories", number, number * points), cells


def port(city: City, points: int) -> Iterator[Counted]:
    """The port, if buildings that hang together lead from it to the track (MC-E20)."""
    line = line_from_port(city)
    joined = 1 if line else 0
    yield Line("port", joined, joined * points), under(building.at for building in line)


def chain(city: City, points: int) -> Iterator[Counted]:
    """The factories that hang together with port and track (MC-E21)."""
    along = _with_gear(line_from_port(city), city)
    yield Line("chain", len(along), len(along) * points), under(along)


def line_from_port(city: City) -> list[Building]:
    """The buildings that hang together with the port, if one of them lies on the track."""
    line = connected(lasting_buildings(city), city.site.pieces["port"].at.mask)
    return line if any(building.at.mask & city.site.track for building in line) else []


def connected(buildings: Iterable[Building], start: Mask) -> list[Building]:
    """The buildings on these cells, and all that hang together with them."""
    left, found, reach = list(buildings), list[Building](), start
    while near := [building for building in left if building.at.mask & reach]:
        left = [building for building in left if not building.at.mask & reach]
        found += near
        for building in near:
            reach |= building.at.halo
    return found


def ticks(city: City, colour: Colour) -> list[Building]:
    """The buildings of a colour that hang together with one beside the entrance of its shaft (MC-E16)."""
    own = [building for building in lasting_buildings(city) if building.card.kind == colour]
    return connected(own, city.site.entrances[colour])


def lasting_buildings(city: City) -> tuple[Building, ...]:
    """All buildings, those that lay there from the start included."""
    pieces = city.site.pieces
    return (*pieces.values(), *city.buildings) if pieces else city.buildings


@IdentityCache
def by_kind(city: City) -> defaultdict[str, list[Placement[Place]]]:
    found = defaultdict[str, list[Placement[Place]]](list)
    for building in lasting_buildings(city):
        found[building.card.kind].append(building.at)
    return found


def _with_gear(buildings: Iterable[Building], city: City) -> list[Placement[Place]]:
    return [building.at for building in buildings if building.card.name in city.site.gears]


COUNTING: dict[str, Callable[[City, int], Iterator[Counted]]] = {
    "parks": parks,
    "trees": trees,
    "rocks": rocks,
    "dykes": dykes,
    "groups": groups,
    "churches": churches,
    "wells": wells,
    "factories": factories,
    "port": port,
    "chain": chain,
    "empty": empty,
}


def beside_investor(city: City, building: Building) -> bool:
    """The investor stands on the last building before this one, if there is one (MC-E13)."""
    return bool(city.buildings) and bool(city.buildings[-1].at.halo & building.at.mask)


def on_track(city: City, building: Building) -> bool:
    """A building that covers a cell of the bottom row (MC-E19)."""
    return bool(building.at.mask & city.site.track)


AT_ONCE: dict[str, Callable[[City, Building], bool]] = {"investor": beside_investor, "track": on_track}
"""Whether a building that comes to a city brings points at once."""


def has_gold(city: City, _: Race) -> bool:
    """Both veins are built over (MC-28)."""
    return not city.free & city.site.veins


def has_forest(city: City, race: Race) -> bool:
    """So many cells of forest are built over (MC-E12)."""
    return felled(city).bit_count() >= race.goal


def felled(city: City) -> Mask:
    return city.site.woods & city.site.ground & ~city.free


def has_stations(city: City, race: Race) -> bool:
    """So many buildings lie on the track (MC-E19), which takes as many cells of it."""
    covered = city.site.track & city.site.ground & ~city.free
    return covered.bit_count() >= race.goal and len(stations(city)) >= race.goal


def stations(city: City) -> list[Placement[Place]]:
    track = city.site.track
    return [building.at for building in city.buildings if building.at.mask & track]


RACES: dict[str, Callable[[City, Race], bool]] = {"gold": has_gold, "forest": has_forest, "stations": has_stations}
RACE_CELLS: dict[str, Callable[[City], Mask]] = {
    "gold": lambda city: city.site.veins,
    "forest": felled,
    "stations": lambda city: under(stations(city)),
}
RACE_PROGRESS: dict[str, Callable[[City], int]] = {
    "gold": lambda city: (city.site.veins & ~city.free).bit_count(),
    "forest": lambda city: felled(city).bit_count(),
    "stations": lambda city: len(stations(city)),
}
"""How far a city is on the way to the goal of a race."""
ONCE_CELLS: dict[str, Callable[[City], Mask]] = {
    "investor": lambda city: city.buildings[-1].at.mask if city.buildings else 0,
    "track": lambda city: under(stations(city)),
}
