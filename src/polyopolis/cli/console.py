"""Output of commands: the console, progress bars, error sentences and the warning about slow kernels."""

import sys
from collections.abc import Iterable

from rich.console import Console
from rich.progress import BarColumn, Progress, ProgressColumn, TextColumn, TimeRemainingColumn

from polyopolis.bots.levels import LEVELS
from polyopolis.kernels import NOTICE


def stdout_console() -> Console:
    """Returns a console that prints text as it is, without markup and highlighting."""
    return Console(highlight=False, markup=False)


def progress_bar(*columns: str | ProgressColumn) -> Progress:
    """Returns a progress bar on stderr. It is hidden if stderr is not a terminal."""
    return Progress(*columns, console=Console(stderr=True), transient=True, disable=not sys.stderr.isatty())


def long_progress_bar() -> Progress:
    """Returns a progress bar with the remaining time, for runs of minutes to hours."""
    return progress_bar(TextColumn("{task.description}"), BarColumn(), TimeRemainingColumn())


def print_error(message: object) -> None:
    """Prints a message as one sentence on stderr."""
    sentence = " ".join(str(message).split()).rstrip(".")
    print(f"polyopolis: {sentence}.", file=sys.stderr)


def warn_if_slow(bots: Iterable[str] = LEVELS) -> None:
    """Prints a warning if one of the bots is a level and the kernels are not compiled."""
    if NOTICE and not LEVELS.keys().isdisjoint(bots):
        print_error(NOTICE)
