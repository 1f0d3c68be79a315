"""The score sheet of a city, line by line: points scored at once, then the lines counted at the end."""

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence

from msgspec.structs import replace

from polyopolis.engine import IdentityCache, Line, Result, Sheet, ranks
from polyopolis.games.mycity.content import COLOURS, Colour, Race
from polyopolis.games.mycity.state import Building, City, State
from polyopolis.games.placement import Place, cells_under, count_visible, largest_group, surrounded_wells, touching_all
from polyopolis.geometry import Mask, Placement


@IdentityCache
def scores(state: State) -> Result:
    """Ranks seats by score; ties are broken by `empty_by_row` (MC-19)."""
    sheets = tuple(sheet(state, city) for city in state.cities)
    totals = tuple(total(sheet) for sheet in sheets)
    order = [
        (-points, empty_by_row(with_parks(state, city))) for points, city in zip(totals, state.cities, strict=True)
    ]
    return Result(totals, ranks(order), sheets)


def total(sheet: Iterable[Line]) -> int:
    return sum(line.points for line in sheet)


def empty_by_row(city: City) -> tuple[int, ...]:
    """Returns the empty cells of each row. Fewer in the top row win a tie, then in the second, and so on (MC-19)."""
    return tuple((city.free & city.site.empty & row).bit_count() for row in city.site.grid.rows)


def moved_marker(marker: int, points: int, limit: int | None) -> int:
    """Returns the marker after points scored at once. A marker at the limit never moves again (MC-17)."""
    if limit is None:
        return marker + points
    return limit if marker == limit else min(marker + points, limit)


