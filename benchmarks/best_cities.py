"""Compares the best cities found in hindsight with the scores of level 5, which does not know the deck.

`python -m benchmarks.best_cities mycity --decks 200 --jobs 2` writes its table into docs/games/mycity.md. An
interrupted run continues where it stopped.

Level 5 plays each deck in the first seat, in My City against a random player. Then a beam search looks for the best
city of that seat.
"""

from argparse import ArgumentParser
from collections.abc import Iterable, Sequence
from itertools import takewhile
from math import inf
from time import perf_counter
from typing import Any

from msgspec import Struct
from rich.console import Console
from rich.progress import track

from benchmarks.doc_tables import DOCS, write_block
from benchmarks.resumable import run_resumable
from polyopolis.analysis.hindsight import BEAM_WIDTHS, Hindsight, HindsightSearch
from polyopolis.bots.tournaments.arena import IntervalEstimate, ShareEstimate, play
from polyopolis.bots.tournaments.executors import local_executor
from polyopolis.engine import Dealer, derive_seed, seed_of
from polyopolis.games import game

BOT = "level-5"
SEED = "hindsight"
TITLE = "## With hindsight"
MARKS = "<!-- hindsight, written by `python -m benchmarks.best_cities` -->", "<!-- end of hindsight -->"
MIN_DECKS_PER_ROW = 10
"""Minimum number of decks for a separate row of a part."""


class Deck(Struct, frozen=True):
    """One deck of a game variant."""

    game: str
    part: str
    setup: dict[str, Any]
    number: int
    widths: tuple[int, ...]


class DeckScores(Struct, frozen=True):
    """Scores of a deck: of level 5, of the best city found, and their upper bound."""

    part: str
    level: int
    best: int
    bound: int


GROUPS: dict[str, list[dict[str, dict[str, Any]]]] = {
    "mycity": [
        {"eternal game": {"seats": 2}},
        {f"episode {n}": {"mode": "episode", "episode": n, "seats": 2} for n in range(1, 25)},
    ],
    "rollwrite": [{f"episode {n}": {"episode": n, "seats": 1} for n in range(1, 13)}],
}
"""Variants of each game. The variants of one group are played in turn."""


def decks(key: str, number: int, widths: Sequence[int]) -> list[Deck]:
    """Returns `number` decks of each group."""
    groups = [list(group.items()) for group in GROUPS[key]]
    return [
        Deck(key, *group[at % len(group)], at // len(group), tuple(widths)) for at in range(number) for group in groups
    ]


def measure_deck(deck: Deck) -> DeckScores:
    rules = game(deck.game)
    setup = rules.Setup(**deck.setup)
    seed = derive_seed(seed_of(f"{SEED} {deck.part}"), "match", deck.number)
    match = play(rules, setup, [BOT, *["random"] * (setup.seats - 1)], seed, derive_seed(seed, "bots", 0))
    search = HindsightSearch(match, 0, Dealer(seed)).search(deck.widths)
    *_, best = (result for result in search if isinstance(result, Hindsight))
    return DeckScores(deck.part, match.result.scores[0], best.score, best.bound)


def table(scores: Sequence[DeckScores], command: str, widths: Sequence[int]) -> str:
    beams = ", ".join(f"{width:,}" for width in widths)
    lines = [
        f"Made by `{command}`.",
        "The best city found in hindsight for the seat of level 5, which did not know the deck, by beam search with",
        f"{beams} cities; an upper bound for all cities; and the share of decks where both are equal.",
        "95 % confidence intervals over decks: Student's t for means, Wilson for shares.",
        "",
        "| | decks | level 5 | best found | bound | proven |",
        "|---|---|---|---|---|---|",
    ]
    parts = dict.fromkeys(part for groups in GROUPS.values() for group in groups for part in group)
    rows = {
        part: row for part in parts if len(row := [each for each in scores if each.part == part]) >= MIN_DECKS_PER_ROW
    }
    rows["all episodes"] = [each for each in scores if each.part.startswith("episode")]
    return "\n".join([*lines, *(_row(part, row) for part, row in rows.items())])


def _row(part: str, row: Sequence[DeckScores]) -> str:
    columns = ([each.level for each in row], [each.best for each in row], [each.bound for each in row])
    proven = ShareEstimate.of([[float(each.best == each.bound)] for each in row])
    return "| " + " | ".join([part, str(len(row)), *map(_format_estimate, columns), proven.percent()]) + " |"


def _format_estimate(values: Iterable[int]) -> str:
    estimate = IntervalEstimate.of([float(value) for value in values])
    return f"{estimate.mean:.1f}" + ("" if estimate.margin is None else f" ± {estimate.margin:.1f}")


def main() -> None:
    parser = ArgumentParser(description=__doc__)
    parser.add_argument("game", choices=list(GROUPS))
    parser.add_argument("--decks", type=int, default=200)
    parser.add_argument("--seconds", type=float, default=inf, help="stop after this time and report the finished decks")
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--widths", type=int, nargs="+", default=BEAM_WIDTHS)
    options = parser.parse_args()
    tasks, start = decks(options.game, options.decks, options.widths), perf_counter()
    with local_executor(options.jobs) as executor:
        results = run_resumable(f"hindsight-{options.game}", measure_deck, tasks, DeckScores, executor)
        progress = track(results, options.game, len(tasks), console=Console(stderr=True))
        scores = list(takewhile(lambda _: perf_counter() - start < options.seconds, progress))
    assert all(each.level <= each.best <= each.bound for each in scores)
    done, widths = len(scores) // len(GROUPS[options.game]), " ".join(map(str, options.widths))
    command = f"python -m benchmarks.best_cities {options.game} --decks {done} --widths {widths}"
    text = table(scores[: done * len(GROUPS[options.game])], command, options.widths)
    print(text)
    write_block(DOCS / "games" / f"{options.game}.md", MARKS, text, TITLE)


if __name__ == "__main__":
    main()
