"""Batch of given city positions: evaluates all choices of each city and plays on.

Features are those of `kernels/placing/layout.py`; `sight` is the input bits of the built-in nets (`net_inputs.py` in
the same folder).
"""

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy
from numpy.typing import NDArray

from polyopolis.engine import CHANCE
from polyopolis.kernels.city_position import position_of
from polyopolis.kernels.placing import build_moves
from polyopolis.lab.batch import CpuRunner
from polyopolis.lab.batch_plan import BatchPlan, dtype_of
from polyopolis.lab.batch_plans import UnsupportedBatch, plan_of
from polyopolis.lab.environment_ids import EnvironmentId
from polyopolis.lab.game_table import GameTable
from polyopolis.lab.stepping.city_steps import CAN_PASS, CARDS_LEFT, DECK, DUE_TASK

COPIED_ARRAYS = ("city", "book", "desk")
"""Arrays that define a copy of a city."""


class EvaluatedChoices(NamedTuple):
    """Choices of all cities in order: start index by city, action numbers (ascending within a city), and features,
    input bits and scores by choice."""

    firsts: NDArray[numpy.int64]
    numbers: NDArray[numpy.int64]
    features: NDArray[numpy.int64]
    sight: NDArray[numpy.uint64]
    points: NDArray[numpy.int64]


class Cities:
    """Cities with a due decision, on one CPU core. From here on each is played alone, as in all batches."""

    def __init__(self, plan: BatchPlan, rows: CpuRunner) -> None:
        self._plan, self._rows = plan, rows

    @classmethod
    def of(cls, positions: Sequence[tuple[GameTable, int]]) -> "Cities":
        """Returns the cities of tables of one id, each with the deciding seat."""
        offer = _common_offer(positions)
        plan = plan_of(offer.id)
        if plan.program != "cities":
            raise UnsupportedBatch(f"{offer.id} has no cities")
        rows = CpuRunner(plan, numpy.zeros(2 * len(positions), dtype=numpy.uint64))
        for (table, seat), city, book, desk in zip(positions, *(rows.own[name] for name in COPIED_ARRAYS), strict=True):
            position = position_of(offer.key, table.state, seat)
            (land, law), arrays, task = position.site.arrays, position.city.arrays, position.task
            build_moves.find_anchors(land, law, arrays.city, task)
            city[: len(arrays.city)], book[: len(arrays.book)] = arrays
            desk[DUE_TASK], desk[CARDS_LEFT], desk[CAN_PASS] = (
                task,
                len(position.deck),
                build_moves.can_pass(law, arrays.book, task),
            )
            desk[DECK : DECK + len(position.deck)] = position.deck
        return cls(plan, rows)

    def __len__(self) -> int:
        return len(self._rows.own["luck"])

    def copied(self, owners: Sequence[int], luck: Sequence[int]) -> "Cities":
        """Returns a copy of the city of each owner, with its own generator state."""
        rows = CpuRunner(self._plan, numpy.array([*luck, *luck], dtype=numpy.uint64))
        for name in COPIED_ARRAYS:
            rows.own[name][:] = self._rows.own[name][owners]
        return Cities(self._plan, rows)

    def choices(self) -> EvaluatedChoices:
        """Evaluates all choices of all cities."""
        rows, own = self._rows, self._rows.own
        rows.run("count")
        counts = own["counts"][:, 0]
        own["ends"][:, 0] = counts.cumsum()
        found: dict[str, Any] = {
            name: numpy.zeros((counts.sum(), length), dtype=dtype_of(name))
            for name, length in self._plan.choices.items()
        }
        owners = numpy.arange(len(self)).repeat(counts)
        rows.run("spread", numbers=found["number"][:, 0])
        found["number"] = found["number"][numpy.lexsort((found["number"][:, 0], owners))]
        rows.run("sight_of", owners=owners, **found)
        firsts = own["ends"][:, 0] - counts
        return EvaluatedChoices(firsts, found["number"][:, 0], found["seen"], found["sight"], found["points"][:, 0])

    def step(self, numbers: NDArray[numpy.int64]) -> tuple[NDArray[numpy.float64], NDArray[numpy.int64]]:
        """Applies one action number per city. Returns final scores where games are over, and which are; those
        restart."""
        self._rows.run("step", actions=numbers.reshape(len(self), 1))
        return self._rows.own["rewards"][:, 0], self._rows.own["overs"][:, 0]


def _common_offer(positions: Sequence[tuple[GameTable, int]]) -> EnvironmentId:
    offers = {table.offer for table, _ in positions}
    if len(offers) != 1:
        raise UnsupportedBatch(f"positions must be of one id, not of {len(offers)}")
    for table, seat in positions:
        if seat not in table.due or seat == CHANCE:
            raise UnsupportedBatch(f"seat {seat} has no decision to make")
    return offers.pop()
