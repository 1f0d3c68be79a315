"""Bots against bots, shown as a table or as JSON."""

import sys
from pathlib import Path
from typing import Any

import msgspec
from rich import box
from rich.console import Console
from rich.progress import Progress
from rich.table import Table

from polyopolis.bots.tournaments.arena import BotSummary, Contest, IntervalEstimate, Played, run, showings
from polyopolis.bots.tournaments.executors import Executor
from polyopolis.cli.output_files import keep
from polyopolis.cli.phrases import say


def played(contest: Contest, hands: Executor, folder: Path | None) -> list[Played]:
    """All games of a contest, with a bar on a terminal; each is kept in the folder once it is over."""
    if folder:
        folder.mkdir(parents=True, exist_ok=True)
    games = []
    with Progress(console=Console(stderr=True), transient=True, disable=not sys.stderr.isatty()) as progress:
        for game in progress.track(run(contest, hands), contest.games, description=contest.game):
            if folder:
                keep(game.record, folder / f"{game.number + 1:04}.json")
            games.append(game)
    return games


def table(games: list[Played]) -> Table:
    found = Table(box=box.SIMPLE_HEAD, pad_edge=False)
    found.add_column(say("arena", "bot"))
    for heading in ("seats", "score", "lowest", "lead", "wins"):
        found.add_column(say("arena", heading), justify="right")
    for showing in showings(games):
        found.add_row(*_row(showing))
    return found


def _row(showing: BotSummary) -> tuple[str, ...]:
    lead = _estimate(showing.lead, "+") if showing.lead else ""
    scores = _estimate(showing.score), str(showing.lowest)
    return showing.bot, str(showing.seats), *scores, lead, showing.wins.percent(1)


def _estimate(estimate: IntervalEstimate, sign: str = "") -> str:
    margin = "" if estimate.margin is None else f" ± {estimate.margin:.1f}"
    return f"{estimate.mean:{sign}.1f}{margin}"


def json_of(contest: Contest, games: list[Played]) -> str:
    found: dict[str, Any] = {**msgspec.to_builtins(contest), "showings": msgspec.to_builtins(showings(games))}
    return msgspec.json.format(msgspec.json.encode(found), indent=2).decode()
