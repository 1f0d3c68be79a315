"""`warm-up`: compiles the kernels ahead of their first use."""

import os
from collections.abc import Callable
from time import perf_counter
from typing import Annotated

import typer

from polyopolis.bots.tournaments.executors import local_executor
from polyopolis.cli.console import long_progress_bar
from polyopolis.cli.phrases import phrase
from polyopolis.kernels import NOTICE
from polyopolis.kernels.warmup import warm_cities, warm_drafts


def warm_up(
    with_lab: Annotated[bool, typer.Option("--lab", help="Also compile the batches of polyopolis.lab.")] = False,
) -> None:
    """Compile the search of the bots ahead of its first use."""
    if NOTICE:
        typer.echo(NOTICE)
        return
    start, tasks = perf_counter(), [warm_drafts, warm_cities]
    if with_lab:
        from polyopolis.lab.batch_warmup import warm_batches  # noqa: PLC0415 - only here, because it imports numpy

        tasks.append(warm_batches)
    # One process for each task, so that they compile in parallel.
    with local_executor(min(len(tasks), os.cpu_count() or 1)) as executor, long_progress_bar() as progress:
        for _ in progress.track(executor.map(_call, tasks), len(tasks), description=phrase("warm", "bar")):
            pass
    typer.echo(phrase("warm", "done", seconds=f"{perf_counter() - start:.1f}"))


def _call(task: Callable[[], None]) -> None:
    task()
