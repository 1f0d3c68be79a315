"""A net learns: from games against luck, or from what a teacher says of all choices."""

import copy
import json
import math
import time
from dataclasses import asdict, dataclass, field
from io import BytesIO
from pathlib import Path
from typing import Any, NamedTuple

import torch
from torch import Tensor, nn
from torch.nn import functional

from polyopolis.confidence_intervals import t_quantile
from polyopolis.train.checkpoints import CURVE_SEED, LAST_SEED, REPORT, STATE, WEIGHTS, keep
from polyopolis.train.city_tensors import Choices, Field, fingerprint
from polyopolis.train.net_games import Decided, Judge, decided, final_scores, games_on
from polyopolis.train.net_models import SCALE, Bits, net_of


@dataclass
class Course:
    """How a net learns."""

    net: str
    minutes: float
    games: int = 8192
    length: int = 32
    """Decisions in every game before the net learns from them."""
    batch: int = 8192
    reuse: float = 5.0
    """How often a city is learnt from."""
    kept: int = 12
    """Rounds of which cities are kept."""
    mix: float = 0.75
    """Lambda: how much what came of a city counts beside what the net said next."""
    rate: float = 1e-3
    last_rate: float = 2e-5
    average: float = 0.999
    """How slowly the averaged weights, which play, follow."""
    every: float = 30.0
    """Seconds between two measurements."""
    measured: int = 4096
    finally_measured: int = 16384
    seed: int = 1
    begun_with: str = ""
    teacher: str = ""
    share: float = 0.3
    """Of all choices, how many a pupil learns from."""


@dataclass
class Report:
    course: dict[str, Any]
    device: str
    weights: int
    seconds: float = 0.0
    games: int = 0
    steps: int = 0
    evaluated: int = 0
    spent: dict[str, float] = field(default_factory=dict)
    curve: list[dict[str, float]] = field(default_factory=list)


class NetTrainingBatch(NamedTuple):
    """What is learnt from: what is seen, and what is to be said of it."""

    sight: Tensor
    goal: Tensor


