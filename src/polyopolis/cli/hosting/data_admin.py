"""What a server keeps: whether it can be played on, copies of it, and tables that are set aside."""

import asyncio
import sys
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, nullcontext
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

import typer
from rich.console import Console
from rich.progress import Progress
from sqlalchemy import Engine

from polyopolis.cli.arguments import BadOption
from polyopolis.cli.phrases import say
from polyopolis.server.ops import data_folder, quarantine, site_migration
from polyopolis.server.ops.audit import audited
from polyopolis.server.ops.data_folder import DATABASE
from polyopolis.server.storage.databases import check, engine_of, migrate, named


@dataclass(frozen=True)
class DataLocation:
    """What a server keeps: a folder, and a database in it or elsewhere."""

    data: Path
    database: str = ""

    @property
    def database_location(self) -> Path | str:
        """A database that is there and ours."""
        if self.database:
            check(self.database, whole=True)
            return self.database
        return self.file

    @property
    def file(self) -> Path:
        path = self.data / DATABASE
        if not path.exists():
            raise BadOption(f"there is no {DATABASE} in {self.data}")
        data_folder.revision_of(path)
        return path

    @contextmanager
    def at_rest(self) -> Iterator[Engine]:
        """While no server works on it."""
        database = self.database_location
        with data_folder.held(self.data) if isinstance(database, Path) else nullcontext():
            engine = engine_of(database)
            try:
                if self.database and site_migration.in_use(engine):
                    raise BadOption(f"a server works on {named(database)}: stop it first")
                yield engine
            finally:
                engine.dispose()


def site_of(place: str) -> DataLocation:
    """A folder, or the address of a PostgreSQL."""
    return DataLocation(Path(), place) if "://" in place else DataLocation(Path(place))


def verified(site: DataLocation) -> bool:
    """Prints what would break, and how many matches were re-played; whether nothing would."""
    return asyncio.run(_verified(site.database_location))


def back_up(site: DataLocation, target: Path) -> None:
    """A copy of all that was committed until now, also while people play."""
    if site.database:
        raise BadOption("a PostgreSQL is copied by pg_dump, also while people play; or by `polyopolis move-store`")
    path = site.file
    if target.exists():
        raise BadOption(f"{target} exists already")
    if not target.parent.is_dir():
        raise BadOption(f"there is no folder {target.parent}")
    data_folder.copy(path, target)
    typer.echo(say("store", "backed-up", file=target))


def restore(data: Path, source: Path) -> None:
    """A copy in the place of what a server keeps; what was there before stays beside it."""
    if not source.exists():
        raise BadOption(f"there is no file {source}")
    data_folder.revision_of(source)
    with data_folder.held(data):
        path, unfinished = data / DATABASE, data / f"{DATABASE}.restored"
        before = data / f"replaced-{data_folder.stamp()}.sqlite" if path.exists() else None
        try:
            data_folder.copy(source, unfinished)
            if before:
                data_folder.copy(path, before)
                for suffix in ("-wal", "-shm"):
                    path.with_name(path.name + suffix).unlink(missing_ok=True)
            unfinished.replace(path)
        finally:
            unfinished.unlink(missing_ok=True)
    typer.echo(say("store", "restored", file=source))
    if before:
        typer.echo(say("store", "replaced", file=before))


def set_aside(site: DataLocation, table: str) -> None:
    with _of_this_version(site) as database:
        typer.echo(say("store", "set-aside", table=table, file=quarantine.quarantine_table(database, site.data, table)))


def put_back(site: DataLocation, table: str) -> None:
    with _of_this_version(site) as database:
        quarantine.restore_table(database, site.data, table)
    typer.echo(say("store", "put-back", table=table))


@contextmanager
def _of_this_version(site: DataLocation) -> Iterator[Engine]:
    with site.at_rest() as database:
        if not site.database:
            data_folder.prepare(site.data)
            with database.begin() as db:
                migrate(db)
        yield database


def move(source: DataLocation, target: DataLocation) -> bool:
    """All that is kept at one place, copied to another and re-played there; whether nothing would break."""
    if target.database:
        check(target.database)
        _copy(source, target.database)
        return verified(target)
    path = target.data / DATABASE
    if path.exists():
        raise BadOption(f"{path} exists already")
    with data_folder.held(target.data):
        fresh = path.with_suffix(".new")
        fresh.unlink(missing_ok=True)
        _copy(source, fresh)
        fresh.replace(path)
        data_folder.close_to_others(target.data)
    return verified(target)


def _copy(source: DataLocation, target: Path | str) -> None:
    with source.at_rest() as old, TemporaryDirectory() as scratch, ExitStack() as stack:
        if not source.database:  # an older version's, too
            copied = Path(scratch) / DATABASE
            data_folder.copy(source.file, copied)
            old = engine_of(copied)
            stack.callback(old.dispose)
            with old.begin() as db:
                migrate(db)
        new = engine_of(target)
        stack.callback(new.dispose)
        with Progress(console=Console(stderr=True), transient=True, disable=not sys.stderr.isatty()) as progress:
            bar = progress.add_task(say("store", "moving"))
            for step in site_migration.move(old, new):
                progress.update(bar, completed=step.done, total=step.all)
    typer.echo(say("store", "moved", rows=step.all, target=named(target)))


async def _verified(database: Path | str) -> bool:
    matches = broken = 0
    async for table, number, differences in audited(database):
        matches += number is not None
        broken += bool(differences)
        for difference in differences:
            typer.echo(say("store", "broken", table=table, match=_name(number), difference=difference))
    typer.echo(say("store", "verified", matches=matches, broken=broken))
    return not broken


def _name(number: int | None) -> str:
    return "-" if number is None else str(number)
