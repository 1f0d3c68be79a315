"""`arena` and `games`: games between bots, compared in a table or as JSON, or written as a dataset."""

# ruff: noqa: PLR0913, PLR0917 - the options of a command are the parameters of its function

from collections.abc import Sequence
from importlib import import_module
from pathlib import Path
from typing import Annotated, Any

import msgspec
import typer
from rich import box
from rich.table import Table

from polyopolis.bots import bot
from polyopolis.bots.tournaments.arena import (
    BotSummary,
    Contest,
    IntervalEstimate,
    PlayedGame,
    bot_summaries,
    run_contest,
)
from polyopolis.bots.tournaments.executors import Executor
from polyopolis.cli.arguments import (
    BadOption,
    BotNames,
    GameKey,
    Jobs,
    JsonFlag,
    Ray,
    Seed,
    SetupFields,
    bots_for_seats,
    executor_for,
    parse_campaign,
    parse_names,
)
from polyopolis.cli.console import progress_bar, stdout_console, warn_if_slow
from polyopolis.cli.output_files import CannotWrite, os_error_reason, writable_path, write_record
from polyopolis.cli.phrases import phrase, quantity
from polyopolis.games import game


def arena(
    key: GameKey,
    bots: BotNames = "greedy,random",
    games: Annotated[int, typer.Option(min=1, help="Number of games.")] = 100,
    seed: Seed = "arena",
    jobs: Jobs = 1,
    ray: Ray = "",
    save: Annotated[Path | None, typer.Option(metavar="DIR", help="Write every record into this folder.")] = None,
    as_json: JsonFlag = False,
    fields: SetupFields = None,
) -> None:
    """Compare bots over many games or whole campaigns."""
    contest = _contest(key, bots, games, seed, fields or [])
    with executor_for(jobs, ray) as executor:
        played = _play(contest, executor, save)
    if as_json:
        typer.echo(_result_json(contest, played))
    else:
        stdout_console().print(_result_table(played))
        typer.echo(phrase("arena", "about", games=_number_of_games(contest), game=key, seed=seed))


def games(
    key: GameKey,
    out: Annotated[Path, typer.Option(metavar="FILE", help="Parquet file to write.", show_default=False)],
    bots: BotNames = "level-3",
    number: Annotated[int, typer.Option("--count", min=1, help="Number of games.")] = 100,
    seed: Seed = "games",
    jobs: Jobs = 1,
    ray: Ray = "",
    fields: SetupFields = None,
) -> None:
    """Write every decision of games between bots as data.

    docs/data.md describes the columns of the file.
    """
    contest = _contest(key, bots, number, seed, fields or [])
    with executor_for(jobs, ray) as executor:
        rows = _write_dataset(contest, executor, out)
    typer.echo(phrase("games", "kept", decisions=quantity("decision", rows), games=_number_of_games(contest), file=out))


def _contest(key: str, bots: str, games: int, seed: str, fields: Sequence[str]) -> Contest:
    """Validates the options, so that errors are reported before the first game."""
    rules, names = game(key), parse_names(bots)
    setup, plan = parse_campaign(rules, fields, seats=max(rules.seats[0], len(names)))
    rules.start(setup)
    bots_for_seats(names, setup.seats)
    for name in names:
        bot(name)
    warn_if_slow(names)
    return Contest(key, setup, tuple(names), games, seed, plan)


def _number_of_games(contest: Contest) -> str:
    return quantity("campaign" if contest.plan else "game", contest.games)


def _play(contest: Contest, executor: Executor, folder: Path | None) -> list[PlayedGame]:
    """Plays all games and writes each record as soon as its game is over."""
    if folder:
        folder.mkdir(parents=True, exist_ok=True)
    games = []
    with progress_bar() as progress:
        for played in progress.track(run_contest(contest, executor), contest.games, description=contest.game):
            if folder:
                write_record(played.record, folder / f"{played.number + 1:04}.json")
            games.append(played)
    return games


def _result_table(games: list[PlayedGame]) -> Table:
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False)
    table.add_column(phrase("arena", "bot"))
    for heading in ("seats", "score", "lowest", "lead", "wins"):
        table.add_column(phrase("arena", heading), justify="right")
    for summary in bot_summaries(games):
        table.add_row(*_row(summary))
    return table


def _row(summary: BotSummary) -> tuple[str, ...]:
    lead = _estimate(summary.lead, "+") if summary.lead else ""
    scores = _estimate(summary.score), str(summary.lowest)
    return summary.bot, str(summary.seats), *scores, lead, summary.wins.percent(1)


def _estimate(estimate: IntervalEstimate, sign: str = "") -> str:
    margin = "" if estimate.margin is None else f" ± {estimate.margin:.1f}"
    return f"{estimate.mean:{sign}.1f}{margin}"


def _result_json(contest: Contest, games: list[PlayedGame]) -> str:
    found: dict[str, Any] = {**msgspec.to_builtins(contest), "showings": msgspec.to_builtins(bot_summaries(games))}
    return msgspec.json.format(msgspec.json.encode(found), indent=2).decode()


def _write_dataset(contest: Contest, executor: Executor, path: Path) -> int:
    """Plays all games and writes their decisions. Returns the number of decisions."""
    try:
        dataset = import_module("polyopolis.lab.datasets.decision_dataset")
        parquet = import_module("polyopolis.lab.datasets.parquet_export")
    except ImportError as error:
        raise BadOption(
            f"writing data needs pyarrow ({error.name} is not installed): install polyopolis[data]"
        ) from error
    target = writable_path(path)
    with progress_bar() as progress:
        games = progress.track(dataset.play_contest(contest, executor), contest.games, description=contest.game)
        try:
            return int(parquet.write_parquet(contest, games, target))
        except OSError as error:
            raise CannotWrite(f"cannot write {path}: {os_error_reason(error)}") from error
