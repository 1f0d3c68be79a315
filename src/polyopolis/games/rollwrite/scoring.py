"""The score sheet of a city, line by line: passes and races, then the lines counted at the end."""

from collections.abc import Callable, Iterable, Iterator
from functools import reduce
from operator import or_

from polyopolis.engine import IdentityCache, Line, Result, Sheet, ranks
from polyopolis.games.placement import Place, cells_under, count_visible, largest_group, surrounded_wells, touching_all
from polyopolis.games.rollwrite.content import TYPES
from polyopolis.games.rollwrite.state import City, State
from polyopolis.geometry import Mask, Placement, bits


@IdentityCache
def scores(state: State) -> Result:
    """Ranks seats by score; equal seats share the rank (RW-18)."""
    return ranked_result(tuple(sheet(state, city) for city in state.cities))


def ranked_result(sheets: tuple[Sheet, ...]) -> Result:
    totals = tuple(total(sheet) for sheet in sheets)
    return Result(totals, ranks([-points for points in totals]), sheets)


def total(sheet: Iterable[Line]) -> int:
    return sum(line.points for line in sheet)


def sheet(state: State, city: City) -> Sheet:
    """Returns passes, races won, the lines of the episode in their order, and purses, which are no points."""
    rules = state.episode.rules
    lines = [Line("passes", city.circles, passing_points(state, city))] if rules.passing else []
    lines += [Line(race.race, 1, race.points) for race in city.won]
    lines += [line for line, _ in _counted(state, city)]
    if rules.purses:
        lines.append(Line("purses", purse_count(state, city), 0))
    return tuple(lines)


def passing_points(state: State, city: City) -> int:
    """Returns the points for passing: only the last ticked circle counts (RW-14)."""
    return state.episode.rules.passing[city.circles - 1] if city.circles else 0


def purse_count(state: State, city: City) -> int:
    """Counts purses for never passing (RW-25) and for covering all cells of a race, first or not (RW-26 to RW-28)."""
    return sum(
        purse.purses
        for purse in state.episode.rules.purses
        if (not city.circles if purse.purse == "never-passed" else not city.free & city.site.goals[purse.purse])
    )


def cells_counted(state: State, city: City) -> dict[str, Mask]:
    """Returns the cells that each line of the sheet counts."""
    races: dict[str, Mask] = {race.race: city.site.goals[race.race] for race in city.won}
    return races | {line.line: where for line, where in _counted(state, city)}


CountedLine = tuple[Line, Mask]
"""A line of the sheet and the cells that it counts."""


def _counted(state: State, city: City) -> Iterator[CountedLine]:
    for counting in state.episode.rules.counting:
        yield from COUNTING[counting.line](city, counting.points)


def trees(city: City, points: int) -> Iterator[CountedLine]:
    """Scores visible trees (RW-15); the line counts cells."""
    number, cells = count_visible(city.site.trees, city.free)
    yield Line("trees", cells.bit_count(), number * points), cells


def rocks(city: City, points: int) -> Iterator[CountedLine]:
    """Scores visible rocks (RW-15); the line counts cells."""
    number, cells = count_visible(city.site.rocks, city.free)
    yield Line("rocks", cells.bit_count(), number * points), cells


def empty(city: City, points: int) -> Iterator[CountedLine]:
    """Counts empty cells (RW-15), including high plains (RW-26) and forest that can be built on (RW-27)."""
    cells = city.free & city.site.empty
    yield Line("empty", cells.bit_count(), cells.bit_count() * points), cells


def groups(city: City, points: int) -> Iterator[CountedLine]:
    """Counts the buildings of the largest group of each type (RW-16). Other buildings do not link groups (RW-35)."""
    for kind in TYPES:
        size, cells = largest_group(_of(city, kind))
        yield Line(f"group-{kind}", size, size * points), cells


def _of(city: City, kind: str) -> list[Placement[Place]]:
    """Returns the placements of the buildings of a kind."""
    return [building.at for building in city.buildings if building.kind == kind]


def wells(city: City, points: int) -> Iterator[CountedLine]:
    """Counts wells with a different building on each of the four sides (RW-17)."""
    number, cells = surrounded_wells(city.site.wells, city.free, [building.at for building in city.buildings])
    yield Line("wells", number, number * points), cells


def churches(city: City, points: int) -> Iterator[CountedLine]:
    """Counts churches, including the printed one, that touch buildings of all three types (RW-23, RW-24)."""
    number, cells = touching_all(_of(city, "church"), [cells_under(_of(city, kind)) for kind in TYPES])
    yield Line("churches", number, number * points), cells


def bandits(city: City, points: int) -> Iterator[CountedLine]:
    """Counts free bandits (RW-30)."""
    cells = free_bandits(city)
    yield Line("bandits", cells.bit_count(), cells.bit_count() * points), cells


def free_bandits(city: City) -> Mask:
    """Returns the free bandits. One is caught when all its sides are buildings, mountains, bandits or the border."""
    gaps = city.free | city.site.wild
    return reduce(or_, [bandit for bandit in bits(city.bandits) if city.site.grid.neighbours(bandit) & gaps], 0)


def complete(city: City, points: int) -> Iterator[CountedLine]:
    """Counts types whose buildings, at least one, form a single group (RW-33)."""
    whole = [own for own in (_of(city, kind) for kind in TYPES) if own and largest_group(own)[0] == len(own)]
    yield Line("complete", len(whole), len(whole) * points), reduce(or_, [cells_under(own) for own in whole], 0)


def never_passed(city: City, points: int) -> Iterator[CountedLine]:
    """Scores if no circle is ticked (RW-34), also after stopping at once (RW-35)."""
    yield _bonus("never-passed", not city.circles, points)


def all_trees(city: City, points: int) -> Iterator[CountedLine]:
    """Scores if all trees of the sheet are visible (RW-34)."""
    yield _bonus("all-trees", count_visible(city.site.trees, ~city.free)[0] == 0, points)


def no_rocks(city: City, points: int) -> Iterator[CountedLine]:
    """Scores if all rocks are built over (RW-34)."""
    yield _bonus("no-rocks", count_visible(city.site.rocks, city.free)[0] == 0, points)


def no_empty(city: City, points: int) -> Iterator[CountedLine]:
    """Scores if no cell is empty (RW-34)."""
    yield _bonus("no-empty", not city.free & city.site.empty, points)


def _bonus(line: str, holds: bool, points: int) -> CountedLine:
    return Line(line, int(holds), points if holds else 0), 0


COUNTING: dict[str, Callable[[City, int], Iterator[CountedLine]]] = {
    "trees": trees,
    "rocks": rocks,
    "empty": empty,
    "groups": groups,
    "wells": wells,
    "churches": churches,
    "bandits": bandits,
    "complete": complete,
    "never-passed": never_passed,
    "all-trees": all_trees,
    "no-rocks": no_rocks,
    "no-empty": no_empty,
}
