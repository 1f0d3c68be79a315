"""`ratings`: lists the ratings of players, and recomputes them. Works while a server runs."""

from pathlib import Path
from typing import Annotated

import typer
from rich.box import SIMPLE_HEAD
from rich.table import Table

from polyopolis.cli.console import stdout_console
from polyopolis.cli.hosting.data_admin import Data, Database
from polyopolis.cli.hosting.people_admin import write_transaction
from polyopolis.cli.phrases import phrase, quantity
from polyopolis.server.storage import match_results, player_ratings


def ratings(
    rebuild: Annotated[
        bool, typer.Option("--rebuild", help="Recompute all ratings, with the latest ladder results of the bots.")
    ] = False,
    data: Data = Path("data"),
    database: Database = "",
) -> None:
    """List ratings from rated matches; works while a server runs."""
    if rebuild:
        with write_transaction(data, database) as db:
            match_results.refresh_results(db)
            match_results.store_missing_results(db)
            matches = player_ratings.rebuild_ratings(db)
        typer.echo(phrase("ratings", "rebuilt", matches=matches))
        return
    with write_transaction(data, database) as db:
        found = player_ratings.all_ratings(db)
    table = Table(box=SIMPLE_HEAD)
    for column in ("game", "name", "rating", "margin", "games"):
        table.add_column(phrase("ratings", column), justify="left" if column in ("game", "name") else "right")
    for each in found:
        rating, margin = f"{each.rating.mu:.1f}", f"{each.rating.margin:.1f}"
        name = f"{each.name or ''} ({phrase('people', 'bot')})" if each.outside else each.name or ""
        table.add_row(each.game, name, rating, margin, str(each.games))
    table.caption = quantity("rating", len(found))
    stdout_console().print(table)
