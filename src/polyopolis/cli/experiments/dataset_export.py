"""Games between bots as data for programs that learn, with a bar on a terminal."""

import sys
from importlib import import_module
from pathlib import Path

from rich.console import Console
from rich.progress import Progress

from polyopolis.bots.tournaments.arena import Contest
from polyopolis.bots.tournaments.executors import Executor
from polyopolis.cli.arguments import BadOption
from polyopolis.cli.output_files import CannotKeep, place_of, reason


def kept(contest: Contest, hands: Executor, path: Path) -> int:
    """Plays all games of a contest and writes their decisions into a file; how many there are."""
    try:
        dataset = import_module("polyopolis.lab.datasets.decision_dataset")
        parquet = import_module("polyopolis.lab.datasets.parquet_export")
    except ImportError as error:
        raise BadOption(
            f"data is written with pyarrow, and {error.name} is not here: install polyopolis[data]"
        ) from error
    place = place_of(path)
    with Progress(console=Console(stderr=True), transient=True, disable=not sys.stderr.isatty()) as progress:
        games = progress.track(dataset.harvested(contest, hands), contest.games, description=contest.game)
        try:
            return int(parquet.write(contest, games, place))
        except OSError as error:
            raise CannotKeep(f"cannot write {path}: {reason(error)}") from error
