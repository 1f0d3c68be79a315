"""How well somebody played, by the levels of bots: what they lose with each decision, and what levels lose."""

import tomllib
from bisect import bisect
from collections.abc import Sequence
from functools import cache
from importlib.resources import files
from math import log, sqrt
from statistics import fmean, stdev
from typing import Any

import msgspec
from msgspec import UNSET, Struct

from polyopolis.analysis.estimates import Figure
from polyopolis.analysis.review import Decision, Strength, Topic
from polyopolis.confidence_intervals import t_quantile

FEW = 4
"""Decisions on one topic that say something."""
LEAST = 0.01
"""Points; who loses less is as good as can be told."""


class Measured(Struct, frozen=True):
    """What somebody loses with each decision on average, in points: in all, and by topic."""

    loss: float
    error: float
    """The standard error over games."""
    games: int
    decisions: int
    topics: dict[str, float] = {}


class Yardstick(Struct, frozen=True):
    """What the levels lose in a part of a game, as it was measured (docs/reviews.md)."""

    levels: dict[str, Measured]
    """By bot; `random` is level 0."""
    rungs: tuple[tuple[int, int], ...]
    """From one level to another that cannot be told from it, those that lose most first."""


class Calibration(Struct, frozen=True):
    """The yardsticks of a game by its parts. What is lost differs from episode to episode: where there is none, nobody
    is compared."""

    parts: dict[str, Yardstick]


RUNGS = {"random": 0, "level-1": 1, "level-2": 2, "level-3": 3, "level-4": 4, "level-5": 5}


def part_of(setup: Any) -> str:
    episode = getattr(setup, "episode", UNSET)
    return f"episode-{episode}" if isinstance(episode, int) else getattr(setup, "automa", None) or "whole"


class Rung(Struct, frozen=True):
    """A level, or several that lose so much alike that they cannot be told apart."""

    low: int
    high: int
    loss: float
    topics: dict[str, float]


def rungs_of(known: Yardstick) -> list[Rung]:
    return [_rung(known, low, high) for low, high in known.rungs]


def _rung(known: Yardstick, low: int, high: int) -> Rung:
    levels = [level for bot, level in known.levels.items() if low <= RUNGS[bot] <= high]
    topics = {
        topic: fmean(level.topics[topic] for level in levels if topic in level.topics)
        for topic in sorted({topic for level in levels for topic in level.topics})
    }
    return Rung(low, high, fmean(level.loss for level in levels), topics)


@cache
def yardstick_of(key: str, part: str) -> Yardstick | None:
    path = files("polyopolis.analysis") / "calibration" / f"{key}.toml"
    if not path.is_file():
        return None
    return msgspec.convert(tomllib.loads(path.read_text("utf-8")), Calibration).parts.get(part)


def mean_loss(decisions: Sequence[Decision]) -> Figure:
    """For each decision, in points; the error is that of the spread between decisions."""
    losses = [decision.loss.points.mean for decision in decisions]
    error = stdev(losses) / sqrt(len(losses)) if len(losses) > 1 else abs(fmean(losses or [0.0]))
    return Figure(round(fmean(losses or [0.0]), 4), round(error, 4))


class Rated:
    """How well a seat played, from its decisions."""

    def __init__(self, known: Yardstick | None) -> None:
        self._rungs = rungs_of(known) if known else []

    def __call__(self, seat: int, decisions: Sequence[Decision]) -> Strength | None:
        counting = [decision for decision in decisions if decision.counts]
        if not self._rungs or not counting:
            return None
        loss, losses = mean_loss(counting), [(rung.loss, rung.low) for rung in self._rungs]
        level = level_of(loss.mean, losses)
        margin = t_quantile(max(len(counting) - 1, 1)) * loss.error
        low = level_of(loss.mean + margin, losses)
        high = level_of(loss.mean - margin, losses)
        topics = [self._topic(topic, counting) for topic in dict.fromkeys(each.topic for each in counting)]
        alike = self._alike(level)
        return Strength(
            seat=seat,
            loss=loss,
            level=level,
            alike=(alike.low, alike.high),
            low=low,
            high=max(high, self._alike(high).high),
            topics=tuple(sorted((topic for topic in topics if topic), key=lambda topic: -topic.level)),
        )

    def _alike(self, level: float) -> Rung:
        """The rung nearest to a level."""
        return min(self._rungs, key=lambda rung: max(rung.low - level, level - rung.high, 0.0))

    def _topic(self, topic: str, decisions: Sequence[Decision]) -> Topic | None:
        own = [each for each in decisions if each.topic == topic]
        losses = [(rung.topics[topic], rung.low) for rung in self._rungs if topic in rung.topics]
        if len(own) < FEW or len(losses) < 2:
            return None
        loss = mean_loss(own)
        return Topic(topic, len(own), loss, level_of(loss.mean, losses))


@cache
def rated_for(key: str, part: str) -> Rated:
    return Rated(yardstick_of(key, part))


def level_of(loss: float, rungs: Sequence[tuple[float, float]]) -> float:
    """The level that loses as much, between two of them by the logarithm of what they lose."""
    ordered = sorted((log(max(each, LEAST)), level) for each, level in rungs)
    losses, levels = [each for each, _ in ordered], [level for _, level in ordered]
    for at in range(1, len(levels)):
        levels[at] = min(levels[at], levels[at - 1])  # what is not ordered is one rung
    own = log(max(loss, LEAST))
    at = bisect(losses, own)
    if at == 0:
        return levels[0]
    if at == len(levels):
        return levels[-1]
    part = (own - losses[at - 1]) / (losses[at] - losses[at - 1])
    return round(levels[at - 1] + part * (levels[at] - levels[at - 1]), 2)
