"""What a sheet is worth before the end: its score now, and what may still come of it."""

from collections.abc import Callable
from functools import cache

from polyopolis.bots.evaluation.placing_features import at_churches, at_wells, in_holes, points_of
from polyopolis.games.placement import Place, under
from polyopolis.games.rollwrite.content import TYPES, Dice
from polyopolis.games.rollwrite.scoring import free_bandits, purses, sheet
from polyopolis.games.rollwrite.state import City, State
from polyopolis.geometry import Placement, Shape, bits


def parts(state: State, seat: int) -> dict[str, float]:
    """The score of one who has stopped, by the lines of the sheet; for the others what may come counts too."""
    city = state.cities[seat]
    score = points_of(sheet(state, city))
    if state.episode.rules.purses:
        score["purses"] = PURSE * purses(state, city)
    if city.stopped or not state.acting:
        return score
    return score | {name: weight * FEATURES[name](state, city) for name, weight in WEIGHTS.items()}


def room(state: State, city: City) -> float:
    """The cells that cost points, as far as the next roll has a place."""
    site, places = city.site, city.site.places
    fits = sum(sides for shape, sides in likely(state.episode.dice) if places[shape].any_open(city.free, city.reach))
    rocks = sum((where & city.free).bit_count() * each for where, each in site.rocks)
    return ((city.free & site.empty).bit_count() + rocks) * fits / 36


@cache
def likely(dice: Dice) -> tuple[tuple[Shape, int], ...]:
    """The shapes of the dice with the number of pairs of sides that give them."""
    found: dict[Shape, int] = {}
    for roll, sides in dice.odds:
        if roll.faces[2] == TYPES[0]:
            shape = dice.shapes[roll.faces[0], roll.faces[1]]
            found[shape] = found.get(shape, 0) + sides // 2
    return tuple(found.items())


def holes(_: State, city: City) -> float:
    """Empty cells and rocks in gaps too small for most buildings."""
    rocks = sum(where for where, _ in city.site.rocks)
    return in_holes(city.site.board, city.free, city.site.empty | rocks)


def frontier(_: State, city: City) -> float:
    """The cells around what is built: the fewer, the more compact."""
    return (city.reach & city.free).bit_count()


def steeples(_: State, city: City) -> float:
    """Types that touch a church."""
    return at_churches(_of(city, "church"), [under(_of(city, kind)) for kind in TYPES])


def _of(city: City, kind: str) -> list[Placement[Place]]:
    return [building.at for building in city.buildings if building.kind == kind]


def sides(_: State, city: City) -> float:
    """Different buildings at the sides of a well."""
    return at_wells(city.site.wells, city.free, [building.at for building in city.buildings])


def covered(state: State, city: City) -> float:
    """Cells of a race that are covered."""
    return sum((city.site.goals[race.race] & ~city.free).bit_count() for race in state.episode.rules.races)


def threats(_: State, city: City) -> float:
    """Sides of free bandits that still need a building."""
    return sum((city.site.grid.neighbours(bandit) & city.free).bit_count() for bandit in bits(free_bandits(city)))


FEATURES: dict[str, Callable[[State, City], float]] = {
    "room": room,
    "holes": holes,
    "frontier": frontier,
    "steeples": steeples,
    "sides": sides,
    "covered": covered,
    "threats": threats,
}

WEIGHTS = {
    "room": 0.63,
    "holes": -0.52,
    "frontier": -0.1,
    "steeples": 0.1,
    "sides": 0.36,
    "covered": 0.26,
    "threats": -0.4,
}
"""Points for each; found by cross-entropy over some thousand solo episodes."""
PURSE = 2.0
"""Points for a purse, which counts at the end of a chapter."""
