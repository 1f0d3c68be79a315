"""Training loop of nets: by self-play, or from the values of a teacher. Resumable."""

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
from polyopolis.train.checkpoints import CURVE_SEED, FINAL_SEED, REPORT_FILE, STATE_FILE, WEIGHTS_FILE, write_atomically
from polyopolis.train.city_tensors import ChoiceTensors, CityBatch, fingerprint
from polyopolis.train.net_games import NetEvaluator, SelectedChoices, final_scores, play_games, select_choices
from polyopolis.train.net_models import POINTS_PER_UNIT, BitUnpacker, net_of


@dataclass
class NetCourse:
    """Settings of the training of a net."""

    net: str
    minutes: float
    games: int = 8192
    length: int = 32
    """Decisions in every game between two training phases."""
    batch: int = 8192
    reuse: float = 5.0
    """Mean number of times that a sample is used."""
    kept: int = 12
    """Number of rounds whose samples are kept."""
    mix: float = 0.75
    """Lambda of the TD returns: weight of the later return against the net's next value."""
    rate: float = 1e-3
    last_rate: float = 2e-5
    average: float = 0.999
    """Decay of the exponential moving average of the weights, which is used to play."""
    every: float = 30.0
    """Seconds between two measurements."""
    measured: int = 4096
    finally_measured: int = 16384
    seed: int = 1
    begun_with: str = ""
    teacher: str = ""
    share: float = 0.3
    """Share of choices that are used as samples when training from a teacher."""


@dataclass
class NetTrainingReport:
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
    """Samples: net inputs and target values."""

    sight: Tensor
    goal: Tensor


