"""How well somebody played, by the levels of bots: what they lose with each decision, and what levels lose."""

import tomllib
from bisect import bisect
from collections.abc import Sequence
from functools import cache
from importlib.resources import files
from math import log, sqrt
from statistics import fmean, stdev

import msgspec
from msgspec import Struct

from polyopolis.analysis.review import Decision, Strength, Topic
from polyopolis.analysis.samples import Figure

FEW = 4
"""Decisions on one topic that say something."""
INTERVAL = 1.96
LEAST = 0.01
"""Points; who loses less is as good as can be told."""


class Measured(Struct, frozen=True):
    """What somebody loses with each decision on average, in points: in all, and by topic."""

    loss: float
    error: float
    decisions: int
    topics: dict[str, float] = {}


class Calibration(Struct, frozen=True):
    """What the levels of a game lose, as `python -m polyopolis.analysis.calibrating` has measured it."""

    command: str
    games: int
    """Of each level."""
    levels: dict[str, Measured]
    """By bot; `random` is level 0."""


RUNGS = {"random": 0.0, "level-1": 1.0, "level-2": 2.0, "level-3": 3.0, "level-4": 4.0, "level-5": 5.0}


@cache
def calibration_of(key: str) -> Calibration | None:
    path = files("polyopolis.analysis") / "calibration" / f"{key}.toml"
    if not path.is_file():
        return None
    return msgspec.convert(tomllib.loads(path.read_text("utf-8")), Calibration)


def mean_loss(decisions: Sequence[Decision]) -> Figure:
    """For each decision, in points; the error is that of the spread between decisions."""
    losses = [decision.loss.points.mean for decision in decisions]
    error = stdev(losses) / sqrt(len(losses)) if len(losses) > 1 else abs(fmean(losses or [0.0]))
    return Figure(round(fmean(losses or [0.0]), 4), round(error, 4))


class Rated:
    """How well a seat played, from its decisions."""

    def __init__(self, key: str) -> None:
        self._known = calibration_of(key)

    def __call__(self, seat: int, decisions: Sequence[Decision]) -> Strength | None:
        counting = [decision for decision in decisions if decision.counts]
        if not self._known or not counting:
            return None
        loss, rungs = mean_loss(counting), self._rungs(None)
        topics = [self._topic(topic, counting) for topic in dict.fromkeys(each.topic for each in counting)]
        return Strength(
            seat=seat,
            loss=loss,
            level=level_of(loss.mean, rungs),
            low=level_of(loss.mean + INTERVAL * loss.error, rungs),
            high=level_of(loss.mean - INTERVAL * loss.error, rungs),
            topics=tuple(sorted((topic for topic in topics if topic), key=lambda topic: -topic.level)),
        )

    def _topic(self, topic: str, decisions: Sequence[Decision]) -> Topic | None:
        own, rungs = [each for each in decisions if each.topic == topic], self._rungs(topic)
        if len(own) < FEW or len(rungs) < 2:
            return None
        loss = mean_loss(own)
        return Topic(topic, len(own), loss, level_of(loss.mean, rungs))

    def _rungs(self, topic: str | None) -> list[tuple[float, float]]:
        """What is lost on each rung, and its level."""
        known = self._known.levels if self._known else {}
        losses = {
            RUNGS[bot]: measured.loss if topic is None else measured.topics.get(topic)
            for bot, measured in known.items()
        }
        return [(loss, level) for level, loss in losses.items() if loss is not None]


@cache
def rated_for(key: str) -> Rated:
    return Rated(key)


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
