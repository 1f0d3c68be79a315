"""Batches of cities as tensors: all choices with their net inputs, and a step with the chosen ones."""

from copy import copy
from hashlib import sha256
from importlib import import_module
from pathlib import Path
from typing import Any, NamedTuple

import numpy
import torch
from torch import Tensor

from polyopolis.lab.batch_plan import BatchPlan, Numbers, unpack_plan
from polyopolis.train.checkpoints import CODE_FILE, PLAN_FILE

COPIED_COLUMNS = ("city", "book", "desk")
"""Columns that are copied with a city."""


class ChoiceTensors(NamedTuple):
    """All choices of all cities, city by city; stopping is the last choice of each city.

    `stops` are the indices of these last choices, `owners` the city of each choice, `sight` its net inputs and `points`
    its score.
    """

    owners: Tensor
    numbers: Tensor
    sight: Tensor
    points: Tensor
    stops: Tensor


def default_device() -> torch.device:
    return torch.device("cuda" if torch.cuda.is_available() else "cpu")


def luck_of(seed: int, games: int) -> Numbers:
    return numpy.random.default_rng(seed).integers(0, 2**64, 2 * games, dtype=numpy.uint64)


class CityBatch:
    """Cities on a GPU or on one CPU core, depending on the device of torch."""

    def __init__(self, folder: Path, games: int, seed: int) -> None:
        with numpy.load(folder / PLAN_FILE) as found:
            self.plan = unpack_plan(dict(found))
        self.games, self.device = games, default_device()
        luck = luck_of(seed, games)
        self._runner, self._numpy = self._new_runner(folder, self.plan, luck)
        self._indices = torch.arange(games, device=self.device)
        self.restart(seed)

    def _new_runner(self, folder: Path, plan: BatchPlan, luck: Numbers) -> tuple[Any, Any]:
        if self.device.type == "cuda":
            card = import_module("polyopolis.lab.gpu.cuda_batch")
            return card.CudaRunner(plan, luck, folder / CODE_FILE), card.load_cupy()
        return import_module("polyopolis.lab.batch").CpuRunner(plan, luck), numpy

    def restart(self, seed: int) -> None:
        """Restarts all games with random numbers from this seed."""
        self._tensor("luck").copy_(torch.from_numpy(luck_of(seed, self.games)[: self.games]))
        self._runner.run("begin")

    def snapshot(self) -> dict[str, Tensor]:
        """State of all games, for `restore`."""
        return {name: self._words(name).cpu().clone() for name in (*COPIED_COLUMNS, "luck")}

    def restore(self, games: dict[str, Tensor]) -> None:
        """Restores a snapshot."""
        for name, words in games.items():
            self._words(name).copy_(words)

    def _words(self, name: str) -> Tensor:
        return torch.from_dlpack(self._runner.own[name].view(numpy.int64))

    def _tensor(self, name: str) -> Tensor:
        return torch.from_dlpack(self._runner.own[name])[:, 0]

    def _array(self, tensor: Tensor, words: bool = False) -> Any:
        array = self._numpy.asarray(tensor)
        return array.view(numpy.uint64) if words else array

    def copies(self, owners: Tensor, luck: Tensor) -> "CityBatch":
        """Returns a batch with a copy of the city of each owner, with new random numbers."""
        other, card = copy(self), self.device.type == "cuda"
        other.games, other._indices = len(owners), torch.arange(len(owners), device=self.device)
        arrays = {}
        for name, array in self._runner.own.items():
            if name in COPIED_COLUMNS:
                numbers = self._words(name)
                made = numbers.T.index_select(1, owners) if card else numbers.index_select(0, owners)
            else:
                size = (array.shape[1], other.games) if card else (other.games, array.shape[1])
                made = torch.zeros(size, dtype=torch.int64, device=self.device)
            arrays[name] = self._numpy.asarray(made).view(array.dtype)
        other._runner = self._runner.with_columns(arrays) if card else self._runner.with_rows(arrays)
        other._tensor("luck").copy_(luck.view(torch.uint64))
        return other

    def choices(self) -> ChoiceTensors:
        self._runner.run("count")
        counts = self._tensor("counts")
        ends = counts.cumsum(0)
        total = int(ends[-1])
        self._tensor("ends").copy_(ends)

        def made(width: int) -> Tensor:
            return torch.empty((total, width), dtype=torch.int64, device=self.device)

        lengths = self.plan.choices
        number, seen, sight, points = (made(lengths[name]) for name in ("number", "seen", "sight", "points"))
        self._runner.run("spread", numbers=self._array(number[:, 0]))
        owners = torch.repeat_interleave(self._indices, counts, output_size=total)
        self._runner.run(
            "sight_of", owners=self._array(owners), number=self._array(number), seen=self._array(seen),
            sight=self._array(sight, words=True), points=self._array(points),
        )  # fmt: skip
        return ChoiceTensors(owners, number[:, 0], sight, points[:, 0].float(), ends - 1)

    def step(self, numbers: Tensor) -> tuple[Tensor, Tensor]:
        """Makes one choice in each city. Returns rewards and a mask of finished games, which are restarted."""
        self._runner.run("step", actions=self._array(numbers.reshape(-1, 1).contiguous()))
        return self._tensor("rewards").float(), self._tensor("overs").bool()


def fingerprint(folder: Path, games: int = 96, steps: int = 60) -> str:
    """Digest of the net inputs of games with choices by a fixed rule. It is the same on every machine."""
    cities, digest = CityBatch(folder, games, 5), sha256()
    for step in range(steps):
        choices = cities.choices()
        for column in choices:
            digest.update(column.to("cpu", torch.int64).contiguous().numpy().tobytes())
        firsts = torch.cat([choices.stops[:1] * 0, choices.stops[:-1] + 1])
        others = (choices.stops - firsts).clamp(min=1)
        cities.step(choices.numbers[firsts + (cities._indices * 7 + step) % others])
    return digest.hexdigest()
