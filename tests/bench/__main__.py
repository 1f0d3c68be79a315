"""Speed beside a peer, in one run: `make bench`.

Machines differ, and one machine differs from minute to minute, so only the ratio counts: every contender plays in
every round, one after the other. A move is a decision of a seat; revealing cards costs time but counts for nothing.
"""

from collections.abc import Callable
from random import Random
from statistics import median
from time import perf_counter
from typing import Any

import chess

from polyopolis.engine import CHANCE, AnyGame, Match
from polyopolis.games import game
from polyopolis.games.mycity.actions import Place
from polyopolis.kernels import NOTICE, drafts
from polyopolis.kernels.cities import random_scores
from polyopolis.kernels.tables import land_of
from polyopolis.kernels.warming import warm

ROUNDS = 3
SECONDS = 3.0
PEER = "python-chess"
LONGEST = 150
"""Half-moves after which a game of chess is given up."""


def pick(random: Random, legal: Any) -> Any:
    """Any of the placements, which stand first; without one the first of the rest."""
    places = len(legal)
    while places and type(legal[places - 1]) is not Place:
        places -= 1
    return legal[int(random.random() * places)]


def any_of(random: Random, legal: Any) -> Any:
    return legal[int(random.random() * len(legal))]


def play_rules(rules: AnyGame, setup: Any, random: Random, pick: Callable[[Random, Any], Any] = pick) -> int:
    """A game by `legal`, a choice and `apply` alone; how many decisions it had."""
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
    """The same with everything checked, staged, recorded and told."""
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
    while len(board.move_stack) < LONGEST and (legal := list(board.legal_moves)):
        board.push(legal[int(random.random() * len(legal))])
    return len(board.move_stack)


KERNEL_GAMES = 200
"""Played in one call: this is what a search does."""


def play_kernel(rules: AnyGame, setup: Any, random: Random) -> int:
    """The same random games inside a kernel, each for one who plays alone."""
    site = land_of(rules.key, rules.start(setup).episode)
    return random_scores(site, KERNEL_GAMES, random.getrandbits(64))[1]


def play_drafts(setup: Any, random: Random) -> int:
    """The same for Point City, with everybody at the table."""
    return drafts.random_scores(setup, KERNEL_GAMES, random.getrandbits(64))[1]


def moves_per_second(play: Callable[[Random], int], seed: int) -> float:
    random, moves, start = Random(seed), 0, perf_counter()
    while (spent := perf_counter() - start) < SECONDS:
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
        "pointcity": lambda random: play_rules(pointcity, pair, random, any_of),
        "rollwrite 1": lambda random: play_rules(rollwrite, simple, random),
        "rollwrite 12": lambda random: play_rules(rollwrite, last, random),
        "mycity eternal, kernel": lambda random: play_kernel(mycity, eternal, random),
        "rollwrite 1, kernel": lambda random: play_kernel(rollwrite, simple, random),
        "rollwrite 12, kernel": lambda random: play_kernel(rollwrite, last, random),
        "pointcity, kernel": lambda random: play_drafts(pair, random),
    }


def ratio(speeds: dict[str, list[float]], name: str, other: str) -> float:
    """Of two contenders, round by round, the middle one."""
    return median(own / peer for own, peer in zip(speeds[name], speeds[other], strict=True))


def started() -> float:
    """Seconds until a kernel is ready, from the disk if it was compiled before."""
    start = perf_counter()
    warm()
    return perf_counter() - start


def main() -> None:
    print(NOTICE or f"kernels ready after {started():.1f} s")
    players = contenders()
    speeds: dict[str, list[float]] = {name: [] for name in players}
    print(f"{'moves/s':24}" + "".join(f"   round {number + 1}" for number in range(ROUNDS)) + "   ratio to peer")
    for number in range(ROUNDS):
        for name, play in players.items():
            speeds[name].append(moves_per_second(play, number))
    for name, measured in speeds.items():
        print(f"{name:24}" + "".join(f"{speed:10,.0f}" for speed in measured) + f"{ratio(speeds, name, PEER):13.2f} x")
    for name in ("mycity eternal", "rollwrite 1", "rollwrite 12", "pointcity"):
        print(f"the kernel of {name} beside its rules: {ratio(speeds, f'{name}, kernel', name):.0f} x")


if __name__ == "__main__":
    main()
