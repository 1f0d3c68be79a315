"""Many cities at once as tensors: all choices of each with what a net sees of them, and a step with what was chosen."""

from copy import copy
from hashlib import sha256
from importlib import import_module
from pathlib import Path
from typing import Any, NamedTuple

import numpy
import torch
from torch import Tensor

from polyopolis.lab.batch_plan import Numbers, Plan, unpacked
from polyopolis.train.checkpoints import CODE, PLAN

KEPT = ("city", "book", "desk")
"""What a copy of a city needs."""


class Choices(NamedTuple):
    """All choices of all cities, one city after the other; to stop is the last of each."""

    owners: Tensor
    numbers: Tensor
    sight: Tensor
    points: Tensor
    stops: Tensor


def device_here() -> torch.device:
    return torch.device("cuda" if torch.cuda.is_available() else "cpu")


def luck_of(seed: int, games: int) -> Numbers:
    return numpy.random.default_rng(seed).integers(0, 2**64, 2 * games, dtype=numpy.uint64)


class Field:
    """Cities on a card or on one core, wherever torch is."""

    def __init__(self, folder: Path, games: int, seed: int) -> None:
        with numpy.load(folder / PLAN) as found:
            self.plan = unpacked(dict(found))
        self.games, self.device = games, device_here()
        luck = luck_of(seed, games)
        self._runner, self._numpy = self._laid_out(folder, self.plan, luck)
        self._all = torch.arange(games, device=self.device)
        self.begin(seed)

    def _laid_out(self, folder: Path, plan: Plan, luck: Numbers) -> tuple[Any, Any]:
        if self.device.type == "cuda":
            card = import_module("polyopolis.lab.gpu.cuda_batch")
            return card.Columns(plan, luck, folder / CODE), card.cupy()
        return import_module("polyopolis.lab.batch").Rows(plan, luck), numpy

    def begin(self, seed: int) -> None:
        """All games anew, with the luck of this seed."""
        self._tensor("luck").copy_(torch.from_numpy(luck_of(seed, self.games)[: self.games]))
        self._runner.run("begin")

    def kept(self) -> dict[str, Tensor]:
        """All games as they are, to go on with."""
        return {name: self._words(name).cpu().clone() for name in (*KEPT, "luck")}

    def put(self, games: dict[str, Tensor]) -> None:
        """Games that were kept."""
        for name, words in games.items():
            self._words(name).copy_(words)

    def _words(self, name: str) -> Tensor:
        return torch.from_dlpack(self._runner.own[name].view(numpy.int64))

    def _tensor(self, name: str) -> Tensor:
        return torch.from_dlpack(self._runner.own[name])[:, 0]

    def _array(self, tensor: Tensor, words: bool = False) -> Any:
        array = self._numpy.asarray(tensor)
        return array.view(numpy.uint64) if words else array

    def copied(self, owners: Tensor, luck: Tensor) -> "Field":
        """As many cities as there are owners, each like its owner's, with luck of its own to come."""
        other, card = copy(self), self.device.type == "cuda"
        other.games, other._all = len(owners), torch.arange(len(owners), device=self.device)
        arrays = {}
        for name, array in self._runner.own.items():
            if name in KEPT:
                numbers = self._words(name)
                made = numbers.T.index_select(1, owners) if card else numbers.index_select(0, owners)
            else:
                size = (array.shape[1], other.games) if card else (other.games, array.shape[1])
                made = torch.zeros(size, dtype=torch.int64, device=self.device)
            arrays[name] = self._numpy.asarray(made).view(array.dtype)
        other._runner = self._runner.with_columns(arrays) if card else self._runner.with_rows(arrays)
        other._tensor("luck").copy_(luck.view(torch.uint64))
        return other

    def choices(self) -> Choices:
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
        owners = torch.repeat_interleave(self._all, counts, output_size=total)
        self._runner.run(
            "sight_of", owners=self._array(owners), number=self._array(number), seen=self._array(seen),
            sight=self._array(sight, words=True), points=self._array(points),
        )  # fmt: skip
        return Choices(owners, number[:, 0], sight, points[:, 0].float(), ends - 1)

    def step(self, numbers: Tensor) -> tuple[Tensor, Tensor]:
        """Rewards, and which games were over: those begin again at once."""
        self._runner.run("step", actions=self._array(numbers.reshape(-1, 1).contiguous()))
        return self._tensor("rewards").float(), self._tensor("overs").bool()


def fingerprint(folder: Path, games: int = 96, steps: int = 60) -> str:
    """A digest of all that is seen in so many games, with choices by a rule: the same on every machine."""
    field, digest = Field(folder, games, 5), sha256()
    for step in range(steps):
        choices = field.choices()
        for column in choices:
            digest.update(column.to("cpu", torch.int64).contiguous().numpy().tobytes())
        firsts = torch.cat([choices.stops[:1] * 0, choices.stops[:-1] + 1])
        others = (choices.stops - firsts).clamp(min=1)
        field.step(choices.numbers[firsts + (field._all * 7 + step) % others])
    return digest.hexdigest()
