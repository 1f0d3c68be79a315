"""From a walk through a match to what is said of it."""

from collections.abc import Callable, Sequence
from math import hypot
from statistics import fmean
from typing import Any

from polyopolis.analysis.estimates import SURELY, Figure, FutureSamples
from polyopolis.analysis.hindsight import is_known_afterwards
from polyopolis.analysis.match_evaluation import (
    WINNING,
    EvaluatedDecision,
    MatchEvaluation,
    Pair,
    Step,
    ValueEstimate,
    best_of,
    lost,
)
from polyopolis.analysis.review import (
    Account,
    Amount,
    Chance,
    Choice,
    Decision,
    Grade,
    MatchReview,
    Moment,
    Point,
    Strength,
)
from polyopolis.bots.explanation_phrases import sayings
from polyopolis.bots.levels import seen
from polyopolis.kernels.positions import has_kernel

OTHERS = 3
"""Choices that are told beside what was played and the best."""
GRADES: tuple[tuple[float, Grade], ...] = ((3.0, "blunder"), (1.0, "mistake"), (0.0, "slip"))
"""By points that were lost."""
MOMENTS = 5
Rated = Callable[[int, Sequence[Decision]], Strength | None]
"""How well a seat played, from its decisions."""


def build_review(walk: MatchEvaluation, rated: Rated) -> MatchReview:
    """All that is known after the futures that were tried so far."""
    return _Told(walk).review(rated)


