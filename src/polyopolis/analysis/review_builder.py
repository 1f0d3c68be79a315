"""Builds a review from the evaluation of a match: grades, accounts and key moments."""

from collections.abc import Callable, Sequence
from math import hypot
from statistics import fmean
from typing import Any

from polyopolis.analysis.estimates import SIGNIFICANT_ERRORS, Estimate, FutureSamples
from polyopolis.analysis.hindsight import has_hindsight
from polyopolis.analysis.match_evaluation import (
    POINTS_PER_WIN,
    EvaluatedDecision,
    EvaluatedStep,
    MatchEvaluation,
    PointsAndChance,
    ValueEstimate,
    best_row,
    cross_validated_loss,
)
from polyopolis.analysis.review import (
    Amount,
    ChanceEvent,
    Choice,
    CurvePoint,
    Decision,
    Grade,
    MatchReview,
    Moment,
    ResultBreakdown,
    Strength,
)
from polyopolis.bots.explanation_phrases import sayings
from polyopolis.bots.levels import position_and_weights
from polyopolis.kernels.positions import has_kernel

MAX_OTHER_CHOICES = 3
"""Maximum number of choices shown in addition to the played and the best one."""
GRADES: tuple[tuple[float, Grade], ...] = ((3.0, "blunder"), (1.0, "mistake"), (0.0, "slip"))
"""Grades by minimum loss in points."""
MAX_MOMENTS = 5
RateStrength = Callable[[int, Sequence[Decision]], Strength | None]
"""Rates the strength of a seat from its decisions; None if the game is not calibrated."""


def build_review(evaluation: MatchEvaluation, rate: RateStrength) -> MatchReview:
    """Returns the review with the futures evaluated so far."""
    return _ReviewBuilder(evaluation).review(rate)


