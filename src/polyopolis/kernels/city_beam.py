"""Placing games: beam search for the best city with known tasks, and its upper bound."""

from collections.abc import Generator, Sequence
from dataclasses import dataclass

from polyopolis.kernels.city_position import KernelCity
from polyopolis.kernels.placing import beam_search, layout, upper_bound
from polyopolis.kernels.placing.layout import Beam, BeamCandidates, BeamTrail, BoundTables
from polyopolis.kernels.runtime.jit import Floats, float_rows, int_rows, ints, word_rows


@dataclass(frozen=True)
class BeamResult:
    """Result of a beam search."""

    score: int
    bound: int
    choices: tuple[int, ...] | None
    """One choice per task until the city stops, WAIT where none is asked. None if no city is better than the known
    score."""


def new_bound_tables(tasks: int, columns: int) -> BoundTables:
    return BoundTables(
        tails=int_rows(tasks + 1, (layout.MASK_CELLS + 1) * columns),
        sums=int_rows(tasks + 1, layout.MASK_CELLS + 1),
        coming=int_rows(tasks + 1, layout.TO_COME_SIZE),
        gains=int_rows(2 * layout.LIMIT_ROWS, layout.CELL_CLASSES),
        pools=int_rows(1, layout.POOLS_SIZE)[0],
    )


def new_beam(width: int) -> Beam:
    """Allocates a beam with room for one more city, which may be discarded."""
    rows = width + 1
    return Beam(word_rows(rows, layout.CITY_SIZE), int_rows(rows, layout.BOOK_SIZE), int_rows(1, rows)[0])


def new_candidates(width: int) -> BeamCandidates:
    return BeamCandidates(
        values=float_rows(1, width)[0],
        parents=int_rows(1, width)[0],
        choices=int_rows(1, width)[0],
        seen=int_rows(1, 2 * width + 1)[0],
    )


class BeamSearch:
    """A city with the coming tasks in order (WAIT: not asked), the races that other seats win by task, and the number
    of kiosks that may be added. Kiosks count in the bound, but the search does not build them."""

    def __init__(
        self, city: KernelCity, tasks: Sequence[int], shut: Sequence[int], weights: Floats, kiosks: int = 0
    ) -> None:
        self._city, self._tasks, self._shut, self._weights, self._kiosks = city, tasks, shut, weights, kiosks
        self._site = city.site.arrays
        self._tables = new_bound_tables(len(tasks), upper_bound.circle_columns(self._site.law))
        upper_bound.write_bound_tables(self._site, ints(tasks), kiosks, self._tables)
        beam, facts = new_beam(1), ints([layout.IMPOSSIBLE, 0, 0, layout.IMPOSSIBLE])
        self._load(beam)
        beam_search.open_beam(self._site, beam, self._tables, city.scratch, facts)
        self.score, self.bound = int(facts[layout.BEST_SCORE]), int(beam.bounds[0])
        """The score of stopping at once, and the upper bound."""

    def _load(self, beam: Beam) -> None:
        for source, target in ((self._city.arrays.city, beam.cities[0]), (self._city.arrays.book, beam.books[0])):
            for at, number in enumerate(source):
                target[at] = number

    def run(self, width: int, known: int) -> Generator[float, None, BeamResult]:
        """Searches with a beam of this width for a city that scores more than `known`. Yields the completed share.

        The highest bound of discarded cities is recorded: if it does not exceed the best score, the result is proven
        optimal, unless there are kiosks.
        """
        now, then, candidates = new_beam(width), new_beam(width), new_candidates(width)
        trail = BeamTrail(*(int_rows(len(self._tasks) + 1, width + 1) for _ in range(2)))
        facts = ints([known, 0, 0, layout.IMPOSSIBLE])
        self._load(now)
        number = beam_search.open_beam(self._site, now, self._tables, self._city.scratch, facts)
        for turned, task in enumerate(self._tasks):
            if number == 0:
                break
            number = beam_search.advance_beam(
                self._site, task, turned, self._shut[turned], now, number, then, trail, self._weights,
                self._tables, candidates, self._city.scratch, facts,
            )  # fmt: skip
            now, then = then, now
            yield (turned + 1) / len(self._tasks)
        best, after, at, aside = map(int, facts)
        aside = self.bound if self._kiosks else aside
        line = list[int]()
        for turned in range(after - 1, -1, -1):
            line.append(int(trail.choices[turned][at]))
            at = int(trail.parents[turned][at])
        return BeamResult(best, min(self.bound, max(best, aside)), tuple(reversed(line)) if best > known else None)
