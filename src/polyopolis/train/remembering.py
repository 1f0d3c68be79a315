"""Patterns of a city with dice, learnt by self-play on one core: what every afterstate came to, number by number.

A game by what comes to most at the moment, every second one with noise; then from its end to its beginning: what the
city came to, mixed with what was thought at every decision, is what the city before should have been worth. What was
only tried does not flow back. A number that is drawn to and fro learns ever slower, one that goes one way learns
faster (temporal coherence).
"""

# ruff: noqa: PLR0913, PLR0917 - kernels are written for the machine: flat, with their arrays as arguments

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from random import Random
from time import process_time
from typing import NamedTuple

from polyopolis.bots.arena import Estimate
from polyopolis.bots.nets import PATTERNED, Provenance, in_steps, judge_by, packed_patterns
from polyopolis.bots.weighing import flat, weights_for
from polyopolis.games.rollwrite.content import content
from polyopolis.kernels import rollwrite
from polyopolis.kernels.cities import City, new_eyes
from polyopolis.kernels.compiled import (
    Floats,
    Ints,
    Words,
    float_rows,
    floats,
    int_rows,
    ints,
    jit,
    word_rows,
)
from polyopolis.kernels.luck import below, futures_of, luck_of
from polyopolis.kernels.placing.building import decide
from polyopolis.kernels.placing.consulting import play_wisely
from polyopolis.kernels.placing.counting import outcome
from polyopolis.kernels.placing.gazing import Eyes, Judge
from polyopolis.kernels.placing.layout import BOOK, CITY, FIRST_OF_ROW, MOST_LUCK, STOP, USED, Ground, Town, Yard
from polyopolis.kernels.placing.patterns import NOTES, PATTERNS, look_round, marked, noted, recalled
from polyopolis.kernels.placing.playing import asked, copied_town, dealt
from polyopolis.kernels.placing.valuing import best
from polyopolis.kernels.rows import copied
from polyopolis.train.files import LAST_SEED

FINE = 1000
"""Steps in which noise is thrown."""
AT_ONCE = 500
"""Games between two looks at the clock."""
JUDGED = 2000
NEAR = 1e-9
CARRIED, STARTS = 8, 15
"""One of so many bandits of an earlier sheet is carried over, and so many ways to begin are drawn."""


@dataclass(frozen=True)
class Course:
    """How patterns are learnt."""

    seconds: float
    """Of one core."""
    seed: int = 1
    warm: float = 0.15
    """For this share of the time games are played by tuned weights: so the first numbers are of good games."""
    noise: float = 1.0
    """Added to what a choice comes to, at most, in every second game."""
    trace: float = 0.6
    """How much of what a city came to, beside what was thought on the way."""
    rate: float = 1.0


class Lesson(NamedTuple):
    """Arrays to learn with. Of every number: how far it was drawn in all, and how far one way less the other. Of every
    decision of a game: which numbers counted, the points that stood, what was thought, whether it was only tried."""

    drawn: Floats
    drift: Floats
    notes: Sequence[Ints]
    stood: Floats
    thought: Floats
    tried: Ints


def new_lesson() -> Lesson:
    steps = MOST_LUCK + 1
    return Lesson(
        drawn=float_rows(1, PATTERNS)[0],
        drift=float_rows(1, PATTERNS)[0],
        notes=int_rows(steps, NOTES),
        stood=floats([0.0] * steps),
        thought=floats([0.0] * steps),
        tried=ints([0] * steps),
    )


@jit
def _sum(patterns: Floats, notes: Ints) -> float:
    total = 0.0
    for note in range(NOTES):
        total += patterns[notes[note]]
    return total


@jit
def _played(
    ground: Ground, yard: Yard, length: int, luck: Words, patterns: Floats, view: Ints, weights: Floats, noise: float,
    lesson: Lesson,
) -> int:  # fmt: skip
    """A game by what comes to most, or by weights where there are some; how many decisions it took."""
    land, law, town = ground.land, ground.law, yard.town
    for step in range(length):
        task = yard.coming[step]
        if task >= law[FIRST_OF_ROW]:
            town.book[USED] += 1
        asked(law, town.book, task)
        chosen, most = STOP, outcome(land, law, town.city, town.book, yard.out)
        lesson.thought[step] = most
        if len(weights):
            chosen = best(ground, town, task, weights, yard)
        else:
            for choice in range(recalled(ground, town, task, patterns, view, yard)):
                value = yard.values[choice]
                lesson.thought[step] = max(lesson.thought[step], value)
                if noise > 0.0:
                    value += noise * (below(luck, FINE) + below(luck, FINE) - FINE) / FINE
                if value > most:
                    chosen, most = yard.choices[choice], value
        if chosen == STOP:
            return step
        look_round(town.city, view)
        lesson.stood[step] = marked(land, law, town.city, town.book, task, chosen, yard.out, view)
        noted(view, lesson.notes[step])
        value = lesson.stood[step] + _sum(patterns, lesson.notes[step])
        if len(weights):
            lesson.thought[step] = value
        lesson.tried[step] = 1 if value < lesson.thought[step] - NEAR else 0
        decide(land, law, town.city, town.book, task, chosen)
    lesson.thought[length] = outcome(land, law, town.city, town.book, yard.out)
    return length


