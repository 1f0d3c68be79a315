"""Training, of what is best learnt of each game: a net of the eternal game, on whatever is here; patterns of each
episode, on one core."""

from collections.abc import Sequence
from importlib import import_module
from pathlib import Path
from typing import Any, NamedTuple

import typer

from polyopolis.cli.arguments import BadOption
from polyopolis.cli.experiments.strength_runs import bar
from polyopolis.cli.phrases import say
from polyopolis.engine import PolyopolisError
from polyopolis.games import GAME_SPECS
from polyopolis.kernels import FAST
from polyopolis.train.checkpoints import KINDS, PLAN, WEIGHTS
from polyopolis.train.episode_courses import EpisodeCourseRunner, Kept
from polyopolis.train.pattern_training import Course, episodes_of

ETERNAL, EVERY_EPISODE = "eternal", "episodes"
NETS = {"mycity": "mycity-eternal-v0"}
"""Whose eternal game a net learns, by what the laboratory calls it."""
IN_VAIN = ("pointcity",)
"""Where what was learnt made no search better."""


class NoTraining(PolyopolisError):
    """Nothing can be learnt here, or of this."""


class Effort(NamedTuple):
    """How long to train, and with which luck."""

    minutes: float
    seed: int


def train(key: str, part: str, effort: Effort, folder: Path, of_nets: dict[str, Any]) -> None:
    """One part of a game, or all its episodes, each for its share of the minutes; with the options that nets have."""
    chosen = _chosen(key, part)
    if chosen == ETERNAL:
        _net(key, effort, folder, {"net": KINDS[0], **of_nets})
    elif of_nets:
        named = ", ".join(f"--{what.replace('_', '-')}" for what in of_nets)
        raise BadOption(f"{named}: only for nets; patterns are learnt of {key} {chosen}")
    else:
        _patterns(key, episodes_of(key) if chosen == EVERY_EPISODE else (int(chosen.split("-")[1]),), effort, folder)


def parts(key: str) -> list[str]:
    """What can be learnt of a game, first what is learnt if nothing is named."""
    episodes = [f"episode-{number}" for number in episodes_of(key)]
    return [*([ETERNAL] if key in NETS else []), *([EVERY_EPISODE] if episodes else []), *episodes]


def _chosen(key: str, part: str) -> str:
    known = parts(key)
    if key in IN_VAIN:
        raise NoTraining(
            f"nothing that was learnt made the search of {key} better (docs/training.md); "
            f"`polyopolis tune {key}` learns its weights"
        )
    if not known:
        raise NoTraining(f"nothing is learnt of {key} yet; there is {', '.join(filter(parts, GAME_SPECS))}")
    if part and part not in known:
        raise BadOption(f"--part {part}: {key} has no such part to be learnt; there is {', '.join(known)}")
    return part or known[0]


def _patterns(key: str, numbers: Sequence[int], effort: Effort, folder: Path) -> None:
    if not FAST:
        raise NoTraining("training needs numba: install polyopolis[fast]")
    for number in numbers:
        _learnt(EpisodeCourseRunner(key, number, Course(60 * effort.minutes / len(numbers), effort.seed), folder))


def _learnt(learner: EpisodeCourseRunner) -> None:
    about = {"part": f"{learner.kept.game} episode-{learner.kept.episode}", "total": f"{learner.seconds:.0f}"}
    if learner.over:
        typer.echo(say("train", "already", **about, **_figures(learner.kept)))
        return
    if learner.anew:
        typer.echo(say("train", "anew", **about))
    _shown(learner, about)
    typer.echo(say("train", "done", **about, **_figures(learner.kept)))


def _shown(learner: EpisodeCourseRunner, about: dict[str, str]) -> None:
    """A bar on a terminal, elsewhere a line for every measurement."""
    with bar() as shown:
        task, told = shown.add_task(about["part"], total=learner.seconds), len(learner.kept.curve)
        for kept in learner.go():
            line = say("train", "point", **about, **_figures(kept)) if kept.curve else about["part"]
            shown.update(task, completed=kept.seconds, description=line)
            if shown.disable and len(kept.curve) > told:
                typer.echo(line)
            told = len(kept.curve)


def _figures(kept: Kept) -> dict[str, str]:
    point = kept.points[-1]
    score = f"{point.score:.2f} ± {point.within:.2f}"
    return {"seconds": f"{kept.seconds:.0f}", "games": f"{kept.games:,}", "score": score, "figures": kept.figures}


def _net(key: str, effort: Effort, folder: Path, of_nets: dict[str, Any]) -> None:
    """It learns into a folder of its name; others that it learns from or goes on with lie beside it."""
    if of_nets["net"] not in KINDS:
        raise NoTraining(f"there is no net {of_nets['net']!r}; there is {' and '.join(KINDS)}")
    name = of_nets.pop("name", of_nets["net"])
    for what in of_nets.keys() & {"teacher", "begun_with"}:
        other = folder / of_nets[what]
        if not (other / WEIGHTS).exists():
            raise NoTraining(f"no net has learnt in {other} yet")
        if other == folder / name:
            raise BadOption(f"a net that learns from {name} needs another --name, or it would be written over it")
        of_nets[what] = str(other)
    try:
        learning = import_module("polyopolis.train.net_training")
    except ImportError as error:
        raise NoTraining("training needs torch: install polyopolis[train]") from error
    prepared = folder / "prepared"
    if not (prepared / PLAN).exists():
        import_module("polyopolis.train.gpu_bundle").prepare(prepared, NETS[key])
    learning.Learner(prepared, folder / name, learning.Course(**of_nets, **effort._asdict())).go()
