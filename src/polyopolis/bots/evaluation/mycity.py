"""Evaluation of a position in My City: the current score and estimates of points still to come."""

from collections.abc import Callable

from polyopolis.bots.evaluation.placing_features import count_at_churches, count_at_wells, count_hole_cells, points_of
from polyopolis.games.mycity.building_site import MEADOW
from polyopolis.games.mycity.content import COLOURS
from polyopolis.games.mycity.placement_rules import can_place
from polyopolis.games.mycity.scoring import placements_by_kind, sheet, ticking_buildings
from polyopolis.games.mycity.state import City, Legacy, State
from polyopolis.games.placement import cells_under


def parts(state: State, seat: int) -> dict[str, float]:
    """The lines of the score sheet; while the seat still plays, also the weighted features."""
    city = state.cities[seat]
    score = points_of(sheet(state, city))
    if state.asks == "reward":
        return score | {"prospects": prospects(state, state.boards[seat])}
    if city.stopped or not state.acting:
        return score
    return score | {name: weight * FEATURES[name](state, city) for name, weight in WEIGHTS.items()}


def room(state: State, city: City) -> float:
    """Cells that the remaining cards would cover, scaled by the share of cards that still fit."""
    cards = [len(card.shape) for card in state.deck if card.shape]
    fit = [len(card.shape) for card in state.deck if card.shape and can_place(city, card)]
    return min(sum(fit), city.free.bit_count()) * len(fit) / len(cards) if cards else 0


def holes(_: State, city: City) -> float:
    """Empty cells in gaps that are too small for most buildings."""
    return count_hole_cells(city.site.bare, city.free, city.site.empty)


def frontier(_: State, city: City) -> float:
    """Free cells next to buildings; a compact city has fewer."""
    return (city.reach & city.free).bit_count()


def steeples(_: State, city: City) -> float:
    """Number of colours that touch a church, summed over churches."""
    built = placements_by_kind(city)
    return count_at_churches(built["church"], [cells_under(built[colour]) for colour in COLOURS])


def sides(_: State, city: City) -> float:
    """Number of buildings next to a well, summed over wells."""
    return count_at_wells(city.site.wells, city.free, [building.at for building in city.buildings])


def covered(state: State, city: City) -> float:
    """Gold veins built over, while the gold race is open."""
    racing = any(race.race == "gold" for race in state.open_races)
    return (city.site.veins & ~city.free).bit_count() if racing else 0


def mine(state: State, city: City) -> float:
    """Boxes that would be ticked; they count only in a campaign."""
    shafts = state.episode.rules.shafts if state.setup.play == "campaign" else ()
    return sum(len(ticking_buildings(city, colour)) for colour in shafts)


def prospects(state: State, board: Legacy) -> float:
    """Value of stickers and gears in later episodes. Prefers trees with few open sides, rocks and meadows with
    many, and gears of large factories."""
    grid, land = state.episode.board.grid, state.episode.land
    ground = land.where(MEADOW) | grid.mask(board.stickers)
    beside = {cell: (grid.neighbours(grid.mask([cell])) & ground).bit_count() for cell in board.stickers}
    stickers = sum(POINTS_PER_OPEN_SIDE[kind] * beside[cell] for cell, kind in board.stickers.items())
    return stickers + sum(
        POINTS_PER_SQUARE * len(state.episode.cards[f"blue-{gear}"].shape or ()) for gear in board.gears
    )


POINTS_PER_OPEN_SIDE = {"tree": -0.1, "rock": 0.1, "meadow": 0.1, "forest-tree": -0.1}
POINTS_PER_SQUARE = 0.1


FEATURES: dict[str, Callable[[State, City], float]] = {
    "room": room,
    "holes": holes,
    "frontier": frontier,
    "steeples": steeples,
    "sides": sides,
    "covered": covered,
    "mine": mine,
}

WEIGHTS = {
    "room": 0.45,
    "holes": -0.9,
    "frontier": -0.12,
    "steeples": 1.5,
    "sides": 0.65,
    "covered": 1.0,
    "mine": 0.5,
}
"""Points per unit of a feature, tuned by the cross-entropy method over some thousand decks."""
