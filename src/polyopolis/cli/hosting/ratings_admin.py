"""How well people play, for a host to see and to find anew."""

from rich.box import SIMPLE_HEAD
from rich.table import Table

from polyopolis.cli.hosting.data_admin import DataLocation
from polyopolis.cli.hosting.people_admin import written
from polyopolis.cli.phrases import count, say
from polyopolis.server.storage import match_results, player_ratings


def listed(site: DataLocation) -> Table:
    with written(site) as db:
        found = player_ratings.all_ratings(db)
    table = Table(box=SIMPLE_HEAD)
    for column in ("game", "name", "rating", "margin", "games"):
        table.add_column(say("ratings", column), justify="left" if column in ("game", "name") else "right")
    for each in found:
        rating, margin = f"{each.rating.mu:.1f}", f"{each.rating.margin:.1f}"
        name = f"{each.name or ''} ({say('people', 'bot')})" if each.outside else each.name or ""
        table.add_row(each.game, name, rating, margin, str(each.games))
    table.caption = count("rating", len(found))
    return table


def rebuild(site: DataLocation) -> str:
    with written(site) as db:
        match_results.refresh(db)
        match_results.fill(db)
        return say("ratings", "rebuilt", matches=player_ratings.rebuild(db))
