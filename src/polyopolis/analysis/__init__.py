"""Reviews of matches: luck and skill separated, every decision compared with the best alternative."""

from typing import Any
from warnings import warn

from polyopolis.analysis.estimates import Estimate
from polyopolis.analysis.exercises import (
    Exercise,
    ExerciseGrade,
    exercises_of,
    grade_answers,
    match_before_round,
    measure_difficulty,
)
from polyopolis.analysis.review import (
    Amount,
    ChanceEvent,
    Choice,
    CurvePoint,
    Decision,
    MatchReview,
    Moment,
    ResultBreakdown,
    Review,
    Strength,
    TopicStrength,
)
from polyopolis.analysis.reviewer import (
    EVALUATOR,
    NoReview,
    Precision,
    Progress,
    review_key,
    review_matches,
    review_of,
    review_record,
)

__all__ = [
    "EVALUATOR",
    "Amount",
    "ChanceEvent",
    "Choice",
    "CurvePoint",
    "Decision",
    "Estimate",
    "Exercise",
    "ExerciseGrade",
    "MatchReview",
    "Moment",
    "NoReview",
    "Precision",
    "Progress",
    "ResultBreakdown",
    "Review",
    "Strength",
    "TopicStrength",
    "exercises_of",
    "grade_answers",
    "match_before_round",
    "measure_difficulty",
    "review_key",
    "review_matches",
    "review_of",
    "review_record",
]

_FORMER_NAMES = {
    "answered": "grade_answers",
    "reviewed": "review_record",
    "reviewed_matches": "review_matches",
    "round_of": "match_before_round",
    "tried": "measure_difficulty",
}
"""Names in version 0.2, still importable with a `DeprecationWarning` until version 0.4."""


def __getattr__(name: str) -> Any:
    if name not in _FORMER_NAMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    warn(f"polyopolis.analysis.{name} is now {_FORMER_NAMES[name]}", DeprecationWarning, stacklevel=2)
    return globals()[_FORMER_NAMES[name]]
