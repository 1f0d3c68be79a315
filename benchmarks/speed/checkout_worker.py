"""Worker process that plays requested games and reports their CPU seconds.

It runs with the sources of any checkout, so it uses only stable names. CPU time is affected little by other load on the
machine.
"""

import sys
from collections.abc import Callable
from random import Random
from time import process_time
from typing import Any

from benchmarks.speed.__main__ import contenders
from polyopolis.bots import bot
from polyopolis.bots.tournaments.arena import play_out
from polyopolis.engine import seed_of
from polyopolis.games import game

TABLES: dict[str, tuple[str, dict[str, Any]]] = {
    "mycity eternal": ("mycity", {"seats": 2}),
    "mycity episode 24": ("mycity", {"seats": 2, "mode": "episode", "episode": 24}),
    "rollwrite 12": ("rollwrite", {"seats": 2, "episode": 12}),
    "pointcity": ("pointcity", {"seats": 2}),
}
GAMES_BY_LEVEL = {"level-2": 10, "level-4": 1}
"""Number of games in one measurement."""
CALLS = 60
"""Number of calls of a contender in one measurement."""


def measurements() -> dict[str, Callable[[int], None]]:
    """Returns the available measurements by name: games of levels, whose choices are the same in every checkout with
    the same search, and random games inside kernels."""
    levels = {f"{level}, {table}": _level_games(level, *TABLES[table]) for level in GAMES_BY_LEVEL for table in TABLES}
    inside = {name: _kernel_games(play) for name, play in contenders().items() if name.endswith(", kernel")}
    return {**inside, **levels}


def _level_games(level: str, key: str, setup: dict[str, Any]) -> Callable[[int], None]:
    rules = game(key)

    def work(number: int) -> None:
        for each in range(GAMES_BY_LEVEL[level]):
            luck, bots = seed_of(f"play {number} {each}"), seed_of(f"bots {number} {each}")
            play_out(rules, rules.Setup(**setup), [bot(level)] * setup["seats"], luck, bots)

    return work


def _kernel_games(play: Callable[[Random], int]) -> Callable[[int], None]:
    def work(number: int) -> None:
        random = Random(number)
        for _ in range(CALLS):
            play(random)

    return work


def main() -> None:
    """Prints the names of measurements, then reads lines with a name and a number and prints the seconds of each."""
    by_name = measurements()
    print("\t".join(by_name), flush=True)
    for line in sys.stdin:
        name, number = line.rstrip("\n").split("\t")
        start = process_time()
        by_name[name](int(number))
        print(process_time() - start, flush=True)


if __name__ == "__main__":
    main()
