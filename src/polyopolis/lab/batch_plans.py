"""The plan of a batch for each id that the kernels know."""

from functools import cache

import numpy

from polyopolis.engine import PolyopolisError
from polyopolis.kernels.city_arrays import land_of
from polyopolis.kernels.city_position import City
from polyopolis.kernels.draft_position import Draft
from polyopolis.kernels.drafting import layout
from polyopolis.kernels.placing import layout as placing
from polyopolis.kernels.placing.net_inputs import SIGHT
from polyopolis.lab import action_numbers
from polyopolis.lab.batch_plan import Plan, whole
from polyopolis.lab.environment_ids import EnvironmentId, offer_of
from polyopolis.lab.stepping import city_steps, draft_steps


class NoBatch(PolyopolisError):
    """What is not played in batches."""


@cache
def plan_of(name: str, seats: int | None = None) -> Plan:
    """Cities are built by one who plays alone and wins every race; Point City is for all at the table."""
    offer = offer_of(name)
    if offer.plan:
        raise NoBatch(f"{name} is several matches in a row; a batch is of single ones")
    if offer.key == "pointcity":
        return _drafts(offer, offer.seats[0] if seats is None else seats)
    if seats not in (None, 1):
        raise NoBatch(f"a batch of {name} is of single cities, not for {seats} seats")
    return _cities(offer)


def _cities(offer: EnvironmentId) -> Plan:
    state = offer.rules.start(offer.setup(offer.seats[0]))
    if getattr(state.episode.rules, "kiosks", 0):
        raise NoBatch(f"a batch knows no kiosks, so not {offer.id}")
    land, numbers = land_of(offer.key, state.episode, state.cities[0].site), action_numbers.numbering_of(offer.key)
    first, grid = City.laid_out(land), state.episode.board.grid
    ahead, stop = numbers.SECTIONS["done"]
    ways, law = ahead // len(grid.names), numpy.array(land.ground.law, dtype=numpy.int64)
    law[placing.WAYS] = ways  # a game whose buildings are not flipped looks at half of them
    return Plan(
        program="cities",
        numbers=stop + 1,
        shared={
            "land": numpy.asarray(land.ground.land, dtype=numpy.uint64),
            "law": law,
            "first_city": numpy.asarray(first.town.city, dtype=numpy.uint64),
            "first_book": numpy.asarray(first.town.book, dtype=numpy.int64),
            "deck": numpy.asarray(land.deck, dtype=numpy.int64),
            "sizes": numpy.array([len(grid.names), ahead, stop, ways], dtype=numpy.int64),
        },
        lengths={
            "city": whole(placing.CITY), "book": whole(placing.BOOK), "desk": whole(city_steps.DESK), "luck": 1, "whim": 1,
            "out": placing.FEATURE_COUNT, "actions": 1, "rewards": 1, "overs": 1, "totals": 2,
            "counts": 1, "ends": 1,
        },
        fits=("city", placing.FIT, 2 * placing.MOST_WAYS),
        choices={"number": 1, "seen": placing.FEATURE_COUNT, "sight": SIGHT, "points": 1},
    )  # fmt: skip


def _drafts(offer: EnvironmentId, seats: int) -> Plan:
    setup = offer.setup(seats)
    if setup.tokens:
        raise NoBatch(f"a batch knows no tokens that are chosen, so not {offer.id}")
    draft = Draft.of(offer.rules.start(setup))
    return Plan(
        program="drafts",
        numbers=draft_steps.NUMBERS,
        shared={
            "law": numpy.asarray(draft.material.law, dtype=numpy.int64),
            "first": numpy.asarray(draft.numbers, dtype=numpy.int64),
        },
        lengths={
            "draft": layout.DRAFT, "luck": 1, "whim": 1, "found": draft_steps.NUMBERS, "masks": draft_steps.MASKS, "actions": 1,
            "rewards": layout.MOST_PLAYERS, "overs": 1, "totals": 2,
        },
        fits=("masks", 0, draft_steps.MASKS),
    )  # fmt: skip
