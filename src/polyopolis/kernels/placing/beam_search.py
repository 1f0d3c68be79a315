"""The best city with the luck as it comes: many cities side by side, of which the most promising go on."""

# ruff: noqa: PLR0913, PLR0917 - a kernel is written for the machine: flat, with its arrays as arguments

from polyopolis.kernels.placing.build_moves import can_pass, decide, listed
from polyopolis.kernels.placing.evaluation import blended, worth
from polyopolis.kernels.placing.features import score
from polyopolis.kernels.placing.layout import (
    ASIDE,
    BEST,
    BEST_AFTER,
    BEST_AT,
    BOOK,
    FIT,
    FREE,
    GONE,
    OPEN,
    OPEN_FOREST,
    PASS,
    PASSED,
    SHUT_FOREST,
    SHUT_RACE,
    UNDER,
    WAIT,
    Beam,
    Ground,
    Outlook,
    Picks,
    Trail,
    Yard,
)
from polyopolis.kernels.placing.upper_bound import bounded
from polyopolis.kernels.runtime.array_ops import copied
from polyopolis.kernels.runtime.jit import FULL, Floats, Ints, S, U, Words, entry, jit


@jit
def _kept(ground: Ground, beam: Beam, at: int, turned: int, outlook: Outlook, yard: Yard, facts: Ints) -> bool:
    """Counts a city of a beam; whether anything better may come of it than the best so far."""
    land, law, city, book = ground.land, ground.law, beam.cities[at], beam.books[at]
    points = score(land, law, city, book, yard.out)
    if points > facts[BEST]:
        facts[BEST], facts[BEST_AFTER], facts[BEST_AT] = points, turned, at
    beam.bounds[at] = bounded(land, law, city, book, turned, outlook, yard.out)
    return beam.bounds[at] > facts[BEST]


@entry
def opened(ground: Ground, beam: Beam, outlook: Outlook, yard: Yard, facts: Ints) -> int:
    """The first city of a beam, before the first task: how many go on, which is one or none."""
    return 1 if _kept(ground, beam, 0, 0, outlook, yard, facts) else 0


@jit
def _rise(picks: Picks, at: int) -> None:
    """Moves an item of the heap to its place among those above it."""
    values, parents, choices = picks.values, picks.parents, picks.choices
    while at > 0 and values[at] < values[(at - 1) // 2]:
        up = (at - 1) // 2
        values[at], values[up] = values[up], values[at]
        parents[at], parents[up] = parents[up], parents[at]
        choices[at], choices[up] = choices[up], choices[at]
        at = up


@jit
def _sink(picks: Picks, number: int) -> None:
    """Moves the first item of the heap to its place among those below it."""
    values, parents, choices = picks.values, picks.parents, picks.choices
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
def _offer(picks: Picks, number: int, value: float, parent: int, choice: int, bounds: Ints, facts: Ints) -> int:
    """One more step, if it is among the best; how many there are. What is left aside is remembered by its bound."""
    if number < len(picks.values):
        picks.values[number], picks.parents[number], picks.choices[number] = value, parent, choice
        _rise(picks, number)
        return number + 1
    if value <= picks.values[0]:
        facts[ASIDE] = max(facts[ASIDE], bounds[parent])
    else:
        facts[ASIDE] = max(facts[ASIDE], bounds[picks.parents[0]])
        picks.values[0], picks.parents[0], picks.choices[0] = value, parent, choice
        _sink(picks, number)
    return number


@jit
def _picked(
    ground: Ground, task: int, now: Beam, number: int, weights: Floats, picks: Picks, yard: Yard, facts: Ints
) -> int:
    """Writes the best steps from all cities of a beam; how many there are."""
    land, law, found = ground.land, ground.law, 0
    for parent in range(number):
        city, book = now.cities[parent], now.books[parent]
        if now.bounds[parent] <= facts[BEST]:
            continue
        blended(land, law, city, book, weights, yard.blend)
        choices = listed(land, law, city, task, yard.choices)
        if can_pass(law, book, task):
            yard.choices[choices] = PASS
            choices += 1
        for at in range(choices):
            choice = yard.choices[at]
            value = worth(land, law, city, book, task, choice, yard.blend, yard.out)
            found = _offer(picks, found, value, parent, choice, now.bounds, facts)
    return found


@jit
def _alike(city: Words, book: Ints, other: Words, noted: Ints) -> bool:
    """Whether two cities have the same cells of each colour, and passed as often."""
    for word in range(2):
        if city[FREE + word] != other[FREE + word]:
            return False
    for word in range(UNDER, UNDER + 6):
        if city[word] != other[word]:
            return False
    return book[PASSED] == noted[PASSED]


@jit
def _same(city: Words, book: Ints, other: Words, noted: Ints) -> bool:
    """Whether two cities are the same to the last number."""
    different = 0
    for word in range(FIT):
        different += city[word] != other[word]
    for number in range(BOOK):
        different += book[number] != noted[number]
    return different == 0


@jit
def _digest(city: Words, book: Ints) -> int:
    mixed = U(book[PASSED])
    for word in range(FREE, UNDER + 6):
        mixed = (mixed ^ city[word]) * U(0x9E3779B97F4A7C15) & FULL
        mixed ^= mixed >> U(29)
    return mixed


@jit
def _twin(beam: Beam, at: int, seen: Ints) -> int:
    """An earlier city of the beam that looks like this one, or -1: then this one is noted."""
    city, book = beam.cities[at], beam.books[at]
    slot = S(_digest(city, book) >> U(1)) % len(seen)
    while seen[slot] >= 0:
        if _alike(city, book, beam.cities[seen[slot]], beam.books[seen[slot]]):
            return seen[slot]
        slot = (slot + 1) % len(seen)
    seen[slot] = at
    return -1


@entry
def widened(
    ground: Ground, task: int, turned: int, shut: int, now: Beam, number: int, then: Beam, trail: Trail,
    weights: Floats, outlook: Outlook, picks: Picks, yard: Yard, facts: Ints,
) -> int:  # fmt: skip
    """All cities of a beam after one more task, before which so many were turned up; how many there are.

    Of cities that look alike the first goes on.
    """
    land, law, parents, choices = ground.land, ground.law, trail.parents[turned], trail.choices[turned]
    for parent in range(number):
        now.books[parent][GONE] += 1
    if task == WAIT:
        found = number
        for parent in range(number):
            picks.parents[parent], picks.choices[parent] = parent, WAIT
    else:
        found = _picked(ground, task, now, number, weights, picks, yard, facts)
    for slot in range(len(picks.seen)):
        picks.seen[slot] = -1
    kept = 0
    for pick in range(found):
        parent, choice = picks.parents[pick], picks.choices[pick]
        city, book = then.cities[kept], then.books[kept]
        copied(now.cities[parent], city)
        copied(now.books[parent], book)
        if choice != WAIT:
            decide(land, law, city, book, task, choice)
        if shut & SHUT_RACE:
            book[OPEN] = 0
        if shut & SHUT_FOREST:
            book[OPEN_FOREST] = 0
        parents[kept], choices[kept] = parent, choice
        goes_on = _kept(ground, then, kept, turned + 1, outlook, yard, facts)
        twin = _twin(then, kept, picks.seen) if goes_on else -1
        if twin >= 0 and not _same(then.cities[kept], then.books[kept], then.cities[twin], then.books[twin]):
            facts[ASIDE] = max(facts[ASIDE], then.bounds[kept])
        best = facts[BEST_AFTER] == turned + 1 and facts[BEST_AT] == kept
        if best or (goes_on and twin < 0):
            kept += 1
    return kept
