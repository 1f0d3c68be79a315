"""Data types of a review: where a match was won and lost, by luck and by skill."""

from typing import Any, Literal

from msgspec import Struct

from polyopolis.analysis.estimates import Estimate
from polyopolis.play.wire.explanation import Argument


class Amount(Struct, frozen=True):
    """An amount in points, and as winning chance (0 to 1) if there are opponents."""

    points: Estimate
    chance: Estimate | None = None


class Choice(Struct, frozen=True):
    """A choice of a seat, played or not."""

    action: Any
    value: Amount
    """Expected result of the seat."""
    lacks: Amount
    """Difference from the best choice in the same futures; in points of lead at a shared table."""
    behind: bool
    """Whether it is significantly worse: by more than two standard errors of the maximised quantity."""
    pro: tuple[Argument, ...] = ()
    con: tuple[Argument, ...] = ()
    """Phrases for and against it, as in hints: compared with the played choice, or for that one with the best."""


Grade = Literal["good", "slip", "mistake", "blunder"]


class Decision(Struct, frozen=True):
    """One decision of a seat."""

    move: int
    """The number of the move in its match, from 0."""
    seat: int
    topic: str
    """Topic: the kind of the building, or the kind of the action."""
    counts: bool
    """Whether there was an alternative."""
    grade: Grade
    """Worse than `good` only if the loss is significant."""
    played: Choice
    best: Choice
    """The played choice if no better one was found."""
    others: tuple[Choice, ...]
    """Further evaluated choices, best first."""
    loss: Amount
    """Loss against the best choice, which is selected by one half of the futures and measured by the other."""
    skill: Amount
    """Value compared with the choice of the best evaluation; positive if it was better."""


class ChanceEvent(Struct, frozen=True):
    """A chance event: a card, a roll or a refill."""

    move: int
    action: Any
    possible: int
    """Number of possible outcomes."""
    luck: tuple[Amount, ...]
    """By seat: its effect compared with the mean over all possible outcomes."""
    compared: tuple[Estimate, ...]
    """By seat: luck in points minus the mean luck of the others, if all seats get the same tasks; else empty."""


class CurvePoint(Struct, frozen=True):
    """A point of the curve: the expected result of each seat after this number of moves."""

    moves: int
    seats: tuple[Amount, ...]


class ResultBreakdown(Struct, frozen=True):
    """Breakdown of the result of a seat: start + luck + skill + others = result."""

    seat: int
    start: Amount
    luck: Amount
    skill: Amount
    """Effect of its decisions compared with the choices of the best evaluation."""
    others: Amount
    """Effect of the decisions of the other seats."""
    result: Amount
    """Final result: the score, and the value of items that score later in a campaign."""
    rest: Amount
    """Difference between result and sum: only rounding, with the combined error of the four terms."""
    score: int
    rank: int
    loss: Amount
    """Sum over its decisions that count."""
    decisions: int
    """Number of decisions that count."""
    mistakes: int
    """Number of decisions that were significantly worse than the best."""


class TopicStrength(Struct, frozen=True):
    """Strength of a seat in decisions of one topic."""

    topic: str
    decisions: int
    loss: Estimate
    """Mean per decision, in points."""
    level: float


class Strength(Struct, frozen=True):
    """Strength of a seat on the scale of the bot levels 1 to 5; 0 is random play."""

    seat: int
    loss: Estimate
    """Mean per decision, in points."""
    level: float
    alike: tuple[int, int]
    """Nearest levels, first and last; they differ if these levels cannot be distinguished."""
    low: float
    high: float
    """95 % confidence interval of the level, with `low`."""
    topics: tuple[TopicStrength, ...]
    """Strength by topic, best first. Only topics with enough decisions."""


class Moment(Struct, frozen=True):
    """A key moment: a decision that lost or won much, or an important chance event."""

    kind: Literal["loss", "find", "luck", "misfortune"]
    """`find` is a decision that was significantly better than the choice of the best evaluation."""
    move: int
    seat: int
    amount: Amount


class MatchReview(Struct, frozen=True):
    """The review of one match."""

    hindsight: bool
    """Whether a hindsight report is available."""
    begins: int
    """Number of preparatory moves, which are not reviewed."""
    moves: int
    curve: tuple[CurvePoint, ...]
    decisions: tuple[Decision, ...]
    chances: tuple[ChanceEvent, ...]
    accounts: tuple[ResultBreakdown, ...]
    strengths: tuple[Strength, ...]
    moments: tuple[Moment, ...]


class Review(Struct, frozen=True):
    """The review of a record: of a match, or of all matches of a campaign."""

    key: str
    """Cache key: a digest of the played moves and the version of the evaluator."""
    game: str
    evaluator: str
    futures: int
    """Number of futures at this precision. Choices that were dropped earlier have fewer."""
    final: bool
    """Whether this is the last and most precise version."""
    matches: tuple[MatchReview, ...]