@jit
def _learn(lesson: Lesson, steps: int, patterns: Floats, trace: float, rate: float) -> None:
    """From the end of a game to its beginning."""
    worth = lesson.thought[steps]
    for step in range(steps - 1, -1, -1):
        notes = lesson.notes[step]
        lacking = worth - lesson.stood[step] - _sum(patterns, notes)
        for at in range(NOTES):
            note = notes[at]
            pace = abs(lesson.drift[note]) / lesson.drawn[note] if lesson.drawn[note] > 0.0 else 1.0
            patterns[note] += rate / NOTES * pace * lacking
            lesson.drift[note] += lacking
            lesson.drawn[note] += abs(lacking)
        kept = 0.0 if lesson.tried[step] else trace
        worth = (1.0 - kept) * lesson.thought[step] + kept * worth


@jit
def learnt(
    ground: Ground, cities: Sequence[Words], books: Sequence[Ints], games: int, luck: Words, patterns: Floats,
    view: Ints, weights: Floats, noise: float, trace: float, rate: float, yard: Yard, lesson: Lesson,
) -> None:  # fmt: skip
    """So many games, and what they teach."""
    for game in range(games):
        first = below(luck, len(books))
        copied(cities[first], yard.town.city)
        copied(books[first], yard.town.book)
        length = dealt(ground.law, yard.town.book, yard.coming[:0], luck, yard.coming)
        loud = noise if game & 1 else 0.0
        steps = _played(ground, yard, length, luck, patterns, view, weights, loud, lesson)
        _learn(lesson, steps, patterns, trace, rate)


@jit
def at_sight(ground: Ground, first: Town, luck: Words, judge: Judge, eyes: Eyes, yard: Yard, results: Floats) -> None:
    """What comes of whole games by patterns, one for each future."""
    for game in range(len(luck)):
        copied_town(first, yard.town)
        yard.luck[0] = luck[game]
        length = dealt(ground.law, first.book, yard.coming[:0], yard.luck, yard.coming)
        results[game] = play_wisely(ground, yard, length, length, judge, eyes)


def starts(number: int, seed: int) -> list[Town]:
    """Cities before their first building; where bandits may be carried over, with some of them, too."""
    site, material, luck = rollwrite.parts()[f"episode-{number}"], content(), Random(seed)
    episode = material.episodes[number]
    known = sorted(material.bandits_before(number)) if episode.has_bandits else []
    some = [[cell for cell in known if luck.randrange(CARRIED) == 0] for _ in range(STARTS if known else 0)]
    masks = [0, *(episode.site.grid.mask(cells) & ~episode.site.bandits for cells in some)]
    return [City.laid_out(site, mask).town for mask in masks]


def course_of(number: int, course: Course) -> tuple[Floats, int]:
    """The patterns of an episode, and how many games it took to learn them."""
    site, towns, luck = rollwrite.parts()[f"episode-{number}"], starts(number, course.seed), luck_of(course.seed)
    cities, books = word_rows(len(towns) + 1, CITY), int_rows(len(towns) + 1, BOOK)
    for at, town in enumerate([*towns, towns[0]]):
        copied(town.city, cities[at])
        copied(town.book, books[at])
    patterns, lesson, view, yard = float_rows(1, PATTERNS)[0], new_lesson(), new_eyes().scene, City(site).yard
    weights = flat(weights_for("rollwrite", f"episode-{number}", site))
    used, games = 0.0, 0
    while used < course.seconds:
        guide = weights if used < course.warm * course.seconds else weights[:0]
        begun, some = process_time(), AT_ONCE if games else 1
        learnt(
            site.ground, cities, books, some, luck, patterns, view, guide, course.noise, course.trace, course.rate,
            yard, lesson,
        )  # fmt: skip
        used += process_time() - begun if games else 0.0  # the first call may compile
        games += some
    return patterns, games


def scores_of(number: int, judge: Judge, games: int = JUDGED) -> list[float]:
    """What comes of games that nothing was learnt from."""
    site = rollwrite.parts()[f"episode-{number}"]
    first, results = City.laid_out(site), floats([0.0] * games)
    at_sight(site.ground, first.town, futures_of(LAST_SEED, games), judge, new_eyes(), first.yard, results)
    return [float(result) for result in results]


def remembered(number: int, course: Course, folder: Path) -> str:
    """Patterns of an episode as a file that ships; what they are worth."""
    numbers, games = course_of(number, course)
    steps = in_steps(numbers)
    found = Estimate.of(scores_of(number, judge_by(steps)))
    figures = f"{found.mean:.2f} ± {found.margin or 0:.2f} at sight over {JUDGED:,} games, alone"
    told = Provenance(f"rollwrite/episode-{number}", figures, "one core", [{**asdict(course), "played": games}])
    (folder / f"rollwrite-episode-{number}{PATTERNED}").write_bytes(packed_patterns(told, steps))
    return figures
