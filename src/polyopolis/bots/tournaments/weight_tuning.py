"""Tunes feature weights by the cross-entropy method with common random numbers.

Each generation samples weights from a normal distribution and moves the distribution towards the best samples.
"""

import os
from collections.abc import Iterator
from pathlib import Path
from random import Random
from statistics import fmean, pstdev
from time import perf_counter

import msgspec

from polyopolis.bots.feature_weights import (
    PartWeights,
    Weights,
    default_weights,
    flat_weights,
    read_weights,
    weights_for,
)
from polyopolis.bots.tournaments.arena import IntervalEstimate
from polyopolis.bots.tournaments.executors import Executor
from polyopolis.engine import below, derive_seed, seed_of
from polyopolis.kernels.positions import Kernel, Site, require_kernel
from polyopolis.kernels.runtime.jit import Words, words

SAMPLES_PER_GENERATION, ELITE_SAMPLES, SMOOTHING, MIN_SPREAD = 40, 8, 0.7, 0.02
FIRST_GAMES, MAX_GAMES = 40, 400
"""Games per sample in the first generation, and the maximum in later ones."""
FINAL_GAMES = 2000
"""Games of the final evaluation."""


class TuningBudget(msgspec.Struct, frozen=True):
    """Time and seed of a tuning run."""

    seconds: float
    seed: str


class TuningTarget(msgspec.Struct, frozen=True):
    """A part of a game that has its own weights."""

    key: str
    part: str
    site: Site

    @property
    def kernel(self) -> Kernel:
        return require_kernel(self.key)


def tuning_targets(key: str) -> dict[str, TuningTarget]:
    """The parts of a game that can be tuned, by name. Raises `NoKernel` if the game has no kernel."""
    return {part: TuningTarget(key, part, site) for part, site in require_kernel(key).parts().items()}


class SamplingDistribution(msgspec.Struct, frozen=True):
    """Sampling distribution: mean and standard deviation of each weight. Stored, so that tuning can be resumed."""

    features: tuple[str, ...]
    means: tuple[float, ...]
    spreads: tuple[float, ...]
    generation: int = 0
    seconds: float = 0.0
    score: float = 0.0

    @property
    def weights(self) -> Weights:
        count = len(self.features)
        return {name: (self.means[at], self.means[count + at]) for at, name in enumerate(self.features)}


def initial_distribution(target: TuningTarget) -> SamplingDistribution:
    """Distribution around the current weights, or around the default weights."""
    known = read_weights(target.key).parts
    found = known.get(target.part) or known.get("all")
    rough = default_weights(target.site)
    weights = {name: found.weights.get(name, pair) for name, pair in rough.items()} if found else rough
    means = [pair[0] for pair in weights.values()] + [pair[1] for pair in weights.values()]
    share = 0.25 if found else 0.5
    return SamplingDistribution(tuple(weights), tuple(means), tuple(0.15 + share * abs(mean) for mean in means))


def generation_luck(seed: str, generation: int, number: int) -> Words:
    """Random numbers of a generation; generation -1 is reserved for the final evaluation."""
    root = derive_seed(seed_of(seed), "match" if generation < 0 else "turn", abs(generation))
    return words([below(root, at, 2**64) for at in range(number)])


def next_generation(
    target: TuningTarget, distribution: SamplingDistribution, seed: str, executor: Executor
) -> SamplingDistribution:
    """Runs one generation."""
    start = perf_counter()
    games = min(MAX_GAMES, FIRST_GAMES + 8 * distribution.generation)
    rng, luck = Random(f"{seed} {distribution.generation}"), generation_luck(seed, distribution.generation, games)
    samples = [
        [rng.gauss(mean, spread) for mean, spread in zip(distribution.means, distribution.spreads, strict=True)]
        for _ in range(SAMPLES_PER_GENERATION)
    ]
    samples[0] = list(distribution.means)
    trials = [trial_of(target, sample_weights(distribution, values), luck) for values in samples]
    scores = [found.mean for found in executor.map(evaluate_trial, trials, uses_weights=False)]
    order = sorted(range(SAMPLES_PER_GENERATION), key=lambda at: -scores[at])[:ELITE_SAMPLES]
    best = [samples[at] for at in order]
    means = [
        SMOOTHING * fmean(own) + (1 - SMOOTHING) * old
        for own, old in zip(zip(*best, strict=True), distribution.means, strict=True)
    ]
    spreads = [
        max(MIN_SPREAD, SMOOTHING * pstdev(own) + (1 - SMOOTHING) * old)
        for own, old in zip(zip(*best, strict=True), distribution.spreads, strict=True)
    ]
    seconds = distribution.seconds + perf_counter() - start
    return SamplingDistribution(
        distribution.features,
        tuple(means),
        tuple(spreads),
        distribution.generation + 1,
        seconds,
        fmean(scores[at] for at in order),
    )


def sample_weights(distribution: SamplingDistribution, values: list[float]) -> Weights:
    return msgspec.structs.replace(distribution, means=tuple(values)).weights


class WeightTrial(msgspec.Struct, frozen=True):
    """Weights to evaluate, complete with the opponents' weights, because a worker may have different ones installed."""

    key: str
    part: str
    own: Weights
    rival: Weights
    luck: tuple[int, ...]


def trial_of(target: TuningTarget, weights: Weights, luck: Words) -> WeightTrial:
    rival = weights_for(target.key, "all", target.site)
    return WeightTrial(target.key, target.part, weights, rival, tuple(map(int, luck)))


def evaluate_trial(case: WeightTrial) -> IntervalEstimate:
    """Estimates the score (solo) or the lead over players with the current weights (at a shared table)."""
    kernel = require_kernel(case.key)
    own, theirs = (flat_weights(values, kernel.FEATURES) for values in (case.own, case.rival))
    return IntervalEstimate.of(kernel.outcomes(kernel.parts()[case.part], own, theirs, words(case.luck)))


def tune(
    target: TuningTarget, distribution: SamplingDistribution, budget: TuningBudget, path: Path, executor: Executor
) -> Iterator[SamplingDistribution]:
    """Yields generations until the time is over. Each is stored before it is yielded."""
    path.parent.mkdir(parents=True, exist_ok=True)
    end = perf_counter() + budget.seconds
    while perf_counter() < end:
        distribution = next_generation(target, distribution, budget.seed, executor)
        fresh = path.with_suffix(".new")
        fresh.write_bytes(msgspec.json.encode(distribution))
        os.replace(fresh, path)
        yield distribution


def resume_tuning(path: Path, target: TuningTarget) -> SamplingDistribution:
    """The stored distribution if it has the same features, else the initial one."""
    distribution = initial_distribution(target)
    if not path.exists():
        return distribution
    kept = msgspec.json.decode(path.read_bytes(), type=SamplingDistribution)
    return kept if kept.features == distribution.features else distribution


def tuned_weights(target: TuningTarget, distribution: SamplingDistribution, seed: str, command: str) -> PartWeights:
    """The tuned weights, evaluated on random numbers that were not used for tuning."""
    found = evaluate_trial(trial_of(target, distribution.weights, generation_luck(seed, -1, FINAL_GAMES)))
    about = target.kernel.about(target.site)
    figures = (
        f"mean {found.mean:.2f} ± {found.margin or 0:.2f} {about} over {FINAL_GAMES} games with other luck; "
        f"{distribution.generation} generations in {distribution.seconds:.0f} s"
    )
    return PartWeights(command, figures, distribution.weights)
