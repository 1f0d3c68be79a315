"""Games between bots as data for programs that learn, with a bar on a terminal."""

import sys
from importlib import import_module
from pathlib import Path

from rich.console import Console
from rich.progress import Progress

from polyopolis.bots.arena import Contest
from polyopolis.bots.hands import Hands
from polyopolis.cli.files import CannotKeep, place_of, reason
from polyopolis.cli.options import BadOption


def kept(contest: Contest, hands: Hands, path: Path) -> int:
    """Plays all games of a contest and writes their decisions into a file; how many there are."""
    try:
        harvesting, parquet = (import_module(f"polyopolis.lab.{name}") for name in ("harvesting", "parquet"))
    except ImportError as error:
        raise BadOption(
            f"data is written with pyarrow, and {error.name} is not here: install polyopolis[data]"
        ) from error
    place = place_of(path)
    with Progress(console=Console(stderr=True), transient=True, disable=not sys.stderr.isatty()) as progress:
        games = progress.track(harvesting.harvested(contest, hands), contest.games, description=contest.game)
        try:
            return int(parquet.write(contest, games, place))
        except OSError as error:
            raise CannotKeep(f"cannot write {path}: {reason(error)}") from error
