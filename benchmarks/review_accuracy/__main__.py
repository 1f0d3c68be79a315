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
from benchmarks.doc_tables import DOCS, write
from benchmarks.resumable import resumed
from benchmarks.review_accuracy import (
    account_sums,
    best_choice_agreement,
    level_losses,
    luck_mean,
)
from benchmarks.review_accuracy.account_sums import Sum
from benchmarks.review_accuracy.best_choice_agreement import Trust
from benchmarks.review_accuracy.level_losses import Lost
from benchmarks.review_accuracy.luck_mean import Luck
from polyopolis.bots.tournaments.arena import Share
from polyopolis.bots.tournaments.executors import local_executor
from polyopolis.confidence_intervals import t_quantile

KNOWN = Path(polyopolis.analysis.__file__).parent / "calibration"
SURELY = 4.0
"""Largest accepted mean luck in standard errors; chance exceeds it in one of 16,000 measurements."""
NOTHING = 1e-3
"""Tolerance of a sum in points: its many terms are rounded to four digits."""

Task = TypeVar("Task")
Done = TypeVar("Done")


def done(
    asked: Namespace, work: Callable[[Task], Done], tasks: Sequence[Task], kind: type[Done], say: Callable[[Done], str]
) -> list[Done]:
    """Returns the results of all tasks that finish in time and prints each of them."""
    start, found = perf_counter(), list[Done]()
    with local_executor(asked.jobs) as hands:
        news = resumed(f"{asked.what}-{asked.game}", work, tasks, kind, hands)
        for each in takewhile(lambda _: perf_counter() - start < asked.seconds, news):
            found.append(each)
            print(f"{len(found)}/{len(tasks)} {say(each)}", flush=True)
    return found


def levels(asked: Namespace) -> list[str]:
    """Measures the loss of each level, and writes the yardstick too."""
    tasks = level_losses.tasks(asked.game, asked.games, asked.best, asked.seed)
    found = done(asked, level_losses.measured, tasks, Lost, lambda lost: f"{lost.bot} {fmean(lost.all):.3f}")
    known = level_losses.calibration(found)
    KNOWN.mkdir(exist_ok=True)
    (KNOWN / f"{asked.game}.toml").write_text(level_losses.written(known), "utf-8")
    rest = max(each.rest for each in found)
    assert rest < NOTHING, f"the sum of start, luck, skill and others differs from a result by {rest}"
    more = f" --best {asked.best}" if asked.best > asked.games else ""
    parts = [[f"**{part}**", "", *level_losses.table(each), ""] for part, each in known.parts.items()]
    return [
        *(line for part in parts for line in part),
        f"`python -m benchmarks.review_accuracy levels {asked.game} --games {asked.games}{more}`, in points, with",
        "95 % confidence intervals over games (Student's t).",
        f"In all {len(found)} games the sum held to {max(rest, 0.0001):.4f} points.",
    ]


def sums(asked: Namespace) -> list[str]:
    tasks = account_sums.tasks(asked.game, asked.games, asked.seed)
    found = done(asked, account_sums.summed, tasks, Sum, lambda sum_: f"{sum_.points:.4f} {sum_.chance:.4f}")
    points, chance = max(each.points for each in found), max(each.chance for each in found)
    assert max(points, chance) < NOTHING, f"the sum differs from a result by {points} points, {chance} of a win"
    players = f"{', '.join(account_sums.PLAYERS[:-1])} and {account_sums.PLAYERS[-1]}"
    return [
        f"In all {len(found)} games of {players} the sum held to {max(points, 0.0001):.4f} points, and to",
        f"{max(chance, 0.0001):.4f} of the chance to win",
        f"(`python -m benchmarks.review_accuracy sums {asked.game} --games {len(found)}`).",
    ]


def luck(asked: Namespace) -> list[str]:
    tasks = luck_mean.tasks(asked.game, asked.decks, asked.seed)
    found = [each.points for each in done(asked, luck_mean.lucky, tasks, Luck, lambda luck: f"{luck.points:+.2f}")]
    mean, error = fmean(found), stdev(found) / sqrt(len(found))
    margin = t_quantile(len(found) - 1) * error
    assert abs(mean) < SURELY * error, f"the mean of luck is {mean}, with a standard error of {error}"
    return [
        f"Luck of {len(found):,} decks: {mean:+.3f} ± {margin:.3f} points on average (95 % interval), with a "
        f"standard deviation of {stdev(found):.1f}",
        f"(`python -m benchmarks.review_accuracy luck {asked.game} --decks {len(found)}`).",
    ]


def trust(asked: Namespace) -> list[str]:
    tasks = best_choice_agreement.tasks(asked.game, asked.decisions, asked.seed)
    games = done(
        asked, best_choice_agreement.trusted, tasks, list[Trust], lambda found: f"{sum(e.same for e in found)} the same"
    )
    found = [each for game in games for each in game]
    same, lacks = sum(each.same for each in found), fmean(each.lacks for each in found)
    share = Share.of([[float(each.same) for each in game] for game in games if game])
    return [
        f"The same best choice in {same} of {len(found)} decisions, {share.percent()} over {len(games)} games. With",
        f"50 times as many futures, the best choice of the review is {lacks:.3f} points worse than the best one",
        f"(`python -m benchmarks.review_accuracy trust {asked.game} --decisions {len(found)}`).",
    ]


COMMANDS: dict[str, Callable[[Namespace], list[str]]] = {
    "levels": levels,
    "sums": sums,
    "luck": luck,
    "trust": trust,
}


def main() -> None:
    parser = ArgumentParser(
        prog="python -m benchmarks.review_accuracy", description=__doc__, formatter_class=RawDescriptionHelpFormatter
    )
    parser.add_argument("what", choices=list(COMMANDS))
    parser.add_argument("game", choices=sorted(level_losses.SETUPS))
    parser.add_argument("--games", type=int, default=6, help="number of games for each bot (levels), or in all (sums)")
    parser.add_argument("--best", type=int, default=0, help=f"minimum of games for {', '.join(level_losses.CLOSE)}")
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
    write(DOCS / "reviews.md", marks, text, f"## {name}")


if __name__ == "__main__":
    main()
