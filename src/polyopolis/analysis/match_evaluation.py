"""A walk through a match: what everybody can expect at each moment, what each choice comes to, in the same futures.

The expectation at a moment is what comes of it if everybody does from there on what is worth most at sight. It is asked
once for each moment, and serves what came before as well as what came after: so luck, skill and what others did add up
to the result (docs/decisions/0022-reviews.md).
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from polyopolis.analysis.estimates import FutureSamples, shares_of
from polyopolis.engine import CHANCE, AnyGame, Match
from polyopolis.kernels.match_futures import FutureResults, FutureSimulator

Pair = tuple[FutureSamples, FutureSamples | None]
"""Points, and the chance to win where there is somebody to win against."""
WINNING = 60.0
"""Points of a lead that a win is worth to whoever plays at one table, as searches count it."""


@dataclass
class ValueEstimate:
    """What may come of a moment or of a choice, in more and more futures."""

    outlook: FutureResults

    def __len__(self) -> int:
        return len(self.outlook)

    def points(self, seat: int) -> FutureSamples:
        return FutureSamples.of(self.outlook.points[seat], self._shares)

    def chance(self, seat: int) -> FutureSamples:
        """To win; a shared victory counts in parts."""
        return FutureSamples.of(self._wins(seat), self._shares)

    def sought(self, seat: int, apart: bool) -> list[float]:
        """What whoever decides looks for, future by future."""
        if apart or len(self.outlook.points) == 1:
            return self.outlook.points[seat]
        leads, chances = self._weighed(seat)
        return [lead + WINNING * chance for lead, chance in zip(leads, chances, strict=True)]

    def ahead(self, other: "ValueEstimate", seat: int, apart: bool) -> Pair:
        """How far this is before another one of the same moment; points of the lead where all play at one table."""
        if len(self.outlook.points) == 1:
            return self.points(seat) - other.points(seat), None
        if apart:
            return self.points(seat) - other.points(seat), self.chance(seat) - other.chance(seat)
        own, others = (map(FutureSamples.of, each._weighed(seat)) for each in (self, other))
        points, chance = (mine - theirs for mine, theirs in zip(own, others, strict=True))
        return points, chance

    @property
    def _shares(self) -> list[float] | None:
        return shares_of(self.outlook.strata, self.outlook.odds)

    def _weighed(self, seat: int) -> tuple[list[float], list[float]]:
        """The lead and the chance to win, of whoever decides where that is weighed before the end."""
        if self.outlook.leads:
            return self.outlook.leads, self.outlook.chances
        return self._leads(seat), self._wins(seat)

    def _leads(self, seat: int) -> list[float]:
        rows = self.outlook.points
        return [own[seat] - max(own[:seat] + own[seat + 1 :]) for own in zip(*rows, strict=True)]

    def _wins(self, seat: int) -> list[float]:
        return [
            1 / ended.count(ended[seat]) if ended[seat] == max(ended) else 0.0
            for ended in zip(*self.outlook.standing, strict=True)
        ]

    def extend(self, more: FutureResults) -> None:
        self.outlook.extend(more)


@dataclass
class EvaluatedDecision:
    """A decision of a seat: what it did, and what else is tried."""

    move: int
    seat: int
    action: Any
    tried: list[Any] = field(default_factory=list)
    """Actions, the best known first; what was played is always among them."""
    prospects: list[ValueEstimate] = field(default_factory=list)
    """Of each of them."""
    open: list[int] = field(default_factory=list)
    """Those that are still tried."""

    @property
    def counts(self) -> bool:
        return len(self.tried) > 1

    @property
    def played(self) -> int:
        return self.tried.index(self.action)


@dataclass
class Step:
    """From one moment to the next: a move of chance, or a round of decisions."""

    moves: int
    """How many were made before."""
    state: Any
    after: Any
    chance: Any = None
    asked: list[EvaluatedDecision] = field(default_factory=list)


class MatchEvaluation:
    """All steps of a match from the first moment on that the oracle knows."""

    def __init__(self, match: Match, oracle: FutureSimulator) -> None:
        self.game: AnyGame = match.game
        self.match, self.oracle = match, oracle
        self.begins, self.steps = self._walked()
        self.moments = [step.state for step in self.steps] + [match.state]
        self.prospects: list[ValueEstimate | None] = [None] * len(self.moments)
        self.futures = 0

    def _walked(self) -> tuple[int, list[Step]]:
        found, begins, match = list[Step](), 0, Match.start(self.game, self.match.setup)
        moves = list(self.match.moves)
        while len(match.moves) < len(moves):
            before, at = match, len(match.moves)
            while len(match.moves) == at:
                move = moves[at + len(match.staged)]
                match = match.decide(move.seat, move.action)
            made = moves[at : len(match.moves)]
            if not self.oracle.knows(before.state):
                begins = len(match.moves)
                continue
            if made[0].seat == CHANCE:
                found.append(Step(at, before.state, match.state, made[0].action))
            else:
                asked = [EvaluatedDecision(at + number, move.seat, move.action) for number, move in enumerate(made)]
                found.append(Step(at, before.state, match.state, asked=asked))
        return begins, found

    @cached_property
    def seats(self) -> range:
        return range(self.match.setup.seats)

    @property
    def players(self) -> int:
        """The Automa is one, too."""
        return len(self.match.result.scores)

    def size(self, futures: int, width: int) -> int:
        """About how much there is to do until everything is tried in so many futures: a rough count of games."""
        return sum(1 + len(step.asked) * (width + 1) for step in self.steps) * (futures - self.futures)

    def go(self, futures: int, width: int) -> Iterator[int]:
        """Tries everything in so many futures, and of each decision so many choices beside the one that was made; as it
        goes on, how much is done."""
        new, done = range(self.futures, futures), 0
        for number, moment in enumerate(self.moments):
            if number == len(self.steps) and self.match.over:
                self.prospects[number] = self._ended(futures)
                continue
            self.prospects[number] = _longer(self.prospects[number], self.oracle.expected(moment, new))
            done += len(new)
            yield done
            for asked in self.steps[number].asked if number < len(self.steps) else ():
                self._try(self.steps[number], asked, new, width)
                done += len(new) * (width + 1)
                yield done
        self.futures = futures

    def _ended(self, futures: int) -> ValueEstimate:
        points, ranks = self.oracle.final(self.match.state), self.match.result.ranks
        rows = [[each] * futures for each in points], [[-float(rank)] * futures for rank in ranks]
        return ValueEstimate(FutureResults(*rows))

    def _try(self, step: Step, asked: EvaluatedDecision, new: range, width: int) -> None:
        if not asked.tried:
            found = self.oracle.candidates(step.state, asked.seat, width)
            asked.tried = [asked.action, *[action for action in found if action != asked.action]]
            asked.open = list(range(len(asked.tried)))
        if not asked.counts:
            return
        if asked.prospects:
            asked.open = self._promising(asked, width)
        actions = [asked.tried[number] for number in asked.open]
        futures = range(new.stop) if self.oracle.LEARNS else new
        outlooks = self.oracle.judged(step.state, asked.seat, actions, futures)
        if not asked.prospects:
            asked.prospects = [ValueEstimate(outlook) for outlook in outlooks]
            return
        for number, outlook in zip(asked.open, outlooks, strict=True):
            if self.oracle.LEARNS:
                asked.prospects[number] = ValueEstimate(outlook)
            else:
                asked.prospects[number].extend(outlook)

    def _promising(self, asked: EvaluatedDecision, width: int) -> list[int]:
        """What was played, and so many others that come to most so far."""
        means = {number: self.sought(asked, number).mean for number in asked.open}
        others = sorted((number for number in asked.open if number != asked.played), key=lambda number: -means[number])
        return sorted([asked.played, *others[:width]])

    def sought(self, asked: EvaluatedDecision, number: int) -> FutureSamples:
        return FutureSamples.of(asked.prospects[number].sought(asked.seat, self.oracle.APART))


def _longer(prospect: ValueEstimate | None, more: FutureResults) -> ValueEstimate:
    if prospect is None:
        return ValueEstimate(more)
    prospect.extend(more)
    return prospect


def best_of(rows: Sequence[Sequence[float]]) -> int:
    """The row with the highest mean."""
    return max(range(len(rows)), key=lambda number: sum(rows[number]))


def lost(rows: Sequence[Sequence[float]], played: int) -> float:
    """What a choice lost to the best: each half of the futures says which one that is, the other half how much it is.

    What merely seems best because it was lucky in some futures is no better in the others.
    """
    halves = [[row[first::2] for row in rows] for first in (0, 1)]
    total = 0.0
    for half, other in (halves, halves[::-1]):
        best = best_of(half)
        total += (sum(other[best]) - sum(other[played])) / max(len(other[played]), 1)
    return total / 2