def sheet(state: State, city: City) -> Sheet:
    """Returns the points scored during play, then the lines of the episode in their order.

    A score that reaches the limit during the counting stays there, despite later minus points (MC-17). A score below 0
    is kept, and the final score may be negative (MC-18).
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
    """Returns the cells that each line of the sheet counts."""
    races = {race.race: RACE_CELLS[race.race](city) for race in city.won}
    at_once = {once.line: ONCE_CELLS[once.line](city) for once in state.episode.rules.at_once}
    return races | at_once | {line.line: where for line, where in _counted(state, city)}


def _limited(lines: Sequence[Line], limit: int) -> Sheet:
    """Returns the lines until the limit is reached, and a line that deducts the excess."""
    points = 0
    for number, line in enumerate(lines, start=1):
        points += line.points
        if points >= limit:
            return (*lines[:number], Line("limit", 1, limit - points))
    return tuple(lines)


def reached_limit(sheet: Sheet) -> bool:
    return any(line.line == "limit" for line in sheet)


CountedLine = tuple[Line, Mask]
"""A line of the sheet and the cells that it counts."""


@IdentityCache
def _counted(state: State, city: City) -> tuple[CountedLine, ...]:
    city = with_parks(state, city)
    lines = state.episode.rules.counting
    return tuple(counted for line in lines for counted in COUNTING[line.line](city, line.points))


def with_parks(state: State, city: City) -> City:
    """Returns the city with its parks, which become trees before scoring (MC-E22)."""
    if all(counting.line != "parks" for counting in state.episode.rules.counting):
        return city
    cells = park_cells(city)
    return replace(city, site=city.site.planted(cells)) if cells else city


def park_cells(city: City) -> Mask:
    """Returns the parks: empty or rock cells with red buildings on all four sides; the border is not one (MC-E22)."""
    site, red = city.site, cells_under(placements_by_kind(city)["red"])
    width = site.grid.width
    closed = red << 1 & red >> 1 & red << width & red >> width
    return closed & site.inland & city.free & (site.empty | site.stony)


def parks(city: City, points: int) -> Iterator[CountedLine]:
    """Counts new parks, each of which also counts as a tree (MC-E22)."""
    number = city.site.parks.bit_count()
    yield Line("parks", number, number * points), city.site.parks


def trees(city: City, points: int) -> Iterator[CountedLine]:
    """Scores visible trees (MC-14); the line counts cells."""
    yield _visible("trees", city, city.site.trees, points)


def rocks(city: City, points: int) -> Iterator[CountedLine]:
    """Scores visible rocks (MC-15); the line counts cells."""
    yield _visible("rocks", city, city.site.rocks, points)


def _visible(line: str, city: City, things: Sequence[tuple[Mask, int]], points: int) -> CountedLine:
    number, cells = count_visible(things, city.free)
    return Line(line, cells.bit_count(), number * points), cells


def dykes(city: City, points: int) -> Iterator[CountedLine]:
    """Counts ground along the river without a building, in addition to other lines (MC-E8)."""
    yield _each("dykes", city.free & city.site.shore, points)


def empty(city: City, points: int) -> Iterator[CountedLine]:
    """Counts empty meadow (MC-16)."""
    yield _each("empty", city.free & city.site.empty, points)


def _each(line: str, cells: Mask, points: int) -> CountedLine:
    return Line(line, cells.bit_count(), cells.bit_count() * points), cells


def groups(city: City, points: int) -> Iterator[CountedLine]:
    """Counts the buildings of the largest group of touching buildings of each colour (MC-23)."""
    built = placements_by_kind(city)
    for colour in COLOURS:
        size, cells = largest_group(built[colour])
        yield Line(f"group-{colour}", size, size * points), cells


def churches(city: City, points: int) -> Iterator[CountedLine]:
    """Counts churches that touch buildings of all three colours (MC-24)."""
    built = placements_by_kind(city)
    blessed, cells = touching_all(built["church"], [cells_under(built[colour]) for colour in COLOURS])
    yield Line("churches", blessed, blessed * points), cells


def wells(city: City, points: int) -> Iterator[CountedLine]:
    """Counts visible wells with a different building on each of the four sides (MC-27)."""
    number, cells = surrounded_wells(city.site.wells, city.free, [building.at for building in all_buildings(city)])
    yield Line("wells", number, number * points), cells


def factories(city: City, points: int) -> Iterator[CountedLine]:
    """Counts factories that touch a yellow and a red building (MC-E14)."""
    built = placements_by_kind(city)
    number, cells = touching_all(
        _with_gear(city.buildings, city), [cells_under(built["yellow"]), cells_under(built["red"])]
    )
    yield Line("factories", number, number * points), cells


def port(city: City, points: int) -> Iterator[CountedLine]:
    """Scores the port if connected buildings lead from it to the track (MC-E20)."""
    line = line_from_port(city)
    joined = 1 if line else 0
    yield Line("port", joined, joined * points), cells_under(building.at for building in line)


def chain(city: City, points: int) -> Iterator[CountedLine]:
    """Counts the factories that are connected with port and track (MC-E21)."""
    along = _with_gear(line_from_port(city), city)
    yield Line("chain", len(along), len(along) * points), cells_under(along)


def line_from_port(city: City) -> list[Building]:
    """Returns the buildings that are connected with the port, if one of them lies on the track."""
    line = connected_buildings(all_buildings(city), city.site.pieces["port"].at.mask)
    return line if any(building.at.mask & city.site.track for building in line) else []


def connected_buildings(buildings: Iterable[Building], start: Mask) -> list[Building]:
    """Returns the buildings on these cells and all that are connected with them."""
    left, found, reach = list(buildings), list[Building](), start
    while near := [building for building in left if building.at.mask & reach]:
        left = [building for building in left if not building.at.mask & reach]
        found += near
        for building in near:
            reach |= building.at.halo
    return found


def ticking_buildings(city: City, colour: Colour) -> list[Building]:
    """Returns the buildings of a colour that are connected with one beside the entrance of its shaft (MC-E16)."""
    own = [building for building in all_buildings(city) if building.card.kind == colour]
    return connected_buildings(own, city.site.entrances[colour])


def all_buildings(city: City) -> tuple[Building, ...]:
    """Returns all buildings, including those that lie on the board from the start."""
    pieces = city.site.pieces
    return (*pieces.values(), *city.buildings) if pieces else city.buildings


@IdentityCache
def placements_by_kind(city: City) -> defaultdict[str, list[Placement[Place]]]:
    found = defaultdict[str, list[Placement[Place]]](list)
    for building in all_buildings(city):
        found[building.card.kind].append(building.at)
    return found


def _with_gear(buildings: Iterable[Building], city: City) -> list[Placement[Place]]:
    return [building.at for building in buildings if building.card.name in city.site.gears]


COUNTING: dict[str, Callable[[City, int], Iterator[CountedLine]]] = {
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
    """Returns whether the building touches the one with the investor, which is the last one before it (MC-E13)."""
    return bool(city.buildings) and bool(city.buildings[-1].at.halo & building.at.mask)


def on_track(city: City, building: Building) -> bool:
    """Returns whether the building covers a cell of the bottom row (MC-E19)."""
    return bool(building.at.mask & city.site.track)


AT_ONCE: dict[str, Callable[[City, Building], bool]] = {"investor": beside_investor, "track": on_track}
"""Whether a building that is added to a city scores points at once, by line."""


def has_gold(city: City, _: Race) -> bool:
    """Returns whether both gold veins are built over (MC-28)."""
    return not city.free & city.site.veins


def has_forest(city: City, race: Race) -> bool:
    """Returns whether enough forest cells are built over (MC-E12)."""
    return covered_forest(city).bit_count() >= race.goal


def covered_forest(city: City) -> Mask:
    return city.site.woods & city.site.ground & ~city.free


def has_stations(city: City, race: Race) -> bool:
    """Returns whether enough buildings lie on the track (MC-E19), each of which covers at least one of its cells."""
    covered = city.site.track & city.site.ground & ~city.free
    return covered.bit_count() >= race.goal and len(stations(city)) >= race.goal


def stations(city: City) -> list[Placement[Place]]:
    track = city.site.track
    return [building.at for building in city.buildings if building.at.mask & track]


RACES: dict[str, Callable[[City, Race], bool]] = {"gold": has_gold, "forest": has_forest, "stations": has_stations}
RACE_CELLS: dict[str, Callable[[City], Mask]] = {
    "gold": lambda city: city.site.veins,
    "forest": covered_forest,
    "stations": lambda city: cells_under(stations(city)),
}
RACE_PROGRESS: dict[str, Callable[[City], int]] = {
    "gold": lambda city: (city.site.veins & ~city.free).bit_count(),
    "forest": lambda city: covered_forest(city).bit_count(),
    "stations": lambda city: len(stations(city)),
}
"""The progress of a city towards the goal of a race."""
ONCE_CELLS: dict[str, Callable[[City], Mask]] = {
    "investor": lambda city: city.buildings[-1].at.mask if city.buildings else 0,
    "track": lambda city: cells_under(stations(city)),
}
