"""Thousands of games in step: numbers in, rewards and masks out, in arrays that are never copied.

    from polyopolis.lab.batch import batch_of

    games = batch_of("mycity-eternal-v0", 4096, seed=1)
    rewards, overs = games.step(games.choose())

A game that is over is followed by another one at once, so `overs` says where `rewards` are final scores. Arrays stay
where they are: whoever holds one sees the next step in it. All of them speak DLPack, for torch and JAX.
"""

import warnings
from copy import copy
from typing import Any, Protocol

import numpy
from numpy.typing import NDArray

from polyopolis.engine import PolyopolisError
from polyopolis.kernels.drafting.layout import SEAT
from polyopolis.kernels.placing.layout import MOST_WAYS, WAYS
from polyopolis.kernels.runtime.jit import WAY
from polyopolis.kernels.runtime.rng import futures_of
from polyopolis.lab.batch_plan import FUNCTIONS, Numbers, Plan, in_lines, kind_of, whole_numbers
from polyopolis.lab.batch_plans import NoBatch, plan_of
from polyopolis.lab.gpu.cuda_batch import CudaRunner, NoCard
from polyopolis.lab.stepping import cpu_loops
from polyopolis.lab.stepping.city_steps import PASSING

DEVICES = ("cpu", "cuda", "any")

Array = Any
"""Of numpy, or of CuPy on a card."""


class NoMachine(PolyopolisError):
    """There is nothing here that runs a batch."""


class Runner(Protocol):
    """Where a batch lies and who runs its functions. Arrays have a row for each game, however they lie."""

    own: dict[str, Array]

    def run(self, function: str, steps: int | None = None, **others: Array) -> None:
        """A function over all games; other arrays may stand in for its own."""


class CpuRunner:
    """On one core of this machine, in machine code."""

    def __init__(self, plan: Plan, luck: Numbers) -> None:
        if WAY != "native":
            raise NoMachine("batches run in machine code: install polyopolis[lab]")
        self._plan, self.own = plan, plan.begun(luck)
        self._shared = {name: in_lines(array.shape, array.dtype) for name, array in plan.shared.items()}
        for name, array in plan.shared.items():
            self._shared[name][:] = array
        if plan.program == "cities":
            self._shared["law"][WAYS] = MOST_WAYS  # eight ways at once take a processor less time than four one by one

    def with_rows(self, own: dict[str, Array]) -> "CpuRunner":
        """The same on other games, whose arrays these are."""
        other = copy(self)
        other.own = own
        return other

    def run(self, function: str, steps: int | None = None, **others: Array) -> None:
        own, shared, program = self.own, self._shared, self._plan.program
        given = [shared[name] if name in shared else own.get(name) for name in FUNCTIONS[program][function]]
        for name, array in others.items():
            numbers = numpy.ascontiguousarray(whole_numbers(numpy.asarray(array), name), dtype=kind_of(name))
            given[FUNCTIONS[program][function].index(name)] = numbers
        cpu_loops.ALL[program][function](*given, *([] if steps is None else [steps]))


class Batch:
    """Games of one kind, all at once."""

    def __init__(self, plan: Plan, runner: Runner) -> None:
        self.plan, self._runner = plan, runner
        self.arrays: dict[str, Array] = runner.own
        """What is known of each game, as the kernels write it: a row for each (kernels/*/layout.py)."""
        self._runner.run("begin")

    def __len__(self) -> int:
        return len(self.arrays["luck"])

    @property
    def numbers(self) -> int:
        return self.plan.numbers

    @property
    def fits(self) -> Array:
        """What is allowed, as bits of words. In cities: the lower 64 cells for each way in which the building lies,
        then the other cells for each; in Point City: bit n of the words for number n."""
        name, first, count = self.plan.fits
        return self.arrays[name][:, first : first + count]

    @property
    def passing(self) -> Array:
        """In cities: whether one may pass."""
        return self.arrays["desk"][:, PASSING]

    @property
    def rewards(self) -> Array:
        """Of cities one for each game; of Point City one for each player."""
        found = self.arrays["rewards"]
        return found[:, 0] if found.shape[1] == 1 else found

    @property
    def overs(self) -> Array:
        return self.arrays["overs"][:, 0]

    @property
    def seats(self) -> Array:
        """In Point City: who decides."""
        return self.arrays["draft"][:, SEAT]

    def step(self, actions: Array) -> tuple[Array, Array]:
        """One decision in every game, by its number: rewards, and which games were over. Whoever names one that is not
        allowed ends the game with -1."""
        self._runner.run("step", actions=actions.reshape(len(self), 1))
        return self.rewards, self.overs

    def choose(self) -> Array:
        """Numbers that are allowed, by chance: any building that fits; in Point City anything."""
        self._runner.run("choose")
        return self.arrays["actions"][:, 0]

    def wander(self, steps: int) -> tuple[Array, Array]:
        """So many random steps in every game, in one call: the points so far, and how many games were finished."""
        self._runner.run("wander", steps)
        return self.arrays["totals"][:, 0], self.arrays["totals"][:, 1]

    def masks(self) -> NDArray[numpy.uint8]:
        """What is allowed as a row of zeros and ones for each game, one for each number: written anew at every call."""
        return unpacked(self)


def unpacked(batch: Batch) -> NDArray[numpy.uint8]:
    words = numpy.ascontiguousarray(_here(batch.fits))
    bits = numpy.unpackbits(words.view(numpy.uint8), axis=1, bitorder="little")
    if batch.plan.program == "drafts":
        return bits[:, : batch.numbers]
    spots, ahead, stop, _ = (int(size) for size in batch.plan.shared["sizes"])
    by_way = bits.reshape(len(batch), 2, -1, 64).transpose(0, 2, 1, 3).reshape(len(batch), -1, 128)
    masks = numpy.zeros((len(batch), batch.numbers), dtype=numpy.uint8)
    masks[:, :ahead] = by_way[:, : ahead // spots, :spots].reshape(len(batch), ahead)
    masks[:, ahead] = _here(batch.passing)
    masks[:, stop] = 1
    return masks


def _here(array: Array) -> Numbers:
    """In the memory of this machine."""
    here: Numbers = array.get() if hasattr(array, "get") else array
    return here


def luck_of_games(seed: int, games: int) -> NDArray[numpy.uint64]:
    """Two words for each: where its luck begins, and where that of whoever chooses by chance."""
    return numpy.asarray(futures_of(seed, 2 * games), dtype=numpy.uint64)


def batch_of(name: str, games: int, seed: int = 0, seats: int | None = None, device: str = "cpu") -> Batch:
    """A batch of so many games. The device is `cpu`, `cuda`, or `any`: a card if there is one."""
    if device not in DEVICES:
        raise NoMachine(f"there is no device {device!r}; there is {', '.join(DEVICES)}")
    if games < 1:
        raise NoBatch(f"a batch is of one game at least, not of {games}")
    plan, luck = plan_of(name, seats), luck_of_games(seed, games)
    if device == "cpu":
        return Batch(plan, CpuRunner(plan, luck))
    try:
        return Batch(plan, CudaRunner(plan, luck))
    except NoCard as error:
        if device == "cuda":
            raise
        warnings.warn(f"no card is used, but one core: {error}", stacklevel=2)
        return Batch(plan, CpuRunner(plan, luck))
