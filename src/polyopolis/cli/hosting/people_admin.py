"""`people`: lists, mutes and removes people and shows reports. `change-secret`: rotates the key of session cookies.

All of these work while a server runs; it notices changes within two seconds.
"""

import secrets
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime
from pathlib import Path
from time import time
from typing import Annotated

import typer
from rich.box import SIMPLE_HEAD
from rich.table import Table
from sqlalchemy import Connection

from polyopolis.cli.arguments import BadOption
from polyopolis.cli.console import stdout_console
from polyopolis.cli.hosting.data_admin import Data, Database, DataLocation
from polyopolis.cli.phrases import phrase, quantity
from polyopolis.server.auth import people
from polyopolis.server.ops.data_folder import revision_of
from polyopolis.server.storage import chat_repository
from polyopolis.server.storage.databases import WRITE_OPTION, engine_of, newest_revision

DATE_FORMAT = "%Y-%m-%d"
ANY_WORD = {"ignore_unknown_options": True}
"""Settings of commands whose argument is an id: ids can start with a dash, like an option."""

Person = Annotated[str, typer.Argument(metavar="PERSON", help="Id, as in the list.", show_default=False)]
Undo = Annotated[bool, typer.Option("--undo", help="Revert it.")]

people_app = typer.Typer(no_args_is_help=True, rich_markup_mode=None)


@contextmanager
def write_transaction(data: Path, database: str) -> Iterator[Connection]:
    """Opens a transaction. A server that runs on the database notices the changes within two seconds."""
    found = DataLocation(data, database).existing_database
    if isinstance(found, Path) and revision_of(found) != newest_revision():
        raise BadOption(f"{found} is of an older version: start a server on it once")
    engine = engine_of(found)
    try:
        with engine.connect().execution_options(**{WRITE_OPTION: True}) as db, db.begin():
            yield db
    finally:
        engine.dispose()


@people_app.command("list")
def list_people(
    name: Annotated[str, typer.Option(metavar="TEXT", help="List only names that contain this.")] = "",
    data: Data = Path("data"),
    database: Database = "",
) -> None:
    """List guests and accounts, the most recent players first."""
    with write_transaction(data, database) as db:
        found = list(people.list_people(db, name))
    table = Table(box=SIMPLE_HEAD)
    for column in ("id", "name", "kind", "tables", "last", "marks"):
        table.add_column(phrase("people", column), justify="right" if column == "tables" else "left")
    for each in found:
        marks = [phrase("people", mark) for mark in ("muted", "removed", "shared") if getattr(each, mark)]
        kind = phrase("people", "bot" if each.outside else "account" if each.account else "guest")
        last = datetime.fromtimestamp(each.last).strftime(DATE_FORMAT) if each.last else ""
        table.add_row(each.id, each.name or "", kind, str(each.tables), last, ", ".join(marks))
    table.caption = quantity("person", len(found))
    stdout_console().print(table)


@people_app.command(context_settings=ANY_WORD)
def mute(person: Person, undo: Undo = False, data: Data = Path("data"), database: Database = "") -> None:
    """Mute a person: they can play, but not chat or react."""
    with write_transaction(data, database) as db:
        _require(people.set_muted(db, person, not undo), person)
    typer.echo(phrase("people", "unmuted-now" if undo else "muted-now", person=person))


@people_app.command(context_settings=ANY_WORD)
def remove(person: Person, undo: Undo = False, data: Data = Path("data"), database: Database = "") -> None:
    """Sign a person out for good; their seats stay as they are."""
    with write_transaction(data, database) as db:
        _require(people.set_removed(db, person, None if undo else int(time())), person)
    typer.echo(phrase("people", "let-in-now" if undo else "removed-now", person=person))


def _require(found: bool, person: str) -> None:
    if not found:
        raise BadOption(f"there is no person {person!r}; `polyopolis people list` lists all")


@people_app.command(context_settings=ANY_WORD)
def reports(
    dismiss: Annotated[str, typer.Option("--dismiss", metavar="REPORT", help="Remove this report from the list.")] = "",
    data: Data = Path("data"),
    database: Database = "",
) -> None:
    """List messages that players have reported, the latest first."""
    if dismiss:
        with write_transaction(data, database) as db:
            if not chat_repository.dismiss_report(db, dismiss):
                raise BadOption(f"there is no report {dismiss!r}; `polyopolis people reports` lists all")
        typer.echo(phrase("people", "dismissed", report=dismiss))
        return
    with write_transaction(data, database) as db:
        found = list(chat_repository.all_reports(db))
    table = Table(box=SIMPLE_HEAD)
    for column in ("report", "id", "name", "text", "times", "last", "table"):
        table.add_column(phrase("people", column), justify="right" if column == "times" else "left", overflow="fold")
    for each in found:
        last = datetime.fromtimestamp(each.last).strftime(DATE_FORMAT)
        table.add_row(each.remark, each.person, each.name, each.text, str(each.times), last, each.table)
    table.caption = quantity("report", len(found))
    stdout_console().print(table)


def change_secret(
    forget: Annotated[
        bool,
        typer.Option(
            "--forget", help="Invalidate all sessions: accounts have to sign in again, guests lose their seats."
        ),
    ] = False,
    data: Data = Path("data"),
    database: Database = "",
) -> None:
    """Rotate the key that signs session cookies.

    Existing sessions stay valid and are re-signed on their next request.
    """
    with write_transaction(data, database) as db:
        number = people.add_key(db, secrets.token_bytes(32))
        if forget:
            people.delete_old_keys(db, number)
    typer.echo(phrase("people", "forgotten" if forget else "changed"))
