"""Measures reviews and writes the results into docs/reviews.md. An interrupted measurement continues.

python -m benchmarks.review_accuracy levels mycity --games 6 --jobs 2    mean loss of each level per decision
python -m benchmarks.review_accuracy sums mycity --games 300             whether start + luck + skill + others = result
python -m benchmarks.review_accuracy luck mycity --decks 1000            mean luck
python -m benchmarks.review_accuracy trust mycity --decisions 40         agreement with 50 times as many futures
"""

from argparse import ArgumentParser, Namespace, RawDescriptionHelpFormatter
from collections.abc import Callable, Sequence
from itertools import takewhile
from math import inf, sqrt
from pathlib import Path
from statistics import fmean, stdev
from time import perf_counter
from typing import TypeVar

import polyopolis.analysis
from benchmarks.doc_tables import DOCS, write_block
from benchmarks.resumable import run_resumable
from benchmarks.review_accuracy import (
    account_sums,
    best_choice_agreement,
    level_losses,
    luck_mean,
)
from benchmarks.review_accuracy.account_sums import SumError
from benchmarks.review_accuracy.best_choice_agreement import Agreement
from benchmarks.review_accuracy.level_losses import GameLosses
from benchmarks.review_accuracy.luck_mean import DeckLuck
from polyopolis.bots.tournaments.arena import ShareEstimate
from polyopolis.bots.tournaments.executors import local_executor
from polyopolis.confidence_intervals import t_quantile

CALIBRATION_FOLDER = Path(polyopolis.analysis.__file__).parent / "calibration"
MAX_STANDARD_ERRORS = 4.0
"""Largest accepted mean luck in standard errors; chance exceeds it in one of 16,000 measurements."""
SUM_TOLERANCE_POINTS = 1e-3
"""Tolerance of a sum in points: its many terms are rounded to four digits."""

Task = TypeVar("Task")
Result = TypeVar("Done")


def run_tasks(
    asked: Namespace,
    work: Callable[[Task], Result],
    tasks: Sequence[Task],
    kind: type[Result],
    say: Callable[[Result], str],
) -> list[Result]:
    """Returns the results of all tasks that finish in time and prints each of them."""
    start, found = perf_counter(), list[Result]()
    with local_executor(asked.jobs) as hands:
        news = run_resumable(f"{asked.what}-{asked.game}", work, tasks, kind, hands)
        for each in takewhile(lambda _: perf_counter() - start < asked.seconds, news):
            found.append(each)
            print(f"{len(found)}/{len(tasks)} {say(each)}", flush=True)
    return found


def measure_levels(asked: Namespace) -> list[str]:
    """Measures the loss of each level, and writes the yardstick too."""
    tasks = level_losses.tasks(asked.game, asked.games, asked.best, asked.seed)
    found = run_tasks(
        asked, level_losses.measure_losses, tasks, GameLosses, lambda lost: f"{lost.bot} {fmean(lost.all):.3f}"
    )
    known = level_losses.calibration(found)
    CALIBRATION_FOLDER.mkdir(exist_ok=True)
    (CALIBRATION_FOLDER / f"{asked.game}.toml").write_text(level_losses.calibration_text(known), "utf-8")
    rest = max(each.rest for each in found)
    assert rest < SUM_TOLERANCE_POINTS, f"the sum of start, luck, skill and others differs from a result by {rest}"
    more = f" --best {asked.best}" if asked.best > asked.games else ""
    parts = [[f"**{part}**", "", *level_losses.table(each), ""] for part, each in known.parts.items()]
    return [
        *(line for part in parts for line in part),
        f"`python -m benchmarks.review_accuracy levels {asked.game} --games {asked.games}{more}`, in points, with",
        "95 % confidence intervals over games (Student's t).",
        f"In all {len(found)} games the sum held to {max(rest, 0.0001):.4f} points.",
    ]


