"""What a review says of a match, as data: where it was won and lost, by luck and by skill."""

from typing import Any, Literal

from msgspec import Struct

from polyopolis.analysis.estimates import Figure
from polyopolis.play.wire.explanation import Saying


class Amount(Struct, frozen=True):
    """In points, and in the chance to win where there is somebody to win against (from 0 to 1)."""

    points: Figure
    chance: Figure | None = None


class Choice(Struct, frozen=True):
    """What a seat did or could have done."""

    action: Any
    value: Amount
    """What the seat comes to with it."""
    lacks: Amount
    """How far that is behind the best choice, in the same futures; points of the lead where all play at one table."""
    behind: bool
    """Whether it surely is behind: by more than two standard errors of what is sought."""
    pro: tuple[Saying, ...] = ()
    con: tuple[Saying, ...] = ()
    """What speaks for it and against it, as hints say it: beside what was played, and for that beside the best."""


Grade = Literal["good", "slip", "mistake", "blunder"]


class Decision(Struct, frozen=True):
    """One decision of a seat."""

    move: int
    """The number of the move in its match, from 0."""
    seat: int
    topic: str
    """What it was about: the kind of a building, or what was done."""
    counts: bool
    """Whether there was anything else to choose."""
    grade: Grade
    """Nothing is called worse than good unless the loss is sure."""
    played: Choice
    best: Choice
    """The same as what was played if nothing better was found."""
    others: tuple[Choice, ...]
    """More that was interesting, the best first."""
    loss: Amount
    """What was lost to the best: chosen by one half of the futures and measured by the other."""
    skill: Amount
    """What it was worth beside what is best at sight: more than nothing if it was better than that."""


class Chance(Struct, frozen=True):
    """One move of chance: a card, a roll, a refill."""

    move: int
    action: Any
    possible: int
    """How many different things could have come."""
    luck: tuple[Amount, ...]
    """By seat: what it changed, against the mean over all that could have come."""
    compared: tuple[Figure, ...]
    """By seat: the luck in points beside the mean luck of the others, where all build the same; else empty."""


class Point(Struct, frozen=True):
    """What each seat could expect after so many moves: a point of the curve."""

    moves: int
    seats: tuple[Amount, ...]


class Account(Struct, frozen=True):
    """How the result of a seat came about: start + luck + skill + others = result."""

    seat: int
    start: Amount
    luck: Amount
    skill: Amount
    """Of its own decisions, beside those that are best at sight."""
    others: Amount
    """What the decisions of the others changed for it."""
    result: Amount
    """What it has in the end: its score, and what is worth points later."""
    rest: Amount
    """What the sum lacks: nothing but what is rounded, with the error of start, luck, skill and others together."""
    score: int
    rank: int
    loss: Amount
    """Of all its decisions that count, together."""
    decisions: int
    """How many count."""
    mistakes: int
    """How many of them were surely not the best."""


class Topic(Struct, frozen=True):
    """How a seat decided on one kind of thing."""

    topic: str
    decisions: int
    loss: Figure
    """The mean for each decision, in points."""
    level: float


class Strength(Struct, frozen=True):
    """How well a seat played, by the levels of bots: 1 to 5, 0 is anybody's guess."""

    seat: int
    loss: Figure
    """The mean for each decision, in points."""
    level: float
    alike: tuple[int, int]
    """The levels that this comes nearest to, from one to another: more than one where they cannot be told apart."""
    low: float
    high: float
    """An interval that holds the level in 19 of 20 cases."""
    topics: tuple[Topic, ...]
    """By what was decided on, the best first; where there is enough to say so."""


class Moment(Struct, frozen=True):
    """Something that mattered: what a decision lost or won, or what chance brought."""

    kind: Literal["loss", "find", "luck", "misfortune"]
    """A find is a decision that was surely better than what is best at sight."""
    move: int
    seat: int
    amount: Amount


class MatchReview(Struct, frozen=True):
    """The review of one match."""

    hindsight: bool
    """Whether there is a best city to be looked for, now that the luck is known."""
    begins: int
    """The first so many moves prepared it; what is reviewed comes after them."""
    moves: int
    curve: tuple[Point, ...]
    decisions: tuple[Decision, ...]
    chances: tuple[Chance, ...]
    accounts: tuple[Account, ...]
    strengths: tuple[Strength, ...]
    moments: tuple[Moment, ...]


class Review(Struct, frozen=True):
    """The review of a record: of a match, or of all matches of a campaign."""

    key: str
    """What it is kept by: a digest of what was played and the version of the evaluator."""
    game: str
    evaluator: str
    futures: int
    """In how many everything was tried; what is close in more of them."""
    final: bool
    """Whether it will not become more precise."""
    matches: tuple[MatchReview, ...]
