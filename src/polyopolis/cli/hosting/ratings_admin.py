"""How well people play, for a host to see and to find anew."""

from rich.box import SIMPLE_HEAD
from rich.table import Table

from polyopolis.cli.hosting.data_admin import Site
from polyopolis.cli.hosting.people_admin import written
from polyopolis.cli.phrases import count, say
from polyopolis.server.storage import match_results as results
from polyopolis.server.storage import player_ratings as ratings


def listed(site: Site) -> Table:
    with written(site) as db:
        found = ratings.all_ratings(db)
    table = Table(box=SIMPLE_HEAD)
    for column in ("game", "name", "rating", "margin", "games"):
        table.add_column(say("ratings", column), justify="left" if column in ("game", "name") else "right")
    for each in found:
        rating, margin = f"{each.rating.mu:.1f}", f"{each.rating.margin:.1f}"
        name = f"{each.name or ''} ({say('people', 'bot')})" if each.outside else each.name or ""
        table.add_row(each.game, name, rating, margin, str(each.games))
    table.caption = count("rating", len(found))
    return table


def rebuild(site: Site) -> str:
    with written(site) as db:
        results.refresh(db)
        results.fill(db)
        return say("ratings", "rebuilt", matches=ratings.rebuild(db))
