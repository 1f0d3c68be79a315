"""Beam search over cities with known tasks."""

# ruff: noqa: PLR0913, PLR0917 - a kernel is written for the machine: flat, with its arrays as arguments

from polyopolis.kernels.placing.build_moves import can_pass, decide, list_placements
from polyopolis.kernels.placing.evaluation import blend_weights, choice_value
from polyopolis.kernels.placing.features import score
from polyopolis.kernels.placing.layout import (
    BEST_INDEX,
    BEST_SCORE,
    BEST_TASK_COUNT,
    BOOK_SIZE,
    CLOSE_FOREST_RACE,
    CLOSE_RACE,
    COLOUR_CELLS,
    DISCARDED_BOUND,
    FIT_ANCHORS,
    FOREST_RACE_OPEN,
    FREE,
    PASS,
    PASSED_CIRCLES,
    RACE_OPEN,
    REVEALED_TASKS,
    WAIT,
    Beam,
    BeamCandidates,
    BeamTrail,
    BoundTables,
    CityScratch,
    SiteArrays,
)
from polyopolis.kernels.placing.upper_bound import city_bound
from polyopolis.kernels.runtime.array_ops import copy_into
from polyopolis.kernels.runtime.jit import ALL_BITS, Floats, Ints, S, U, Words, entry, jit


@jit
def _update_best(
    site: SiteArrays, beam: Beam, at: int, turned: int, tables: BoundTables, scratch: CityScratch, facts: Ints
) -> bool:
    """Scores a city of the beam. Returns whether its bound exceeds the best score."""
    land, law, city, book = site.land, site.law, beam.cities[at], beam.books[at]
    points = score(land, law, city, book, scratch.out)
    if points > facts[BEST_SCORE]:
        facts[BEST_SCORE], facts[BEST_TASK_COUNT], facts[BEST_INDEX] = points, turned, at
    beam.bounds[at] = city_bound(land, law, city, book, turned, tables, scratch.out)
    return beam.bounds[at] > facts[BEST_SCORE]


@entry
def open_beam(site: SiteArrays, beam: Beam, tables: BoundTables, scratch: CityScratch, facts: Ints) -> int:
    """Evaluates the first city of a beam. Returns the number of cities to continue: 1 or 0."""
    return 1 if _update_best(site, beam, 0, 0, tables, scratch, facts) else 0


