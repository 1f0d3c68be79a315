"""Tuning, ladders and warming up: long work with a bar on a terminal, which goes on where it was stopped."""

import os
import sys
from collections.abc import Callable, Iterable
from pathlib import Path
from time import perf_counter

import typer
from rich.console import Console
from rich.progress import BarColumn, Progress, TextColumn, TimeRemainingColumn

from polyopolis.bots import feature_weights
from polyopolis.bots.levels import LEVELS
from polyopolis.bots.tournaments import ladder as ladders
from polyopolis.bots.tournaments import weight_tuning
from polyopolis.bots.tournaments.executors import Executor, local_executor
from polyopolis.bots.tournaments.ladder import Ladder
from polyopolis.cli.arguments import BadOption
from polyopolis.cli.phrases import say
from polyopolis.kernels import NOTICE
from polyopolis.kernels.warmup import warm_cities, warm_drafts


def notice(bots: Iterable[str] = LEVELS) -> None:
    """Says if levels are among these bots and kernels are slow here."""
    if NOTICE and not LEVELS.keys().isdisjoint(bots):
        print(f"polyopolis: {NOTICE}.", file=sys.stderr)


def bar() -> Progress:
    columns = TextColumn("{task.description}"), BarColumn(), TimeRemainingColumn()
    return Progress(*columns, console=Console(stderr=True), transient=True, disable=not sys.stderr.isatty())


def compile_kernels(with_laboratory: bool) -> str:
    """Compiles the kernels, each game in a process of its own, with a progress bar. Returns the sentence to print."""
    if NOTICE:
        return NOTICE
    start, tasks = perf_counter(), [warm_drafts, warm_cities]
    if with_laboratory:
        from polyopolis.lab.batch_warmup import warm_batches  # noqa: PLC0415 - only here, because it imports numpy

        tasks.append(warm_batches)
    with local_executor(min(len(tasks), os.cpu_count() or 1)) as hands, bar() as progress:
        for _ in progress.track(hands.each(_call, tasks), len(tasks), description=say("warm", "bar")):
            pass
    return say("warm", "done", seconds=f"{perf_counter() - start:.1f}")


def _call(task: Callable[[], None]) -> None:
    task()


def tune(key: str, part: str, effort: weight_tuning.TuningBudget, folder: Path, hands: Executor) -> None:
    """Tunes one part of a game or all of them, each for its share of the seconds, and writes the weights."""
    notice()
    parts = weight_tuning.grounds(key)
    if part and part not in parts:
        raise BadOption(f"--part {part}: {key} has no such part; there is {', '.join(parts)}")
    asked = f"--part {part} " if part else ""
    chosen = [part] if part else list(parts)
    share = weight_tuning.TuningBudget(effort.seconds / len(chosen), effort.seed)
    for name in chosen:
        cloud = _tuned(parts[name], share, folder, hands)
        command = f"polyopolis tune {key} {asked}--seconds {cloud.seconds * len(chosen):.0f} --seed {effort.seed}"
        made = weight_tuning.made(parts[name], cloud, effort.seed, command)
        typer.echo(f"{key} {name}: {made.figures}")
        path = feature_weights.folder() / f"{key}.toml"
        path.write_text(feature_weights.written({**feature_weights.read(key).parts, name: made}), "utf-8")
        feature_weights.read.cache_clear()


def _tuned(
    ground: weight_tuning.TuningTarget, effort: weight_tuning.TuningBudget, folder: Path, hands: Executor
) -> weight_tuning.SamplingDistribution:
    keep = folder / f"{ground.key}-{ground.part}.json"
    last = weight_tuning.resumed(keep, ground)
    with bar() as shown:
        task, start = shown.add_task(ground.part, total=effort.seconds), perf_counter()
        for cloud in weight_tuning.tune(ground, last, effort, keep, hands):
            said = say("tune", "generation", part=ground.part, n=cloud.generation, score=f"{cloud.score:.2f}")
            shown.update(task, completed=perf_counter() - start, description=said)
            last = cloud
    return last


def climbed(ladder: Ladder, hands: Executor, folder: Path) -> str:
    """The table of a ladder."""
    notice()
    games: list[ladders.Game] = []
    with bar() as shown:
        task = shown.add_task(ladder.game, total=len(ladder.tasks))
        for found in ladders.climb(ladder, hands, folder / ladder.file):
            games.append(found)
            shown.update(task, completed=len(games), description=f"{ladder.game} {' - '.join(found.levels)}")
    return ladders.table(ladder, games)


def put(path: Path, ladder: Ladder, table: str) -> None:
    """Writes a ladder into a document."""
    path.write_text(ladders.put(path.read_text("utf-8"), ladder, table), "utf-8")


def document(folder: Path, key: str) -> Path:
    """The document of a game, which is there before anybody plays for hours."""
    path = folder / f"{key}.md"
    if not path.exists():
        raise BadOption(f"there is no document {path} to write the ladder into")
    return path