class NetTrainer:
    """Trains a net. Keeps its averaged weights, and a copy of those in half precision to play with."""

    def __init__(self, prepared: Path, out: Path, course: NetCourse) -> None:
        torch.manual_seed(course.seed)
        torch.backends.cuda.matmul.allow_tf32 = True
        self.course, self._out = course, out
        self.cities = CityBatch(prepared, course.games, course.seed)
        self._curve_cities = CityBatch(prepared, course.measured, CURVE_SEED)
        self._final_cities = CityBatch(prepared, course.finally_measured, FINAL_SEED)
        device, words = self.cities.device, self.cities.plan.choices["sight"]
        self._on_gpu, self._bits = device.type == "cuda", BitUnpacker(device)
        self.net = net_of(course.net, words).to(device)
        if course.begun_with:
            self.net.load_state_dict(load_weights(Path(course.begun_with), device))
        self._mean = copy.deepcopy(self.net)
        self._half = copy.deepcopy(self.net).to(self._bits.kind)
        self.evaluator = NetEvaluator(self._half, self._bits)
        self._adam = torch.optim.Adam(self.net.parameters(), lr=course.rate, fused=self._on_gpu)
        self.teacher: NetEvaluator | None = None
        if course.teacher:
            self.teacher = load_evaluator(Path(course.teacher), self.cities, self._bits)
        name = torch.cuda.get_device_name() if self._on_gpu else "one core"
        self.report = NetTrainingReport(asdict(course), name, sum(part.numel() for part in self.net.parameters()))
        self._version = fingerprint(prepared)
        self._resume()
        self._started = time.perf_counter()

    @property
    def _seconds(self) -> float:
        """Training time including earlier runs."""
        return self._earlier_seconds + time.perf_counter() - self._started

    @property
    def _progress(self) -> float:
        return min(self._seconds / (60 * self.course.minutes), 1.0)

    @property
    def _finished(self) -> bool:
        return self._done and self._progress >= 1

    def _resume(self) -> None:
        """Loads the checkpoint if it has the same settings and features. The samples are not stored and are collected
        again."""
        self._earlier_seconds, self._done, path = 0.0, False, self._out / STATE_FILE
        if not path.exists():
            return
        kept = torch.load(path, map_location=self.cities.device, weights_only=True)
        course = {**kept["report"]["course"], "minutes": self.course.minutes}
        if (kept["version"], course) != (self._version, asdict(self.course)):
            print("starting from scratch: the stored course has other features or settings", flush=True)
            return
        self.report = NetTrainingReport(**{**kept["report"], "course": asdict(self.course)})
        self._earlier_seconds, self._done = kept["seconds"], kept["done"]
        for part, name in ((self.net, "net"), (self._mean, "mean"), (self._half, "mean"), (self._adam, "adam")):
            part.load_state_dict(kept[name])
        self.cities.restore(kept["field"])
        torch.set_rng_state(kept["luck"].cpu())
        if self._on_gpu and kept["card"] is not None:
            torch.cuda.set_rng_state(kept["card"].cpu())

    def _save(self) -> None:
        """Writes weights and report, and a checkpoint to resume from."""
        parts = {"net": self.net, "mean": self._mean, "adam": self._adam}
        state = {name: part.state_dict() for name, part in parts.items()}
        luck = {"luck": torch.get_rng_state(), "card": torch.cuda.get_rng_state() if self._on_gpu else None}
        progress = {
            "report": asdict(self.report),
            "seconds": self._seconds,
            "done": self._done,
            "version": self._version,
        }
        weights = {name: part.half().cpu() for name, part in self._mean.state_dict().items()}
        write_atomically(self._out / STATE_FILE, _bytes({**state, **luck, **progress, "field": self.cities.snapshot()}))
        write_atomically(self._out / WEIGHTS_FILE, _bytes(weights))
        write_atomically(self._out / REPORT_FILE, json.dumps(asdict(self.report), indent=1).encode())

    def _add_time(self, what: str, since: float) -> None:
        if self._on_gpu:
            torch.cuda.synchronize()
        self.report.spent[what] = self.report.spent.get(what, 0.0) + time.perf_counter() - since

    def run(self) -> None:
        """Runs the rest of the course, with a measurement and a checkpoint every `course.every` seconds."""
        self._started = time.perf_counter()
        if self._finished:
            print(f"{self.course.net} was already trained for {self._earlier_seconds:.1f} s", flush=True)
            return
        if self._done:
            self._done, self.report.curve = False, self.report.curve[:-1]
        measured, kept = self._earlier_seconds if self.report.curve else -1e9, list[NetTrainingBatch]()
        while self._progress < 1:
            if self._seconds - measured > self.course.every:
                measured = self._seconds
                self._measure(self._curve_cities, CURVE_SEED)
            start = time.perf_counter()
            fresh = self._self_play_batch() if self.teacher is None else self._teacher_batch(self.teacher)
            kept = [*kept, fresh][-self.course.kept :]
            self._add_time("play", start)
            start = time.perf_counter()
            self._train(kept, len(fresh.sight))
            self._add_time("learn", start)
        self._done = True
        self._measure(self._final_cities, FINAL_SEED)

    def _noise(self) -> Tensor:
        """Exploration noise by city: none in half of the cities, small in 30 %, large in 20 %."""
        luck = torch.rand(self.course.games, device=self.cities.device)
        return torch.where(luck < 0.5, 0.0, torch.where(luck < 0.8, 0.3, 0.8))

    def _self_play_batch(self) -> NetTrainingBatch:
        samples, games, evaluated = play_games(
            self.cities, self.evaluator, self.course.length, self._noise(), self.course.mix
        )  # fmt: skip
        self.report.games += games
        self.report.evaluated += evaluated
        return NetTrainingBatch(samples.sight, (samples.worth - samples.points) / POINTS_PER_UNIT)

    @torch.no_grad()
    def _teacher_batch(self, teacher: NetEvaluator) -> NetTrainingBatch:
        """Samples with values of the teacher, preferring close choices. Pupil and teacher choose in turn."""
        noise, sights, goals = self._noise(), [], []
        for number in range(self.course.length):
            choices = self.cities.choices()
            gains = teacher.gains(choices.sight)
            values = choices.points + POINTS_PER_UNIT * gains
            values[choices.stops] = choices.points[choices.stops]
            found = select_choices(choices, values, self.cities.games, noise)
            pick = self._sampled(choices, values, found)
            sights.append(choices.sight[pick])
            goals.append(gains[pick])
            if number % 2:
                found = select_choices(choices, self.evaluator(choices), self.cities.games, noise)
            _, overs = self.cities.step(choices.numbers[found.which])
            self.report.games += int(overs.sum())
            self.report.evaluated += len(choices.owners)
        return NetTrainingBatch(torch.cat(sights), torch.cat(goals))

    def _sampled(self, choices: ChoiceTensors, values: Tensor, found: SelectedChoices) -> Tensor:
        behind = found.most[choices.owners] - values
        chance = torch.where(behind < 1.5, 2 * self.course.share, 0.5 * self.course.share)
        chance[choices.stops] = 0
        return (torch.rand(len(values), device=values.device) < chance).nonzero().squeeze(1)

    def _train(self, kept: list[NetTrainingBatch], fresh: int) -> None:
        course = self.course
        sight, goal = (torch.cat(column) for column in zip(*kept, strict=True))
        width = 0.5 if self.teacher is None else 0.1
        rate = course.last_rate + (course.rate - course.last_rate) * 0.5 * (1 + math.cos(math.pi * self._progress))
        for _ in range(max(1, int(course.reuse * fresh / course.batch))):
            for group in self._adam.param_groups:
                group["lr"] = rate * min(1.0, (self.report.steps + 1) / 200)
            pick = torch.randint(len(sight), (course.batch,), device=sight.device)
            with torch.autocast("cuda", torch.bfloat16, enabled=self._on_gpu):
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

    def _measure(self, measuring: CityBatch, seed: int) -> None:
        start = time.perf_counter()
        scores = final_scores(measuring, self.evaluator, seed)
        mean, decks = float(scores.mean()), len(scores)
        within = t_quantile(decks - 1) * float(scores.std()) / math.sqrt(decks)
        self._add_time("measure", start)
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
        self._save()


def _bytes(what: dict[str, Any]) -> bytes:
    file = BytesIO()
    torch.save(what, file)
    return file.getvalue()


def load_evaluator(folder: Path, cities: CityBatch, bits: BitUnpacker) -> NetEvaluator:
    """Loads a trained net of any kind."""
    kind = json.loads((folder / REPORT_FILE).read_text())["course"]["net"]
    net = net_of(kind, cities.plan.choices["sight"]).to(cities.device)
    net.load_state_dict(load_weights(folder, cities.device))
    return NetEvaluator(net.to(bits.kind), bits)


def load_weights(folder: Path, device: torch.device) -> dict[str, Tensor]:
    """Loads stored weights in single precision."""
    found = torch.load(folder / WEIGHTS_FILE, map_location=device, weights_only=True)
    return {name: part.float() for name, part in found.items()}
