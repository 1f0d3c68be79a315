"""What a host does about people, and about the secret that signs their cookies; also while a server runs."""

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
from polyopolis.cli.hosting.data_admin import DataLocation
from polyopolis.cli.phrases import count, say
from polyopolis.server.auth import people
from polyopolis.server.ops.data_folder import revision_of
from polyopolis.server.storage import chat_repository
from polyopolis.server.storage.databases import WRITES, engine_of, newest

DATE = "%Y-%m-%d"


@contextmanager
def written(site: DataLocation) -> Iterator[Connection]:
    """A server that works on it sees what was changed within a second or two."""
    location = site.database_location
    if isinstance(location, Path) and revision_of(location) != newest():
        raise BadOption(f"{location} is of an older version: start a server on it once")
    engine = engine_of(location)
    try:
        with engine.connect().execution_options(**{WRITES: True}) as db, db.begin():
            yield db
    finally:
        engine.dispose()


def listed(site: DataLocation, name: str) -> Table:
    with written(site) as db:
        found = list(people.known_people(db, name))
    table = Table(box=SIMPLE_HEAD)
    for column in ("id", "name", "kind", "tables", "last", "marks"):
        table.add_column(say("people", column), justify="right" if column == "tables" else "left")
    for each in found:
        marks = [say("people", mark) for mark in ("muted", "removed", "shared") if getattr(each, mark)]
        kind = say("people", "bot" if each.outside else "account" if each.account else "guest")
        last = datetime.fromtimestamp(each.last).strftime(DATE) if each.last else ""
        table.add_row(each.id, each.name or "", kind, str(each.tables), last, ", ".join(marks))
    table.caption = count("person", len(found))
    return table


def mute(site: DataLocation, person: str, undo: bool) -> str:
    with written(site) as db:
        _demand(people.mute(db, person, not undo), person)
    return say("people", "unmuted-now" if undo else "muted-now", person=person)


def remove(site: DataLocation, person: str, undo: bool) -> str:
    with written(site) as db:
        _demand(people.remove(db, person, None if undo else int(time())), person)
    return say("people", "let-in-now" if undo else "removed-now", person=person)


def reported(site: DataLocation) -> Table:
    with written(site) as db:
        found = list(chat_repository.all_reports(db))
    table = Table(box=SIMPLE_HEAD)
    for column in ("report", "id", "name", "text", "times", "last", "table"):
        table.add_column(say("people", column), justify="right" if column == "times" else "left", overflow="fold")
    for each in found:
        last = datetime.fromtimestamp(each.last).strftime(DATE)
        table.add_row(each.remark, each.person, each.name, each.text, str(each.times), last, each.table)
    table.caption = count("report", len(found))
    return table


def dismiss(site: DataLocation, report: str) -> str:
    with written(site) as db:
        if not chat_repository.dismiss(db, report):
            raise BadOption(f"there is no report {report!r}; `polyopolis people reports` lists all")
    return say("people", "dismissed", report=report)


def change_secret(site: DataLocation, forget: bool) -> str:
    with written(site) as db:
        number = people.add_key(db, secrets.token_bytes(32))
        if forget:
            people.forget_keys(db, number)
    return say("people", "forgotten" if forget else "changed")


def _demand(found: bool, person: str) -> None:
    if not found:
        raise BadOption(f"there is nobody {person!r}; `polyopolis people list` names all")


Person = Annotated[str, typer.Argument(metavar="PERSON", help="As the list names them.", show_default=False)]
Undo = Annotated[bool, typer.Option("--undo", help="Take it back.")]