class _Told:
    def __init__(self, walk: MatchEvaluation) -> None:
        self.walk = walk
        self.alone = walk.players == 1
        self.shown = [[self._pair(prospect, seat) for seat in walk.seats] for prospect in walk.prospects if prospect]

    def review(self, rated: Rated) -> MatchReview:
        walk = self.walk
        decisions, chances = list[Decision](), list[Chance]()
        sums = [{name: self._nothing() for name in ("luck", "skill", "others")} for _ in walk.seats]
        for number, step in enumerate(walk.steps):
            before, after = self.shown[number], self.shown[number + 1]
            changes = [_less(later, now) for later, now in zip(after, before, strict=True)]
            if step.asked:
                for asked, skill in self._decided(step, before, changes, sums):
                    decisions.append(self._decision(step, asked, skill, amount_of(after[asked.seat])))
            else:
                chances.append(self._chance(step, changes))
                for seat, change in enumerate(changes):
                    sums[seat]["luck"] = _more(sums[seat]["luck"], change)
        accounts = tuple(self._account(seat, sums[seat], decisions) for seat in walk.seats)
        strengths = [rated(seat, [each for each in decisions if each.seat == seat]) for seat in walk.seats]
        return MatchReview(
            hindsight=walk.oracle.APART and is_known_afterwards(walk.match),
            begins=walk.begins,
            moves=len(walk.match.moves),
            curve=tuple(self._curve()),
            decisions=tuple(decisions),
            chances=tuple(chances),
            accounts=accounts,
            strengths=tuple(strength for strength in strengths if strength),
            moments=_moments(decisions, chances),
        )

    def _decided(
        self, step: Step, before: Sequence[Pair], changes: Sequence[Pair], sums: list[dict[str, Pair]]
    ) -> list[tuple[EvaluatedDecision, Pair]]:
        """What each decision of a round was worth. Whoever decides alone made all that changed; of those who decide at
        once each made what would have changed if the others had done what is best at sight."""
        found = dict[int, tuple[EvaluatedDecision, Pair]]()
        for asked in step.asked:
            own = changes[asked.seat]
            if len(step.asked) > 1:
                known = asked.prospects[asked.played] if asked.counts and asked.prospects else None
                own = _less(self._pair(known, asked.seat), before[asked.seat]) if known else self._nothing()
            found[asked.seat] = asked, own
        for seat, change in enumerate(changes):
            own = found[seat][1] if seat in found else self._nothing()
            sums[seat]["skill"] = _more(sums[seat]["skill"], own)
            sums[seat]["others"] = _more(sums[seat]["others"], _less(change, own))
        return [found[seat] for seat in sorted(found)]

    def _pair(self, prospect: ValueEstimate, seat: int) -> Pair:
        return prospect.points(seat), None if self.alone else prospect.chance(seat)

    def _nothing(self) -> Pair:
        nothing = FutureSamples.exactly(0.0, self.walk.futures)
        return nothing, None if self.alone else nothing

    def _curve(self) -> list[Point]:
        moves = [step.moves for step in self.walk.steps] + [len(self.walk.match.moves)]
        return [Point(at, tuple(map(amount_of, seats))) for at, seats in zip(moves, self.shown, strict=True)]

    def _chance(self, step: Step, changes: Sequence[Pair]) -> Chance:
        points = [change[0] for change in changes]
        shared = self.walk.oracle.APART and len(points) > 1
        compared = [_rounded(_beside(points, seat).figure) for seat in self.walk.seats] if shared else []
        possible = len(self.walk.game.odds(step.state))
        return Chance(step.moves, step.chance, possible, tuple(map(amount_of, changes)), tuple(compared))

    def _decision(self, step: Step, asked: EvaluatedDecision, skill: Pair, value: Amount) -> Decision:
        topic = self.walk.oracle.topic(step.state)
        nothing = amount_of(self._nothing())
        if not asked.counts:
            only = Choice(asked.action, value, nothing, False)
            return Decision(asked.move, asked.seat, topic, False, "good", only, only, (), nothing, amount_of(skill))
        rows = [asked.prospects[number].sought(asked.seat, self.walk.oracle.APART) for number in asked.open]
        best = asked.open[best_of(rows)]
        loss = self._loss(asked, rows, best)
        ranked = sorted(asked.open, key=lambda number: -self.walk.sought(asked, number).mean)
        others = [number for number in ranked if number not in (best, asked.played)][:OTHERS]
        say = _Saying(self.walk, step, asked)
        behind = self._behind(asked, asked.played, best)
        grade: Grade = "good"
        if behind and loss.points.mean + loss.points.error > 0:
            grade = next(name for least, name in GRADES if loss.points.mean >= least or least == 0.0)
        return Decision(
            move=asked.move,
            seat=asked.seat,
            topic=topic,
            counts=True,
            grade=grade,
            played=self._choice(asked, asked.played, best, say(asked.played, best)),
            best=self._choice(asked, best, best, say(best, asked.played)),
            others=tuple(self._choice(asked, number, best, say(number, asked.played)) for number in others),
            loss=loss,
            skill=amount_of(skill),
        )

    def _choice(self, asked: EvaluatedDecision, number: int, best: int, said: tuple[Any, Any]) -> Choice:
        value = amount_of(self._pair(asked.prospects[number], asked.seat))
        return Choice(
            asked.tried[number], value, self._lacks(asked, number, best), self._behind(asked, number, best), *said
        )

    def _lacks(self, asked: EvaluatedDecision, number: int, best: int) -> Amount:
        return amount_of(asked.prospects[best].ahead(asked.prospects[number], asked.seat, self.walk.oracle.APART))

    def _behind(self, asked: EvaluatedDecision, number: int, best: int) -> bool:
        return (self.walk.sought(asked, best) - self.walk.sought(asked, number)).figure.sure

    def _loss(self, asked: EvaluatedDecision, rows: Sequence[Sequence[float]], best: int) -> Amount:
        """As much of what is lacking as holds in futures that did not choose the best."""
        lacking = self._lacks(asked, asked.played, best)
        whole = sum(rows[asked.open.index(best)]) - sum(rows[asked.open.index(asked.played)])
        if whole <= 0:
            return lacking
        share = max(lost(rows, asked.open.index(asked.played)) * len(rows[0]) / whole, 0.0)
        return Amount(_scaled(lacking.points, share), lacking.chance and _scaled(lacking.chance, share))

    def _account(self, seat: int, sums: dict[str, Pair], decisions: Sequence[Decision]) -> Account:
        start, result = self.shown[0][seat], self.shown[-1][seat]
        summed = _more(_more(start, sums["luck"]), _more(sums["skill"], sums["others"]))
        own = [decision for decision in decisions if decision.seat == seat and decision.counts]
        final = self.walk.match.result
        return Account(
            seat=seat,
            start=amount_of(start),
            luck=amount_of(sums["luck"]),
            skill=amount_of(sums["skill"]),
            others=amount_of(sums["others"]),
            result=amount_of(result),
            rest=amount_of(_less(result, summed)),
            score=final.scores[seat],
            rank=final.ranks[seat],
            loss=_sum([decision.loss for decision in own], self.alone),
            decisions=len(own),
            mistakes=sum(decision.grade != "good" for decision in own),
        )


