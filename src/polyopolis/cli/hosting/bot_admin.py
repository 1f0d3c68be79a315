"""`bots`: lists external bots, creates bots and tokens, and revokes tokens. Works while a server runs."""

from datetime import datetime
from pathlib import Path
from time import time
from typing import Annotated, cast, get_args

import typer
from rich.box import SIMPLE_HEAD
from rich.table import Table

from polyopolis.cli.arguments import BadOption
from polyopolis.cli.console import stdout_console
from polyopolis.cli.hosting.data_admin import Data, Database
from polyopolis.cli.hosting.people_admin import DATE_FORMAT, write_transaction
from polyopolis.cli.phrases import phrase, quantity
from polyopolis.play.seats.bot_ids import Scope
from polyopolis.play.seats.player_names import validate_name
from polyopolis.server.auth import bot_tokens

TOKEN_ID_LENGTH = 12
"""The list identifies a token by this many characters of its digest."""

bots_app = typer.Typer(no_args_is_help=True, rich_markup_mode=None)


@bots_app.command("list")
def list_bots(data: Data = Path("data"), database: Database = "") -> None:
    """List all external bots and their tokens."""
    table = Table(box=SIMPLE_HEAD)
    for column in ("id", "name", "owner", "token", "called", "scopes", "seen"):
        table.add_column(phrase("bots", column), overflow="fold")
    with write_transaction(data, database) as db:
        found = bot_tokens.list_bots(db)
        for row in found:
            tokens = bot_tokens.tokens_of(db, row.id)
            about = row.id, row.name or "", row.owner or ""
            for token in tokens:
                seen = datetime.fromtimestamp(token.seen).strftime(DATE_FORMAT)
                scopes = " ".join(bot_tokens.scopes_of(token))
                table.add_row(*about, token.id[:TOKEN_ID_LENGTH], token.name, scopes, seen)
            if not tokens:
                table.add_row(*about)
    table.caption = quantity("outsider", len(found))
    stdout_console().print(table)


@bots_app.command("make")
def make_bot(
    name: Annotated[str, typer.Argument(metavar="NAME", help="Name of the bot.", show_default=False)],
    data: Data = Path("data"),
    database: Database = "",
) -> None:
    """Create an external bot without an owner, and print its token.

    The token cannot be shown again.
    """
    with write_transaction(data, database) as db:
        bot = bot_tokens.add_bot(db, validate_name(name), None, int(time()))
        token = bot_tokens.add_token(db, bot, "host", get_args(Scope), int(time()))
    typer.echo(phrase("bots", "made", name=name, bot=bot, token=token))


@bots_app.command("token")
def make_token(
    bot: Annotated[str, typer.Argument(metavar="BOT", help="Id of the bot, as in the list.", show_default=False)],
    name: Annotated[str, typer.Option(metavar="TEXT", help="Name of the token in the list.")] = "host",
    scopes: Annotated[str, typer.Option(metavar="WORDS", help="Permissions: watch, play, or both.")] = "watch,play",
    data: Data = Path("data"),
    database: Database = "",
) -> None:
    """Create and print another token for an external bot.

    It cannot be shown again.
    """
    asked = tuple(word.strip() for word in scopes.split(","))
    if unknown := [word for word in asked if word not in get_args(Scope)]:
        raise BadOption(f"--scopes: there is no scope {unknown[0]!r}; the scopes are {' and '.join(get_args(Scope))}")
    with write_transaction(data, database) as db:
        if bot not in {row.id for row in bot_tokens.list_bots(db)}:
            raise BadOption(f"there is no bot {bot!r}; `polyopolis bots list` lists all")
        token = bot_tokens.add_token(db, bot, validate_name(name), cast("tuple[Scope, ...]", asked), int(time()))
    typer.echo(phrase("bots", "token-made", bot=bot, token=token))


@bots_app.command("revoke")
def revoke_token(
    token: Annotated[str, typer.Argument(metavar="TOKEN", help="Id of the token, as in the list.", show_default=False)],
    data: Data = Path("data"),
    database: Database = "",
) -> None:
    """Revoke a token of an external bot."""
    with write_transaction(data, database) as db:
        if not bot_tokens.revoke_token(db, token):
            raise BadOption(f"there is no token {token!r}; `polyopolis bots list` lists all")
    typer.echo(phrase("bots", "revoked", token=token))
