"""Cities as the rules have them, side by side in a batch: all choices, what each makes of its city, and playing on.

Features are those of `kernels/placing/layout.py`, the sight is what nets of the house see: `seeing.py` beside it.
"""

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy
from numpy.typing import NDArray

from polyopolis.engine import CHANCE
from polyopolis.kernels.city_position import position_of
from polyopolis.kernels.placing import build_moves
from polyopolis.lab.batch import CpuRunner
from polyopolis.lab.batch_plan import Plan, kind_of
from polyopolis.lab.batch_plans import NoBatch, plan_of
from polyopolis.lab.environment_ids import EnvironmentId
from polyopolis.lab.game_table import GameTable
from polyopolis.lab.stepping.city_steps import DECK, LEFT, PASSING, TASK

KEPT = ("city", "book", "desk")
"""What a copy of a city needs."""


class Choices(NamedTuple):
    """One city after the other: where the choices of each begin, their numbers in rising order, and of each the
    features, the sight as bits, and the score."""

    firsts: NDArray[numpy.int64]
    numbers: NDArray[numpy.int64]
    features: NDArray[numpy.int64]
    sight: NDArray[numpy.uint64]
    points: NDArray[numpy.int64]


class Cities:
    """Cities whose owners decide, on one core. From here on each is played alone, as those of all batches are."""

    def __init__(self, plan: Plan, rows: CpuRunner) -> None:
        self._plan, self._rows = plan, rows

    @classmethod
    def of(cls, positions: Sequence[tuple[GameTable, int]]) -> "Cities":
        """Of tables of one id, each with the seat that decides."""
        offer = _offer_of_all(positions)
        plan = plan_of(offer.id)
        if plan.program != "cities":
            raise NoBatch(f"{offer.id} is not about cities")
        rows = CpuRunner(plan, numpy.zeros(2 * len(positions), dtype=numpy.uint64))
        for (table, seat), city, book, desk in zip(positions, *(rows.own[name] for name in KEPT), strict=True):
            position = position_of(offer.key, table.state, seat)
            (land, law), town, task = position.site.ground, position.city.town, position.task
            build_moves.fit(land, law, town.city, task)
            city[: len(town.city)], book[: len(town.book)] = town
            desk[TASK], desk[LEFT], desk[PASSING] = task, len(position.deck), build_moves.can_pass(law, town.book, task)
            desk[DECK : DECK + len(position.deck)] = position.deck
        return cls(plan, rows)

    def __len__(self) -> int:
        return len(self._rows.own["luck"])

    def copied(self, owners: Sequence[int], luck: Sequence[int]) -> "Cities":
        """As many cities as there are owners, each like its owner's, with luck of its own to come."""
        rows = CpuRunner(self._plan, numpy.array([*luck, *luck], dtype=numpy.uint64))
        for name in KEPT:
            rows.own[name][:] = self._rows.own[name][owners]
        return Cities(self._plan, rows)

    def choices(self) -> Choices:
        rows, own = self._rows, self._rows.own
        rows.run("count")
        counts = own["counts"][:, 0]
        own["ends"][:, 0] = counts.cumsum()
        found: dict[str, Any] = {
            name: numpy.zeros((counts.sum(), length), dtype=kind_of(name))
            for name, length in self._plan.choices.items()
        }
        owners = numpy.arange(len(self)).repeat(counts)
        rows.run("spread", numbers=found["number"][:, 0])
        found["number"] = found["number"][numpy.lexsort((found["number"][:, 0], owners))]
        rows.run("sight_of", owners=owners, **found)
        firsts = own["ends"][:, 0] - counts
        return Choices(firsts, found["number"][:, 0], found["seen"], found["sight"], found["points"][:, 0])

    def step(self, numbers: NDArray[numpy.int64]) -> tuple[NDArray[numpy.float64], NDArray[numpy.int64]]:
        """One decision in every city: final scores where games are over, and which these are; others begin there."""
        self._rows.run("step", actions=numbers.reshape(len(self), 1))
        return self._rows.own["rewards"][:, 0], self._rows.own["overs"][:, 0]


def _offer_of_all(positions: Sequence[tuple[GameTable, int]]) -> EnvironmentId:
    offers = {table.offer for table, _ in positions}
    if len(offers) != 1:
        raise NoBatch(f"what lies side by side are cities of one id, not of {len(offers)}")
    for table, seat in positions:
        if seat not in table.due or seat == CHANCE:
            raise NoBatch(f"seat {seat} decides on nothing there")
    return offers.pop()
