"""What a host does about outside bots; also while a server runs."""

from datetime import datetime
from time import time
from typing import Annotated, cast, get_args

import typer
from rich.box import SIMPLE_HEAD
from rich.table import Table

from polyopolis.cli.arguments import BadOption
from polyopolis.cli.hosting.data_admin import DataLocation
from polyopolis.cli.hosting.people_admin import DATE, written
from polyopolis.cli.phrases import count, say
from polyopolis.play.seats.bot_ids import Scope
from polyopolis.play.seats.player_names import validate_name
from polyopolis.server.auth import bot_tokens

SHOWN = 12
"""Letters of a token's digest by which a list names it."""
Bot = Annotated[str, typer.Argument(metavar="BOT", help="As the list names it.", show_default=False)]


def listed(site: DataLocation) -> Table:
    """A line for each token, and one for a bot that has none."""
    table = Table(box=SIMPLE_HEAD)
    for column in ("id", "name", "owner", "token", "called", "scopes", "seen"):
        table.add_column(say("bots", column), overflow="fold")
    with written(site) as db:
        found = bot_tokens.bots_kept(db)
        for row in found:
            own = bot_tokens.tokens_of(db, row.id)
            for each in own:
                seen = datetime.fromtimestamp(each.seen).strftime(DATE)
                scopes = " ".join(bot_tokens.scopes_of(each))
                table.add_row(row.id, row.name or "", row.owner or "", each.id[:SHOWN], each.name, scopes, seen)
            if not own:
                table.add_row(row.id, row.name or "", row.owner or "")
    table.caption = count("outsider", len(found))
    return table


def make(site: DataLocation, name: str) -> str:
    with written(site) as db:
        bot = bot_tokens.add_bot(db, validate_name(name), None, int(time()))
        token = bot_tokens.add_token(db, bot, "host", get_args(Scope), int(time()))
    return say("bots", "made", name=name, bot=bot, token=token)


def make_token(site: DataLocation, bot: str, name: str, scopes: str) -> str:
    asked = tuple(word.strip() for word in scopes.split(","))
    if unknown := [word for word in asked if word not in get_args(Scope)]:
        raise BadOption(f"--scopes: there is no {unknown[0]!r}; there is {' and '.join(get_args(Scope))}")
    with written(site) as db:
        if bot not in {row.id for row in bot_tokens.bots_kept(db)}:
            raise BadOption(f"there is no bot {bot!r}; `polyopolis bots list` names all")
        token = bot_tokens.add_token(db, bot, validate_name(name), cast("tuple[Scope, ...]", asked), int(time()))
    return say("bots", "token-made", bot=bot, token=token)


def revoke(site: DataLocation, token: str) -> str:
    with written(site) as db:
        if not bot_tokens.revoke(db, token):
            raise BadOption(f"there is no token {token!r}; `polyopolis bots list` names all")
    return say("bots", "revoked", token=token)