def measure_sums(asked: Namespace) -> list[str]:
    tasks = account_sums.tasks(asked.game, asked.games, asked.seed)
    found = run_tasks(
        asked, account_sums.measure_sum_error, tasks, SumError, lambda sum_: f"{sum_.points:.4f} {sum_.chance:.4f}"
    )
    points, chance = max(each.points for each in found), max(each.chance for each in found)
    assert max(points, chance) < SUM_TOLERANCE_POINTS, (
        f"the sum differs from a result by {points} points, {chance} of a win"
    )
    players = f"{', '.join(account_sums.BOTS[:-1])} and {account_sums.BOTS[-1]}"
    return [
        f"In all {len(found)} games of {players} the sum held to {max(points, 0.0001):.4f} points, and to",
        f"{max(chance, 0.0001):.4f} of the chance to win",
        f"(`python -m benchmarks.review_accuracy sums {asked.game} --games {len(found)}`).",
    ]


def measure_luck(asked: Namespace) -> list[str]:
    tasks = luck_mean.tasks(asked.game, asked.decks, asked.seed)
    found = [
        each.points
        for each in run_tasks(asked, luck_mean.measure_deck, tasks, DeckLuck, lambda luck: f"{luck.points:+.2f}")
    ]
    mean, error = fmean(found), stdev(found) / sqrt(len(found))
    margin = t_quantile(len(found) - 1) * error
    assert abs(mean) < MAX_STANDARD_ERRORS * error, f"the mean of luck is {mean}, with a standard error of {error}"
    return [
        f"Luck of {len(found):,} decks: {mean:+.3f} ± {margin:.3f} points on average (95 % interval), with a "
        f"standard deviation of {stdev(found):.1f}",
        f"(`python -m benchmarks.review_accuracy luck {asked.game} --decks {len(found)}`).",
    ]


def measure_agreement(asked: Namespace) -> list[str]:
    tasks = best_choice_agreement.tasks(asked.game, asked.decisions, asked.seed)
    games = run_tasks(
        asked,
        best_choice_agreement.measure_game,
        tasks,
        list[Agreement],
        lambda found: f"{sum(e.same for e in found)} the same",
    )
    found = [each for game in games for each in game]
    same, lacks = sum(each.same for each in found), fmean(each.lacks for each in found)
    share = ShareEstimate.of([[float(each.same) for each in game] for game in games if game])
    return [
        f"The same best choice in {same} of {len(found)} decisions, {share.percent()} over {len(games)} games. With",
        f"50 times as many futures, the best choice of the review is {lacks:.3f} points worse than the best one",
        f"(`python -m benchmarks.review_accuracy trust {asked.game} --decisions {len(found)}`).",
    ]


COMMANDS: dict[str, Callable[[Namespace], list[str]]] = {
    "levels": measure_levels,
    "sums": measure_sums,
    "luck": measure_luck,
    "trust": measure_agreement,
}


def main() -> None:
    parser = ArgumentParser(
        prog="python -m benchmarks.review_accuracy", description=__doc__, formatter_class=RawDescriptionHelpFormatter
    )
    parser.add_argument("what", choices=list(COMMANDS))
    parser.add_argument("game", choices=sorted(level_losses.SETUPS))
    parser.add_argument("--games", type=int, default=6, help="number of games for each bot (levels), or in all (sums)")
    parser.add_argument(
        "--best", type=int, default=0, help=f"minimum of games for {', '.join(level_losses.CLOSE_LEVELS)}"
    )
    parser.add_argument("--decks", type=int, default=1000)
    parser.add_argument("--decisions", type=int, default=40)
    parser.add_argument("--seconds", type=float, default=inf, help="stop after this time and report the finished tasks")
    parser.add_argument("--seed", default="calibration")
    parser.add_argument("--jobs", type=int, default=1)
    asked = parser.parse_args()
    text = "\n".join(COMMANDS[asked.what](asked))
    print(text)
    name = f"{asked.what} {asked.game}"
    marks = f"<!-- {name}, written by `python -m benchmarks.review_accuracy` -->", f"<!-- end of {name} -->"
    write_block(DOCS / "reviews.md", marks, text, f"## {name}")


if __name__ == "__main__":
    main()
