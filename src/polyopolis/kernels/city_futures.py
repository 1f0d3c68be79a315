"""Placing games: common futures, an order of cards or rolls that is the same for all seats."""

from collections import Counter
from collections.abc import Mapping, Sequence
from copy import copy
from typing import Any

from polyopolis.games import game
from polyopolis.games.placement import Pass, Stop
from polyopolis.kernels.city_position import CityPosition, position_of
from polyopolis.kernels.match_futures import FutureResults, WeightsFor, future_rng, shuffled, stratum_of
from polyopolis.kernels.placing import layout, search
from polyopolis.kernels.runtime.jit import Ints, float_rows, int_rows, ints
from polyopolis.kernels.runtime.rng import random_below

TaskOrders = tuple[Sequence[Ints], int, list[int], Mapping[int, float]]
"""Task orders by future, number of tasks in each, the first task of each (empty if there are none), and the
probability of each first task."""


class CityFutureSimulator:
    """Simulates separate cities. Players only affect each other by winning races, which shows at the next moment."""

    SEPARATE_CITIES = True
    LEARNS = False

    def __init__(self, key: str, seed: int, weigh: WeightsFor) -> None:
        self._rules, self._seed, self._weigh = game(key), seed, weigh
        self._orders_by_future: dict[int, list[int]] = {}
        self._last: tuple[Any, TaskOrders] | None = None
        self._expected: tuple[Any, range, FutureResults] | None = None

    def supports(self, state: Any) -> bool:
        return True

    def topic(self, state: Any) -> str:
        asked = state.card if hasattr(state, "card") else state.task
        return str(asked.kind) if _decision_kind(state) == "building" and asked else _decision_kind(state)

    def final(self, state: Any) -> list[float]:
        return [self._position(state, seat).city.outcome for seat in range(len(state.cities))]

    def expected(self, state: Any, futures: range) -> FutureResults:
        if self._expected is None or self._expected[0] is not state or self._expected[1] != futures:
            orders = self._orders(state, futures)
            rows = [self._row(state, seat, self._next(state, seat), orders) for seat in range(len(state.cities))]
            self._expected = state, futures, FutureResults(rows, rows, orders[2], orders[3])
        return copy(self._expected[2])

    def after_choices(self, state: Any, seat: int, actions: Sequence[Any], futures: range) -> list[FutureResults]:
        orders, others = self._orders(state, futures), self.expected(state, futures).points
        own = self._rows(state, seat, actions, orders)
        tables = [[row if other == seat else others[other] for other in range(len(others))] for row in own]
        return [FutureResults(table, table, orders[2], orders[3]) for table in tables]

    def candidates(self, state: Any, seat: int, width: int) -> list[Any]:
        if _decision_kind(state) == "reward":
            return []
        if _decision_kind(state) == "kiosk":
            return list(self._rules.legal(state, seat))[-width:]
        position = self._position(state, seat)
        weights = self._weigh(position.part, position.site)
        valued = sorted(position.choice_values(weights), key=lambda pair: -pair[0])
        found = [position.action(choice) for _, choice in valued[:width]]
        legal = self._rules.legal(state, seat)
        return [*found, *[action for action in (Pass(), Stop()) if action in legal and action not in found]]

    def _position(self, state: Any, seat: int) -> CityPosition:
        return position_of(self._rules.key, state, seat)

    def _next(self, state: Any, seat: int) -> int:
        if state.cities[seat].stopped or not state.acting:
            return layout.STOP
        return layout.GREEDY if seat in state.acting and _decision_kind(state) == "building" else layout.WAIT

    def _row(self, state: Any, seat: int, choice: int, orders: TaskOrders) -> list[float]:
        return self._played(self._position(state, seat), [choice], orders)[0]

    def _rows(self, state: Any, seat: int, actions: Sequence[Any], orders: TaskOrders) -> list[list[float]]:
        if _decision_kind(state) != "building":
            after = [self._rules.apply(state, seat, action).state for action in actions]
            return [self._row(each, seat, layout.WAIT, orders) for each in after]
        position = self._position(state, seat)
        return self._played(position, [position.choice(action) for action in actions], orders)

    def _played(self, position: CityPosition, choices: Sequence[int], orders: TaskOrders) -> list[list[float]]:
        rows, length, _, _ = orders
        if list(choices) == [layout.STOP]:
            return [[position.city.outcome] * len(rows)]
        results = float_rows(len(choices), len(rows))
        search.play_futures(
            position.site.arrays, position.city.arrays, position.task, ints(choices), rows, length,
            self._weigh(position.part, position.site), position.city.scratch, results,
        )  # fmt: skip
        return [[float(value) for value in row] for row in results]

    def _orders(self, state: Any, futures: range) -> TaskOrders:
        known = (getattr(state, "deck", None), getattr(state, "rolls", 0), getattr(state, "compasses", 0), futures)
        if self._last is None or self._last[0] != known:
            self._last = known, self._cards(state, futures) if hasattr(state, "deck") else self._rolls(state, futures)
        return self._last[1]

    def _cards(self, state: Any, futures: range) -> TaskOrders:
        numbers = {card: number for number, card in enumerate(state.episode.cards.values())}
        left = [numbers[card] for card in state.deck]
        remaining = set(left)
        rows, firsts = int_rows(len(futures), max(len(left), 1)), list[int]()
        for row, future in enumerate(futures):
            if future not in self._orders_by_future:
                self._orders_by_future[future] = shuffled(range(len(numbers)), future_rng(self._seed, future))
            first = left[stratum_of(future, len(left))] if left else 0
            firsts.append(first)
            rest = [task for task in self._orders_by_future[future] if task in remaining and task != first]
            for at, task in enumerate([first, *rest]):
                rows[row][at] = task
        return rows, len(left), firsts if left else [], {task: 1 / len(left) for task in left}

    def _rolls(self, state: Any, futures: range) -> TaskOrders:
        law = self._position(state, 0).site.arrays.law
        slots = [int(slot) for slot in law[layout.DICE_TASKS : layout.DICE_TASKS + layout.DICE_OUTCOMES]]
        length = max(layout.MAX_ROLLS - state.rolls, 1)
        rows, firsts = int_rows(len(futures), length), list[int]()
        for row, future in enumerate(futures):
            if future not in self._orders_by_future:
                rng = future_rng(self._seed, future)
                self._orders_by_future[future] = [
                    int(random_below(rng, layout.DICE_OUTCOMES)) for _ in range(layout.MAX_ROLLS)
                ]
            rolls = [stratum_of(future, layout.DICE_OUTCOMES), *self._orders_by_future[future][state.rolls + 1 :]]
            tasks = _tasks_of_rolls(law, [slots[slot] for slot in rolls], state.compasses)
            firsts.append(tasks[0])
            for at, task in enumerate(tasks):
                rows[row][at] = task
        each = Counter(_tasks_of_rolls(law, [slot], state.compasses)[0] for slot in slots)
        return rows, length, firsts, {task: count / layout.DICE_OUTCOMES for task, count in each.items()}


def _decision_kind(state: Any) -> str:
    return str(getattr(state, "asks", "building"))


def _tasks_of_rolls(law: Ints, slots: Sequence[int], used: int) -> list[int]:
    """Returns the tasks of consecutive rolls. A compass gives the next task of the compass row while there is one."""
    tasks, row, first = [], int(law[layout.COMPASS_ROW_LENGTH]), int(law[layout.COMPASS_ROW_START])
    for slot in slots:
        task = slot
        if slot >= layout.COMPASS_FLAG:
            task = first + used if used < row else slot - layout.COMPASS_FLAG
            used += 1
        tasks.append(task)
    return tasks
