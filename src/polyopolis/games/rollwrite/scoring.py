"""The score sheet: passes and races, then the counting at the end, line by line."""

from collections.abc import Callable, Iterable, Iterator
from functools import reduce
from operator import or_

from polyopolis.engine import IdentityCache, Line, Result, Sheet, ranks
from polyopolis.games.placement import Place, among_all, in_sight, largest_group, ringed, under
from polyopolis.games.rollwrite.content import TYPES
from polyopolis.games.rollwrite.state import City, State
from polyopolis.geometry import Mask, Placement, bits


@IdentityCache
def scores(state: State) -> Result:
    """The highest total ranks first; ties share (RW-18)."""
    return ranked(tuple(sheet(state, city) for city in state.cities))


def ranked(sheets: tuple[Sheet, ...]) -> Result:
    totals = tuple(total(sheet) for sheet in sheets)
    return Result(totals, ranks([-points for points in totals]), sheets)


def total(sheet: Iterable[Line]) -> int:
    return sum(line.points for line in sheet)


def sheet(state: State, city: City) -> Sheet:
    """Passes, races won, the lines of the episode in their order, and the purses, which are no points."""
    rules = state.episode.rules
    lines = [Line("passes", city.circles, passed(state, city))] if rules.passing else []
    lines += [Line(race.race, 1, race.points) for race in city.won]
    lines += [line for line, _ in _counted(state, city)]
    if rules.purses:
        lines.append(Line("purses", purses(state, city), 0))
    return tuple(lines)


def passed(state: State, city: City) -> int:
    """Only the last circle ticked counts (RW-14)."""
    return state.episode.rules.passing[city.circles - 1] if city.circles else 0


def purses(state: State, city: City) -> int:
    """For never passing (RW-25) and for covering all cells of a race by the end, first or not (RW-26 to RW-28)."""
    return sum(
        purse.purses
        for purse in state.episode.rules.purses
        if (not city.circles if purse.purse == "never-passed" else not city.free & city.site.goals[purse.purse])
    )


def cells_counted(state: State, city: City) -> dict[str, Mask]:
    """The cells that each line of the sheet speaks of."""
    races: dict[str, Mask] = {race.race: city.site.goals[race.race] for race in city.won}
    return races | {line.line: where for line, where in _counted(state, city)}


Counted = tuple[Line, Mask]
"""A line of the sheet, and the cells it speaks of."""


def _counted(state: State, city: City) -> Iterator[Counted]:
    for counting in state.episode.rules.counting:
        yield from COUNTING[counting.line](city, counting.points)


def trees(city: City, points: int) -> Iterator[Counted]:
    """Visible trees (RW-15); the count is of cells."""
    number, cells = in_sight(city.site.trees, city.free)
    yield Line("trees", cells.bit_count(), number * points), cells


def rocks(city: City, points: int) -> Iterator[Counted]:
    """Visible rocks (RW-15); the count is of cells."""
    number, cells = in_sight(city.site.rocks, city.free)
    yield Line("rocks", cells.bit_count(), number * points), cells


def empty(city: City, points: int) -> Iterator[Counted]:
    """Cells with nothing on them (RW-15), high plains (RW-26) and forest that can be built on (RW-27) among them."""
    cells = city.free & city.site.empty
    yield Line("empty", cells.bit_count(), cells.bit_count() * points), cells


def groups(city: City, points: int) -> Iterator[Counted]:
    """For each type its largest group of touching buildings (RW-16). Others link no groups (RW-35)."""
    for kind in TYPES:
        size, cells = largest_group(_of(city, kind))
        yield Line(f"group-{kind}", size, size * points), cells


def _of(city: City, kind: str) -> list[Placement[Place]]:
    """The buildings of a kind."""
    return [building.at for building in city.buildings if building.kind == kind]


def wells(city: City, points: int) -> Iterator[Counted]:
    """Wells with four different buildings, one on each side (RW-17)."""
    number, cells = ringed(city.site.wells, city.free, [building.at for building in city.buildings])
    yield Line("wells", number, number * points), cells


def churches(city: City, points: int) -> Iterator[Counted]:
    """Churches, the printed one too, that buildings of all three types touch (RW-23, RW-24)."""
    number, cells = among_all(_of(city, "church"), [under(_of(city, kind)) for kind in TYPES])
    yield Line("churches", number, number * points), cells


def bandits(city: City, points: int) -> Iterator[Counted]:
    """Bandits that are free (RW-30)."""
    cells = free_bandits(city)
    yield Line("bandits", cells.bit_count(), cells.bit_count() * points), cells


def free_bandits(city: City) -> Mask:
    """A bandit is caught when buildings stand on all sides of it that are no mountain and no bandit."""
    gaps = city.free | city.site.wild
    return reduce(or_, [bandit for bandit in bits(city.bandits) if city.site.grid.neighbours(bandit) & gaps], 0)


def complete(city: City, points: int) -> Iterator[Counted]:
    """Types all of whose buildings, at least one, are a single group (RW-33)."""
    whole = [own for own in (_of(city, kind) for kind in TYPES) if own and largest_group(own)[0] == len(own)]
    yield Line("complete", len(whole), len(whole) * points), reduce(or_, [under(own) for own in whole], 0)


def never_passed(city: City, points: int) -> Iterator[Counted]:
    """No circle is ticked (RW-34); stopping at once keeps it so (RW-35)."""
    yield _bonus("never-passed", not city.circles, points)


def all_trees(city: City, points: int) -> Iterator[Counted]:
    """Every tree of the sheet is in sight (RW-34)."""
    yield _bonus("all-trees", in_sight(city.site.trees, ~city.free)[0] == 0, points)


def no_rocks(city: City, points: int) -> Iterator[Counted]:
    """Every rock is built over (RW-34)."""
    yield _bonus("no-rocks", in_sight(city.site.rocks, city.free)[0] == 0, points)


def no_empty(city: City, points: int) -> Iterator[Counted]:
    """No cell is empty (RW-34)."""
    yield _bonus("no-empty", not city.free & city.site.empty, points)


def _bonus(line: str, holds: bool, points: int) -> Counted:
    return Line(line, int(holds), points if holds else 0), 0


COUNTING: dict[str, Callable[[City, int], Iterator[Counted]]] = {
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
