"""Measures the mean of luck over many decks, which should be 0."""

from statistics import fmean

from msgspec import Struct

from benchmarks.review_accuracy.level_losses import Task, play_match
from polyopolis.analysis.review_builder import build_review
from polyopolis.analysis.reviewer import evaluation_of

BOT = "sight"
"""A fast bot."""
FUTURES = 24


class DeckLuck(Struct, frozen=True):
    """Luck of one deck: the mean over its seats, which get the same cards or share them."""

    points: float


def tasks(key: str, decks: int, seed: str) -> list[Task]:
    return [Task(key, BOT, number, seed) for number in range(decks)]


def measure_deck(task: Task) -> DeckLuck:
    evaluation = evaluation_of(play_match(task), seed=task.number)
    for _ in evaluation.evaluate(FUTURES, 0):
        pass
    accounts = build_review(evaluation, lambda _seat, _decisions: None).accounts
    return DeckLuck(fmean(account.luck.points.mean for account in accounts))
