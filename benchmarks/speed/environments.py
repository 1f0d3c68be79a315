"""Compares environments with other libraries in one run on one core: `make lab` writes the table into docs/lab.md.

A step is a random legal decision of a player. Its time includes the legal moves or the mask, the move, chance events,
and the start of the next game. Every contender plays in every round, one after the other.
"""

import re
import warnings
from argparse import ArgumentParser
from collections.abc import Callable
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from platform import machine, python_version
from random import Random
from statistics import median
from time import perf_counter
from typing import Any

import numpy
import pettingzoo
import pyspiel

from benchmarks.speed.__main__ import pick_any, play_chess, play_drafts, play_kernel, play_rules
from benchmarks.speed.summaries import ratios, run_interleaved
from polyopolis.games import game
from polyopolis.lab.batch import batch_of
from polyopolis.lab.zoo import env

ROUNDS = 5
ROUND_SECONDS = 1.0
GAMES, STEPS = 2048, 24
PEER = "PettingZoo connect_four"
SPEED_TABLE = re.compile(r"(?<=<!-- speed -->\n).*(?=<!-- /speed -->)", re.DOTALL)


def play_zoo(table: Any, random: Random) -> int:
    """Plays a game of PettingZoo with its action masks."""
    table.reset(seed=random.getrandbits(31))
    steps = 0
    for _ in table.agent_iter():
        observation, _, terminated, truncated, _ = table.last()
        if terminated or truncated:
            table.step(None)
        else:
            table.step(int(pick_any(random, numpy.flatnonzero(observation["action_mask"]))))
            steps += 1
    return steps


def play_spiel(rules: Any, random: Random) -> int:
    """Plays a game of OpenSpiel. Chance nodes take time but are not counted."""
    state, steps = rules.new_initial_state(), 0
    while not state.is_terminal():
        if state.is_chance_node():
            outcomes, chances = zip(*state.chance_outcomes(), strict=True)
            state.apply_action(random.choices(outcomes, chances)[0])
        else:
            state.apply_action(pick_any(random, state.legal_actions()))
            steps += 1
    return steps


def play_batch(batch: Any, random: Random) -> int:
    """Plays steps of all games; the random choice reads the masks."""
    for _ in range(STEPS):
        batch.step(batch.choose())
    return STEPS * len(batch)


def contenders() -> dict[str, Callable[[Random], int]]:
    mycity, pointcity, rollwrite = game("mycity"), game("pointcity"), game("rollwrite")
    eternal, pair, sheet = mycity.Setup(seats=2), pointcity.Setup(seats=2), rollwrite.Setup(episode=1, seats=1)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        four = pettingzoo.make("aec", "classic/connect_four-v3")
    return {
        PEER: partial(play_zoo, four),
        "OpenSpiel backgammon": partial(play_spiel, pyspiel.load_game("backgammon")),
        "python-chess": play_chess,
        "My City, PettingZoo": partial(play_zoo, env("mycity-eternal-v0", 2)),
        "My City, plain rules": lambda random: play_rules(mycity, eternal, random),
        "My City, kernel": lambda random: play_kernel(mycity, eternal, random),
        "My City, batch": partial(play_batch, batch_of("mycity-eternal-v0", GAMES)),
        "Roll & Write, plain rules": lambda random: play_rules(rollwrite, sheet, random),
        "Roll & Write, kernel": lambda random: play_kernel(rollwrite, sheet, random),
        "Roll & Write, batch": partial(play_batch, batch_of("rollwrite-episode-1-v0", GAMES)),
        "Point City, plain rules": lambda random: play_rules(pointcity, pair, random, pick_any),
        "Point City, kernel": lambda random: play_drafts(pair, random),
        "Point City, batch": partial(play_batch, batch_of("pointcity-v0", GAMES)),
    }


def steps_per_second(play: Callable[[Random], int], seed: int) -> float:
    random, steps, start = Random(seed), 0, perf_counter()
    while (spent := perf_counter() - start) < ROUND_SECONDS:
        steps += play(random)
    return steps / spent


def table() -> str:
    players = contenders()
    for play in players.values():
        play(Random(0))  # compiles or loads the kernels
    results = run_interleaved({name: partial(steps_per_second, play) for name, play in players.items()}, ROUNDS)
    rows = [
        f"| {name} | {median(speeds):,.0f} | {median(ratios(speeds, results[PEER])):,.1f} |\n"
        for name, speeds in results.items()
    ]
    about = (
        f"{datetime.now(UTC):%Y-%m-%d}, {processor_name()}, Python {python_version()}; a batch has {GAMES:,} games.\n"
    )
    return "".join(["| | steps/s | relative to connect_four |\n", "| --- | ---: | ---: |\n", *rows, "\n", about])


def processor_name() -> str:
    """Returns the name of the processor."""
    path = Path("/proc/cpuinfo")
    name = re.search(r"model name\s*: (.+)", path.read_text()) if path.exists() else None
    return name[1] if name else machine()


def main(page: Path | None) -> None:
    text = table()
    print(text)
    if page:
        page.write_text(SPEED_TABLE.sub(lambda _: text, page.read_text("utf-8")), "utf-8")


if __name__ == "__main__":
    parser = ArgumentParser(description="Compare environments with those of other libraries.")
    parser.add_argument("--write", type=Path, metavar="PAGE", help="page in which the table is replaced")
    main(parser.parse_args().write)
