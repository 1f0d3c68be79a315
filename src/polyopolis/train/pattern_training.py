"""Patterns of a city, learnt by self-play on one core: what every afterstate came to, number by number.

A game by what comes to most at the moment, every second one with noise; then from its end to its beginning: what the
city came to, mixed with what was thought at every decision, is what the city before should have been worth. What was
only tried does not flow back. A number that is drawn to and fro learns ever slower, one that goes one way learns
faster (temporal coherence).
"""

# ruff: noqa: PLR0913, PLR0917 - kernels are written for the machine: flat, with their arrays as arguments

from array import array
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from hashlib import sha256
from random import Random
from time import thread_time
from typing import NamedTuple, cast

from polyopolis.bots.feature_weights import flat, weights_for
from polyopolis.bots.tournaments.arena import play_next
from polyopolis.engine import Campaign, seed_of
from polyopolis.games import game
from polyopolis.games.mycity.content import content as mycity_content
from polyopolis.games.rollwrite.content import content as rollwrite_content
from polyopolis.kernels.city_arrays import Land, as_learnt, land_of
from polyopolis.kernels.city_position import City, new_eyes
from polyopolis.kernels.placing.build_moves import decide
from polyopolis.kernels.placing.evaluation import best
from polyopolis.kernels.placing.features import outcome
from polyopolis.kernels.placing.layout import (
    CARDS,
    FIRST_OF_ROW,
    MOST_LUCK,
    NONE,
    ONE,
    STOP,
    USED,
    Ground,
    Town,
    Yard,
)
from polyopolis.kernels.placing.net_inference import Eyes, Judge, bits_of
from polyopolis.kernels.placing.net_search import play_wisely
from polyopolis.kernels.placing.pattern_values import NOTES, PATTERNS, look_round, marked, noted, notes_of, recalled
from polyopolis.kernels.placing.playouts import asked, copied_town, dealt
from polyopolis.kernels.positions import needed
from polyopolis.kernels.runtime.jit import Floats, Ints, U, Words, float_rows, floats, int_rows, ints, jit
from polyopolis.kernels.runtime.rng import below, futures_of, luck_of
from polyopolis.train.checkpoints import LAST_SEED

FINE = 1000
"""Steps in which noise is thrown."""
AT_ONCE = 100
"""Games that begin with the same city, between two looks at the clock."""
NEAR = 1e-9
CARRIED, STARTS = 8, 15
"""With dice: one of so many bandits of an earlier sheet is carried over, and so many ways to begin are drawn."""


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
def _sum(patterns: Floats, notes: Ints, number: int) -> float:
    total = 0.0
    for note in range(number):
        total += patterns[notes[note]]
    return total


@jit
def _played(
    ground: Ground, yard: Yard, length: int, luck: Words, patterns: Floats, view: Ints, weights: Floats, noise: float,
    lesson: Lesson,
) -> int:  # fmt: skip
    """A game by what comes to most, or by weights where there are some; how many decisions it took."""
    land, law, town, steps = ground.land, ground.law, yard.town, 0
    left = bits_of(yard.coming, 0, length) if law[CARDS] > 0 else NONE
    for number in range(length):
        task = yard.coming[number]
        if law[CARDS] > 0:
            left &= ~(ONE << U(task))
        elif task >= law[FIRST_OF_ROW]:
            town.book[USED] += 1
        if not asked(law, town.book, task):
            continue
        chosen, most = STOP, outcome(land, law, town.city, town.book, yard.out)
        lesson.thought[steps] = most
        if len(weights):
            chosen = best(ground, town, task, weights, yard)
        else:
            for choice in range(recalled(ground, town, task, left, patterns, view, yard)):
                value = yard.values[choice]
                lesson.thought[steps] = max(lesson.thought[steps], value)
                if noise > 0.0:
                    value += noise * (below(luck, FINE) + below(luck, FINE) - FINE) / FINE
                if value > most:
                    chosen, most = yard.choices[choice], value
        if chosen == STOP:
            return steps
        look_round(law, town.city, left, view)
        lesson.stood[steps] = marked(land, law, town.city, town.book, task, chosen, yard.out, view)
        notes = lesson.notes[steps]
        value = lesson.stood[steps] + _sum(patterns, notes, noted(law, view, notes))
        if len(weights):
            lesson.thought[steps] = value
        lesson.tried[steps] = 1 if value < lesson.thought[steps] - NEAR else 0
        decide(land, law, town.city, town.book, task, chosen)
        steps += 1
    lesson.thought[steps] = outcome(land, law, town.city, town.book, yard.out)
    return steps


@jit
def _learn(lesson: Lesson, steps: int, number: int, patterns: Floats, trace: float, rate: float) -> None:
    """From the end of a game to its beginning; so many numbers count for every city."""
    worth = lesson.thought[steps]
    for step in range(steps - 1, -1, -1):
        notes = lesson.notes[step]
        lacking = worth - lesson.stood[step] - _sum(patterns, notes, number)
        for at in range(number):
            note = notes[at]
            pace = abs(lesson.drift[note]) / lesson.drawn[note] if lesson.drawn[note] > 0.0 else 1.0
            patterns[note] += rate / number * pace * lacking
            lesson.drift[note] += lacking
            lesson.drawn[note] += abs(lacking)
        kept = 0.0 if lesson.tried[step] else trace
        worth = (1.0 - kept) * lesson.thought[step] + kept * worth