class Learner:
    """A net, its averaged weights and their copy in half precision, and a course that it goes through."""

    def __init__(self, prepared: Path, out: Path, course: Course) -> None:
        torch.manual_seed(course.seed)
        torch.backends.cuda.matmul.allow_tf32 = True
        self.course, self._out = course, out
        self.field = Field(prepared, course.games, course.seed)
        self._measuring = Field(prepared, course.measured, CURVE_SEED)
        self._finally = Field(prepared, course.finally_measured, LAST_SEED)
        device, words = self.field.device, self.field.plan.choices["sight"]
        self._card, self._bits = device.type == "cuda", Bits(device)
        self.net = net_of(course.net, words).to(device)
        if course.begun_with:
            self.net.load_state_dict(read(Path(course.begun_with), device))
        self._mean = copy.deepcopy(self.net)
        self._half = copy.deepcopy(self.net).to(self._bits.kind)
        self.judge = Judge(self._half, self._bits)
        self._adam = torch.optim.Adam(self.net.parameters(), lr=course.rate, fused=self._card)
        self.teacher: Judge | None = None
        if course.teacher:
            self.teacher = learnt(Path(course.teacher), self.field, self._bits)
        name = torch.cuda.get_device_name() if self._card else "one core"
        self.report = Report(asdict(course), name, sum(part.numel() for part in self.net.parameters()))
        self._version = fingerprint(prepared)
        self._resume()
        self._begun = time.perf_counter()

    @property
    def _seconds(self) -> float:
        """Those of earlier, too."""
        return self._before + time.perf_counter() - self._begun

    @property
    def _part(self) -> float:
        return min(self._seconds / (60 * self.course.minutes), 1.0)

    @property
    def _over(self) -> bool:
        return self._done and self._part >= 1

    def _resume(self) -> None:
        """Where the same course stopped: only the cities to learn from are gathered anew."""
        self._before, self._done, path = 0.0, False, self._out / STATE
        if not path.exists():
            return
        kept = torch.load(path, map_location=self.field.device, weights_only=True)
        course = {**kept["report"]["course"], "minutes": self.course.minutes}
        if (kept["version"], course) != (self._version, asdict(self.course)):
            print("begun anew: what was kept had other features, or was asked for otherwise", flush=True)
            return
        self.report = Report(**{**kept["report"], "course": asdict(self.course)})
        self._before, self._done = kept["seconds"], kept["done"]
        for part, name in ((self.net, "net"), (self._mean, "mean"), (self._half, "mean"), (self._adam, "adam")):
            part.load_state_dict(kept[name])
        self.field.put(kept["field"])
        torch.set_rng_state(kept["luck"].cpu())
        if self._card and kept["card"] is not None:
            torch.cuda.set_rng_state(kept["card"].cpu())

    def _keep(self) -> None:
        """Weights and a report as they are read elsewhere, and all that the course goes on with."""
        parts = {"net": self.net, "mean": self._mean, "adam": self._adam}
        state = {name: part.state_dict() for name, part in parts.items()}
        luck = {"luck": torch.get_rng_state(), "card": torch.cuda.get_rng_state() if self._card else None}
        told = {"report": asdict(self.report), "seconds": self._seconds, "done": self._done, "version": self._version}
        weights = {name: part.half().cpu() for name, part in self._mean.state_dict().items()}
        keep(self._out / STATE, _bytes({**state, **luck, **told, "field": self.field.kept()}))
        keep(self._out / WEIGHTS, _bytes(weights))
        keep(self._out / REPORT, json.dumps(asdict(self.report), indent=1).encode())

    def _timed(self, what: str, since: float) -> None:
        if self._card:
            torch.cuda.synchronize()
        self.report.spent[what] = self.report.spent.get(what, 0.0) + time.perf_counter() - since

    def go(self) -> None:
        """What is left of the course, with a measurement and all of it on disk every now and then."""
        self._begun = time.perf_counter()
        if self._over:
            print(f"{self.course.net} has learnt for {self._before:.1f} s already", flush=True)
            return
        if self._done:
            self._done, self.report.curve = False, self.report.curve[:-1]
        measured, kept = self._before if self.report.curve else -1e9, list[NetTrainingBatch]()
        while self._part < 1:
            if self._seconds - measured > self.course.every:
                measured = self._seconds
                self._measure(self._measuring, CURVE_SEED)
            start = time.perf_counter()
            fresh = self._played() if self.teacher is None else self._shown(self.teacher)
            kept = [*kept, fresh][-self.course.kept :]
            self._timed("play", start)
            start = time.perf_counter()
            self._learn(kept, len(fresh.sight))
            self._timed("learn", start)
        self._done = True
        self._measure(self._finally, LAST_SEED)

    def _noise(self) -> Tensor:
        """Half of the cities do what is best; the others try something else now and then."""
        luck = torch.rand(self.course.games, device=self.field.device)
        return torch.where(luck < 0.5, 0.0, torch.where(luck < 0.8, 0.3, 0.8))

    def _played(self) -> NetTrainingBatch:
        samples, games, evaluated = games_on(
            self.field, self.judge, self.course.length, self._noise(), self.course.mix
        )  # fmt: skip
        self.report.games += games
        self.report.evaluated += evaluated
        return NetTrainingBatch(samples.sight, (samples.worth - samples.points) / SCALE)

    @torch.no_grad()
    def _shown(self, teacher: Judge) -> NetTrainingBatch:
        """Choices of games by the pupil and by the teacher in turn, close ones above all, and what the teacher says."""
        noise, sights, goals = self._noise(), [], []
        for number in range(self.course.length):
            choices = self.field.choices()
            gains = teacher.gains(choices.sight)
            values = choices.points + SCALE * gains
            values[choices.stops] = choices.points[choices.stops]
            found = decided(choices, values, self.field.games, noise)
            pick = self._picked(choices, values, found)
            sights.append(choices.sight[pick])
            goals.append(gains[pick])
            if number % 2:
                found = decided(choices, self.judge(choices), self.field.games, noise)
            _, overs = self.field.step(choices.numbers[found.which])
            self.report.games += int(overs.sum())
            self.report.evaluated += len(choices.owners)
        return NetTrainingBatch(torch.cat(sights), torch.cat(goals))

    def _picked(self, choices: Choices, values: Tensor, found: Decided) -> Tensor:
        behind = found.most[choices.owners] - values
        chance = torch.where(behind < 1.5, 2 * self.course.share, 0.5 * self.course.share)
        chance[choices.stops] = 0
        return (torch.rand(len(values), device=values.device) < chance).nonzero().squeeze(1)

    def _learn(self, kept: list[NetTrainingBatch], fresh: int) -> None:
        course = self.course
        sight, goal = (torch.cat(column) for column in zip(*kept, strict=True))
        width = 0.5 if self.teacher is None else 0.1
        rate = course.last_rate + (course.rate - course.last_rate) * 0.5 * (1 + math.cos(math.pi * self._part))
        for _ in range(max(1, int(course.reuse * fresh / course.batch))):
            for group in self._adam.param_groups:
                group["lr"] = rate * min(1.0, (self.report.steps + 1) / 200)
            pick = torch.randint(len(sight), (course.batch,), device=sight.device)
            with torch.autocast("cuda", torch.bfloat16, enabled=self._card):
                said = self.net(self._bits(sight[pick]))
            loss = functional.smooth_l1_loss(said.float(), goal[pick], beta=width)
            self._adam.zero_grad(set_to_none=True)
            loss.backward()
            nn.utils.clip_grad_norm_(self.net.parameters(), 1.0)
            self._adam.step()
            self.report.steps += 1
            slowly = min(course.average, self.report.steps / (20 + self.report.steps))
            with torch.no_grad():
                torch._foreach_lerp_(list(self._mean.parameters()), list(self.net.parameters()), 1 - slowly)
        with torch.no_grad():
            for half, mean in zip(self._half.parameters(), self._mean.parameters(), strict=True):
                half.copy_(mean)

    def _measure(self, measuring: Field, seed: int) -> None:
        start = time.perf_counter()
        scores = final_scores(measuring, self.judge, seed)
        mean, decks = float(scores.mean()), len(scores)
        within = t_quantile(decks - 1) * float(scores.std()) / math.sqrt(decks)
        self._timed("measure", start)
        report = self.report
        report.seconds = round(self._seconds, 1)
        point = {"seconds": report.seconds, "games": report.games, "steps": report.steps, "decks": decks}
        report.curve.append({**point, "score": round(mean, 3), "within": round(within, 3)})
        spent = ", ".join(f"{what} {seconds:.0f} s" for what, seconds in report.spent.items())
        speed = report.evaluated / max(report.spent.get("play", 0.0), 1e-9) / 1e6
        print(
            f"{self.course.net} {report.seconds:6.1f} s {report.games:9,} games {report.steps:7,} steps  "
            f"{mean:6.2f} ± {within:.2f}   {spent}, {speed:.2f} million choices/s",
            flush=True,
        )
        self._keep()


def _bytes(what: dict[str, Any]) -> bytes:
    file = BytesIO()
    torch.save(what, file)
    return file.getvalue()


def learnt(folder: Path, field: Field, bits: Bits) -> Judge:
    """A net that has learnt, whatever its kind."""
    kind = json.loads((folder / REPORT).read_text())["course"]["net"]
    net = net_of(kind, field.plan.choices["sight"]).to(field.device)
    net.load_state_dict(read(folder, field.device))
    return Judge(net.to(bits.kind), bits)


def read(folder: Path, device: torch.device) -> dict[str, Tensor]:
    """Weights as they were kept, in single precision."""
    found = torch.load(folder / WEIGHTS, map_location=device, weights_only=True)
    return {name: part.float() for name, part in found.items()}
