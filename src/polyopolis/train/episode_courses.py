"""Resumable training courses of patterns, with measurements.

A checkpoint is a JSON line with the state of the course, followed by the arrays: the patterns and the sums of their
changes. Games, random numbers and boards follow from the seed, so an interrupted course has the same result as an
uninterrupted one. Only the part since the last checkpoint is trained again.
"""

from array import array
from collections.abc import Iterator
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

import msgspec

from polyopolis.bots.net_files import Provenance, pack_patterns, pattern_model, quantise_patterns
from polyopolis.bots.tournaments.arena import IntervalEstimate
from polyopolis.kernels.city_position import EPISODE_NET_FORMAT
from polyopolis.kernels.runtime.jit import floats, words
from polyopolis.train.checkpoints import CURVE_SEED, FINAL_SEED, PATTERNS_FILE, REPORT_FILE, write_atomically
from polyopolis.train.pattern_training import (
    EpisodeTrainer,
    PatternCourse,
    PatternState,
    new_pattern_state,
    new_training_arrays,
    scores_of,
)

MEASURE_SECONDS, CURVE_GAMES = 10.0, 500
"""Training time between two measurements, and games of each."""
FINAL_GAMES = 2000
"""Games of the final measurement."""
PROGRESS_SECONDS = 1.0
"""Training time between two progress reports."""
DEVICE = "one core"


class LearningCurvePoint(msgspec.Struct, frozen=True):
    """Mean score without search at one time of a course, with the 95 % margin `within`."""

    seconds: float
    games: int
    score: float
    within: float
    judged: int
    """Number of games of the measurement."""


class CourseState(msgspec.Struct, frozen=True):
    """Stored state of a course, without its arrays."""

    game: str
    episode: int
    course: PatternCourse
    """Settings at the start of the course, which may have been extended."""
    version: str
    seconds: float = 0.0
    games: int = 0
    luck: int = 0
    """State of the random number generator."""
    curve: tuple[LearningCurvePoint, ...] = ()
    last: LearningCurvePoint | None = None
    """Final measurement, on other random numbers."""

    @property
    def points(self) -> tuple[LearningCurvePoint, ...]:
        """The curve including the final measurement."""
        last = self.last
        return (*(point for point in self.curve if point.seconds < last.seconds), last) if last else self.curve

    @property
    def figures(self) -> str:
        point = self.points[-1]
        return f"{point.score:.2f} ± {point.within:.2f} without search over {point.judged:,} games, alone"

    @property
    def report(self) -> dict[str, Any]:
        """Report in the format of a net's report."""
        found = {"game": self.game, "episode": self.episode, "course": asdict(self.course), "device": DEVICE}
        return {**found, "seconds": round(self.seconds, 1), "games": self.games, "curve": self.points}

    def continues(self, other: "CourseState") -> bool:
        """Whether the features and all settings except the time are the same."""
        return self.version == other.version and replace(self.course, seconds=other.course.seconds) == other.course


class EpisodeCourseRunner:
    """Runs or resumes the training course of an episode."""

    def __init__(self, key: str, number: int, course: PatternCourse, folder: Path) -> None:
        self._out, self.seconds = folder / EPISODE_NET_FORMAT.format(key, number), course.seconds
        self._trainer = EpisodeTrainer(key, number, course.seed)
        self.state = CourseState(key, number, course, self._trainer.version(course))
        self._learned = new_pattern_state(course.seed)
        found = load_course(self._out)
        self.restarted = found is not None and not found[0].continues(self.state)
        """Whether a stored course with other features or settings is overwritten."""
        if found and not self.restarted:
            self.state, self._learned = found

    @property
    def over(self) -> bool:
        return self.state.last is not None and self.state.seconds >= self.seconds

    def run(self) -> Iterator[CourseState]:
        """Runs the rest of the course. Yields the state every `PROGRESS_SECONDS`."""
        while self._learned.seconds < self.seconds:
            self._train()
            yield self.state
        if self.state.last is None:
            self._save(last=self._measure(FINAL_GAMES, FINAL_SEED))

    def _train(self) -> None:
        learned, due = self._learned, MEASURE_SECONDS * (len(self.state.curve) + 1)
        self._trainer.train(learned, self.state.course, min(learned.seconds + PROGRESS_SECONDS, due, self.seconds))
        self.state = msgspec.structs.replace(
            self.state, seconds=learned.seconds, games=learned.games, luck=int(learned.luck[0]), last=None
        )
        if learned.seconds >= due:
            self._save(curve=(*self.state.curve, self._measure(CURVE_GAMES, CURVE_SEED)))

    def _measure(self, games: int, seed: int) -> LearningCurvePoint:
        """Measures the patterns as exported, on random numbers that are not used for training."""
        kept, model = self.state, pattern_model(quantise_patterns(self._learned.patterns))
        found = IntervalEstimate.of(scores_of(kept.game, kept.episode, model, games, seed))
        return LearningCurvePoint(
            round(kept.seconds, 1), kept.games, round(found.mean, 3), round(found.margin or 0, 3), games
        )

    def _save(self, **measured: Any) -> None:
        self.state = msgspec.structs.replace(self.state, **measured)
        write_atomically(self._out / PATTERNS_FILE, _checkpoint(self.state, self._learned))
        write_atomically(self._out / REPORT_FILE, msgspec.json.format(msgspec.json.encode(self.state.report)))


def _checkpoint(kept: CourseState, learned: PatternState) -> bytes:
    arrays = learned.patterns, learned.arrays.absolute_changes, learned.arrays.signed_changes
    return msgspec.json.encode(kept) + b"\n" + b"".join(array("d", numbers).tobytes() for numbers in arrays)


def load_course(folder: Path) -> tuple[CourseState, PatternState] | None:
    """Loads the checkpoint of a folder; None if there is none."""
    path = folder / PATTERNS_FILE
    if not path.exists():
        return None
    line, _, body = path.read_bytes().partition(b"\n")
    kept, numbers = msgspec.json.decode(line, type=CourseState), array("d", body)
    size = len(numbers) // 3
    patterns, absolute_changes, signed_changes = (floats(numbers[at : at + size]) for at in range(0, 3 * size, size))
    arrays = new_training_arrays()._replace(absolute_changes=absolute_changes, signed_changes=signed_changes)
    return kept, PatternState(patterns, arrays, words([kept.luck]), kept.seconds, kept.games)


def export_patterns(folder: Path, out: Path) -> int:
    """Exports patterns as a shipped file and returns its size in bytes. Raises `FileNotFoundError` if there
    is no checkpoint."""
    found = load_course(folder)
    if found is None:
        raise FileNotFoundError(folder / PATTERNS_FILE)
    kept, learned = found
    course = {**asdict(kept.course), "learnt": round(kept.seconds, 1), "played": kept.games}
    source = Provenance(f"{kept.game}/episode-{kept.episode}", kept.figures, DEVICE, [course])
    file = pack_patterns(source, quantise_patterns(learned.patterns))
    out.write_bytes(file)
    return len(file)
