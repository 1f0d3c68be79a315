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

from benchmarks.speed.summaries import format_spread, ratios, run_interleaved
from polyopolis.games.mycity.content import content
from polyopolis.kernels.city_arrays import city_site
from polyopolis.kernels.city_position import random_scores
from polyopolis.kernels.runtime.jit import PLAIN_ENV_VAR
from polyopolis.kernels.runtime.rng import new_rng
from polyopolis.kernels.warmup import CACHE_ENV_VAR, warm

GAMES_PER_CALL = 20_000
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


def play_games(seed: int) -> int:
    """Plays random games in the kernel; returns the number of decisions."""
    return random_scores(city_site("mycity", content().episodes["eternal"]), GAMES_PER_CALL, new_rng(seed))[1]


def job_numbers(cores: int) -> list[int]:
    """Returns 1, 2, 4, ... and the number of cores."""
    return sorted({1, cores, *(2**power for power in range(1, 7) if 2**power < cores)})


def speed(pool: Pool, jobs: int, seed: int) -> float:
    start = perf_counter()
    return sum(pool.map(play_games, [seed + job for job in range(jobs)], chunksize=1)) / (perf_counter() - start)


def scaling(rounds: int) -> Iterator[str]:
    """Yields decisions per second for each number of processes, relative to one."""
    cores = os.cpu_count() or 1
    with get_context("spawn").Pool(cores, warm) as pool:
        pool.map(play_games, range(cores), chunksize=1)
        results = run_interleaved({str(jobs): partial(speed, pool, jobs) for jobs in job_numbers(cores)}, rounds)
    for jobs, speeds in results.items():
        relative = format_spread(ratios(speeds, results["1"]))
        yield f"{jobs:>4} jobs {format_spread(speeds, 0):>44} moves/s {relative:>24} x one job"


def time_process(code: str, environment: dict[str, str], _round: int = 0) -> float:
    """Returns the seconds from the start of a new process to its end."""
    start = perf_counter()
    subprocess.run([sys.executable, "-c", code], env={**os.environ, **environment}, check=True)
    return perf_counter() - start


def startup(rounds: int) -> Iterator[str]:
    """Measures a new process until its first search is done, with cached machine code."""
    time_process(SEARCH, {})
    processes = {
        "python-chess, first list of moves": partial(time_process, PEER, {}),
        "level-3, first choice": partial(time_process, SEARCH, {}),
        "level-3, first choice, plain Python": partial(time_process, SEARCH, {PLAIN_ENV_VAR: "1"}),
    }
    results = run_interleaved(processes, rounds)
    peer = next(iter(results.values()))
    for name, seconds in results.items():
        yield f"{name:36}{format_spread(seconds):>22} s {format_spread(ratios(seconds, peer), 1):>24} x peer"


def cold_startup() -> str:
    """Measures the same with an empty cache, once because it takes long."""
    with TemporaryDirectory() as folder:
        return f"{'level-3, first choice, compiling':36}{time_process(SEARCH, {CACHE_ENV_VAR: folder}):22.2f} s"


def memory() -> Iterator[str]:
    """Yields the memory of a warm worker, in plain Python and compiled, relative to bare Python."""
    warmed = "from polyopolis.server.workers.bot_processes import warm; warm()"
    bare = memory_of_process("", {})
    for name, environment in (("worker, plain Python", {PLAIN_ENV_VAR: "1"}), ("worker, kernels ready", {})):
        now = memory_of_process(warmed, environment)
        yield f"{name:36}{now / 2**20:20,.0f} MB {now / bare:23.1f} x bare Python"


def memory_of_process(code: str, environment: dict[str, str]) -> int:
    """Returns the resident bytes of a new process after it has run `code`."""
    program = f"{code}\nfrom benchmarks.speed.resident_memory import resident_bytes; print(resident_bytes())"
    return int(subprocess.check_output([sys.executable, "-c", program], env={**os.environ, **environment}))
