"""Reviews of what was played: luck and skill apart, every decision judged."""

from polyopolis.analysis.estimates import Figure
from polyopolis.analysis.exercises import Answer, Exercise, answered, exercises_of, round_of, tried
from polyopolis.analysis.review import (
    Account,
    Amount,
    Chance,
    Choice,
    Decision,
    MatchReview,
    Moment,
    Point,
    Review,
    Strength,
    Topic,
)
from polyopolis.analysis.reviewer import (
    EVALUATOR,
    NoReview,
    Precision,
    Progress,
    review_key,
    review_of,
    reviewed,
    reviewed_matches,
)

__all__ = [
    "EVALUATOR",
    "Account",
    "Amount",
    "Answer",
    "Chance",
    "Choice",
    "Decision",
    "Exercise",
    "Figure",
    "MatchReview",
    "Moment",
    "NoReview",
    "Point",
    "Precision",
    "Progress",
    "Review",
    "Strength",
    "Topic",
    "answered",
    "exercises_of",
    "review_key",
    "review_of",
    "reviewed",
    "reviewed_matches",
    "round_of",
    "tried",
]
