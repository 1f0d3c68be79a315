"""Measures the mean of luck over many decks, which should be 0."""

from statistics import fmean

from msgspec import Struct

from benchmarks.review_accuracy.level_losses import Task, played
from polyopolis.analysis.review_builder import build_review
from polyopolis.analysis.reviewer import walk_of

PLAYER = "sight"
"""A fast bot."""
FUTURES = 24


class Luck(Struct, frozen=True):
    """Luck of one deck: the mean over its seats, which get the same cards or share them."""

    points: float


def tasks(key: str, decks: int, seed: str) -> list[Task]:
    return [Task(key, PLAYER, number, seed) for number in range(decks)]


def lucky(task: Task) -> Luck:
    walk = walk_of(played(task), seed=task.number)
    for _ in walk.go(FUTURES, 0):
        pass
    accounts = build_review(walk, lambda _seat, _decisions: None).accounts
    return Luck(fmean(account.luck.points.mean for account in accounts))
