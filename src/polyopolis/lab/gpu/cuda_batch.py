"""Batches on an NVIDIA GPU through CuPy: the same functions, with a thread per game.

Needs only numpy and CuPy. `python -m polyopolis.lab.gpu_test_cases FOLDER` writes test cases, and `python -m
polyopolis.lab.gpu.cuda_batch FOLDER` runs them on a machine with a GPU.
"""

import argparse
from copy import copy
from functools import cache
from importlib import import_module
from pathlib import Path
from time import perf_counter
from typing import Any

import numpy

from polyopolis.lab.batch_plan import (
    CHOICE_ARRAYS,
    FUNCTIONS,
    SHARED_ARRAYS,
    BatchPlan,
    Numbers,
    dtype_of,
    require_integers,
    unpack_plan,
)

THREADS_PER_BLOCK = 64


class NoGpu(RuntimeError):
    """Raised if no GPU is available."""


def load_cupy() -> Any:
    """Returns the module CuPy. Raises `NoGpu` if it is missing or finds no GPU."""
    try:
        found = import_module("cupy")
    except ImportError as error:
        raise NoGpu("CuPy is not installed (cupy-cuda13x, or the one for your CUDA)") from error
    try:
        devices = found.cuda.runtime.getDeviceCount()
    except found.cuda.runtime.CUDARuntimeError as error:
        raise NoGpu(f"no NVIDIA GPU found: {error}") from error
    if not devices:
        raise NoGpu("no NVIDIA GPU found")
    return found


@cache
def _load_module(code: Path) -> Any:
    """Loads PTX code. The driver compiles it once per process."""
    return load_cupy().RawModule(path=str(code))


