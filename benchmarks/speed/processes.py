"""Measures scaling over processes, the start of a process, and its memory."""

import os
import subprocess
import sys
from collections.abc import Iterator
from functools import partial
from multiprocessing import get_context
from multiprocessing.pool import Pool
from tempfile import TemporaryDirectory
from time import perf_counter

from benchmarks.speed.summaries import interleaved, ratios, spread
from polyopolis.games.mycity.content import content
from polyopolis.kernels.city_arrays import land_of
from polyopolis.kernels.city_position import random_scores
from polyopolis.kernels.runtime.jit import PLAIN
from polyopolis.kernels.runtime.rng import luck_of
from polyopolis.kernels.warmup import CACHE, warm

BURST = 20_000
"""Games that each process plays in one call."""
SEARCH = """
from polyopolis.bots import bot, choose
from polyopolis.engine import Dealer, Match, seed_of
from polyopolis.games import game
rules = game("mycity")
match = Match.start(rules, rules.Setup(seats=2)).deal(Dealer(seed_of("bench")))
choose(bot("level-3"), match, 0, seed_of("bench"))
"""
PEER = "import chess; list(chess.Board().legal_moves)"


def burst(seed: int) -> int:
    """Plays random games in the kernel; returns the number of decisions."""
    return random_scores(land_of("mycity", content().episodes["eternal"]), BURST, luck_of(seed))[1]


def most_jobs(cores: int) -> list[int]:
    """Returns 1, 2, 4, ... and the number of cores."""
    return sorted({1, cores, *(2**power for power in range(1, 7) if 2**power < cores)})


def speed(pool: Pool, jobs: int, seed: int) -> float:
    start = perf_counter()
    return sum(pool.map(burst, [seed + job for job in range(jobs)], chunksize=1)) / (perf_counter() - start)


def scaling(rounds: int) -> Iterator[str]:
    """Yields decisions per second for each number of processes, relative to one."""
    cores = os.cpu_count() or 1
    with get_context("spawn").Pool(cores, warm) as pool:
        pool.map(burst, range(cores), chunksize=1)
        found = interleaved({str(jobs): partial(speed, pool, jobs) for jobs in most_jobs(cores)}, rounds)
    for jobs, speeds in found.items():
        yield f"{jobs:>4} jobs {spread(speeds, 0):>44} moves/s {spread(ratios(speeds, found['1'])):>24} x one job"


def fresh(code: str, environment: dict[str, str], _round: int = 0) -> float:
    """Returns the seconds from the start of a new process to its end."""
    start = perf_counter()
    subprocess.run([sys.executable, "-c", code], env={**os.environ, **environment}, check=True)
    return perf_counter() - start


def starting(rounds: int) -> Iterator[str]:
    """Measures a new process until its first search is done, with cached machine code."""
    fresh(SEARCH, {})
    processes = {
        "python-chess, first list of moves": partial(fresh, PEER, {}),
        "level-3, first choice": partial(fresh, SEARCH, {}),
        "level-3, first choice, plain Python": partial(fresh, SEARCH, {PLAIN: "1"}),
    }
    found = interleaved(processes, rounds)
    peer = next(iter(found.values()))
    for name, seconds in found.items():
        yield f"{name:36}{spread(seconds):>22} s {spread(ratios(seconds, peer), 1):>24} x peer"


def cold() -> str:
    """Measures the same with an empty cache, once because it takes long."""
    with TemporaryDirectory() as folder:
        return f"{'level-3, first choice, compiling':36}{fresh(SEARCH, {CACHE: folder}):22.2f} s"


def memory() -> Iterator[str]:
    """Yields the memory of a warm worker, in plain Python and compiled, relative to bare Python."""
    warmed = "from polyopolis.server.workers.bot_processes import warm; warm()"
    bare = held("", {})
    for name, environment in (("worker, plain Python", {PLAIN: "1"}), ("worker, kernels ready", {})):
        now = held(warmed, environment)
        yield f"{name:36}{now / 2**20:20,.0f} MB {now / bare:23.1f} x bare Python"


def held(code: str, environment: dict[str, str]) -> int:
    """Returns the resident bytes of a new process after it has run `code`."""
    told = f"{code}\nfrom benchmarks.speed.resident_memory import resident; print(resident())"
    return int(subprocess.check_output([sys.executable, "-c", told], env={**os.environ, **environment}))
