"""Courses of patterns: measured on the way and kept on disk, so that they go on where they were stopped.

What is kept is a line that says how far a course has come, and its numbers: those that were learnt, and how each was
drawn. The games, their luck and the boards follow from the seed, so a course that was broken off comes to what it would
have come to at once. Only the last stretch, of which nothing was kept, is learnt again.
"""

from array import array
from collections.abc import Iterator
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

import msgspec

from polyopolis.bots.net_files import Provenance, in_steps, judge_by, packed_patterns
from polyopolis.bots.tournaments.arena import IntervalEstimate
from polyopolis.kernels.city_position import EPISODES
from polyopolis.kernels.runtime.jit import floats, words
from polyopolis.train.checkpoints import CURVE_SEED, LAST_SEED, MEMORY, REPORT, keep
from polyopolis.train.pattern_training import Course, Memory, School, new_lesson, new_memory, scores_of

EVERY, MEASURED = 10.0, 500
"""Seconds of learning between two measurements, and games of each."""
JUDGED = 2000
"""Games of the last measurement."""
LOOK = 1.0
"""Seconds after which whoever waits hears how far it is."""
DEVICE = "one core"


class Point(msgspec.Struct, frozen=True):
    """What comes of games at sight, after so much learning."""

    seconds: float
    games: int
    score: float
    within: float
    judged: int
    """Games by which it was measured."""


class Kept(msgspec.Struct, frozen=True):
    """How far a course has come. It is kept, so that it can go on."""

    game: str
    episode: int
    course: Course
    """As it was begun; it may have gone on for longer."""
    version: str
    seconds: float = 0.0
    games: int = 0
    luck: int = 0
    """The state of the generator."""
    curve: tuple[Point, ...] = ()
    last: Point | None = None
    """By luck of its own, once it has learnt as long as it was to."""

    @property
    def points(self) -> tuple[Point, ...]:
        """The curve with its end."""
        last = self.last
        return (*(point for point in self.curve if point.seconds < last.seconds), last) if last else self.curve

    @property
    def figures(self) -> str:
        point = self.points[-1]
        return f"{point.score:.2f} ± {point.within:.2f} at sight over {point.judged:,} games, alone"

    @property
    def report(self) -> dict[str, Any]:
        """As that of a net."""
        found = {"game": self.game, "episode": self.episode, "course": asdict(self.course), "device": DEVICE}
        return {**found, "seconds": round(self.seconds, 1), "games": self.games, "curve": self.points}

    def goes_on_as(self, other: "Kept") -> bool:
        """Whether it is of the same features and settings, but for the time."""
        return self.version == other.version and replace(self.course, seconds=other.course.seconds) == other.course


class EpisodeCourseRunner:
    """The patterns of an episode, and a course that they go through, or go on with."""

    def __init__(self, key: str, number: int, course: Course, folder: Path) -> None:
        self._out, self.seconds = folder / EPISODES.format(key, number), course.seconds
        self._school = School(key, number, course.seed)
        self.kept = Kept(key, number, course, self._school.version(course))
        self._memory = new_memory(course.seed)
        found = recalled(self._out)
        self.anew = found is not None and not found[0].goes_on_as(self.kept)
        """Whether something else was kept, which is written over."""
        if found and not self.anew:
            self.kept, self._memory = found

    @property
    def over(self) -> bool:
        return self.kept.last is not None and self.kept.seconds >= self.seconds

    def go(self) -> Iterator[Kept]:
        """What is left of the course, with a look at it every second."""
        while self._memory.seconds < self.seconds:
            self._learn()
            yield self.kept
        if self.kept.last is None:
            self._keep(last=self._measured(JUDGED, LAST_SEED))

    def _learn(self) -> None:
        memory, due = self._memory, EVERY * (len(self.kept.curve) + 1)
        self._school.teach(memory, self.kept.course, min(memory.seconds + LOOK, due, self.seconds))
        self.kept = msgspec.structs.replace(
            self.kept, seconds=memory.seconds, games=memory.games, luck=int(memory.luck[0]), last=None
        )
        if memory.seconds >= due:
            self._keep(curve=(*self.kept.curve, self._measured(MEASURED, CURVE_SEED)))

    def _measured(self, games: int, seed: int) -> Point:
        """As it would ship, on luck that it does not learn from."""
        kept, judge = self.kept, judge_by(in_steps(self._memory.patterns))
        found = IntervalEstimate.of(scores_of(kept.game, kept.episode, judge, games, seed))
        return Point(round(kept.seconds, 1), kept.games, round(found.mean, 3), round(found.margin or 0, 3), games)

    def _keep(self, **measured: Any) -> None:
        self.kept = msgspec.structs.replace(self.kept, **measured)
        keep(self._out / MEMORY, _packed(self.kept, self._memory))
        keep(self._out / REPORT, msgspec.json.format(msgspec.json.encode(self.kept.report)))


def _packed(kept: Kept, memory: Memory) -> bytes:
    arrays = memory.patterns, memory.lesson.drawn, memory.lesson.drift
    return msgspec.json.encode(kept) + b"\n" + b"".join(array("d", numbers).tobytes() for numbers in arrays)


def recalled(folder: Path) -> tuple[Kept, Memory] | None:
    """What is kept in a folder, where there is something."""
    path = folder / MEMORY
    if not path.exists():
        return None
    line, _, body = path.read_bytes().partition(b"\n")
    kept, numbers = msgspec.json.decode(line, type=Kept), array("d", body)
    size = len(numbers) // 3
    patterns, drawn, drift = (floats(numbers[at : at + size]) for at in range(0, 3 * size, size))
    lesson = new_lesson()._replace(drawn=drawn, drift=drift)
    return kept, Memory(patterns, lesson, words([kept.luck]), kept.seconds, kept.games)


def written(folder: Path, out: Path) -> int:
    """Patterns as a file that ships; how many bytes it has."""
    found = recalled(folder)
    if found is None:
        raise FileNotFoundError(folder / MEMORY)
    kept, memory = found
    course = {**asdict(kept.course), "learnt": round(kept.seconds, 1), "played": kept.games}
    source = Provenance(f"{kept.game}/episode-{kept.episode}", kept.figures, DEVICE, [course])
    file = packed_patterns(source, in_steps(memory.patterns))
    out.write_bytes(file)
    return len(file)
