"""The application: all commands by name, in the order in which the help lists them."""

from collections.abc import Callable
from importlib.metadata import version
from typing import Annotated

import typer

from polyopolis.cli.experiments.contests import arena, games
from polyopolis.cli.experiments.ladder_runs import ladder
from polyopolis.cli.experiments.perft import print_perft
from polyopolis.cli.experiments.training_runs import train
from polyopolis.cli.experiments.tuning_runs import tune
from polyopolis.cli.experiments.warm_up import warm_up
from polyopolis.cli.hosting.bot_admin import bots_app
from polyopolis.cli.hosting.data_admin import backup, move_store, put_back, restore, set_aside, verify_store
from polyopolis.cli.hosting.people_admin import change_secret, people_app
from polyopolis.cli.hosting.ratings_admin import ratings
from polyopolis.cli.hosting.serve import serve
from polyopolis.cli.hosting.static_site import site
from polyopolis.cli.reports.content_check import check_content, show
from polyopolis.cli.reports.exercise_files import puzzles
from polyopolis.cli.reports.replay_check import replay, verify_luck
from polyopolis.cli.reports.review_command import review
from polyopolis.cli.reports.sheet_svg import sheet
from polyopolis.cli.terminal.play_command import play

COMMANDS: dict[str, Callable[..., None]] = {
    "play": play,
    "show": show,
    "perft": print_perft,
    "check-content": check_content,
    "arena": arena,
    "games": games,
    "tune": tune,
    "ladder": ladder,
    "train": train,
    "warm-up": warm_up,
    "replay": replay,
    "review": review,
    "puzzles": puzzles,
    "sheet": sheet,
    "verify-luck": verify_luck,
    "serve": serve,
    "site": site,
    "verify-store": verify_store,
    "backup": backup,
    "restore": restore,
    "set-aside": set_aside,
    "put-back": put_back,
    "move-store": move_store,
    "ratings": ratings,
    "change-secret": change_secret,
}

app = typer.Typer(add_completion=False, suggest_commands=False, rich_markup_mode=None)
for name, command in COMMANDS.items():
    app.command(name)(command)
app.add_typer(people_app, name="people", help="Manage people; works while a server runs.")
app.add_typer(bots_app, name="bots", help="Manage external bots; works while a server runs.")


@app.callback(invoke_without_command=True)
def polyopolis(
    context: typer.Context,
    show_version: Annotated[bool, typer.Option("--version", help="Print the version.")] = False,
) -> None:
    """City-building board games: play, replay, measure."""
    if show_version:
        typer.echo(f"polyopolis {version('polyopolis')}")
        raise typer.Exit
    if context.invoked_subcommand is None:
        typer.echo(context.get_help())
