"""Reviews of what was played: luck and skill apart, every decision judged."""

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
from polyopolis.analysis.reviewing import (
    EVALUATOR,
    NoReview,
    Precision,
    Progress,
    key_of,
    review_of,
    reviewed,
    reviewed_matches,
)
from polyopolis.analysis.samples import Figure

__all__ = [
    "EVALUATOR",
    "Account",
    "Amount",
    "Chance",
    "Choice",
    "Decision",
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
    "key_of",
    "review_of",
    "reviewed",
    "reviewed_matches",
]
