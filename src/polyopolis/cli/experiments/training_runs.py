"""`train`: trains a net for the eternal game of My City, and patterns for episodes."""

# ruff: noqa: PLR0913, PLR0917 - the options of a command are the parameters of its function

from collections.abc import Sequence
from importlib import import_module
from pathlib import Path
from typing import Annotated, Any, NamedTuple

import typer

from polyopolis.cli.arguments import BadOption, GameKey
from polyopolis.cli.console import long_progress_bar
from polyopolis.cli.phrases import phrase
from polyopolis.engine import PolyopolisError
from polyopolis.games import GAME_SPECS, game
from polyopolis.kernels import FAST
from polyopolis.train.checkpoints import NET_KINDS, PLAN_FILE, WEIGHTS_FILE
from polyopolis.train.episode_courses import CourseState, EpisodeCourseRunner
from polyopolis.train.pattern_training import PatternCourse, episodes_of

ETERNAL, EVERY_EPISODE = "eternal", "episodes"
NET_ENVIRONMENTS = {"mycity": "mycity-eternal-v0"}
"""Environment id (docs/lab.md) of the eternal game for which a net is trained, by game."""
UNTRAINABLE_GAMES = ("pointcity",)
"""Games whose search no trained evaluation has improved."""


class NoTraining(PolyopolisError):
    """Training is not possible on this machine or for this game."""


class TrainingBudget(NamedTuple):
    """Time and seed of a training run."""

    minutes: float
    seed: int


def train(
    key: GameKey,
    part: Annotated[
        str,
        typer.Option(metavar="NAME", help="eternal, episodes, or one episode such as episode-3; default: the first."),
    ] = "",
    minutes: Annotated[float, typer.Option(min=0.01, help="Time for all episodes together.")] = 10.0,
    seed: Annotated[int, typer.Option(help="Seed of the training games.")] = 1,
    data: Annotated[Path, typer.Option(metavar="DIR", help="Folder for checkpoints and reports.")] = Path("data/train"),
    net: Annotated[
        str, typer.Option(metavar="KIND", help="deep, or slim, which the kernels can evaluate; default: deep.")
    ] = "",
    name: Annotated[str, typer.Option(help="Folder of the net; default: its kind.")] = "",
    teacher: Annotated[str, typer.Option(metavar="NAME", help="Net to learn from instead of self-play.")] = "",
    begun_with: Annotated[str, typer.Option(metavar="NAME", help="Net whose weights the training starts with.")] = "",
    games: Annotated[
        int | None, typer.Option(min=1, help="Number of games that a net plays in parallel; default: 8192.")
    ] = None,
) -> None:
    """Train an evaluation by self-play.

    eternal trains a net, on a GPU if there is one; episodes train patterns, on one core. An interrupted run continues
    from its checkpoint. --net and the options after it are for nets.
    """
    options = {"net": net, "name": name, "teacher": teacher, "begun_with": begun_with, "games": games}
    net_options = {option: value for option, value in options.items() if value}
    key, budget = game(key).key, TrainingBudget(minutes, seed)
    chosen = _chosen_part(key, part)
    if chosen == ETERNAL:
        _train_net(key, budget, data, {"net": NET_KINDS[0], **net_options})
    elif net_options:
        named = ", ".join(f"--{option.replace('_', '-')}" for option in net_options)
        raise BadOption(f"{named}: only for nets; {key} {chosen} trains patterns")
    else:
        _train_patterns(
            key, episodes_of(key) if chosen == EVERY_EPISODE else (int(chosen.split("-")[1]),), budget, data
        )


def trainable_parts(key: str) -> list[str]:
    """Returns the parts of a game that can be trained, the default first."""
    episodes = [f"episode-{number}" for number in episodes_of(key)]
    return [*([ETERNAL] if key in NET_ENVIRONMENTS else []), *([EVERY_EPISODE] if episodes else []), *episodes]


def _chosen_part(key: str, part: str) -> str:
    known = trainable_parts(key)
    if key in UNTRAINABLE_GAMES:
        raise NoTraining(
            f"training has not improved the search of {key} (docs/training.md); "
            f"`polyopolis tune {key}` tunes its weights"
        )
    if not known:
        raise NoTraining(f"{key} cannot be trained; choose from {', '.join(filter(trainable_parts, GAME_SPECS))}")
    if part and part not in known:
        raise BadOption(f"--part {part}: {key} has no such part to train; choose from {', '.join(known)}")
    return part or known[0]


def _train_patterns(key: str, numbers: Sequence[int], budget: TrainingBudget, folder: Path) -> None:
    """Trains the patterns of each episode for an equal share of the time."""
    if not FAST:
        raise NoTraining("training needs numba: install polyopolis[fast]")
    course = PatternCourse(60 * budget.minutes / len(numbers), budget.seed)
    for number in numbers:
        _run_course(EpisodeCourseRunner(key, number, course, folder))


def _run_course(runner: EpisodeCourseRunner) -> None:
    about = {"part": f"{runner.state.game} episode-{runner.state.episode}", "total": f"{runner.seconds:.0f}"}
    if runner.over:
        typer.echo(phrase("train", "already", **about, **_statistics(runner.state)))
        return
    if runner.restarted:
        typer.echo(phrase("train", "anew", **about))
    _show_progress(runner, about)
    typer.echo(phrase("train", "done", **about, **_statistics(runner.state)))


def _show_progress(runner: EpisodeCourseRunner, about: dict[str, str]) -> None:
    """Runs the course with a progress bar, or with a line for each measurement if stderr is not a terminal."""
    with long_progress_bar() as progress:
        task, printed = progress.add_task(about["part"], total=runner.seconds), len(runner.state.curve)
        for state in runner.run():
            line = phrase("train", "point", **about, **_statistics(state)) if state.curve else about["part"]
            progress.update(task, completed=state.seconds, description=line)
            if progress.disable and len(state.curve) > printed:
                typer.echo(line)
            printed = len(state.curve)


def _statistics(state: CourseState) -> dict[str, str]:
    point = state.points[-1]
    score = f"{point.score:.2f} ± {point.within:.2f}"
    return {"seconds": f"{state.seconds:.0f}", "games": f"{state.games:,}", "score": score, "figures": state.figures}


def _train_net(key: str, budget: TrainingBudget, folder: Path, options: dict[str, Any]) -> None:
    """Trains a net in the folder of its name. The nets of `teacher` and `begun_with` are in folders beside it."""
    if options["net"] not in NET_KINDS:
        raise NoTraining(f"there is no net {options['net']!r}; choose {' or '.join(NET_KINDS)}")
    name = options.pop("name", options["net"])
    for option in options.keys() & {"teacher", "begun_with"}:
        other = folder / options[option]
        if not (other / WEIGHTS_FILE).exists():
            raise NoTraining(f"there is no trained net in {other}")
        if other == folder / name:
            raise BadOption(f"a net that learns from {name} needs another --name, because it would overwrite {name}")
        options[option] = str(other)
    try:
        training = import_module("polyopolis.train.net_training")
    except ImportError as error:
        raise NoTraining("training needs torch: install polyopolis[train]") from error
    prepared = folder / "prepared"
    if not (prepared / PLAN_FILE).exists():
        import_module("polyopolis.train.gpu_bundle").prepare(prepared, NET_ENVIRONMENTS[key])
    training.NetTrainer(prepared, folder / name, training.NetCourse(**options, **budget._asdict())).run()
