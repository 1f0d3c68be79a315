"""The futures of a placing game: cards or rolls in an order that is the same for all seats."""

from collections import Counter
from collections.abc import Mapping, Sequence
from copy import copy
from typing import Any

from polyopolis.games import game
from polyopolis.games.placement import Pass, Stop
from polyopolis.kernels.city_position import CityPosition, position_of
from polyopolis.kernels.match_futures import FutureResults, Weigh, in_turn, shuffled, word_of
from polyopolis.kernels.placing import layout, search
from polyopolis.kernels.runtime.jit import Ints, float_rows, int_rows, ints
from polyopolis.kernels.runtime.rng import below

Orders = tuple[Sequence[Ints], int, list[int], Mapping[int, float]]
"""Rows of tasks, how many count in each, the first of each row if there is any, and how likely each of those is."""


class CityFutureSimulator:
    """Cities side by side: nobody takes anything from anybody but a race, and that shows at the next moment."""

    APART = True
    LEARNS = False

    def __init__(self, key: str, seed: int, weigh: Weigh) -> None:
        self._rules, self._seed, self._weigh = game(key), seed, weigh
        self._told: dict[int, list[int]] = {}
        self._last: tuple[Any, Orders] | None = None
        self._expected: tuple[Any, range, FutureResults] | None = None

    def knows(self, state: Any) -> bool:
        return True

    def topic(self, state: Any) -> str:
        asked = state.card if hasattr(state, "card") else state.task
        return str(asked.kind) if _asks(state) == "building" and asked else _asks(state)

    def final(self, state: Any) -> list[float]:
        return [self._position(state, seat).city.outcome for seat in range(len(state.cities))]

    def expected(self, state: Any, futures: range) -> FutureResults:
        if self._expected is None or self._expected[0] is not state or self._expected[1] != futures:
            orders = self._orders(state, futures)
            rows = [self._row(state, seat, self._next(state, seat), orders) for seat in range(len(state.cities))]
            self._expected = state, futures, FutureResults(rows, rows, orders[2], orders[3])
        return copy(self._expected[2])

    def judged(self, state: Any, seat: int, actions: Sequence[Any], futures: range) -> list[FutureResults]:
        orders, others = self._orders(state, futures), self.expected(state, futures).points
        own = self._rows(state, seat, actions, orders)
        tables = [[row if other == seat else others[other] for other in range(len(others))] for row in own]
        return [FutureResults(table, table, orders[2], orders[3]) for table in tables]

    def candidates(self, state: Any, seat: int, width: int) -> list[Any]:
        if _asks(state) == "reward":
            return []
        if _asks(state) == "kiosk":
            return list(self._rules.legal(state, seat))[-width:]
        position = self._position(state, seat)
        weights = self._weigh(position.part, position.site)
        valued = sorted(position.valued(weights), key=lambda pair: -pair[0])
        found = [position.action(choice) for _, choice in valued[:width]]
        legal = self._rules.legal(state, seat)
        return [*found, *[action for action in (Pass(), Stop()) if action in legal and action not in found]]

    def _position(self, state: Any, seat: int) -> CityPosition:
        return position_of(self._rules.key, state, seat)

    def _next(self, state: Any, seat: int) -> int:
        if state.cities[seat].stopped or not state.acting:
            return layout.STOP
        return layout.SIGHT if seat in state.acting and _asks(state) == "building" else layout.WAIT

    def _row(self, state: Any, seat: int, choice: int, orders: Orders) -> list[float]:
        return self._played(self._position(state, seat), [choice], orders)[0]

    def _rows(self, state: Any, seat: int, actions: Sequence[Any], orders: Orders) -> list[list[float]]:
        if _asks(state) != "building":
            after = [self._rules.apply(state, seat, action).state for action in actions]
            return [self._row(each, seat, layout.WAIT, orders) for each in after]
        position = self._position(state, seat)
        return self._played(position, [position.choice(action) for action in actions], orders)

    def _played(self, position: CityPosition, choices: Sequence[int], orders: Orders) -> list[list[float]]:
        rows, length, _, _ = orders
        if list(choices) == [layout.STOP]:
            return [[position.city.outcome] * len(rows)]
        results = float_rows(len(choices), len(rows))
        search.foretold(
            position.site.ground, position.city.town, position.task, ints(choices), rows, length,
            self._weigh(position.part, position.site), position.city.yard, results,
        )  # fmt: skip
        return [[float(value) for value in row] for row in results]

    def _orders(self, state: Any, futures: range) -> Orders:
        known = (getattr(state, "deck", None), getattr(state, "rolls", 0), getattr(state, "compasses", 0), futures)
        if self._last is None or self._last[0] != known:
            self._last = known, self._cards(state, futures) if hasattr(state, "deck") else self._rolls(state, futures)
        return self._last[1]

    def _cards(self, state: Any, futures: range) -> Orders:
        numbers = {card: number for number, card in enumerate(state.episode.cards.values())}
        left = [numbers[card] for card in state.deck]
        remaining = set(left)
        rows, firsts = int_rows(len(futures), max(len(left), 1)), list[int]()
        for row, future in enumerate(futures):
            if future not in self._told:
                self._told[future] = shuffled(range(len(numbers)), word_of(self._seed, future))
            first = left[in_turn(future, len(left))] if left else 0
            firsts.append(first)
            rest = [task for task in self._told[future] if task in remaining and task != first]
            for at, task in enumerate([first, *rest]):
                rows[row][at] = task
        return rows, len(left), firsts if left else [], {task: 1 / len(left) for task in left}

    def _rolls(self, state: Any, futures: range) -> Orders:
        law = self._position(state, 0).site.ground.law
        slots = [int(slot) for slot in law[layout.SLOTS : layout.SLOTS + layout.SLOT_COUNT]]
        length = max(layout.MOST_LUCK - state.rolls, 1)
        rows, firsts = int_rows(len(futures), length), list[int]()
        for row, future in enumerate(futures):
            if future not in self._told:
                luck = word_of(self._seed, future)
                self._told[future] = [int(below(luck, layout.SLOT_COUNT)) for _ in range(layout.MOST_LUCK)]
            told = [in_turn(future, layout.SLOT_COUNT), *self._told[future][state.rolls + 1 :]]
            tasks = _asked(law, [slots[slot] for slot in told], state.compasses)
            firsts.append(tasks[0])
            for at, task in enumerate(tasks):
                rows[row][at] = task
        each = Counter(_asked(law, [slot], state.compasses)[0] for slot in slots)
        return rows, length, firsts, {task: count / layout.SLOT_COUNT for task, count in each.items()}


def _asks(state: Any) -> str:
    return str(getattr(state, "asks", "building"))


def _asked(law: Ints, slots: Sequence[int], used: int) -> list[int]:
    """The tasks of rolls, one after the other: a compass asks for the next of its row, if there is one."""
    tasks, row, first = [], int(law[layout.ROW]), int(law[layout.FIRST_OF_ROW])
    for slot in slots:
        task = slot
        if slot >= layout.COMPASS:
            task = first + used if used < row else slot - layout.COMPASS
            used += 1
        tasks.append(task)
    return tasks
