"""What a city is worth before the end: its score now, and what may still come of it."""

from collections.abc import Callable

from polyopolis.bots.evaluation.placing_features import at_churches, at_wells, in_holes, points_of
from polyopolis.games.mycity.building_site import MEADOW
from polyopolis.games.mycity.content import COLOURS
from polyopolis.games.mycity.placement_rules import can_place
from polyopolis.games.mycity.scoring import by_kind, sheet, ticks
from polyopolis.games.mycity.state import City, Legacy, State
from polyopolis.games.placement import under


def parts(state: State, seat: int) -> dict[str, float]:
    """The score of one who has stopped, by the lines of the sheet; for the others what may come counts too."""
    city = state.cities[seat]
    score = points_of(sheet(state, city))
    if state.asks == "reward":
        return score | {"prospects": prospects(state, state.boards[seat])}
    if city.stopped or not state.acting:
        return score
    return score | {name: weight * FEATURES[name](state, city) for name, weight in WEIGHTS.items()}


def room(state: State, city: City) -> float:
    """The cells that the cards to come would cover, as far as they still have a place."""
    cards = [len(card.shape) for card in state.deck if card.shape]
    fit = [len(card.shape) for card in state.deck if card.shape and can_place(city, card)]
    return min(sum(fit), city.free.bit_count()) * len(fit) / len(cards) if cards else 0


def holes(_: State, city: City) -> float:
    """Empty cells in gaps too small for most buildings."""
    return in_holes(city.site.bare, city.free, city.site.empty)


def frontier(_: State, city: City) -> float:
    """The cells around what is built: the fewer, the more compact."""
    return (city.reach & city.free).bit_count()


def steeples(_: State, city: City) -> float:
    """Colours that touch a church."""
    built = by_kind(city)
    return at_churches(built["church"], [under(built[colour]) for colour in COLOURS])


def sides(_: State, city: City) -> float:
    """Different buildings at the sides of a well."""
    return at_wells(city.site.wells, city.free, [building.at for building in city.buildings])


def covered(state: State, city: City) -> float:
    """Gold veins built over while the race is open."""
    racing = any(race.race == "gold" for race in state.open_races)
    return (city.site.veins & ~city.free).bit_count() if racing else 0


def mine(state: State, city: City) -> float:
    """Boxes that would be ticked; on its own an episode gives nothing for them."""
    shafts = state.episode.rules.shafts if state.setup.play == "campaign" else ()
    return sum(len(ticks(city, colour)) for colour in shafts)


def prospects(state: State, board: Legacy) -> float:
    """What stickers and gears promise for later episodes: trees that lie out of the way, rocks that are soon built
    over, meadow beside meadow, large factories."""
    grid, land = state.episode.board.grid, state.episode.land
    ground = land.where(MEADOW) | grid.mask(board.stickers)
    beside = {cell: (grid.neighbours(grid.mask([cell])) & ground).bit_count() for cell in board.stickers}
    stickers = sum(OPEN_SIDE[kind] * beside[cell] for cell, kind in board.stickers.items())
    return stickers + sum(PER_SQUARE * len(state.episode.cards[f"blue-{gear}"].shape or ()) for gear in board.gears)


OPEN_SIDE = {"tree": -0.1, "rock": 0.1, "meadow": 0.1, "forest-tree": -0.1}
PER_SQUARE = 0.1


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
"""Points for each; found by cross-entropy over some thousand decks."""
