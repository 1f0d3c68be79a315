"""Evaluates every position and every choice of a match with common random numbers.

The value of a position is the mean result if all players continue with the choices of the best evaluation. Each
position is evaluated once: it is the result of the step before it and the start of the step after it. So luck, skill
and the effect of the others add up to the result (docs/decisions/0022-reviews.md).
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from polyopolis.analysis.estimates import FutureSamples, future_weights
from polyopolis.engine import CHANCE, AnyGame, Match
from polyopolis.kernels.match_futures import FutureResults, FutureSimulator

PointsAndChance = tuple[FutureSamples, FutureSamples | None]
"""Points, and the winning chance if there are opponents."""
POINTS_PER_WIN = 60.0
"""Value of a win in points of lead at a shared table, as in the searches."""


@dataclass
class ValueEstimate:
    """Estimated value of a position or of a choice; futures can be added."""

    results: FutureResults

    def __len__(self) -> int:
        return len(self.results)

    def points(self, seat: int) -> FutureSamples:
        return FutureSamples.of(self.results.points[seat], self._weights)

    def chance(self, seat: int) -> FutureSamples:
        """Winning chance; a shared victory counts as a fraction."""
        return FutureSamples.of(self._wins(seat), self._weights)

    def objective(self, seat: int, apart: bool) -> list[float]:
        """The quantity that a player maximises, by future: points, or lead and winning chance if the seats
        share a table."""
        if apart or len(self.results.points) == 1:
            return self.results.points[seat]
        leads, chances = self._lead_and_win(seat)
        return [lead + POINTS_PER_WIN * chance for lead, chance in zip(leads, chances, strict=True)]

    def lead_over(self, other: "ValueEstimate", seat: int, apart: bool) -> PointsAndChance:
        """Difference from another choice in the same position, in points (of lead at a shared table)."""
        if len(self.results.points) == 1:
            return self.points(seat) - other.points(seat), None
        if apart:
            return self.points(seat) - other.points(seat), self.chance(seat) - other.chance(seat)
        own, others = (map(FutureSamples.of, each._lead_and_win(seat)) for each in (self, other))
        points, chance = (mine - theirs for mine, theirs in zip(own, others, strict=True))
        return points, chance

    @property
    def _weights(self) -> list[float] | None:
        return future_weights(self.results.strata, self.results.odds)

    def _lead_and_win(self, seat: int) -> tuple[list[float], list[float]]:
        """Lead and winning chance, as estimated before the end of the match if the simulation stops earlier."""
        if self.results.leads:
            return self.results.leads, self.results.win_chances
        return self._leads(seat), self._wins(seat)

    def _leads(self, seat: int) -> list[float]:
        rows = self.results.points
        return [own[seat] - max(own[:seat] + own[seat + 1 :]) for own in zip(*rows, strict=True)]

    def _wins(self, seat: int) -> list[float]:
        return [
            1 / ended.count(ended[seat]) if ended[seat] == max(ended) else 0.0
            for ended in zip(*self.results.ranking_values, strict=True)
        ]

    def extend(self, more: FutureResults) -> None:
        self.results.extend(more)


@dataclass
class EvaluatedDecision:
    """A decision of a seat: the played action and the alternatives that are evaluated."""

    move: int
    seat: int
    action: Any
    tried: list[Any] = field(default_factory=list)
    """Evaluated actions, the played one first."""
    estimates: list[ValueEstimate] = field(default_factory=list)
    """Estimates of `tried`."""
    open: list[int] = field(default_factory=list)
    """Indices of the actions that are still evaluated with more futures."""

    @property
    def counts(self) -> bool:
        return len(self.tried) > 1

    @property
    def played(self) -> int:
        return self.tried.index(self.action)


@dataclass
class EvaluatedStep:
    """Step from one position to the next: a chance event, or a round of decisions."""

    moves: int
    """Number of moves before the step."""
    state: Any
    after: Any
    chance: Any = None
    decisions: list[EvaluatedDecision] = field(default_factory=list)


class MatchEvaluation:
    """Evaluation of a match, from the first position that the simulator supports."""

    def __init__(self, match: Match, oracle: FutureSimulator) -> None:
        self.game: AnyGame = match.game
        self.match, self.oracle = match, oracle
        self.begins, self.steps = self._build_steps()
        self.moments = [step.state for step in self.steps] + [match.state]
        self.estimates: list[ValueEstimate | None] = [None] * len(self.moments)
        self.futures = 0

    def _build_steps(self) -> tuple[int, list[EvaluatedStep]]:
        found, begins, match = list[EvaluatedStep](), 0, Match.start(self.game, self.match.setup)
        moves = list(self.match.moves)
        while len(match.moves) < len(moves):
            before, at = match, len(match.moves)
            while len(match.moves) == at:
                move = moves[at + len(match.staged)]
                match = match.decide(move.seat, move.action)
            made = moves[at : len(match.moves)]
            if not self.oracle.supports(before.state):
                begins = len(match.moves)
                continue
            if made[0].seat == CHANCE:
                found.append(EvaluatedStep(at, before.state, match.state, made[0].action))
            else:
                decisions = [EvaluatedDecision(at + number, move.seat, move.action) for number, move in enumerate(made)]
                found.append(EvaluatedStep(at, before.state, match.state, decisions=decisions))
        return begins, found

    @cached_property
    def seats(self) -> range:
        return range(self.match.setup.seats)

    @property
    def players(self) -> int:
        """Number of players including the Automa."""
        return len(self.match.result.scores)

    def size(self, futures: int, width: int) -> int:
        """Approximate number of games to simulate until this number of futures is reached."""
        return sum(1 + len(step.decisions) * (width + 1) for step in self.steps) * (futures - self.futures)

    def evaluate(self, futures: int, width: int) -> Iterator[int]:
        """Extends the evaluation to this number of futures, with `width` alternatives per decision. Yields the amount
        of work done so far, in the unit of `size`."""
        new, done = range(self.futures, futures), 0
        for number, moment in enumerate(self.moments):
            if number == len(self.steps) and self.match.over:
                self.estimates[number] = self._ended(futures)
                continue
            self.estimates[number] = _extended(self.estimates[number], self.oracle.expected(moment, new))
            done += len(new)
            yield done
            for decision in self.steps[number].decisions if number < len(self.steps) else ():
                self._evaluate_choices(self.steps[number], decision, new, width)
                done += len(new) * (width + 1)
                yield done
        self.futures = futures

    def _ended(self, futures: int) -> ValueEstimate:
        points, ranks = self.oracle.final(self.match.state), self.match.result.ranks
        rows = [[each] * futures for each in points], [[-float(rank)] * futures for rank in ranks]
        return ValueEstimate(FutureResults(*rows))

    def _evaluate_choices(self, step: EvaluatedStep, decision: EvaluatedDecision, new: range, width: int) -> None:
        if not decision.tried:
            found = self.oracle.candidates(step.state, decision.seat, width)
            decision.tried = [decision.action, *[action for action in found if action != decision.action]]
            decision.open = list(range(len(decision.tried)))
        if not decision.counts:
            return
        if decision.estimates:
            decision.open = self._promising(decision, width)
        actions = [decision.tried[number] for number in decision.open]
        futures = range(new.stop) if self.oracle.LEARNS else new
        results = self.oracle.after_choices(step.state, decision.seat, actions, futures)
        if not decision.estimates:
            decision.estimates = [ValueEstimate(result) for result in results]
            return
        for number, result in zip(decision.open, results, strict=True):
            if self.oracle.LEARNS:
                decision.estimates[number] = ValueEstimate(result)
            else:
                decision.estimates[number].extend(result)

    def _promising(self, decision: EvaluatedDecision, width: int) -> list[int]:
        """The played action and the `width` alternatives with the highest means so far."""
        means = {number: self.objective(decision, number).mean for number in decision.open}
        others = sorted(
            (number for number in decision.open if number != decision.played), key=lambda number: -means[number]
        )
        return sorted([decision.played, *others[:width]])

    def objective(self, decision: EvaluatedDecision, number: int) -> FutureSamples:
        return FutureSamples.of(decision.estimates[number].objective(decision.seat, self.oracle.SEPARATE_CITIES))


def _extended(estimate: ValueEstimate | None, more: FutureResults) -> ValueEstimate:
    if estimate is None:
        return ValueEstimate(more)
    estimate.extend(more)
    return estimate


def best_row(rows: Sequence[Sequence[float]]) -> int:
    """Index of the row with the highest sum."""
    return max(range(len(rows)), key=lambda number: sum(rows[number]))


def cross_validated_loss(rows: Sequence[Sequence[float]], played: int) -> float:
    """Loss of a choice against the best one, by twofold cross-validation over the futures.

    Each half selects the best choice and the other half measures the difference, so a choice that was only lucky in
    some futures does not count as better.
    """
    halves = [[row[first::2] for row in rows] for first in (0, 1)]
    total = 0.0
    for half, other in (halves, halves[::-1]):
        best = best_row(half)
        total += (sum(other[best]) - sum(other[played])) / max(len(other[played]), 1)
    return total / 2
