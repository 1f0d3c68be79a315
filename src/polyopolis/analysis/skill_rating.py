"""Rates the strength of a player by comparing the mean loss per decision with those of the bot levels."""

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

from polyopolis.analysis.estimates import Estimate
from polyopolis.analysis.review import Decision, Strength, TopicStrength
from polyopolis.confidence_intervals import t_quantile

MIN_TOPIC_DECISIONS = 4
"""Minimum number of decisions for a rating of a topic."""
MIN_LOSS_POINTS = 0.01
"""Smaller mean losses are not distinguished."""


class MeasuredLoss(Struct, frozen=True):
    """Measured mean loss per decision in points, in total and by topic."""

    loss: float
    error: float
    """The standard error over games."""
    games: int
    decisions: int
    topics: dict[str, float] = {}


class PartCalibration(Struct, frozen=True):
    """Measured losses of the levels in a part of a game (docs/reviews.md)."""

    levels: dict[str, MeasuredLoss]
    """Losses by bot; `random` is level 0."""
    rungs: tuple[tuple[int, int], ...]
    """Groups of levels that cannot be distinguished, as first and last level; highest loss first."""


class Calibration(Struct, frozen=True):
    """Calibrations of a game by part. Losses differ between episodes, so parts without a calibration are not rated."""

    parts: dict[str, PartCalibration]


LEVEL_NUMBERS = {"random": 0, "level-1": 1, "level-2": 2, "level-3": 3, "level-4": 4, "level-5": 5}


def part_of(setup: Any) -> str:
    episode = getattr(setup, "episode", UNSET)
    return f"episode-{episode}" if isinstance(episode, int) else getattr(setup, "automa", None) or "whole"


class LevelGroup(Struct, frozen=True):
    """A level, or several levels whose losses cannot be distinguished."""

    low: int
    high: int
    loss: float
    topics: dict[str, float]


def level_groups(known: PartCalibration) -> list[LevelGroup]:
    return [_level_group(known, low, high) for low, high in known.rungs]


def _level_group(known: PartCalibration, low: int, high: int) -> LevelGroup:
    levels = [level for bot, level in known.levels.items() if low <= LEVEL_NUMBERS[bot] <= high]
    topics = {
        topic: fmean(level.topics[topic] for level in levels if topic in level.topics)
        for topic in sorted({topic for level in levels for topic in level.topics})
    }
    return LevelGroup(low, high, fmean(level.loss for level in levels), topics)


@cache
def calibration_for(key: str, part: str) -> PartCalibration | None:
    path = files("polyopolis.analysis") / "calibration" / f"{key}.toml"
    if not path.is_file():
        return None
    return msgspec.convert(tomllib.loads(path.read_text("utf-8")), Calibration).parts.get(part)


def mean_loss(decisions: Sequence[Decision]) -> Estimate:
    """Mean loss per decision in points; the standard error is computed from the spread between decisions."""
    losses = [decision.loss.points.mean for decision in decisions]
    error = stdev(losses) / sqrt(len(losses)) if len(losses) > 1 else abs(fmean(losses or [0.0]))
    return Estimate(round(fmean(losses or [0.0]), 4), round(error, 4))


class StrengthRater:
    """Rates the strength of a seat from its decisions."""

    def __init__(self, known: PartCalibration | None) -> None:
        self._groups = level_groups(known) if known else []

    def __call__(self, seat: int, decisions: Sequence[Decision]) -> Strength | None:
        counting = [decision for decision in decisions if decision.counts]
        if not self._groups or not counting:
            return None
        loss, losses = mean_loss(counting), [(group.loss, group.low) for group in self._groups]
        level = level_of(loss.mean, losses)
        margin = t_quantile(max(len(counting) - 1, 1)) * loss.error
        low = level_of(loss.mean + margin, losses)
        high = level_of(loss.mean - margin, losses)
        topics = [self._topic(topic, counting) for topic in dict.fromkeys(each.topic for each in counting)]
        alike = self._nearest_group(level)
        return Strength(
            seat=seat,
            loss=loss,
            level=level,
            alike=(alike.low, alike.high),
            low=low,
            high=max(high, self._nearest_group(high).high),
            topics=tuple(sorted((topic for topic in topics if topic), key=lambda topic: -topic.level)),
        )

    def _nearest_group(self, level: float) -> LevelGroup:
        """The group nearest to a level."""
        return min(self._groups, key=lambda group: max(group.low - level, level - group.high, 0.0))

    def _topic(self, topic: str, decisions: Sequence[Decision]) -> TopicStrength | None:
        own = [each for each in decisions if each.topic == topic]
        losses = [(group.topics[topic], group.low) for group in self._groups if topic in group.topics]
        if len(own) < MIN_TOPIC_DECISIONS or len(losses) < 2:
            return None
        loss = mean_loss(own)
        return TopicStrength(topic, len(own), loss, level_of(loss.mean, losses))


@cache
def strength_rater(key: str, part: str) -> StrengthRater:
    return StrengthRater(calibration_for(key, part))


def level_of(loss: float, rungs: Sequence[tuple[float, float]]) -> float:
    """Level with this mean loss, interpolated between levels by the logarithm of the loss."""
    ordered = sorted((log(max(each, MIN_LOSS_POINTS)), level) for each, level in rungs)
    losses, levels = [each for each, _ in ordered], [level for _, level in ordered]
    for at in range(1, len(levels)):
        levels[at] = min(levels[at], levels[at - 1])  # levels whose losses are not in order are merged
    own = log(max(loss, MIN_LOSS_POINTS))
    at = bisect(losses, own)
    if at == 0:
        return levels[0]
    if at == len(levels):
        return levels[-1]
    part = (own - losses[at - 1]) / (losses[at] - losses[at - 1])
    return round(levels[at - 1] + part * (levels[at] - levels[at - 1]), 2)
