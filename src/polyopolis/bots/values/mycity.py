"""What a city is worth before the end: its score now, and what may still come of it."""

from collections.abc import Callable

from polyopolis.games.mycity.content import COLOURS
from polyopolis.games.mycity.placing import can_place
from polyopolis.games.mycity.scoring import sheet, total
from polyopolis.games.mycity.state import Building, City, State


def value(state: State, seat: int) -> float:
    """The score of one who has stopped; for the others what may come counts too."""
    city = state.cities[seat]
    score = total(sheet(state, city))
    if city.stopped or not state.acting:
        return score
    return score + sum(weight * FEATURES[name](state, city) for name, weight in WEIGHTS.items())


def room(state: State, city: City) -> float:
    """The cells that the cards to come would cover, as far as they still have a place."""
    cards = [len(card.shape) for card in state.deck if card.shape]
    fit = [len(card.shape) for card in state.deck if card.shape and can_place(city, card)]
    return min(sum(fit), city.free.bit_count()) * len(fit) / len(cards) if cards else 0


def holes(_: State, city: City) -> float:
    """Empty cells in gaps too small for most buildings."""
    gaps = (gap for bank in city.site.board.banks for gap in city.site.grid.groups(city.free & bank))
    return sum((gap & city.site.empty).bit_count() for gap in gaps if gap.bit_count() < 3)


def frontier(_: State, city: City) -> float:
    """The cells around what is built: the fewer, the more compact."""
    return (city.reach & city.free).bit_count()


def steeples(_: State, city: City) -> float:
    """Colours that touch a church."""
    return sum(len(_colours_at(city, church)) for church in city.buildings if church.card.kind == "church")


def _colours_at(city: City, church: Building) -> set[str]:
    return {
        building.card.kind
        for building in city.buildings
        if building.at.mask & church.at.halo and building.card.kind in COLOURS
    }


def wells(_: State, city: City) -> float:
    """Different buildings at the sides of a well."""
    return sum(
        len([1 for building in city.buildings if building.at.mask & sides])
        for well, sides in city.site.wells
        if well & city.free
    )


def veins(state: State, city: City) -> float:
    """Gold veins built over while the race is open."""
    return (city.site.veins & ~city.free).bit_count() if state.open_races else 0


FEATURES: dict[str, Callable[[State, City], float]] = {
    "room": room,
    "holes": holes,
    "frontier": frontier,
    "steeples": steeples,
    "wells": wells,
    "veins": veins,
}

WEIGHTS = {
    "room": 0.45,
    "holes": -0.9,
    "frontier": -0.12,
    "steeples": 1.5,
    "wells": 0.65,
    "veins": 1.0,
}
"""Points for each; found by cross-entropy over some thousand decks."""
