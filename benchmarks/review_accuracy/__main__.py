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
Result = TypeVar("Result")


def run_tasks(
    options: Namespace,
    work: Callable[[Task], Result],
    tasks: Sequence[Task],
    kind: type[Result],
    line: Callable[[Result], str],
) -> list[Result]:
    """Returns the results of all tasks that finish in time and prints a line for each."""
    start, results = perf_counter(), list[Result]()
    with local_executor(options.jobs) as executor:
        new = run_resumable(f"{options.what}-{options.game}", work, tasks, kind, executor)
        for each in takewhile(lambda _: perf_counter() - start < options.seconds, new):
            results.append(each)
            print(f"{len(results)}/{len(tasks)} {line(each)}", flush=True)
    return results


def measure_levels(options: Namespace) -> list[str]:
    """Measures the loss of each level, and writes the yardstick too."""
    tasks = level_losses.tasks(options.game, options.games, options.best, options.seed)
    results = run_tasks(
        options, level_losses.measure_losses, tasks, GameLosses, lambda lost: f"{lost.bot} {fmean(lost.all):.3f}"
    )
    calibration = level_losses.calibration(results)
    CALIBRATION_FOLDER.mkdir(exist_ok=True)
    (CALIBRATION_FOLDER / f"{options.game}.toml").write_text(level_losses.calibration_text(calibration), "utf-8")
    rest = max(each.rest for each in results)
    assert rest < SUM_TOLERANCE_POINTS, f"the sum of start, luck, skill and others differs from a result by {rest}"
    more = f" --best {options.best}" if options.best > options.games else ""
    parts = [[f"**{part}**", "", *level_losses.table(each), ""] for part, each in calibration.parts.items()]
    return [
        *(line for part in parts for line in part),
        f"`python -m benchmarks.review_accuracy levels {options.game} --games {options.games}{more}`, in points, with",
        "95 % confidence intervals over games (Student's t).",
        f"In all {len(results)} games the sum held to {max(rest, 0.0001):.4f} points.",
    ]


def measure_sums(options: Namespace) -> list[str]:
    tasks = account_sums.tasks(options.game, options.games, options.seed)
    results = run_tasks(
        options, account_sums.measure_sum_error, tasks, SumError, lambda sum_: f"{sum_.points:.4f} {sum_.chance:.4f}"
    )
    points, chance = max(each.points for each in results), max(each.chance for each in results)
    assert max(points, chance) < SUM_TOLERANCE_POINTS, (
        f"the sum differs from a result by {points} points, {chance} of a win"
    )
    players = f"{', '.join(account_sums.BOTS[:-1])} and {account_sums.BOTS[-1]}"
    return [
        f"In all {len(results)} games of {players} the sum held to {max(points, 0.0001):.4f} points, and to",
        f"{max(chance, 0.0001):.4f} of the chance to win",
        f"(`python -m benchmarks.review_accuracy sums {options.game} --games {len(results)}`).",
    ]


def measure_luck(options: Namespace) -> list[str]:
    tasks = luck_mean.tasks(options.game, options.decks, options.seed)
    results = [
        each.points
        for each in run_tasks(options, luck_mean.measure_deck, tasks, DeckLuck, lambda luck: f"{luck.points:+.2f}")
    ]
    mean, error = fmean(results), stdev(results) / sqrt(len(results))
    margin = t_quantile(len(results) - 1) * error
    assert abs(mean) < MAX_STANDARD_ERRORS * error, f"the mean of luck is {mean}, with a standard error of {error}"
    return [
        f"Luck of {len(results):,} decks: {mean:+.3f} ± {margin:.3f} points on average (95 % interval), with a "
        f"standard deviation of {stdev(results):.1f}",
        f"(`python -m benchmarks.review_accuracy luck {options.game} --decks {len(results)}`).",
    ]


def measure_agreement(options: Namespace) -> list[str]:
    tasks = best_choice_agreement.tasks(options.game, options.decisions, options.seed)
    games = run_tasks(
        options,
        best_choice_agreement.measure_game,
        tasks,
        list[Agreement],
        lambda results: f"{sum(e.same for e in results)} the same",
    )
    results = [each for game in games for each in game]
    same, lacks = sum(each.same for each in results), fmean(each.lacks for each in results)
    share = ShareEstimate.of([[float(each.same) for each in game] for game in games if game])
    return [
        f"The same best choice in {same} of {len(results)} decisions, {share.percent()} over {len(games)} games. With",
        f"50 times as many futures, the best choice of the review is {lacks:.3f} points worse than the best one",
        f"(`python -m benchmarks.review_accuracy trust {options.game} --decisions {len(results)}`).",
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
    options = parser.parse_args()
    text = "\n".join(COMMANDS[options.what](options))
    print(text)
    name = f"{options.what} {options.game}"
    marks = f"<!-- {name}, written by `python -m benchmarks.review_accuracy` -->", f"<!-- end of {name} -->"
    write_block(DOCS / "reviews.md", marks, text, f"## {name}")


if __name__ == "__main__":
    main()