class _Saying:
    """The words of hints for one decision."""

    def __init__(self, walk: MatchEvaluation, step: Step, asked: EvaluatedDecision) -> None:
        self._asked = asked
        self._known = has_kernel(walk.game.key, step.state, asked.seat)
        if self._known:
            self._position, self._weights = seen(walk.game.key, step.state, asked.seat)
            self._now = self._position.parts(self._weights, None)

    def __call__(self, number: int, beside: int) -> tuple[Any, Any]:
        """What speaks for and against a choice beside another."""
        if not self._known or number == beside:
            return (), ()
        parts = [self._parts(each) for each in (number, beside)]
        return sayings(parts[0], parts[1], self._now) if all(parts) else ((), ())

    def _parts(self, number: int) -> dict[str, float]:
        return self._position.parts(self._weights, self._position.choice(self._asked.tried[number]))


def _less(first: Pair, second: Pair) -> Pair:
    return first[0] - second[0], first[1] - second[1] if first[1] and second[1] else None


def _more(first: Pair, second: Pair) -> Pair:
    return first[0] + second[0], first[1] + second[1] if first[1] and second[1] else None


def amount_of(pair: Pair) -> Amount:
    return Amount(_rounded(pair[0].figure), _rounded(pair[1].figure) if pair[1] else None)


def _rounded(figure: Figure) -> Figure:
    return Figure(round(figure.mean, 4), round(figure.error, 4))


def _scaled(figure: Figure, share: float) -> Figure:
    return Figure(round(figure.mean * share, 4), figure.error)


def _sum(amounts: Sequence[Amount], alone: bool) -> Amount:
    """Of errors that have nothing to do with each other."""
    points = Figure(sum(each.points.mean for each in amounts), hypot(*(each.points.error for each in amounts)))
    chances = [each.chance for each in amounts if each.chance]
    chance = Figure(sum(each.mean for each in chances), hypot(*(each.error for each in chances)))
    return Amount(_rounded(points), None if alone else _rounded(chance))


def _beside(points: Sequence[FutureSamples], seat: int) -> FutureSamples:
    """Beside the mean of the others."""
    others = [sample for other, sample in enumerate(points) if other != seat]
    mean = FutureSamples(
        fmean(sample.mean for sample in others), [fmean(off) for off in zip(*(s.off for s in others), strict=True)]
    )
    return points[seat] - mean


def _moments(decisions: Sequence[Decision], chances: Sequence[Chance]) -> tuple[Moment, ...]:
    """What mattered most, in the order in which it came; luck that all shared is told of whom it concerned most."""
    found = [Moment("loss", each.move, each.seat, each.loss) for each in decisions if each.grade != "good"]
    found += [Moment("find", each.move, each.seat, each.skill) for each in decisions if each.skill.points.sure]
    for chance in chances:
        lucks = [_lucky(chance.move, seat, luck) for seat, luck in enumerate(chance.luck) if _is_sure(luck.points)]
        found += sorted(lucks, key=_weight)[-1:]
    weightiest = sorted(found, key=_weight)[-MOMENTS:]
    return tuple(sorted(weightiest, key=lambda moment: (moment.move, moment.seat)))


def _lucky(move: int, seat: int, luck: Amount) -> Moment:
    return Moment("luck" if luck.points.mean > 0 else "misfortune", move, seat, luck)


def _is_sure(figure: Figure) -> bool:
    return abs(figure.mean) > SURELY * figure.error


def _weight(moment: Moment) -> float:
    """Points, and the chance to win as points of a lead: who has lost already does not lose it once more."""
    amount = moment.amount
    return abs(amount.points.mean) + (WINNING * abs(amount.chance.mean) / 2 if amount.chance else 0.0)
