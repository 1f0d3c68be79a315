"""Checks that start, luck, skill and the influence of others add up to the result, in games of every variant."""

from collections.abc import Mapping, Sequence
from typing import Any

from msgspec import Struct

from benchmarks.review_accuracy.level_losses import Task, play_match_with
from polyopolis.analysis import Precision, review_matches
from polyopolis.games import game

VARIANTS: Mapping[str, Sequence[dict[str, Any]]] = {
    "mycity": [{"seats": 2}, *({"mode": "episode", "episode": n, "seats": 2 + n % 3} for n in range(1, 25))],
    "rollwrite": [{"episode": n, "seats": 1 + n % 2} for n in range(1, 13)],
    "pointcity": [*({"seats": seats} for seats in (2, 3, 4)), *({"seats": 1, "automa": a} for a in ("easy", "hard"))],
}
"""Variants of each game, played in turn."""
BOTS = ("random", "greedy", "level-3")
PRECISION = Precision(4, 1)
"""The sum is exact for any futures, so a few are enough."""


class SumError(Struct, frozen=True):
    """Largest difference between sum and result in one game, in points and in the chance to win."""

    points: float
    chance: float


def tasks(key: str, games: int, seed: str) -> list[Task]:
    """Returns `games` tasks; each variant is played by each bot in turn."""
    return [Task(key, BOTS[at % len(BOTS)], at // len(BOTS), seed) for at in range(games)]


def measure_sum_error(task: Task) -> SumError:
    variants = VARIANTS[task.key]
    match = play_match_with(task, game(task.key).Setup(**variants[task.number % len(variants)]))
    *_, last = review_matches([match], "", (PRECISION,), seed=task.number)
    assert last.review
    (review,) = last.review.matches
    assert [account.score for account in review.accounts] == list(match.result.scores[: match.setup.seats])
    rests = [account.rest for account in review.accounts]
    chances = [abs(rest.chance.mean) for rest in rests if rest.chance]
    return SumError(max(abs(rest.points.mean) for rest in rests), max(chances, default=0.0))