@jit
def learnt(
    ground: Ground, deck: Ints, first: Town, games: int, luck: Words, patterns: Floats, view: Ints, weights: Floats,
    noise: float, trace: float, rate: float, yard: Yard, lesson: Lesson,
) -> None:  # fmt: skip
    """So many games that begin with a city, and what they teach."""
    for number in range(games):
        copied_town(first, yard.town)
        length = dealt(ground.law, first.book, deck, luck, yard.coming)
        loud = noise if number & 1 else 0.0
        steps = _played(ground, yard, length, luck, patterns, view, weights, loud, lesson)
        _learn(lesson, steps, notes_of(ground.law), patterns, trace, rate)


@jit
def at_sight(
    ground: Ground, deck: Ints, first: Town, luck: Words, judge: Judge, eyes: Eyes, yard: Yard, results: Floats
) -> None:
    """What comes of whole games by patterns, one for each future."""
    for number in range(len(luck)):
        copied_town(first, yard.town)
        yard.luck[0] = luck[number]
        length = dealt(ground.law, first.book, deck, yard.luck, yard.coming)
        results[number] = play_wisely(ground, yard, length, length, judge, eyes)


def episodes_of(key: str) -> tuple[int, ...]:
    """The episodes of a game whose patterns can be learnt; none of any other game."""
    known = {"mycity": mycity_content().numbers, "rollwrite": tuple(rollwrite_content().episodes)}
    return known.get(key, ())


def starts(key: str, number: int, seed: int) -> list[City]:
    """Cities before their first building: on the board of an episode that is played on its own, and on boards with what
    a campaign may have left there."""
    site = site_of(key, number)
    others = _with_bandits(site, number, seed) if key == "rollwrite" else _of_campaigns(number, seed)
    return [City.laid_out(site), *others]


@cache
def site_of(key: str, number: int) -> Land:
    return as_learnt(cast("Land", needed(key).parts()[f"episode-{number}"]))


def _with_bandits(site: Land, number: int, seed: int) -> list[City]:
    """Where bandits may be carried over, with some of them."""
    material, luck = rollwrite_content(), Random(seed)
    episode = material.episodes[number]
    known = sorted(material.bandits_before(number)) if episode.has_bandits else []
    some = [[cell for cell in known if luck.randrange(CARRIED) == 0] for _ in range(STARTS if known else 0)]
    masks = [episode.site.grid.mask(cells) & ~episode.site.bandits for cells in some]
    return [City.laid_out(site, mask) for mask in masks]


def _of_campaigns(number: int, seed: int) -> list[City]:
    """All boards of a campaign."""
    state = game("mycity").start(campaign_before(number, seed).next_setup())
    return [City.laid_out(land_of("mycity", state.episode, city.site)) for city in state.cities]


@cache
def campaign_before(number: int, seed: int) -> Campaign:
    """A campaign of My City between bots that only look, as many as there can be, up to an episode."""
    rules, numbers = game("mycity"), mycity_content().numbers
    seats = rules.seats[-1]
    if number == numbers[0]:
        return Campaign(rules, numbers, rules.Setup(seats=seats, mode="episode", episode=number, play="campaign"))
    before = campaign_before(number - 1, seed)
    luck, bots = seed_of(f"boards {seed}"), seed_of(f"bots {seed}")
    return before.add(play_next(before, ("sight",) * seats, luck, bots))


@dataclass
class Memory:
    """What was learnt so far, and the luck that is next."""

    patterns: Floats
    lesson: Lesson
    luck: Words
    seconds: float = 0.0
    """Of one core."""
    games: int = 0


def new_memory(seed: int) -> Memory:
    return Memory(float_rows(1, PATTERNS)[0], new_lesson(), luck_of(seed))


class School:
    """Where an episode is learnt: its boards, and the weights that play at first."""

    def __init__(self, key: str, number: int, seed: int) -> None:
        self.cities = starts(key, number, seed)
        self._weights = flat(weights_for(key, f"episode-{number}", self.cities[0].site))
        self._view, self._yard = new_eyes().scene, City(self.cities[0].site).yard

    def teach(self, memory: Memory, course: Course, until: float) -> None:
        """A course goes on until it has taken so many seconds."""
        while memory.seconds < until:
            guided = memory.seconds < course.warm * course.seconds
            begun, some = thread_time(), AT_ONCE if memory.games else 1
            self._play(memory, course, self.cities[below(memory.luck, len(self.cities))], some, guided)
            memory.seconds += thread_time() - begun if memory.games else 0.0  # the first call may compile
            memory.games += some

    def version(self, course: Course) -> str:
        """A digest of what some games on each board teach: another one where features, boards or weights are others."""
        memory = new_memory(0)
        for guided in (True, False):
            for city in self.cities:
                self._play(memory, course, city, 2, guided)
        return sha256(array("d", memory.patterns).tobytes()).hexdigest()

    def _play(self, memory: Memory, course: Course, first: City, games: int, guided: bool) -> None:
        guide = self._weights if guided else self._weights[:0]
        learnt(
            first.site.ground, first.site.deck, first.town, games, memory.luck, memory.patterns, self._view, guide,
            course.noise, course.trace, course.rate, self._yard, memory.lesson,
        )  # fmt: skip


def course_of(key: str, number: int, course: Course) -> tuple[Floats, int]:
    """The patterns of an episode, and how many games it took to learn them."""
    memory = new_memory(course.seed)
    School(key, number, course.seed).teach(memory, course, course.seconds)
    return memory.patterns, memory.games


def scores_of(key: str, number: int, judge: Judge, games: int, seed: int = LAST_SEED) -> list[float]:
    """What comes of games that nothing was learnt from."""
    first, results = City.laid_out(site_of(key, number)), floats([0.0] * games)
    site, futures = first.site, futures_of(seed, games)
    at_sight(site.ground, site.deck, first.town, futures, judge, new_eyes(), first.yard, results)
    return [float(result) for result in results]
