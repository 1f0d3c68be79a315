"""What the levels of bots lose with each decision: the yardstick of a review, and whether it can be trusted."""

from collections.abc import Iterator, Mapping, Sequence
from math import sqrt
from statistics import fmean, stdev
from typing import Any

from msgspec import Struct

from polyopolis.analysis.rating import RUNGS, Calibration, Measured
from polyopolis.analysis.reviewing import PRECISIONS, reviewed_matches, walk_of
from polyopolis.analysis.samples import Sample
from polyopolis.analysis.walking import Asked, Step, Walk
from polyopolis.bots.arena import play
from polyopolis.bots.hands import Alone, Hands
from polyopolis.engine import derived, seed_of
from polyopolis.games import game

SETUPS: Mapping[str, tuple[dict[str, Any], ...]] = {
    "mycity": ({"seats": 2},),
    "rollwrite": tuple({"seats": 2, "episode": episode} for episode in (1, 12, 6, 9)),
    "pointcity": ({"seats": 2},),
}
"""What is played to find out, in turn."""
STEPS = PRECISIONS[:2]
"""Losses do not depend on the precision, only how sure they are."""
SURER = 50
"""How many times more futures have the last word on what a review found."""
GROWTH = 5
DOUBT = 3.0
"""Standard errors behind the best at which a choice is given up on the way to there."""


class Task(Struct, frozen=True):
    """One game between equals, to be reviewed."""

    key: str
    bot: str
    number: int
    seed: str


class Lost(Struct, frozen=True):
    """What was lost in one game: by topic what each decision lost, and what luck came to for each seat."""

    bot: str
    losses: dict[str, list[float]]
    luck: tuple[float, ...]
    rest: float
    """The most by which start, luck, skill and others lack the result."""

    @property
    def all(self) -> list[float]:
        return [loss for losses in self.losses.values() for loss in losses]


def played(task: Task) -> Any:
    """Games of one number share their luck, whoever plays."""
    rules, root = game(task.key), seed_of(task.seed)
    setups = SETUPS[task.key]
    setup = rules.Setup(**setups[task.number % len(setups)])
    seeds = derived(root, "match", task.number), derived(root, task.bot, task.number)
    return play(rules, setup, [task.bot] * setup.seats, *seeds)


def measured(task: Task) -> Lost:
    last = None
    for progress in reviewed_matches([played(task)], "", STEPS, seed=task.number):
        last = progress.review or last
    assert last
    (match,) = last.matches
    losses: dict[str, list[float]] = {}
    for decision in match.decisions:
        if decision.counts:
            losses.setdefault(decision.topic, []).append(decision.loss.points.mean)
    luck = tuple(account.luck.points.mean for account in match.accounts)
    return Lost(task.bot, losses, luck, max(abs(account.rest.points.mean) for account in match.accounts))


def calibrate(key: str, games: int, seed: str, hands: Hands | None = None) -> Iterator[Lost]:
    """So many games of each level, one after the other."""
    tasks = [Task(key, bot, number, seed) for number in range(games) for bot in RUNGS]
    yield from (hands or Alone()).each(measured, tasks, 1)


def calibration(command: str, found: Sequence[Lost]) -> Calibration:
    by_bot = {bot: [each for each in found if each.bot == bot] for bot in RUNGS}
    games = min(len(each) for each in by_bot.values())
    return Calibration(command, games, {bot: _measured(each) for bot, each in by_bot.items() if each})


def _measured(found: Sequence[Lost]) -> Measured:
    """The error is that of the spread between games."""
    losses, topics = [loss for each in found for loss in each.all], dict[str, list[float]]()
    for each in found:
        for topic, lost in each.losses.items():
            topics.setdefault(topic, []).extend(lost)
    games = [fmean(each.all) for each in found]
    error = stdev(games) / sqrt(len(games)) if len(games) > 1 else 0.0
    means = {topic: round(fmean(lost), 4) for topic, lost in sorted(topics.items())}
    return Measured(round(fmean(losses), 4), round(error, 4), len(losses), means)