class CudaRunner:
    """Runs on a GPU. Number k of all games is contiguous in memory."""

    def __init__(self, plan: BatchPlan, luck: Numbers, code: Path | None = None) -> None:
        self._cupy = there = load_cupy()
        if code is None:
            code = import_module("polyopolis.lab.gpu.ptx_compiler").ptx_path(plan.program)
        self._plan, self._games = plan, len(luck) // 2
        self._module = _load_module(code)
        self._shared = {name: there.asarray(array) for name, array in plan.shared.items()}
        self._columns = {name: there.asarray(array.T, order="C") for name, array in plan.new_arrays(luck).items()}
        self.own = {name: array.T for name, array in self._columns.items()}

    def with_columns(self, columns: dict[str, Any]) -> "CudaRunner":
        """Returns a runner with the arrays of other games, given as columns."""
        other = copy(self)
        other._columns, other._games = columns, columns["luck"].shape[1]
        other.own = {name: array.T for name, array in columns.items()}
        return other

    def run(self, function: str, steps: int | None = None, **others: Any) -> None:
        names = FUNCTIONS[self._plan.program][function]
        threads = len(others["owners"]) if "owners" in names else self._games
        given: list[Any] = [numpy.int64(threads), numpy.int64(self._games)]
        for name in names:
            if name not in others:
                array = self._shared[name] if name in self._shared else self._columns[name]
            elif name in CHOICE_ARRAYS or name in SHARED_ARRAYS:
                array = others[name]
            else:
                numbers = require_integers(self._cupy.asarray(others[name]), name)
                array = self._cupy.asarray(numbers.T, dtype=dtype_of(name), order="C")
            given += [array, numpy.int64(array.shape[1] if name in CHOICE_ARRAYS else len(array))]
        if steps is not None:
            given.append(numpy.int64(steps))
        blocks = -(-threads // THREADS_PER_BLOCK)
        self._module.get_function(function)((blocks,), (THREADS_PER_BLOCK,), tuple(given))

    def wait(self) -> None:
        """Waits until the GPU has finished."""
        self._cupy.cuda.Device().synchronize()


def read_case(path: Path) -> tuple[BatchPlan, dict[str, Numbers]]:
    """Returns the plan of a case and the arrays that the CPU computed."""
    with numpy.load(path) as found:
        case = dict(found)
    after = {key.removeprefix("after."): value for key, value in case.items() if key.startswith("after.")}
    return unpack_plan(case), {"start": case["luck"], "step_rewards": case["step_rewards"], **after}


def differing_arrays(plan: BatchPlan, case: dict[str, Numbers], code: Path) -> list[str]:
    """Returns the arrays that differ from the CPU after the same steps; empty if all are bit-identical."""
    columns = CudaRunner(plan, case["start"], code)
    columns.run("begin")
    rewards = []
    for _ in range(len(case["step_rewards"])):
        columns.run("choose")
        columns.run("step")
        rewards.append(columns.own["rewards"].get())
    columns.run("wander", len(case["step_rewards"]))
    differing = [] if numpy.array_equal(numpy.array(rewards), case["step_rewards"]) else ["rewards of single steps"]
    return differing + [name for name in plan.lengths if not numpy.array_equal(columns.own[name].get(), case[name])]


def wander_speed(plan: BatchPlan, code: Path, games: int, steps: int = 200) -> float:
    """Returns random decisions per second, with many steps per call."""
    luck = numpy.random.default_rng(0).integers(0, 2**63, 2 * games, dtype=numpy.uint64)
    columns = CudaRunner(plan, luck, code)
    columns.run("begin")
    columns.run("wander", 10)
    columns.wait()
    start = perf_counter()
    columns.run("wander", steps)
    columns.wait()
    return games * steps / (perf_counter() - start)


def step_speed(plan: BatchPlan, code: Path, games: int, steps: int = 50) -> float:
    """Returns random decisions per second with two calls per step, as when decisions are made outside."""
    luck = numpy.random.default_rng(0).integers(0, 2**63, 2 * games, dtype=numpy.uint64)
    columns = CudaRunner(plan, luck, code)
    columns.run("begin")
    columns.wait()
    start = perf_counter()
    for _ in range(steps):
        columns.run("choose")
        columns.run("step")
    columns.wait()
    return games * steps / (perf_counter() - start)


def dlpack_consumers(plan: BatchPlan, case: dict[str, Numbers], code: Path) -> list[str]:
    """Returns which libraries take the arrays by DLPack, and whether without a copy."""
    columns, takers = CudaRunner(plan, case["start"], code), []
    columns.run("begin")
    rewards = columns.own["rewards"]
    try:
        torch = import_module("torch")
        same = torch.from_dlpack(rewards).data_ptr() == rewards.data.ptr
        takers.append(f"torch {'without a copy' if same else 'by a copy'}")
    except ImportError:
        takers.append("torch is not installed")
    try:
        jax = import_module("jax")
        same = jax.dlpack.from_dlpack(rewards[:, 0]).unsafe_buffer_pointer() == rewards.data.ptr
        takers.append(f"JAX {'without a copy' if same else 'by a copy'}")
    except ImportError:
        takers.append("JAX is not installed")
    return takers


def main(folder: Path, sizes: list[int]) -> None:
    there = load_cupy()
    name = there.cuda.runtime.getDeviceProperties(0)["name"].decode()
    runtime = there.cuda.runtime
    print(f"GPU: {name}, CUDA {runtime.runtimeGetVersion()}, driver {runtime.driverGetVersion()}")
    failed = 0
    for path in sorted(folder.glob("*.npz")):
        plan, case = read_case(path)
        code = folder / f"{plan.program}.ptx"
        differing = differing_arrays(plan, case, code)
        failed += bool(differing)
        print(f"{path.stem}: {'differs in ' + ', '.join(differing) if differing else 'identical to the CPU'}")
        if path.stem in ("mycity-eternal-v0", "pointcity-v0"):
            for games in sizes:
                inside, outside = wander_speed(plan, code, games), step_speed(plan, code, games)
                figures = f"{inside / 1e6:,.1f} million decisions/s; step by step {outside / 1e6:,.1f}"
                print(f"  {games:>9,} games: {figures}")
            print(f"  DLPack: {', '.join(dlpack_consumers(plan, case, code))}")
    if failed:
        raise SystemExit(f"{failed} cases differ")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description="Compare batches on a GPU with results of a CPU.")
    parser.add_argument("folder", type=Path, help="folder with the output of polyopolis.lab.gpu_test_cases")
    parser.add_argument("--games", type=int, nargs="+", default=[8192, 32768, 131072, 262144])
    asked = parser.parse_args()
    try:
        main(asked.folder, asked.games)
    except NoGpu as error:
        raise SystemExit(f"no test was run: {error}") from error
