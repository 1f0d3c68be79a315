"""What luck comes to over many decks: nothing, as far as that can be told."""

from statistics import fmean

from msgspec import Struct

from benchmarks.review_accuracy.level_losses import Task, played
from polyopolis.analysis.review_builder import told
from polyopolis.analysis.reviewer import walk_of

PLAYER = "sight"
"""Whoever is quick."""
FUTURES = 24


class Luck(Struct, frozen=True):
    """Of one deck: the mean over its seats, which meet the same or share what there is."""

    points: float


def tasks(key: str, decks: int, seed: str) -> list[Task]:
    return [Task(key, PLAYER, number, seed) for number in range(decks)]


def lucky(task: Task) -> Luck:
    walk = walk_of(played(task), seed=task.number)
    for _ in walk.go(FUTURES, 0):
        pass
    accounts = told(walk, lambda _seat, _decisions: None).accounts
    return Luck(fmean(account.luck.points.mean for account in accounts))
