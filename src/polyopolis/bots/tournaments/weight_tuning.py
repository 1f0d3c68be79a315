"""Finding weights by cross-entropy: many guesses play the same luck, and the next guesses are made around the best."""

import os
from collections.abc import Iterator
from pathlib import Path
from random import Random
from statistics import fmean, pstdev
from time import perf_counter

import msgspec

from polyopolis.bots.feature_weights import Part, Weights, flat, guess, read, weights_for
from polyopolis.bots.tournaments.arena import IntervalEstimate
from polyopolis.bots.tournaments.executors import Executor
from polyopolis.engine import below, derive_seed, seed_of
from polyopolis.kernels.positions import Kernel, Site, needed
from polyopolis.kernels.runtime.jit import Words, words

GUESSES, BEST, SMOOTH, FLOOR = 40, 8, 0.7, 0.02
FIRST_GAMES, MOST_GAMES = 40, 400
"""Games of each guess in the first generation, and in the last ones."""
JUDGED = 2000


class TuningBudget(msgspec.Struct, frozen=True):
    """How long to tune, and with which luck."""

    seconds: float
    seed: str


class TuningTarget(msgspec.Struct, frozen=True):
    """A part of a game that has weights of its own."""

    key: str
    part: str
    site: Site

    @property
    def kernel(self) -> Kernel:
        return needed(self.key)


def grounds(key: str) -> dict[str, TuningTarget]:
    """The parts of a game, by name."""
    return {part: TuningTarget(key, part, site) for part, site in needed(key).parts().items()}


class SamplingDistribution(msgspec.Struct, frozen=True):
    """Where the guesses are made: a mean and a spread for each weight. It is kept, so that tuning can go on."""

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


def first_cloud(ground: TuningTarget) -> SamplingDistribution:
    """Around the weights there are, or around a guess."""
    known = read(ground.key).parts
    found = known.get(ground.part) or known.get("all")
    rough = guess(ground.site)
    weights = {name: found.weights.get(name, pair) for name, pair in rough.items()} if found else rough
    means = [pair[0] for pair in weights.values()] + [pair[1] for pair in weights.values()]
    share = 0.25 if found else 0.5
    return SamplingDistribution(tuple(weights), tuple(means), tuple(0.15 + share * abs(mean) for mean in means))


def luck_in(seed: str, generation: int, number: int) -> Words:
    """The luck of a generation; that of generation -1 is kept to judge."""
    root = derive_seed(seed_of(seed), "match" if generation < 0 else "turn", abs(generation))
    return words([below(root, at, 2**64) for at in range(number)])


def next_cloud(ground: TuningTarget, cloud: SamplingDistribution, seed: str, hands: Executor) -> SamplingDistribution:
    """One generation."""
    start = perf_counter()
    games = min(MOST_GAMES, FIRST_GAMES + 8 * cloud.generation)
    rng, luck = Random(f"{seed} {cloud.generation}"), luck_in(seed, cloud.generation, games)
    guesses = [
        [rng.gauss(mean, spread) for mean, spread in zip(cloud.means, cloud.spreads, strict=True)]
        for _ in range(GUESSES)
    ]
    guesses[0] = list(cloud.means)
    cases = [case(ground, moved(cloud, values), luck) for values in guesses]
    scores = [found.mean for found in hands.each(judged, cases, weighed=False)]
    order = sorted(range(GUESSES), key=lambda at: -scores[at])[:BEST]
    best = [guesses[at] for at in order]
    means = [
        SMOOTH * fmean(own) + (1 - SMOOTH) * old for own, old in zip(zip(*best, strict=True), cloud.means, strict=True)
    ]
    spreads = [
        max(FLOOR, SMOOTH * pstdev(own) + (1 - SMOOTH) * old)
        for own, old in zip(zip(*best, strict=True), cloud.spreads, strict=True)
    ]
    seconds = cloud.seconds + perf_counter() - start
    return SamplingDistribution(
        cloud.features, tuple(means), tuple(spreads), cloud.generation + 1, seconds, fmean(scores[at] for at in order)
    )


def moved(cloud: SamplingDistribution, values: list[float]) -> Weights:
    return msgspec.structs.replace(cloud, means=tuple(values)).weights


class Case(msgspec.Struct, frozen=True):
    """Weights to be judged, with all that it takes: whoever judges them may have others installed."""

    key: str
    part: str
    own: Weights
    rival: Weights
    luck: tuple[int, ...]


def case(ground: TuningTarget, weights: Weights, luck: Words) -> Case:
    rival = weights_for(ground.key, "all", ground.site)
    return Case(ground.key, ground.part, weights, rival, tuple(map(int, luck)))


def judged(case: Case) -> IntervalEstimate:
    """What comes of it: alone the score, at one table the lead before those who play by the weights there are."""
    kernel = needed(case.key)
    own, theirs = (flat(values, kernel.FEATURES) for values in (case.own, case.rival))
    return IntervalEstimate.of(kernel.outcomes(kernel.parts()[case.part], own, theirs, words(case.luck)))


def tune(
    ground: TuningTarget, cloud: SamplingDistribution, effort: TuningBudget, keep: Path, hands: Executor
) -> Iterator[SamplingDistribution]:
    """Generation by generation for so many seconds; each is kept on disk before it is given."""
    keep.parent.mkdir(parents=True, exist_ok=True)
    end = perf_counter() + effort.seconds
    while perf_counter() < end:
        cloud = next_cloud(ground, cloud, effort.seed, hands)
        fresh = keep.with_suffix(".new")
        fresh.write_bytes(msgspec.json.encode(cloud))
        os.replace(fresh, keep)
        yield cloud


def resumed(keep: Path, ground: TuningTarget) -> SamplingDistribution:
    """Where the last tuning stopped, if it was of the same features."""
    cloud = first_cloud(ground)
    if not keep.exists():
        return cloud
    kept = msgspec.json.decode(keep.read_bytes(), type=SamplingDistribution)
    return kept if kept.features == cloud.features else cloud


def made(ground: TuningTarget, cloud: SamplingDistribution, seed: str, command: str) -> Part:
    """What came of it, judged on luck that no guess has seen."""
    found = judged(case(ground, cloud.weights, luck_in(seed, -1, JUDGED)))
    about = ground.kernel.about(ground.site)
    figures = (
        f"mean {found.mean:.2f} ± {found.margin or 0:.2f} {about} over {JUDGED} games with other luck; "
        f"{cloud.generation} generations in {cloud.seconds:.0f} s"
    )
    return Part(command, figures, cloud.weights)
