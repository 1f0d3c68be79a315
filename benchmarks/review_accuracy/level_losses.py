"""Measures the mean loss of each bot level per decision: the yardstick of reviews."""

from collections.abc import Mapping, Sequence
from math import sqrt
from statistics import fmean, stdev
from typing import Any

from msgspec import Struct

from polyopolis.analysis.estimates import NEGLIGIBLE_MEAN
from polyopolis.analysis.reviewer import review_matches
from polyopolis.analysis.skill_rating import LEVEL_NUMBERS, Calibration, MeasuredLoss, PartCalibration, part_of
from polyopolis.bots.tournaments.arena import play
from polyopolis.confidence_intervals import mean_margin, t_quantile
from polyopolis.engine import Match, derive_seed, seed_of
from polyopolis.games import game

SETUPS: Mapping[str, tuple[dict[str, Any], ...]] = {
    "mycity": ({"seats": 2},),
    "rollwrite": ({"seats": 2, "episode": 1}, {"seats": 2, "episode": 12}),
    "pointcity": ({"seats": 2},),
}
"""Setups played in turn; each is a part of its game."""
CLOSE_LEVELS = ("level-3", "level-4", "level-5")


class Task(Struct, frozen=True):
    """One game between equal bots, to be reviewed."""

    key: str
    bot: str
    number: int
    seed: str


class GameLosses(Struct, frozen=True):
    """Losses of one game: for each topic the loss of each decision."""

    part: str
    number: int
    bot: str
    losses: dict[str, list[float]]
    rest: float
    """Largest difference between a result and the sum of start, luck, skill and others."""

    @property
    def all(self) -> list[float]:
        return [loss for losses in self.losses.values() for loss in losses]


def setup_of(task: Task) -> Any:
    setups = SETUPS[task.key]
    return game(task.key).Setup(**setups[task.number % len(setups)])


def play_match(task: Task) -> Match:
    return play_match_with(task, setup_of(task))


def play_match_with(task: Task, setup: Any) -> Match:
    """Plays a match with this setup. Games with the same number have the same deck for all bots."""
    root = seed_of(task.seed)
    seeds = derive_seed(root, "match", task.number), derive_seed(root, task.bot, task.number)
    return play(game(task.key), setup, [task.bot] * setup.seats, *seeds)


def measure_losses(task: Task) -> GameLosses:
    last = None
    for progress in review_matches([play_match(task)], "", seed=task.number):
        last = progress.review or last
    assert last
    (match,) = last.matches
    losses: dict[str, list[float]] = {}
    for decision in match.decisions:
        if decision.counts:
            losses.setdefault(decision.topic, []).append(decision.loss.points.mean)
    rest = max(abs(account.rest.points.mean) for account in match.accounts)
    return GameLosses(part_of(setup_of(task)), task.number, task.bot, losses, rest)


def tasks(key: str, games: int, best: int, seed: str) -> list[Task]:
    """Returns `games` tasks for each bot and part, and `best` tasks for the best levels, which differ little."""
    parts = len(SETUPS[key])
    numbers = {bot: parts * max(games, best if bot in CLOSE_LEVELS else 0) for bot in LEVEL_NUMBERS}
    last = max(numbers.values())
    return [Task(key, bot, number, seed) for number in range(last) for bot in LEVEL_NUMBERS if number < numbers[bot]]


def calibration(results: Sequence[GameLosses]) -> Calibration:
    parts = dict.fromkeys(each.part for each in results)
    return Calibration({part: _part_calibration([each for each in results if each.part == part]) for part in parts})


def _part_calibration(results: Sequence[GameLosses]) -> PartCalibration:
    by_bot = {bot: [each for each in results if each.bot == bot] for bot in LEVEL_NUMBERS}
    levels = {bot: _mean_losses(each) for bot, each in by_bot.items() if each}
    return PartCalibration(
        levels, tuple((LEVEL_NUMBERS[bots[0]], LEVEL_NUMBERS[bots[-1]]) for bots in distinguishable_groups(by_bot))
    )


