"""Vectorized environments: thousands of games in step, with arrays that are never copied.

    from polyopolis.lab.batch import batch_of

    games = batch_of("mycity-eternal-v0", 4096, seed=1)
    rewards, overs = games.step(games.choose())

A finished game is replaced by a new one at once; where `overs` is 1, `rewards` are final scores. Arrays never move: a
reference always shows the latest step. They support DLPack, for torch and JAX.
"""

import warnings
from copy import copy
from typing import Any, Protocol

import numpy
from numpy.typing import NDArray

from polyopolis.engine import PolyopolisError
from polyopolis.kernels.drafting.layout import SEAT
from polyopolis.kernels.placing.layout import MAX_ORIENTATIONS, ORIENTATION_COUNT
from polyopolis.kernels.runtime.jit import BACKEND
from polyopolis.kernels.runtime.rng import future_seeds
from polyopolis.lab.batch_plan import FUNCTIONS, BatchPlan, Numbers, aligned_zeros, dtype_of, require_integers
from polyopolis.lab.batch_plans import UnsupportedBatch, plan_of
from polyopolis.lab.gpu.cuda_batch import CudaRunner, NoGpu
from polyopolis.lab.stepping import cpu_loops
from polyopolis.lab.stepping.city_steps import CAN_PASS

DEVICES = ("cpu", "cuda", "any")

Array = Any
"""Of numpy, or of CuPy on a GPU."""


class BatchUnavailable(PolyopolisError):
    """Raised if no device can run a batch."""


class Runner(Protocol):
    """Stores a batch and runs its functions. Arrays have a row per game in every memory layout."""

    own: dict[str, Array]

    def run(self, function: str, steps: int | None = None, **others: Array) -> None:
        """Runs a function on all games. `others` replaces arrays of the batch."""


class CpuRunner:
    """Runs on one CPU core in machine code."""

    def __init__(self, plan: BatchPlan, luck: Numbers) -> None:
        if BACKEND != "native":
            raise BatchUnavailable("batches need numba: install polyopolis[lab]")
        self._plan, self.own = plan, plan.new_arrays(luck)
        self._shared = {name: aligned_zeros(array.shape, array.dtype) for name, array in plan.shared.items()}
        for name, array in plan.shared.items():
            self._shared[name][:] = array
        if plan.program == "cities":
            self._shared["law"][ORIENTATION_COUNT] = (
                MAX_ORIENTATIONS  # a vectorized loop over eight is faster than one over four
            )

    def with_rows(self, own: dict[str, Array]) -> "CpuRunner":
        """Returns a runner with the arrays of other games."""
        other = copy(self)
        other.own = own
        return other

    def run(self, function: str, steps: int | None = None, **others: Array) -> None:
        own, shared, program = self.own, self._shared, self._plan.program
        given = [shared[name] if name in shared else own.get(name) for name in FUNCTIONS[program][function]]
        for name, array in others.items():
            numbers = numpy.ascontiguousarray(require_integers(numpy.asarray(array), name), dtype=dtype_of(name))
            given[FUNCTIONS[program][function].index(name)] = numbers
        cpu_loops.LOOPS[program][function](*given, *([] if steps is None else [steps]))


class Batch:
    """Games of one environment, in step."""

    def __init__(self, plan: BatchPlan, runner: Runner) -> None:
        self.plan, self._runner = plan, runner
        self.arrays: dict[str, Array] = runner.own
        """State of each game in the layout of the kernels (kernels/*/layout.py), a row per game."""
        self._runner.run("begin")

    def __len__(self) -> int:
        return len(self.arrays["luck"])

    @property
    def numbers(self) -> int:
        return self.plan.numbers

    @property
    def fits(self) -> Array:
        """Legal actions as bits. Cities: a word per orientation for the lower 64 cells, then one for the other cells.
        Point City: bit n stands for action number n."""
        name, first, count = self.plan.fits
        return self.arrays[name][:, first : first + count]

    @property
    def passing(self) -> Array:
        """Cities: whether passing is legal."""
        return self.arrays["desk"][:, CAN_PASS]

    @property
    def rewards(self) -> Array:
        """Cities: one per game. Point City: one per player."""
        found = self.arrays["rewards"]
        return found[:, 0] if found.shape[1] == 1 else found

    @property
    def overs(self) -> Array:
        return self.arrays["overs"][:, 0]

    @property
    def seats(self) -> Array:
        """Point City: the deciding seat."""
        return self.arrays["draft"][:, SEAT]

    def step(self, actions: Array) -> tuple[Array, Array]:
        """Applies one action number per game. Returns the rewards and which games are over. An illegal number ends
        the game with a reward of -1."""
        self._runner.run("step", actions=actions.reshape(len(self), 1))
        return self.rewards, self.overs

    def choose(self) -> Array:
        """Returns random legal action numbers: any placement that fits; in Point City any action."""
        self._runner.run("choose")
        return self.arrays["actions"][:, 0]

    def wander(self, steps: int) -> tuple[Array, Array]:
        """Plays a number of random steps in one call. Returns the sum of points and the number of finished games, per
        game."""
        self._runner.run("wander", steps)
        return self.arrays["totals"][:, 0], self.arrays["totals"][:, 1]

    def masks(self) -> NDArray[numpy.uint8]:
        """Returns a new array with a row of zeros and ones per game, one for each action number."""
        return unpack_masks(self)


def unpack_masks(batch: Batch) -> NDArray[numpy.uint8]:
    words = numpy.ascontiguousarray(_to_numpy(batch.fits))
    bits = numpy.unpackbits(words.view(numpy.uint8), axis=1, bitorder="little")
    if batch.plan.program == "drafts":
        return bits[:, : batch.numbers]
    spots, ahead, stop, _ = (int(size) for size in batch.plan.shared["sizes"])
    by_way = bits.reshape(len(batch), 2, -1, 64).transpose(0, 2, 1, 3).reshape(len(batch), -1, 128)
    masks = numpy.zeros((len(batch), batch.numbers), dtype=numpy.uint8)
    masks[:, :ahead] = by_way[:, : ahead // spots, :spots].reshape(len(batch), ahead)
    masks[:, ahead] = _to_numpy(batch.passing)
    masks[:, stop] = 1
    return masks


def _to_numpy(array: Array) -> Numbers:
    here: Numbers = array.get() if hasattr(array, "get") else array
    return here


def game_seeds(seed: int, games: int) -> NDArray[numpy.uint64]:
    """Returns two words per game: generator states for chance events and for random choices."""
    return numpy.asarray(future_seeds(seed, 2 * games), dtype=numpy.uint64)


def batch_of(name: str, games: int, seed: int = 0, seats: int | None = None, device: str = "cpu") -> Batch:
    """Returns a batch. `device` is `cpu`, `cuda`, or `any`: a GPU if there is one."""
    if device not in DEVICES:
        raise BatchUnavailable(f"unknown device {device!r}; available: {', '.join(DEVICES)}")
    if games < 1:
        raise UnsupportedBatch(f"a batch needs at least one game, not {games}")
    plan, luck = plan_of(name, seats), game_seeds(seed, games)
    if device == "cpu":
        return Batch(plan, CpuRunner(plan, luck))
    try:
        return Batch(plan, CudaRunner(plan, luck))
    except NoGpu as error:
        if device == "cuda":
            raise
        warnings.warn(f"using one CPU core instead of a GPU: {error}", stacklevel=2)
        return Batch(plan, CpuRunner(plan, luck))
