"""`ladder`: plays levels against each other and writes the table into the document of the game."""

# ruff: noqa: PLR0913, PLR0917 - the options of a command are the parameters of its function

from pathlib import Path
from typing import Annotated

import typer

from polyopolis.bots.http_bot import HttpBot
from polyopolis.bots.tournaments.executors import Executor
from polyopolis.bots.tournaments.ladder import (
    DECKS,
    QUICK_DECKS,
    Ladder,
    LadderGame,
    insert_table,
    ladder_table,
    play_ladder,
)
from polyopolis.cli.arguments import BadOption, GameKey, Jobs, Ray, Seed, executor_for, parse_names
from polyopolis.cli.console import long_progress_bar, warn_if_slow
from polyopolis.games import game


def ladder(
    key: GameKey,
    seats: Annotated[int, typer.Option(help="Number of levels at a table.")] = 2,
    quick: Annotated[bool, typer.Option("--quick", help=f"Play {QUICK_DECKS} decks for each table of levels.")] = False,
    decks: Annotated[int | None, typer.Option(min=1, help=f"Decks for each table of levels; default: {DECKS}.")] = None,
    seed: Seed = "ladder",
    levels: Annotated[
        str,
        typer.Option(
            metavar="NAMES", help="Comma-separated levels, such as level-5,master; default: level-1 to level-5."
        ),
    ] = "",
    jobs: Jobs = 1,
    ray: Ray = "",
    data: Annotated[Path, typer.Option(metavar="DIR", help="Folder for finished games.")] = Path("data/ladder"),
    docs: Annotated[Path, typer.Option(metavar="DIR", help="Folder of the document GAME.md.")] = Path("docs/games"),
    bots_from: Annotated[
        list[str] | None,
        typer.Option(
            metavar="[NAME=]URL", help="External bot that plays against the levels; the table is only printed."
        ),
    ] = None,
) -> None:
    """Rank the levels by games against each other.

    Writes the table into the document of the game. An interrupted run continues with the games that are missing.
    """
    external = tuple(map(HttpBot.read, bots_from or ()))
    number = decks or (QUICK_DECKS if quick else DECKS)
    asked = Ladder(game(key).key, seats, number, seed, tuple(parse_names(levels)), external)
    document = None if external else _document(docs, key)
    with executor_for(jobs, ray) as executor:
        warn_if_slow()
        table = _play(asked, executor, data)
    typer.echo(table)
    if document:
        document.write_text(insert_table(document.read_text("utf-8"), asked, table), "utf-8")


def _document(folder: Path, key: str) -> Path:
    """Returns the document of a game. Called before the games, which can take hours, because it may be missing."""
    path = folder / f"{key}.md"
    if not path.exists():
        raise BadOption(f"there is no document {path} to write the ladder into")
    return path


def _play(ladder: Ladder, executor: Executor, folder: Path) -> str:
    games: list[LadderGame] = []
    with long_progress_bar() as progress:
        task = progress.add_task(ladder.game, total=len(ladder.tasks))
        for played in play_ladder(ladder, executor, folder / ladder.file):
            games.append(played)
            progress.update(task, completed=len(games), description=f"{ladder.game} {' - '.join(played.levels)}")
    return ladder_table(ladder, games)
