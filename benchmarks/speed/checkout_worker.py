"""A process that plays what it is asked and says how long it took; it runs in any checkout, so it uses what lasts.

Seconds are those of the processor: what others do on the machine at the same time counts for little.
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
LEVELS = {"level-2": 10, "level-4": 1}
"""So many games of each are one measurement."""
TIMES = 60
"""So many calls of a contender are one."""


def works() -> dict[str, Callable[[int], None]]:
    """What can be asked: games of levels, the same choices in every checkout that searches alike, and the games of the
    benchmark that kernels play inside."""
    levels = {f"{level}, {table}": _levels(level, *TABLES[table]) for level in LEVELS for table in TABLES}
    inside = {name: _inside(play) for name, play in contenders().items() if name.endswith(", kernel")}
    return {**inside, **levels}


def _levels(level: str, key: str, setup: dict[str, Any]) -> Callable[[int], None]:
    rules = game(key)

    def work(number: int) -> None:
        for each in range(LEVELS[level]):
            luck, bots = seed_of(f"play {number} {each}"), seed_of(f"bots {number} {each}")
            play_out(rules, rules.Setup(**setup), [bot(level)] * setup["seats"], luck, bots)

    return work


def _inside(play: Callable[[Random], int]) -> Callable[[int], None]:
    def work(number: int) -> None:
        random = Random(number)
        for _ in range(TIMES):
            play(random)

    return work


def main() -> None:
    """Says what can be asked, then answers a name and a number with seconds, line by line."""
    known = works()
    print("\t".join(known), flush=True)
    for line in sys.stdin:
        name, number = line.rstrip("\n").split("\t")
        start = process_time()
        known[name](int(number))
        print(process_time() - start, flush=True)


if __name__ == "__main__":
    main()
