"""Measures speed relative to a peer in one run: `make bench`; with `--cold` also the time to compile.

`--beside CHECKOUT` compares the kernels with those of another commit, which is checked out in that folder.

Machines differ, and the speed of one machine varies, so only ratios count: every contender plays in every round, one
after the other, and each number is a median with minimum and maximum. A move is a decision of a seat; revealing cards
takes time but is not counted.
"""

from argparse import ArgumentParser
from collections.abc import Callable, Iterable
from functools import partial
from pathlib import Path
from random import Random
from time import perf_counter
from typing import Any

import chess

from benchmarks.speed import processes
from benchmarks.speed.bot_decisions import decision_times
from benchmarks.speed.compare_checkouts import compare_kernels
from benchmarks.speed.summaries import format_spread, ratios, run_interleaved
from benchmarks.speed.wasm_in_node import compare_with_native
from polyopolis.engine import CHANCE, AnyGame, Match
from polyopolis.games import game
from polyopolis.games.mycity.actions import Place
from polyopolis.kernels import NOTICE, draft_position
from polyopolis.kernels.city_arrays import city_site
from polyopolis.kernels.city_position import random_scores
from polyopolis.kernels.runtime.rng import new_rng
from polyopolis.kernels.warmup import warm

ROUNDS = 5
ROUND_SECONDS = 1.0
PEER = "python-chess"
MAX_HALF_MOVES = 150
"""Half-moves after which a game of chess is stopped."""


def pick(random: Random, legal: Any) -> Any:
    """Picks a random placement: placements come first. If there is none, picks the first of the other actions."""
    places = len(legal)
    while places and type(legal[places - 1]) is not Place:
        places -= 1
    return legal[int(random.random() * places)]


def pick_any(random: Random, legal: Any) -> Any:
    return legal[int(random.random() * len(legal))]


def play_rules(rules: AnyGame, setup: Any, random: Random, pick: Callable[[Random, Any], Any] = pick) -> int:
    """Plays a game with `legal`, a random choice and `apply` only; returns the number of decisions."""
    state, moves = rules.start(setup), 0
    while acting := rules.to_act(state):
        for seat in acting:
            if seat == CHANCE:
                odds = rules.odds(state)
                state = rules.apply(state, CHANCE, odds[int(random.random() * len(odds))][0]).state
            else:
                state = rules.apply(state, seat, pick(random, rules.legal(state, seat))).state
                moves += 1
    return moves


def play_match(rules: AnyGame, setup: Any, random: Random) -> int:
    """Plays the same game as a `Match`, with checks, staged decisions, record and events."""
    match = Match.start(rules, setup)
    while due := match.due:
        for seat in due:
            if seat == CHANCE:
                odds = rules.odds(match.state)
                match = match.decide(CHANCE, odds[int(random.random() * len(odds))][0])
            else:
                match = match.decide(seat, pick(random, rules.legal(match.state, seat)))
    return sum(move.seat != CHANCE for move in match.moves)


def play_chess(random: Random) -> int:
    board = chess.Board()
    while len(board.move_stack) < MAX_HALF_MOVES and (legal := list(board.legal_moves)):
        board.push(legal[int(random.random() * len(legal))])
    return len(board.move_stack)


KERNEL_GAMES = 200
"""Games played in one call, as in a search."""


def play_kernel(rules: AnyGame, setup: Any, random: Random) -> int:
    """Plays random games inside a kernel, each with one seat."""
    site = city_site(rules.key, rules.start(setup).episode)
    return random_scores(site, KERNEL_GAMES, new_rng(random.getrandbits(64)))[1]


def play_drafts(setup: Any, random: Random) -> int:
    """Plays random games of Point City inside a kernel, with all seats."""
    return draft_position.random_scores(setup, KERNEL_GAMES, new_rng(random.getrandbits(64)))[1]


def moves_per_second(play: Callable[[Random], int], seed: int) -> float:
    random, moves, start = Random(seed), 0, perf_counter()
    while (spent := perf_counter() - start) < ROUND_SECONDS:
        moves += play(random)
    return moves / spent


def contenders() -> dict[str, Callable[[Random], int]]:
    mycity = game("mycity")
    eternal = mycity.Setup(seats=2)
    first, twelfth, jubilee = (mycity.Setup(mode="episode", episode=number, seats=2) for number in (1, 12, 24))
    pointcity = game("pointcity")
    pair = pointcity.Setup(seats=2)
    rollwrite = game("rollwrite")
    simple, last = (rollwrite.Setup(episode=number, seats=2) for number in (1, 12))
    return {
        PEER: play_chess,
        "mycity eternal": lambda random: play_rules(mycity, eternal, random),
        "mycity eternal, Match": lambda random: play_match(mycity, eternal, random),
        "mycity episode 1": lambda random: play_rules(mycity, first, random),
        "mycity episode 12": lambda random: play_rules(mycity, twelfth, random),
        "mycity episode 24": lambda random: play_rules(mycity, jubilee, random),
        "pointcity": lambda random: play_rules(pointcity, pair, random, pick_any),
        "rollwrite 1": lambda random: play_rules(rollwrite, simple, random),
        "rollwrite 12": lambda random: play_rules(rollwrite, last, random),
        "mycity eternal, kernel": lambda random: play_kernel(mycity, eternal, random),
        "rollwrite 1, kernel": lambda random: play_kernel(rollwrite, simple, random),
        "rollwrite 12, kernel": lambda random: play_kernel(rollwrite, last, random),
        "pointcity, kernel": lambda random: play_drafts(pair, random),
    }


def print_speeds() -> None:
    """Prints the speed of the rules, the kernels and the peer."""
    players = contenders()
    results = run_interleaved({name: partial(moves_per_second, play) for name, play in players.items()}, ROUNDS)
    for name, measured in results.items():
        ratio = format_spread(ratios(measured, results[PEER]))
        print(f"{name:24}{format_spread(measured, 0):>40} moves/s {ratio:>24} x peer")
    for name in results:
        rules, _, kind = name.rpartition(", ")
        if kind == "kernel":
            print(
                f"kernel of {rules} relative to its rules: {format_spread(ratios(results[name], results[rules]), 0)} x"
            )


def print_section(title: str, lines: Iterable[str]) -> None:
    print(f"\n{title}")
    for line in lines:
        print(line, flush=True)


def main(with_compilation: bool) -> None:
    if NOTICE:
        print(NOTICE)
    warm()
    print_speeds()
    print_section("Decision times of a level in games against itself", decision_times())
    print_section("A search of level 5 as WebAssembly in Node", compare_with_native(ROUNDS))
    print_section("Several processes, each playing random games in the kernel", processes.scaling(ROUNDS))
    print_section("A new process", processes.startup(ROUNDS))
    if with_compilation:
        print_section("With an empty cache", [processes.cold_startup()])
    print_section("Memory", processes.memory())


if __name__ == "__main__":
    parser = ArgumentParser(description="Measure speed relative to a peer in one run.")
    parser.add_argument("--cold", action="store_true", help="measure compilation too")
    parser.add_argument(
        "--beside", type=Path, metavar="CHECKOUT", help="only compare the kernels with those of this checkout"
    )
    options = parser.parse_args()
    if options.beside:
        print_section(f"Kernels relative to those of {options.beside}, CPU seconds", compare_kernels(options.beside))
    else:
        main(options.cold)