def distinguishable_groups(results: Mapping[str, Sequence[GameLosses]]) -> list[list[str]]:
    """Groups adjacent levels that cannot be distinguished.

    A group stays separate from the one below if it surely loses less, and its lowest level less than the highest below.
    """
    rungs = [[bot] for bot, games in results.items() if games]
    at = 1
    while at < len(rungs):
        below, own = rungs[at - 1], rungs[at]
        if _loses_less(results, own, below) and _loses_less(results, own[:1], below[-1:]):
            at += 1
        else:
            rungs[at - 1 : at + 1] = [below + own]
            at = max(at - 1, 1)
    return rungs


def _loses_less(results: Mapping[str, Sequence[GameLosses]], bots: Sequence[str], others: Sequence[str]) -> bool:
    """Whether the mean difference between games with the same deck exceeds its 95 % margin (Student's t)."""
    own, other = _mean_loss_by_number(results, bots), _mean_loss_by_number(results, others)
    less = [other[number] - own[number] for number in own.keys() & other.keys()]
    margin = mean_margin(less)
    return margin is not None and fmean(less) > max(margin, NEGLIGIBLE_MEAN)


def _mean_loss_by_number(results: Mapping[str, Sequence[GameLosses]], bots: Sequence[str]) -> dict[int, float]:
    games: dict[int, list[float]] = {}
    for each in (each for bot in bots for each in results[bot]):
        games.setdefault(each.number, []).append(fmean(each.all))
    return {number: fmean(losses) for number, losses in games.items()}


def _mean_losses(results: Sequence[GameLosses]) -> MeasuredLoss:
    """Returns mean losses, with the standard error over games."""
    losses, topics = [loss for each in results for loss in each.all], dict[str, list[float]]()
    for each in results:
        for topic, lost in each.losses.items():
            topics.setdefault(topic, []).extend(lost)
    games = [fmean(each.all) for each in results]
    error = stdev(games) / sqrt(len(games)) if len(games) > 1 else 0.0
    means = {topic: round(fmean(lost), 4) for topic, lost in sorted(topics.items())}
    return MeasuredLoss(round(fmean(losses), 4), round(error, 4), len(results), len(losses), means)


def calibration_text(calibration: Calibration) -> str:
    """Returns the text of a calibration file."""
    lines = [
        "# Mean loss of each level per decision, in points. Written by `python -m benchmarks.review_accuracy levels`."
    ]
    for part, yardstick in calibration.parts.items():
        lines += ["", f"[parts.{part}]", f"rungs = {[list(rung) for rung in yardstick.rungs]}"]
        for bot, level in yardstick.levels.items():
            about = f"parts.{part}.levels.{bot}"
            lines += ["", f"[{about}]", f"loss = {level.loss}", f"error = {level.error}"]
            lines += [f"games = {level.games}", f"decisions = {level.decisions}", "", f"[{about}.topics]"]
            lines += [f"{topic} = {loss}" for topic, loss in level.topics.items()]
    return "\n".join(lines) + "\n"


def table(yardstick: PartCalibration) -> list[str]:
    """Returns the yardstick as a Markdown table."""
    topics = sorted({topic for level in yardstick.levels.values() for topic in level.topics})
    lines = [f"| | loss of each decision | games | decisions | {' | '.join(topics)} |"]
    lines += ["|---" * (4 + len(topics)) + "|"]
    for bot, level in yardstick.levels.items():
        each = (f"{level.topics[topic]:.2f}" if topic in level.topics else "" for topic in topics)
        margin = f" ± {t_quantile(level.games - 1) * level.error:.3f}" if level.games > 1 else ""
        figures = f"{level.loss:.3f}{margin}", str(level.games), str(level.decisions), *each
        lines.append(f"| {bot} | {' | '.join(figures)} |")
    return [*lines, "", grouping_sentence(yardstick)]


def grouping_sentence(yardstick: PartCalibration) -> str:
    """Returns a sentence about the levels that cannot be distinguished."""
    alike = [f"level {low} to {high}" for low, high in yardstick.rungs if low < high]
    if not alike:
        return "All levels can be distinguished."
    return f"Not distinguishable with these games, so reviews name them together: {' and '.join(alike)}."