@jit
def _sift_up(candidates: BeamCandidates, at: int) -> None:
    """Restores the heap above an item."""
    values, parents, choices = candidates.values, candidates.parents, candidates.choices
    while at > 0 and values[at] < values[(at - 1) // 2]:
        up = (at - 1) // 2
        values[at], values[up] = values[up], values[at]
        parents[at], parents[up] = parents[up], parents[at]
        choices[at], choices[up] = choices[up], choices[at]
        at = up


@jit
def _sift_down(candidates: BeamCandidates, number: int) -> None:
    """Restores the heap below the first item."""
    values, parents, choices = candidates.values, candidates.parents, candidates.choices
    at, down = 0, 1
    while down < number:
        if down + 1 < number and values[down + 1] < values[down]:
            down += 1
        if values[at] <= values[down]:
            return
        values[at], values[down] = values[down], values[at]
        parents[at], parents[down] = parents[down], parents[at]
        choices[at], choices[down] = choices[down], choices[at]
        at, down = down, 2 * down + 1


@jit
def _push_candidate(
    candidates: BeamCandidates, number: int, value: float, parent: int, choice: int, bounds: Ints, facts: Ints
) -> int:
    """Adds a step if it is among the best and returns the number of steps. The bound of a discarded step is kept."""
    if number < len(candidates.values):
        candidates.values[number], candidates.parents[number], candidates.choices[number] = value, parent, choice
        _sift_up(candidates, number)
        return number + 1
    if value <= candidates.values[0]:
        facts[DISCARDED_BOUND] = max(facts[DISCARDED_BOUND], bounds[parent])
    else:
        facts[DISCARDED_BOUND] = max(facts[DISCARDED_BOUND], bounds[candidates.parents[0]])
        candidates.values[0], candidates.parents[0], candidates.choices[0] = value, parent, choice
        _sift_down(candidates, number)
    return number


@jit
def _select_candidates(
    site: SiteArrays,
    task: int,
    now: Beam,
    number: int,
    weights: Floats,
    candidates: BeamCandidates,
    scratch: CityScratch,
    facts: Ints,
) -> int:
    """Writes the best steps of all cities of a beam and returns their number."""
    land, law, found = site.land, site.law, 0
    for parent in range(number):
        city, book = now.cities[parent], now.books[parent]
        if now.bounds[parent] <= facts[BEST_SCORE]:
            continue
        blend_weights(land, law, city, book, weights, scratch.blend)
        choices = list_placements(land, law, city, task, scratch.choices)
        if can_pass(law, book, task):
            scratch.choices[choices] = PASS
            choices += 1
        for at in range(choices):
            choice = scratch.choices[at]
            value = choice_value(land, law, city, book, task, choice, scratch.blend, scratch.out)
            found = _push_candidate(candidates, found, value, parent, choice, now.bounds, facts)
    return found


@jit
def _looks_alike(city: Words, book: Ints, other: Words, noted: Ints) -> bool:
    """Returns whether two cities have the same cells of each colour and the same ticked circles."""
    for word in range(2):
        if city[FREE + word] != other[FREE + word]:
            return False
    for word in range(COLOUR_CELLS, COLOUR_CELLS + 6):
        if city[word] != other[word]:
            return False
    return book[PASSED_CIRCLES] == noted[PASSED_CIRCLES]


@jit
def _is_identical(city: Words, book: Ints, other: Words, noted: Ints) -> bool:
    """Returns whether all numbers of two cities are equal."""
    different = 0
    for word in range(FIT_ANCHORS):
        different += city[word] != other[word]
    for number in range(BOOK_SIZE):
        different += book[number] != noted[number]
    return different == 0


@jit
def _digest(city: Words, book: Ints) -> int:
    mixed = U(book[PASSED_CIRCLES])
    for word in range(FREE, COLOUR_CELLS + 6):
        mixed = (mixed ^ city[word]) * U(0x9E3779B97F4A7C15) & ALL_BITS
        mixed ^= mixed >> U(29)
    return mixed


@jit
def _find_duplicate(beam: Beam, at: int, seen: Ints) -> int:
    """Returns an earlier city of the beam that looks like this one, or -1 after recording this one."""
    city, book = beam.cities[at], beam.books[at]
    slot = S(_digest(city, book) >> U(1)) % len(seen)
    while seen[slot] >= 0:
        if _looks_alike(city, book, beam.cities[seen[slot]], beam.books[seen[slot]]):
            return seen[slot]
        slot = (slot + 1) % len(seen)
    seen[slot] = at
    return -1


@entry
def advance_beam(
    site: SiteArrays, task: int, turned: int, shut: int, now: Beam, number: int, then: Beam, trail: BeamTrail,
    weights: Floats, tables: BoundTables, candidates: BeamCandidates, scratch: CityScratch, facts: Ints,
) -> int:  # fmt: skip
    """Writes the cities of the beam after one more task, which is number `turned`, and returns their number.

    Of cities that look alike only the first is kept.
    """
    land, law, parents, choices = site.land, site.law, trail.parents[turned], trail.choices[turned]
    for parent in range(number):
        now.books[parent][REVEALED_TASKS] += 1
    if task == WAIT:
        found = number
        for parent in range(number):
            candidates.parents[parent], candidates.choices[parent] = parent, WAIT
    else:
        found = _select_candidates(site, task, now, number, weights, candidates, scratch, facts)
    for slot in range(len(candidates.seen)):
        candidates.seen[slot] = -1
    kept = 0
    for pick in range(found):
        parent, choice = candidates.parents[pick], candidates.choices[pick]
        city, book = then.cities[kept], then.books[kept]
        copy_into(now.cities[parent], city)
        copy_into(now.books[parent], book)
        if choice != WAIT:
            decide(land, law, city, book, task, choice)
        if shut & CLOSE_RACE:
            book[RACE_OPEN] = 0
        if shut & CLOSE_FOREST_RACE:
            book[FOREST_RACE_OPEN] = 0
        parents[kept], choices[kept] = parent, choice
        goes_on = _update_best(site, then, kept, turned + 1, tables, scratch, facts)
        twin = _find_duplicate(then, kept, candidates.seen) if goes_on else -1
        if twin >= 0 and not _is_identical(then.cities[kept], then.books[kept], then.cities[twin], then.books[twin]):
            facts[DISCARDED_BOUND] = max(facts[DISCARDED_BOUND], then.bounds[kept])
        best = facts[BEST_TASK_COUNT] == turned + 1 and facts[BEST_INDEX] == kept
        if best or (goes_on and twin < 0):
            kept += 1
    return kept