class _ReviewBuilder:
    def __init__(self, evaluation: MatchEvaluation) -> None:
        self.evaluation = evaluation
        self.alone = evaluation.players == 1
        self.values = [
            [self._pair(estimate, seat) for seat in evaluation.seats] for estimate in evaluation.estimates if estimate
        ]

    def review(self, rate: RateStrength) -> MatchReview:
        evaluation = self.evaluation
        decisions, chances = list[Decision](), list[ChanceEvent]()
        sums = [{name: self._zero() for name in ("luck", "skill", "others")} for _ in evaluation.seats]
        for number, step in enumerate(evaluation.steps):
            before, after = self.values[number], self.values[number + 1]
            changes = [_minus(later, now) for later, now in zip(after, before, strict=True)]
            if step.decisions:
                for decision, skill in self._skills(step, before, changes, sums):
                    decisions.append(self._decision(step, decision, skill, amount_of(after[decision.seat])))
            else:
                chances.append(self._chance(step, changes))
                for seat, change in enumerate(changes):
                    sums[seat]["luck"] = _plus(sums[seat]["luck"], change)
        accounts = tuple(self._account(seat, sums[seat], decisions) for seat in evaluation.seats)
        strengths = [rate(seat, [each for each in decisions if each.seat == seat]) for seat in evaluation.seats]
        return MatchReview(
            hindsight=evaluation.oracle.SEPARATE_CITIES and has_hindsight(evaluation.match),
            begins=evaluation.begins,
            moves=len(evaluation.match.moves),
            curve=tuple(self._curve()),
            decisions=tuple(decisions),
            chances=tuple(chances),
            accounts=accounts,
            strengths=tuple(strength for strength in strengths if strength),
            moments=_moments(decisions, chances),
        )

    def _skills(
        self,
        step: EvaluatedStep,
        before: Sequence[PointsAndChance],
        changes: Sequence[PointsAndChance],
        sums: list[dict[str, PointsAndChance]],
    ) -> list[tuple[EvaluatedDecision, PointsAndChance]]:
        """Returns the skill of each decision of a round, and adds skill and effect of the others to `sums`.

        A seat that decides alone causes the whole change. Of simultaneous decisions each causes the change that would
        have resulted if the others had taken the choices of the best evaluation.
        """
        found = dict[int, tuple[EvaluatedDecision, PointsAndChance]]()
        for decision in step.decisions:
            own = changes[decision.seat]
            if len(step.decisions) > 1:
                known = decision.estimates[decision.played] if decision.counts and decision.estimates else None
                own = _minus(self._pair(known, decision.seat), before[decision.seat]) if known else self._zero()
            found[decision.seat] = decision, own
        for seat, change in enumerate(changes):
            own = found[seat][1] if seat in found else self._zero()
            sums[seat]["skill"] = _plus(sums[seat]["skill"], own)
            sums[seat]["others"] = _plus(sums[seat]["others"], _minus(change, own))
        return [found[seat] for seat in sorted(found)]

    def _pair(self, estimate: ValueEstimate, seat: int) -> PointsAndChance:
        return estimate.points(seat), None if self.alone else estimate.chance(seat)

    def _zero(self) -> PointsAndChance:
        zero = FutureSamples.constant(0.0, self.evaluation.futures)
        return zero, None if self.alone else zero

    def _curve(self) -> list[CurvePoint]:
        moves = [step.moves for step in self.evaluation.steps] + [len(self.evaluation.match.moves)]
        return [CurvePoint(at, tuple(map(amount_of, seats))) for at, seats in zip(moves, self.values, strict=True)]

    def _chance(self, step: EvaluatedStep, changes: Sequence[PointsAndChance]) -> ChanceEvent:
        points = [change[0] for change in changes]
        shared = self.evaluation.oracle.SEPARATE_CITIES and len(points) > 1
        compared = [_rounded(_beside_others(points, seat).figure) for seat in self.evaluation.seats] if shared else []
        possible = len(self.evaluation.game.odds(step.state))
        return ChanceEvent(step.moves, step.chance, possible, tuple(map(amount_of, changes)), tuple(compared))

    def _decision(
        self, step: EvaluatedStep, decision: EvaluatedDecision, skill: PointsAndChance, value: Amount
    ) -> Decision:
        topic = self.evaluation.oracle.topic(step.state)
        zero = amount_of(self._zero())
        if not decision.counts:
            only = Choice(decision.action, value, zero, False)
            return Decision(decision.move, decision.seat, topic, False, "good", only, only, (), zero, amount_of(skill))
        rows = [
            decision.estimates[number].objective(decision.seat, self.evaluation.oracle.SEPARATE_CITIES)
            for number in decision.open
        ]
        best = decision.open[best_row(rows)]
        loss = self._loss(decision, rows, best)
        ranked = sorted(decision.open, key=lambda number: -self.evaluation.objective(decision, number).mean)
        others = [number for number in ranked if number not in (best, decision.played)][:MAX_OTHER_CHOICES]
        say = _ChoicePhrases(self.evaluation, step, decision)
        behind = self._behind(decision, decision.played, best)
        grade: Grade = "good"
        if behind and loss.points.mean + loss.points.error > 0:
            grade = next(name for least, name in GRADES if loss.points.mean >= least or least == 0.0)
        return Decision(
            move=decision.move,
            seat=decision.seat,
            topic=topic,
            counts=True,
            grade=grade,
            played=self._choice(decision, decision.played, best, say(decision.played, best)),
            best=self._choice(decision, best, best, say(best, decision.played)),
            others=tuple(self._choice(decision, number, best, say(number, decision.played)) for number in others),
            loss=loss,
            skill=amount_of(skill),
        )

    def _choice(self, decision: EvaluatedDecision, number: int, best: int, said: tuple[Any, Any]) -> Choice:
        value = amount_of(self._pair(decision.estimates[number], decision.seat))
        return Choice(
            decision.tried[number],
            value,
            self._lack(decision, number, best),
            self._behind(decision, number, best),
            *said,
        )

    def _lack(self, decision: EvaluatedDecision, number: int, best: int) -> Amount:
        return amount_of(
            decision.estimates[best].lead_over(
                decision.estimates[number], decision.seat, self.evaluation.oracle.SEPARATE_CITIES
            )
        )

    def _behind(self, decision: EvaluatedDecision, number: int, best: int) -> bool:
        return (
            self.evaluation.objective(decision, best) - self.evaluation.objective(decision, number)
        ).figure.is_significant

    def _loss(self, decision: EvaluatedDecision, rows: Sequence[Sequence[float]], best: int) -> Amount:
        """Scales the difference from the best choice by the part that is confirmed by cross-validation."""
        lacking = self._lack(decision, decision.played, best)
        whole = sum(rows[decision.open.index(best)]) - sum(rows[decision.open.index(decision.played)])
        if whole <= 0:
            return lacking
        share = max(cross_validated_loss(rows, decision.open.index(decision.played)) * len(rows[0]) / whole, 0.0)
        return Amount(_scaled(lacking.points, share), lacking.chance and _scaled(lacking.chance, share))

    def _account(self, seat: int, sums: dict[str, PointsAndChance], decisions: Sequence[Decision]) -> ResultBreakdown:
        start, result = self.values[0][seat], self.values[-1][seat]
        summed = _plus(_plus(start, sums["luck"]), _plus(sums["skill"], sums["others"]))
        own = [decision for decision in decisions if decision.seat == seat and decision.counts]
        final = self.evaluation.match.result
        return ResultBreakdown(
            seat=seat,
            start=amount_of(start),
            luck=amount_of(sums["luck"]),
            skill=amount_of(sums["skill"]),
            others=amount_of(sums["others"]),
            result=amount_of(result),
            rest=amount_of(_minus(result, summed)),
            score=final.scores[seat],
            rank=final.ranks[seat],
            loss=_sum([decision.loss for decision in own], self.alone),
            decisions=len(own),
            mistakes=sum(decision.grade != "good" for decision in own),
        )


