"""A batch on an NVIDIA card, by CuPy: the same functions, a thread for each game.

It needs only numpy and CuPy. `python -m polyopolis.lab.gpu_test_cases FOLDER` writes test cases, and
`python -m polyopolis.lab.gpu.cuda_batch FOLDER` runs them on a machine with a GPU.
"""

import argparse
from copy import copy
from functools import cache
from importlib import import_module
from pathlib import Path
from time import perf_counter
from typing import Any

import numpy

from polyopolis.lab.batch_plan import FUNCTIONS, OF_CHOICES, WHOLE, Numbers, Plan, kind_of, unpacked, whole_numbers

BLOCK = 64
"""Threads that a card is given together."""


class NoCard(RuntimeError):
    """There is no card, or nothing that reaches it."""


def cupy() -> Any:
    """CuPy, where it reaches a card."""
    try:
        found = import_module("cupy")
    except ImportError as error:
        raise NoCard("CuPy is not installed (cupy-cuda13x, or the one for your CUDA)") from error
    try:
        cards = found.cuda.runtime.getDeviceCount()
    except found.cuda.runtime.CUDARuntimeError as error:
        raise NoCard(f"there is no NVIDIA card: {error}") from error
    if not cards:
        raise NoCard("there is no NVIDIA card")
    return found


@cache
def _loaded(code: Path) -> Any:
    """On the card: its driver translates the code once, however many batches there are."""
    return cupy().RawModule(path=str(code))


class CudaRunner:
    """On a card: number k of all games side by side."""

    def __init__(self, plan: Plan, luck: Numbers, code: Path | None = None) -> None:
        self._cupy = there = cupy()
        if code is None:
            code = import_module("polyopolis.lab.gpu.ptx_compiler").code_of(plan.program)
        self._plan, self._games = plan, len(luck) // 2
        self._module = _loaded(code)
        self._shared = {name: there.asarray(array) for name, array in plan.shared.items()}
        self._columns = {name: there.asarray(array.T, order="C") for name, array in plan.begun(luck).items()}
        self.own = {name: array.T for name, array in self._columns.items()}

    def with_columns(self, columns: dict[str, Any]) -> "CudaRunner":
        """The same on other cities: these are their arrays, number k of all of them side by side."""
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
            elif name in OF_CHOICES or name in WHOLE:
                array = others[name]
            else:
                numbers = whole_numbers(self._cupy.asarray(others[name]), name)
                array = self._cupy.asarray(numbers.T, dtype=kind_of(name), order="C")
            given += [array, numpy.int64(array.shape[1] if name in OF_CHOICES else len(array))]
        if steps is not None:
            given.append(numpy.int64(steps))
        blocks = -(-threads // BLOCK)
        self._module.get_function(function)((blocks,), (BLOCK,), tuple(given))

    def wait(self) -> None:
        """Until the card has done what it was given."""
        self._cupy.cuda.Device().synchronize()


def read(path: Path) -> tuple[Plan, dict[str, Numbers]]:
    """A case: the plan of a batch, and what came of it on a processor."""
    with numpy.load(path) as found:
        case = dict(found)
    after = {key.removeprefix("after."): value for key, value in case.items() if key.startswith("after.")}
    return unpacked(case), {"start": case["luck"], "told": case["told"], **after}


def tried(plan: Plan, case: dict[str, Numbers], code: Path) -> list[str]:
    """What differs from the processor after the same steps; nothing if all is the same to the last bit."""
    columns = CudaRunner(plan, case["start"], code)
    columns.run("begin")
    told = []
    for _ in range(len(case["told"])):
        columns.run("choose")
        columns.run("step")
        told.append(columns.own["rewards"].get())
    columns.run("wander", len(case["told"]))
    differing = [] if numpy.array_equal(numpy.array(told), case["told"]) else ["rewards on the way"]
    return differing + [name for name in plan.lengths if not numpy.array_equal(columns.own[name].get(), case[name])]


def speed(plan: Plan, code: Path, games: int, steps: int = 200) -> float:
    """Random decisions a second."""
    luck = numpy.random.default_rng(0).integers(0, 2**63, 2 * games, dtype=numpy.uint64)
    columns = CudaRunner(plan, luck, code)
    columns.run("begin")
    columns.run("wander", 10)
    columns.wait()
    start = perf_counter()
    columns.run("wander", steps)
    columns.wait()
    return games * steps / (perf_counter() - start)


def step_speed(plan: Plan, code: Path, games: int, steps: int = 50) -> float:
    """The same with two calls for each step, as one does who decides elsewhere."""
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


def handed_over(plan: Plan, case: dict[str, Numbers], code: Path) -> list[str]:
    """Who takes the arrays as they lie, by DLPack."""
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
    there = cupy()
    name = there.cuda.runtime.getDeviceProperties(0)["name"].decode()
    runtime = there.cuda.runtime
    print(f"card: {name}, CUDA {runtime.runtimeGetVersion()}, driver {runtime.driverGetVersion()}")
    failed = 0
    for path in sorted(folder.glob("*.npz")):
        plan, case = read(path)
        code = folder / f"{plan.program}.ptx"
        differing = tried(plan, case, code)
        failed += bool(differing)
        print(f"{path.stem}: {'differs in ' + ', '.join(differing) if differing else 'the same as on a processor'}")
        if path.stem in ("mycity-eternal-v0", "pointcity-v0"):
            for games in sizes:
                inside, outside = speed(plan, code, games), step_speed(plan, code, games)
                figures = f"{inside / 1e6:,.1f} million decisions/s; step by step {outside / 1e6:,.1f}"
                print(f"  {games:>9,} games: {figures}")
            print(f"  handed to {', '.join(handed_over(plan, case, code))}")
    if failed:
        raise SystemExit(f"{failed} of the cases differ")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description="Tries batches on a card beside what a processor made of them.")
    parser.add_argument("folder", type=Path, help="with cases and PTX, as polyopolis.lab.gpu_test_cases writes them")
    parser.add_argument("--games", type=int, nargs="+", default=[8192, 32768, 131072, 262144])
    asked = parser.parse_args()
    try:
        main(asked.folder, asked.games)
    except NoCard as error:
        raise SystemExit(f"nothing was tried: {error}") from error
