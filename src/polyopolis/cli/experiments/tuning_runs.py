"""`tune`: tunes the weights of the evaluation functions. A run continues where it was stopped."""

# ruff: noqa: PLR0913, PLR0917 - the options of a command are the parameters of its function

from pathlib import Path
from time import perf_counter
from typing import Annotated

import typer

from polyopolis.bots import feature_weights
from polyopolis.bots.tournaments import weight_tuning
from polyopolis.bots.tournaments.executors import Executor
from polyopolis.bots.tournaments.weight_tuning import SamplingDistribution, TuningBudget, TuningTarget
from polyopolis.cli.arguments import BadOption, GameKey, Jobs, Ray, Seed, executor_for
from polyopolis.cli.console import long_progress_bar, warn_if_slow
from polyopolis.cli.phrases import phrase
from polyopolis.games import game


def tune(
    key: GameKey,
    seconds: Annotated[float, typer.Option(min=1, help="Time for all parts together.")] = 300.0,
    part: Annotated[str, typer.Option(metavar="NAME", help="One part, such as episode-3; default: all.")] = "",
    seed: Seed = "tune",
    jobs: Jobs = 1,
    ray: Ray = "",
    data: Annotated[Path, typer.Option(metavar="DIR", help="Folder for checkpoints.")] = Path("data/tune"),
) -> None:
    """Tune the evaluation weights of the bots by cross-entropy.

    Writes the weights file of the game. An interrupted run continues from its checkpoint.
    """
    key = game(key).key
    with executor_for(jobs, ray) as executor:
        warn_if_slow()
        targets = weight_tuning.tuning_targets(key)
        if part and part not in targets:
            raise BadOption(f"--part {part}: {key} has no such part; choose from {', '.join(targets)}")
        option = f"--part {part} " if part else ""
        chosen = [part] if part else list(targets)
        budget = TuningBudget(seconds / len(chosen), seed)
        for name in chosen:
            tuned = _tune(targets[name], budget, data, executor)
            command = f"polyopolis tune {key} {option}--seconds {tuned.seconds * len(chosen):.0f} --seed {seed}"
            weights = weight_tuning.tuned_weights(targets[name], tuned, seed, command)
            typer.echo(f"{key} {name}: {weights.figures}")
            path = feature_weights.weights_folder() / f"{key}.toml"
            path.write_text(
                feature_weights.format_weights({**feature_weights.read_weights(key).parts, name: weights}), "utf-8"
            )
            feature_weights.read_weights.cache_clear()


def _tune(target: TuningTarget, budget: TuningBudget, folder: Path, executor: Executor) -> SamplingDistribution:
    checkpoint = folder / f"{target.key}-{target.part}.json"
    last = weight_tuning.resume_tuning(checkpoint, target)
    with long_progress_bar() as progress:
        task, start = progress.add_task(target.part, total=budget.seconds), perf_counter()
        for tuned in weight_tuning.tune(target, last, budget, checkpoint, executor):
            line = phrase("tune", "generation", part=target.part, n=tuned.generation, score=f"{tuned.score:.2f}")
            progress.update(task, completed=perf_counter() - start, description=line)
            last = tuned
    return last
