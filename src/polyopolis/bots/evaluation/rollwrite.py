"""Evaluation of a position in Roll & Write: the current score and estimates of points still to come."""

from collections.abc import Callable
from functools import cache

from polyopolis.bots.evaluation.placing_features import count_at_churches, count_at_wells, count_hole_cells, points_of
from polyopolis.games.placement import Place, cells_under
from polyopolis.games.rollwrite.content import TYPES, Dice
from polyopolis.games.rollwrite.scoring import free_bandits, purse_count, sheet
from polyopolis.games.rollwrite.state import City, State
from polyopolis.geometry import Placement, Shape, bits


def parts(state: State, seat: int) -> dict[str, float]:
    """The lines of the score sheet; while the seat still plays, also the weighted features."""
    city = state.cities[seat]
    score = points_of(sheet(state, city))
    if state.episode.rules.purses:
        score["purses"] = POINTS_PER_PURSE * purse_count(state, city)
    if city.stopped or not state.acting:
        return score
    return score | {name: weight * FEATURES[name](state, city) for name, weight in WEIGHTS.items()}


def room(state: State, city: City) -> float:
    """Penalty cells, scaled by the probability that the next roll fits."""
    site, places = city.site, city.site.places
    fits = sum(
        sides for shape, sides in shape_counts(state.episode.dice) if places[shape].any_open(city.free, city.reach)
    )
    rocks = sum((where & city.free).bit_count() * each for where, each in site.rocks)
    return ((city.free & site.empty).bit_count() + rocks) * fits / 36


@cache
def shape_counts(dice: Dice) -> tuple[tuple[Shape, int], ...]:
    """The shapes of the dice, with the number of pairs of sides (of 36) that show each."""
    found: dict[Shape, int] = {}
    for roll, sides in dice.odds:
        if roll.faces[2] == TYPES[0]:
            shape = dice.shapes[roll.faces[0], roll.faces[1]]
            found[shape] = found.get(shape, 0) + sides // 2
    return tuple(found.items())


def holes(_: State, city: City) -> float:
    """Empty cells and rocks in gaps that are too small for most buildings."""
    rocks = sum(where for where, _ in city.site.rocks)
    return count_hole_cells(city.site.board, city.free, city.site.empty | rocks)


def frontier(_: State, city: City) -> float:
    """Free cells next to buildings; a compact city has fewer."""
    return (city.reach & city.free).bit_count()


def steeples(_: State, city: City) -> float:
    """Number of types that touch a church, summed over churches."""
    return count_at_churches(_of(city, "church"), [cells_under(_of(city, kind)) for kind in TYPES])


def _of(city: City, kind: str) -> list[Placement[Place]]:
    return [building.at for building in city.buildings if building.kind == kind]


def sides(_: State, city: City) -> float:
    """Number of buildings next to a well, summed over wells."""
    return count_at_wells(city.site.wells, city.free, [building.at for building in city.buildings])


def covered(state: State, city: City) -> float:
    """Covered cells of a race."""
    return sum((city.site.goals[race.race] & ~city.free).bit_count() for race in state.episode.rules.races)


def threats(_: State, city: City) -> float:
    """Open sides of free bandits."""
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
"""Points per unit of a feature, tuned by the cross-entropy method over some thousand solo episodes."""
POINTS_PER_PURSE = 2.0
"""Value of a purse, which scores at the end of a chapter."""
