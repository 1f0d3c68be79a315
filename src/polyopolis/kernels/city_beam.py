"""The best city that is found when the tasks to come are known, and what none can exceed."""

from collections.abc import Generator, Sequence
from dataclasses import dataclass

from polyopolis.kernels.city_position import City
from polyopolis.kernels.placing import beam_search, layout, upper_bound
from polyopolis.kernels.placing.layout import Beam, Outlook, Picks, Trail
from polyopolis.kernels.runtime.jit import Floats, float_rows, int_rows, ints, word_rows


@dataclass(frozen=True)
class Grown:
    """What a beam found: nothing if no city is better than what was known before."""

    score: int
    bound: int
    choices: tuple[int, ...] | None
    """One for each task, WAIT where nobody is asked, until the city stops."""


def new_outlook(tasks: int, columns: int) -> Outlook:
    return Outlook(
        tails=int_rows(tasks + 1, (layout.CELLS + 1) * columns),
        sums=int_rows(tasks + 1, layout.CELLS + 1),
        coming=int_rows(tasks + 1, layout.TO_COME),
        gains=int_rows(2 * layout.RISING, layout.CLASSES),
        pools=int_rows(1, layout.POOLS)[0],
    )


def new_beam(width: int) -> Beam:
    """There is room for one city more, which is looked at and may be given up."""
    rows = width + 1
    return Beam(word_rows(rows, layout.CITY), int_rows(rows, layout.BOOK), int_rows(1, rows)[0])


def new_picks(width: int) -> Picks:
    return Picks(
        values=float_rows(1, width)[0],
        parents=int_rows(1, width)[0],
        choices=int_rows(1, width)[0],
        seen=int_rows(1, 2 * width + 1)[0],
    )


class Prospect:
    """A city and the tasks that come, in their order, WAIT where it is not asked; which of its races somebody else wins
    with which of them; and how many kiosks it may add, which are not built here."""

    def __init__(self, city: City, tasks: Sequence[int], shut: Sequence[int], weights: Floats, kiosks: int = 0) -> None:
        self._city, self._tasks, self._shut, self._weights, self._kiosks = city, tasks, shut, weights, kiosks
        self._ground = city.site.ground
        self._outlook = new_outlook(len(tasks), upper_bound.columns_of(self._ground.law))
        upper_bound.foretell(self._ground, ints(tasks), kiosks, self._outlook)
        beam, facts = new_beam(1), ints([layout.IMPOSSIBLE, 0, 0, layout.IMPOSSIBLE])
        self._open(beam)
        beam_search.opened(self._ground, beam, self._outlook, city.yard, facts)
        self.score, self.bound = int(facts[layout.BEST]), int(beam.bounds[0])
        """If it stops at once, and what no city can exceed."""

    def _open(self, beam: Beam) -> None:
        for source, target in ((self._city.town.city, beam.cities[0]), (self._city.town.book, beam.books[0])):
            for at, number in enumerate(source):
                target[at] = number

    def grown(self, width: int, known: int) -> Generator[float, None, Grown]:
        """The best city of a beam of this width, if it is better than what is known; tells what share is done.

        What the beam leaves aside is remembered by its bound: if none of that can exceed the best, it is proven. With
        kiosks, which it leaves out, nothing is.
        """
        now, then, picks = new_beam(width), new_beam(width), new_picks(width)
        trail = Trail(*(int_rows(len(self._tasks) + 1, width + 1) for _ in range(2)))
        facts = ints([known, 0, 0, layout.IMPOSSIBLE])
        self._open(now)
        number = beam_search.opened(self._ground, now, self._outlook, self._city.yard, facts)
        for turned, task in enumerate(self._tasks):
            if number == 0:
                break
            number = beam_search.widened(
                self._ground, task, turned, self._shut[turned], now, number, then, trail, self._weights,
                self._outlook, picks, self._city.yard, facts,
            )  # fmt: skip
            now, then = then, now
            yield (turned + 1) / len(self._tasks)
        best, after, at, aside = map(int, facts)
        aside = self.bound if self._kiosks else aside
        line = list[int]()
        for turned in range(after - 1, -1, -1):
            line.append(int(trail.choices[turned][at]))
            at = int(trail.parents[turned][at])
        return Grown(best, min(self.bound, max(best, aside)), tuple(reversed(line)) if best > known else None)