def written(known: Calibration) -> str:
    """A calibration as a file."""
    lines = ["# What each level loses with a decision, in points.", f'command = "{known.command}"']
    lines += [f"games = {known.games}"]
    for bot, level in known.levels.items():
        lines += ["", f"[levels.{bot}]", f"loss = {level.loss}", f"error = {level.error}"]
        lines += [f"decisions = {level.decisions}", "", f"[levels.{bot}.topics]"]
        lines += [f"{topic} = {loss}" for topic, loss in level.topics.items()]
    return "\n".join(lines) + "\n"


def table(known: Calibration) -> list[str]:
    """The same for people."""
    topics = sorted({topic for level in known.levels.values() for topic in level.topics})
    lines = [f"| | loss of each decision | decisions | {' | '.join(topics)} |", "|---" * (3 + len(topics)) + "|"]
    for bot, level in known.levels.items():
        each = (f"{level.topics[topic]:.2f}" if topic in level.topics else "" for topic in topics)
        lines.append(f"| {bot} | {level.loss:.3f} ± {level.error:.3f} | {level.decisions} | {' | '.join(each)} |")
    return [*lines, "", f"`{known.command}`: {known.games} games of each, in points, with standard errors."]


class Trust(Struct, frozen=True):
    """What many more futures say of one decision: whether they find the same best choice, and what it would lack."""

    same: bool
    lacks: float
    error: float


def trust(key: str, decisions: int, seed: str, hands: Hands | None = None) -> Iterator[Trust]:
    """So many decisions from games of level 3, no more than a few of each."""
    each = 4
    tasks = [Task(key, "level-3", number, seed) for number in range(-(-decisions // each))]
    for found in (hands or Alone()).each(_trusted, tasks, 1):
        yield from found


def _trusted(task: Task) -> list[Trust]:
    walk = walk_of(played(task))
    for precision in PRECISIONS:
        for _ in walk.go(precision.futures, precision.width):
            pass
    asked = [(step, each) for step in walk.steps for each in step.asked if each.counts]
    chosen = asked[len(asked) // 8 :: max(len(asked) // 4, 1)][:4]
    return [_retried(walk, step, each) for step, each in chosen]


def _retried(walk: Walk, step: Step, asked: Asked) -> Trust:
    """Other futures than those of the review, and more and more of them while it is not clear what is best."""
    best = max(asked.open, key=lambda number: walk.sought(asked, number).mean)
    rows: dict[int, list[float]] = {number: [] for number in range(len(asked.tried))}
    begin, most = walk.futures, walk.futures * SURER
    done, left = 0, list(rows)
    while done < most and len(left) > 1:
        more = min(max(walk.futures, done * (GROWTH - 1)), most - done)
        actions = [asked.tried[number] for number in left]
        outlooks = walk.oracle.judged(step.state, asked.seat, actions, range(begin + done, begin + done + more))
        for number, outlook in zip(left, outlooks, strict=True):
            rows[number] += type(asked.prospects[number])(outlook).sought(asked.seat, walk.oracle.APART)
        done += more
        first = max(left, key=lambda number: sum(rows[number]))
        lacks = {number: _lacks(rows, first, number) for number in left}
        left = [number for number in left if lacks[number][0] <= DOUBT * lacks[number][1] or number == first]
    first = max(left, key=lambda number: sum(rows[number]))
    mean, error = _lacks(rows, first, best)
    return Trust(best == first or mean == 0.0, mean, error)


def _lacks(rows: Mapping[int, Sequence[float]], first: int, number: int) -> tuple[float, float]:
    """In the futures that both were tried in."""
    known = min(len(rows[first]), len(rows[number]))
    sample = Sample.of(rows[first][:known]) - Sample.of(rows[number][:known])
    return sample.mean, sample.figure.error
