"""Compares the kernels of this checkout with those of another one. In every round both play the same games."""

import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path

from benchmarks.speed.summaries import format_spread, ratios, run_interleaved

HERE = Path(__file__).parents[2]
WORKER = Path(__file__).with_name("checkout_worker.py")
ROUNDS = 12
"""Number of rounds, after a first one that compiles and is not counted."""


class Checkout:
    """A process that plays with the sources of a checkout."""

    def __init__(self, process: "subprocess.Popen[str]") -> None:
        self._process = process
        self.measurements = self._read().split("\t")

    def _read(self) -> str:
        assert self._process.stdout
        line = self._process.stdout.readline().rstrip("\n")
        if not line:
            raise RuntimeError(f"{self._process.args!r} ended with {self._process.wait()}")
        return line

    def seconds(self, measurement: str, number: int) -> float:
        assert self._process.stdin
        self._process.stdin.write(f"{measurement}\t{number}\n")
        self._process.stdin.flush()
        return float(self._read())


@contextmanager
def start_checkout(folder: Path) -> Iterator[Checkout]:
    paths = os.pathsep.join(str(folder / part) for part in ("src", "."))
    command = [sys.executable, "-P", str(WORKER)]  # -P: modules of this checkout must not come first
    pipe, environment = subprocess.PIPE, {**os.environ, "PYTHONPATH": paths}
    with subprocess.Popen(command, env=environment, cwd=folder, stdin=pipe, stdout=pipe, text=True) as process:
        try:
            yield Checkout(process)
        finally:
            process.terminate()


def compare_kernels(other: Path, rounds: int = ROUNDS) -> Iterator[str]:
    """Yields the ratio of the times of both checkouts for each common measurement: by round, and of the fastest rounds,
    which were disturbed least."""
    with start_checkout(HERE) as own, start_checkout(other.resolve()) as peer:
        for name in [name for name in own.measurements if name in peer.measurements]:
            sides = {"own": partial(own.seconds, name), "peer": partial(peer.seconds, name)}
            results = run_interleaved(sides, rounds + 1)
            seconds, there = results["own"][1:], results["peer"][1:]
            fastest = min(seconds) / min(there)
            by_round = format_spread(ratios(seconds, there))
            yield f"{name:28}{format_spread(seconds):>24} s {by_round:>22} x, the fastest {fastest:.2f} x"
