"""What a server keeps: whether it can be played on, copies of it, and tables that are set aside."""

import asyncio
from pathlib import Path

import typer

from polyopolis.cli.options import BadOption
from polyopolis.cli.words import say
from polyopolis.server import aside, folder
from polyopolis.server.auditing import audited
from polyopolis.server.folder import DATABASE


def verified(data: Path) -> bool:
    """Prints what would break, and how many matches were re-played; whether nothing would."""
    database_in(data)
    return asyncio.run(_verified(data))


def database_in(data: Path) -> Path:
    path = data / DATABASE
    if not path.exists():
        raise BadOption(f"there is no {DATABASE} in {data}")
    folder.revision_of(path)
    return path


def back_up(data: Path, target: Path) -> None:
    """A copy of all that was committed until now, also while people play."""
    path = database_in(data)
    if target.exists():
        raise BadOption(f"{target} exists already")
    if not target.parent.is_dir():
        raise BadOption(f"there is no folder {target.parent}")
    folder.copy(path, target)
    typer.echo(say("store", "backed-up", file=target))


def restore(data: Path, source: Path) -> None:
    """A copy in the place of what a server keeps; what was there before stays beside it."""
    if not source.exists():
        raise BadOption(f"there is no file {source}")
    folder.revision_of(source)
    with folder.held(data):
        path, unfinished = data / DATABASE, data / f"{DATABASE}.restored"
        folder.copy(source, unfinished)
        before = None
        if path.exists():
            before = data / f"replaced-{folder.stamp()}.sqlite"
            folder.copy(path, before)
            for suffix in ("-wal", "-shm"):
                path.with_name(path.name + suffix).unlink(missing_ok=True)
        unfinished.replace(path)
    typer.echo(say("store", "restored", file=source))
    if before:
        typer.echo(say("store", "replaced", file=before))


def set_aside(data: Path, table: str) -> None:
    path = database_in(data)
    with folder.held(data):
        typer.echo(say("store", "set-aside", table=table, file=aside.set_aside(path, table)))


def put_back(data: Path, table: str) -> None:
    path = database_in(data)
    with folder.held(data):
        aside.put_back(path, table)
    typer.echo(say("store", "put-back", table=table))


async def _verified(data: Path) -> bool:
    matches = broken = 0
    async for table, number, differences in audited(data):
        matches += number is not None
        broken += bool(differences)
        for difference in differences:
            typer.echo(say("store", "broken", table=table, match=_name(number), difference=difference))
    typer.echo(say("store", "verified", matches=matches, broken=broken))
    return not broken


def _name(number: int | None) -> str:
    return "-" if number is None else str(number)
