"""Builds the plan of a batch from content."""

from functools import cache

import numpy

from polyopolis.engine import PolyopolisError
from polyopolis.kernels.city_arrays import city_site
from polyopolis.kernels.city_position import KernelCity
from polyopolis.kernels.draft_position import Draft
from polyopolis.kernels.drafting import layout
from polyopolis.kernels.placing import layout as placing
from polyopolis.kernels.placing.net_inputs import INPUT_WORDS
from polyopolis.lab import action_numbers
from polyopolis.lab.batch_plan import BatchPlan, pad_to_line
from polyopolis.lab.environment_ids import EnvironmentId, offer_of
from polyopolis.lab.stepping import city_steps, draft_steps


class UnsupportedBatch(PolyopolisError):
    """Raised for environments that cannot run in batches."""


@cache
def plan_of(name: str, seats: int | None = None) -> BatchPlan:
    """Returns the plan of an environment. Cities are built alone and win every race; Point City includes all seats."""
    offer = offer_of(name)
    if offer.plan:
        raise UnsupportedBatch(f"{name} is a campaign; batches run single matches")
    if offer.key == "pointcity":
        return _drafts(offer, offer.seats[0] if seats is None else seats)
    if seats not in (None, 1):
        raise UnsupportedBatch(f"a batch of {name} has single cities, not {seats} seats")
    return _cities(offer)


def _cities(offer: EnvironmentId) -> BatchPlan:
    state = offer.rules.start(offer.setup(offer.seats[0]))
    if getattr(state.episode.rules, "kiosks", 0):
        raise UnsupportedBatch(f"batches do not support kiosks: {offer.id}")
    site, numbers = city_site(offer.key, state.episode, state.cities[0].site), action_numbers.numbering_of(offer.key)
    first, grid = KernelCity.at_start(site), state.episode.board.grid
    ahead, stop = numbers.SECTIONS["done"]
    ways, law = ahead // len(grid.names), numpy.array(site.arrays.law, dtype=numpy.int64)
    law[placing.ORIENTATION_COUNT] = ways  # half of them in a game without flipped buildings
    return BatchPlan(
        program="cities",
        numbers=stop + 1,
        shared={
            "land": numpy.asarray(site.arrays.land, dtype=numpy.uint64),
            "law": law,
            "first_city": numpy.asarray(first.arrays.city, dtype=numpy.uint64),
            "first_book": numpy.asarray(first.arrays.book, dtype=numpy.int64),
            "deck": numpy.asarray(site.deck, dtype=numpy.int64),
            "sizes": numpy.array([len(grid.names), ahead, stop, ways], dtype=numpy.int64),
        },
        lengths={
            "city": pad_to_line(placing.CITY_SIZE), "book": pad_to_line(placing.BOOK_SIZE),
            "desk": pad_to_line(city_steps.DESK_SIZE), "luck": 1, "whim": 1,
            "out": placing.FEATURE_COUNT, "actions": 1, "rewards": 1, "overs": 1, "totals": 2,
            "counts": 1, "ends": 1,
        },
        fits=("city", placing.FIT_ANCHORS, 2 * placing.MAX_ORIENTATIONS),
        choices={"number": 1, "seen": placing.FEATURE_COUNT, "sight": INPUT_WORDS, "points": 1},
    )  # fmt: skip


def _drafts(offer: EnvironmentId, seats: int) -> BatchPlan:
    setup = offer.setup(seats)
    if setup.tokens:
        raise UnsupportedBatch(f"batches do not support chosen tokens: {offer.id}")
    draft = Draft.of(offer.rules.start(setup))
    return BatchPlan(
        program="drafts",
        numbers=draft_steps.ACTION_COUNT,
        shared={
            "law": numpy.asarray(draft.material.law, dtype=numpy.int64),
            "first": numpy.asarray(draft.numbers, dtype=numpy.int64),
        },
        lengths={
            "draft": layout.DRAFT_SIZE, "luck": 1, "whim": 1, "found": draft_steps.ACTION_COUNT,
            "masks": draft_steps.MASK_WORDS, "actions": 1,
            "rewards": layout.MAX_PLAYERS, "overs": 1, "totals": 2,
        },
        fits=("masks", 0, draft_steps.MASK_WORDS),
    )  # fmt: skip
