"""Trains patterns of a city by self-play on one core: TD learning of the values of afterstates.

Each game is played by the choices with the highest values, every second one with noise. Then, from its end to its
start, the value of each city is moved towards a mix of the final result and the estimates at later decisions. Results
of explored (worse) choices are not propagated. The step size of a value is smaller if its errors alternate in sign, and
larger if they agree (temporal coherence).
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

from polyopolis.bots.feature_weights import flat_weights, weights_for
from polyopolis.bots.tournaments.arena import play_next
from polyopolis.engine import Campaign, seed_of
from polyopolis.games import game
from polyopolis.games.mycity.content import content as mycity_content
from polyopolis.games.rollwrite.content import content as rollwrite_content
from polyopolis.kernels.city_arrays import CitySite, city_site, with_learned_purses
from polyopolis.kernels.city_position import KernelCity, new_net_scratch
from polyopolis.kernels.placing.build_moves import decide
from polyopolis.kernels.placing.evaluation import best_choice
from polyopolis.kernels.placing.features import outcome
from polyopolis.kernels.placing.layout import (
    CARD_COUNT,
    COMPASS_ROW_START,
    COMPASS_ROW_USED,
    MAX_ROLLS,
    NO_BITS,
    ONE,
    STOP,
    CityArrays,
    CityScratch,
    SiteArrays,
)
from polyopolis.kernels.placing.net_inference import ModelScratch, ValueModel, card_bits
from polyopolis.kernels.placing.net_search import play_by_model
from polyopolis.kernels.placing.pattern_values import (
    MAX_INDEXES,
    PATTERN_COUNT,
    all_index_count,
    evaluate_by_patterns,
    list_indexes,
    write_indexes,
    write_view,
)
from polyopolis.kernels.placing.playouts import copy_city, deal_tasks, reveal_task
from polyopolis.kernels.positions import require_kernel
from polyopolis.kernels.runtime.jit import Floats, Ints, U, Words, float_rows, floats, int_rows, ints, jit
from polyopolis.kernels.runtime.rng import future_seeds, new_rng, random_below
from polyopolis.train.checkpoints import FINAL_SEED

NOISE_STEPS = 1000
"""Resolution of the noise."""
GAMES_PER_CALL = 100
"""Games with the same initial city, between two checks of the time."""
TOLERANCE = 1e-9
CARRIED_ONE_IN, CARRIED_STARTS = 8, 15
"""With dice: bandits of earlier sheets are carried over with probability 1 / `CARRIED_ONE_IN`, and `CARRIED_STARTS`
initial cities with such bandits are drawn."""


@dataclass(frozen=True)
class PatternCourse:
    """Settings of the training of patterns."""

    seconds: float
    """Time on one core."""
    seed: int = 1
    warm: float = 0.15
    """Share of the time in which games are played by tuned weights, so that the first values come from good games."""
    noise: float = 1.0
    """Maximum noise added to the value of a choice in every second game."""
    trace: float = 0.6
    """Lambda of the TD returns: weight of the later return against the estimate of the next decision."""
    rate: float = 1.0


class TrainingArrays(NamedTuple):
    """Arrays of the training.

    By pattern value: the sums of absolute and of signed errors. By decision of a game: the indices of the pattern
    values that counted, the points, the estimate of the best choice, and whether a worse choice was explored.
    """

    absolute_changes: Floats
    signed_changes: Floats
    notes: Sequence[Ints]
    points: Floats
    estimates: Floats
    explored: Ints


def new_training_arrays() -> TrainingArrays:
    steps = MAX_ROLLS + 1
    return TrainingArrays(
        absolute_changes=float_rows(1, PATTERN_COUNT)[0],
        signed_changes=float_rows(1, PATTERN_COUNT)[0],
        notes=int_rows(steps, MAX_INDEXES),
        points=floats([0.0] * steps),
        estimates=floats([0.0] * steps),
        explored=ints([0] * steps),
    )


@jit
def _sum_patterns(patterns: Floats, notes: Ints, number: int) -> float:
    total = 0.0
    for note in range(number):
        total += patterns[notes[note]]
    return total


@jit
def _play_game(
    ground: SiteArrays, yard: CityScratch, length: int, luck: Words, patterns: Floats, view: Ints, weights: Floats,
    noise: float, arrays: TrainingArrays,
) -> int:  # fmt: skip
    """Plays a game by the patterns, or by `weights` if there are any. Returns the number of decisions."""
    land, law, town, steps = ground.land, ground.law, yard.arrays, 0
    left = card_bits(yard.coming, 0, length) if law[CARD_COUNT] > 0 else NO_BITS
    for number in range(length):
        task = yard.coming[number]
        if law[CARD_COUNT] > 0:
            left &= ~(ONE << U(task))
        elif task >= law[COMPASS_ROW_START]:
            town.book[COMPASS_ROW_USED] += 1
        if not reveal_task(law, town.book, task):
            continue
        chosen, most = STOP, outcome(land, law, town.city, town.book, yard.out)
        arrays.estimates[steps] = most
        if len(weights):
            chosen = best_choice(ground, town, task, weights, yard)
        else:
            for choice in range(evaluate_by_patterns(ground, town, task, left, patterns, view, yard)):
                value = yard.values[choice]
                arrays.estimates[steps] = max(arrays.estimates[steps], value)
                if noise > 0.0:
                    value += (
                        noise
                        * (random_below(luck, NOISE_STEPS) + random_below(luck, NOISE_STEPS) - NOISE_STEPS)
                        / NOISE_STEPS
                    )
                if value > most:
                    chosen, most = yard.choices[choice], value
        if chosen == STOP:
            return steps
        write_view(law, town.city, left, view)
        arrays.points[steps] = write_indexes(land, law, town.city, town.book, task, chosen, yard.out, view)
        notes = arrays.notes[steps]
        value = arrays.points[steps] + _sum_patterns(patterns, notes, list_indexes(law, view, notes))
        if len(weights):
            arrays.estimates[steps] = value
        arrays.explored[steps] = 1 if value < arrays.estimates[steps] - TOLERANCE else 0
        decide(land, law, town.city, town.book, task, chosen)
        steps += 1
    arrays.estimates[steps] = outcome(land, law, town.city, town.book, yard.out)
    return steps


@jit
def _update_patterns(
    arrays: TrainingArrays, steps: int, number: int, patterns: Floats, trace: float, rate: float
) -> None:
    """Updates the patterns from the end of a game to its start. `number` values count for every city."""
    worth = arrays.estimates[steps]
    for step in range(steps - 1, -1, -1):
        notes = arrays.notes[step]
        lacking = worth - arrays.points[step] - _sum_patterns(patterns, notes, number)
        for at in range(number):
            note = notes[at]
            pace = (
                abs(arrays.signed_changes[note]) / arrays.absolute_changes[note]
                if arrays.absolute_changes[note] > 0.0
                else 1.0
            )
            patterns[note] += rate / number * pace * lacking
            arrays.signed_changes[note] += lacking
            arrays.absolute_changes[note] += abs(lacking)
        kept = 0.0 if arrays.explored[step] else trace
        worth = (1.0 - kept) * arrays.estimates[step] + kept * worth


@jit
def train_games(
    ground: SiteArrays, deck: Ints, first: CityArrays, games: int, luck: Words, patterns: Floats, view: Ints,
    weights: Floats, noise: float, trace: float, rate: float, yard: CityScratch, arrays: TrainingArrays,
) -> None:  # fmt: skip
    """Plays games from an initial city and updates the patterns after each."""
    for number in range(games):
        copy_city(first, yard.arrays)
        length = deal_tasks(ground.law, first.book, deck, luck, yard.coming)
        loud = noise if number & 1 else 0.0
        steps = _play_game(ground, yard, length, luck, patterns, view, weights, loud, arrays)
        _update_patterns(arrays, steps, all_index_count(ground.law), patterns, trace, rate)


@jit
def play_without_search(
    ground: SiteArrays,
    deck: Ints,
    first: CityArrays,
    luck: Words,
    model: ValueModel,
    eyes: ModelScratch,
    yard: CityScratch,
    results: Floats,
) -> None:
    """Plays a game by the patterns for each future and writes the scores into `results`."""
    for number in range(len(luck)):
        copy_city(first, yard.arrays)
        yard.rng[0] = luck[number]
        length = deal_tasks(ground.law, first.book, deck, yard.rng, yard.coming)
        results[number] = play_by_model(ground, yard, length, length, model, eyes)


def episodes_of(key: str) -> tuple[int, ...]:
    """Episodes of a game for which patterns can be trained; empty for other games."""
    known = {"mycity": mycity_content().numbers, "rollwrite": tuple(rollwrite_content().episodes)}
    return known.get(key, ())


def start_cities(key: str, number: int, seed: int) -> list[KernelCity]:
    """Initial cities: the board of the single episode, and boards with items from earlier episodes of a campaign."""
    site = site_of(key, number)
    others = _with_bandits(site, number, seed) if key == "rollwrite" else _of_campaigns(number, seed)
    return [KernelCity.at_start(site), *others]


@cache
def site_of(key: str, number: int) -> CitySite:
    return with_learned_purses(cast("CitySite", require_kernel(key).parts()[f"episode-{number}"]))


def _with_bandits(site: CitySite, number: int, seed: int) -> list[KernelCity]:
    """Initial cities with random bandits of earlier sheets, if the episode carries bandits over."""
    material, luck = rollwrite_content(), Random(seed)
    episode = material.episodes[number]
    known = sorted(material.bandits_before(number)) if episode.has_bandits else []
    some = [
        [cell for cell in known if luck.randrange(CARRIED_ONE_IN) == 0] for _ in range(CARRIED_STARTS if known else 0)
    ]
    masks = [episode.site.grid.mask(cells) & ~episode.site.bandits for cells in some]
    return [KernelCity.at_start(site, mask) for mask in masks]


def _of_campaigns(number: int, seed: int) -> list[KernelCity]:
    """Boards of all seats of a campaign at this episode."""
    state = game("mycity").start(campaign_before(number, seed).next_setup())
    return [KernelCity.at_start(city_site("mycity", state.episode, city.site)) for city in state.cities]


@cache
def campaign_before(number: int, seed: int) -> Campaign:
    """A campaign of My City before an episode, played by bots without search in all seats."""
    rules, numbers = game("mycity"), mycity_content().numbers
    seats = rules.seats[-1]
    if number == numbers[0]:
        return Campaign(rules, numbers, rules.Setup(seats=seats, mode="episode", episode=number, play="campaign"))
    before = campaign_before(number - 1, seed)
    luck, bots = seed_of(f"boards {seed}"), seed_of(f"bots {seed}")
    return before.add(play_next(before, ("sight",) * seats, luck, bots))


@dataclass
class PatternState:
    """Trained patterns, training arrays and random number generator."""

    patterns: Floats
    arrays: TrainingArrays
    luck: Words
    seconds: float = 0.0
    """Training time on one core."""
    games: int = 0


def new_pattern_state(seed: int) -> PatternState:
    return PatternState(float_rows(1, PATTERN_COUNT)[0], new_training_arrays(), new_rng(seed))


class EpisodeTrainer:
    """Trains the patterns of an episode on its boards."""

    def __init__(self, key: str, number: int, seed: int) -> None:
        self.cities = start_cities(key, number, seed)
        self._weights = flat_weights(weights_for(key, f"episode-{number}", self.cities[0].site))
        self._view, self._scratch = new_net_scratch().pattern_view, KernelCity(self.cities[0].site).scratch

    def train(self, state: PatternState, course: PatternCourse, until: float) -> None:
        """Trains until the course has taken `until` seconds."""
        while state.seconds < until:
            guided = state.seconds < course.warm * course.seconds
            begun, some = thread_time(), GAMES_PER_CALL if state.games else 1
            self._play(state, course, self.cities[random_below(state.luck, len(self.cities))], some, guided)
            state.seconds += thread_time() - begun if state.games else 0.0  # the first call may compile
            state.games += some

    def version(self, course: PatternCourse) -> str:
        """Digest of the patterns after a few games on each board. It changes if features, boards or weights change."""
        state = new_pattern_state(0)
        for guided in (True, False):
            for city in self.cities:
                self._play(state, course, city, 2, guided)
        return sha256(array("d", state.patterns).tobytes()).hexdigest()

    def _play(self, state: PatternState, course: PatternCourse, first: KernelCity, games: int, guided: bool) -> None:
        guide = self._weights if guided else self._weights[:0]
        train_games(
            first.site.arrays, first.site.deck, first.arrays, games, state.luck, state.patterns, self._view, guide,
            course.noise, course.trace, course.rate, self._scratch, state.arrays,
        )  # fmt: skip


def train_patterns(key: str, number: int, course: PatternCourse) -> tuple[Floats, int]:
    """Trains the patterns of an episode. Returns them with the number of games."""
    state = new_pattern_state(course.seed)
    EpisodeTrainer(key, number, course.seed).train(state, course, course.seconds)
    return state.patterns, state.games


def scores_of(key: str, number: int, model: ValueModel, games: int, seed: int = FINAL_SEED) -> list[float]:
    """Scores of games without search, on random numbers that are not used for training."""
    first, results = KernelCity.at_start(site_of(key, number)), floats([0.0] * games)
    site, futures = first.site, future_seeds(seed, games)
    play_without_search(site.arrays, site.deck, first.arrays, futures, model, new_net_scratch(), first.scratch, results)
    return [float(result) for result in results]