class _ChoicePhrases:
    """Phrases for and against the choices of one decision."""

    def __init__(self, evaluation: MatchEvaluation, step: EvaluatedStep, decision: EvaluatedDecision) -> None:
        self._asked = decision
        self._known = has_kernel(evaluation.game.key, step.state, decision.seat)
        if self._known:
            self._position, self._weights = position_and_weights(evaluation.game.key, step.state, decision.seat)
            self._now = self._position.feature_values(self._weights, None)

    def __call__(self, number: int, beside: int) -> tuple[Any, Any]:
        """Phrases for and against a choice compared with another one."""
        if not self._known or number == beside:
            return (), ()
        parts = [self._parts(each) for each in (number, beside)]
        return sayings(parts[0], parts[1], self._now) if all(parts) else ((), ())

    def _parts(self, number: int) -> dict[str, float]:
        return self._position.feature_values(self._weights, self._position.choice(self._asked.tried[number]))


def _minus(first: PointsAndChance, second: PointsAndChance) -> PointsAndChance:
    return first[0] - second[0], first[1] - second[1] if first[1] and second[1] else None


def _plus(first: PointsAndChance, second: PointsAndChance) -> PointsAndChance:
    return first[0] + second[0], first[1] + second[1] if first[1] and second[1] else None


def amount_of(pair: PointsAndChance) -> Amount:
    return Amount(_rounded(pair[0].figure), _rounded(pair[1].figure) if pair[1] else None)


def _rounded(figure: Estimate) -> Estimate:
    return Estimate(round(figure.mean, 4), round(figure.error, 4))


def _scaled(figure: Estimate, share: float) -> Estimate:
    return Estimate(round(figure.mean * share, 4), figure.error)


def _sum(amounts: Sequence[Amount], alone: bool) -> Amount:
    """Sum of amounts with independent errors."""
    points = Estimate(sum(each.points.mean for each in amounts), hypot(*(each.points.error for each in amounts)))
    chances = [each.chance for each in amounts if each.chance]
    chance = Estimate(sum(each.mean for each in chances), hypot(*(each.error for each in chances)))
    return Amount(_rounded(points), None if alone else _rounded(chance))


def _beside_others(points: Sequence[FutureSamples], seat: int) -> FutureSamples:
    """Difference between the points of a seat and the mean of the other seats."""
    others = [sample for other, sample in enumerate(points) if other != seat]
    mean = FutureSamples(
        fmean(sample.mean for sample in others),
        [fmean(off) for off in zip(*(s.deviations for s in others), strict=True)],
    )
    return points[seat] - mean


def _moments(decisions: Sequence[Decision], chances: Sequence[ChanceEvent]) -> tuple[Moment, ...]:
    """Key moments in order. A chance event that concerned several seats is listed for the most affected one."""
    found = [Moment("loss", each.move, each.seat, each.loss) for each in decisions if each.grade != "good"]
    found += [
        Moment("find", each.move, each.seat, each.skill) for each in decisions if each.skill.points.is_significant
    ]
    for chance in chances:
        lucks = [
            _luck_moment(chance.move, seat, luck)
            for seat, luck in enumerate(chance.luck)
            if _is_significant(luck.points)
        ]
        found += sorted(lucks, key=_weight)[-1:]
    weightiest = sorted(found, key=_weight)[-MAX_MOMENTS:]
    return tuple(sorted(weightiest, key=lambda moment: (moment.move, moment.seat)))


def _luck_moment(move: int, seat: int, luck: Amount) -> Moment:
    return Moment("luck" if luck.points.mean > 0 else "misfortune", move, seat, luck)


def _is_significant(figure: Estimate) -> bool:
    return abs(figure.mean) > SIGNIFICANT_ERRORS * figure.error


def _weight(moment: Moment) -> float:
    """Importance: points plus winning chance in points of lead, so events after the match is decided weigh less."""
    amount = moment.amount
    return abs(amount.points.mean) + (POINTS_PER_WIN * abs(amount.chance.mean) / 2 if amount.chance else 0.0)
