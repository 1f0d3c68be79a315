"""Commands for the stored data: `verify-store`, `backup`, `restore`, `set-aside`, `put-back` and `move-store`."""

import asyncio
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, nullcontext
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Annotated

import typer
from sqlalchemy import Engine

from polyopolis.cli.arguments import BadOption
from polyopolis.cli.console import progress_bar
from polyopolis.cli.phrases import phrase
from polyopolis.server.ops import data_folder, quarantine, site_migration
from polyopolis.server.ops.audit import audit_database
from polyopolis.server.ops.data_folder import DATABASE
from polyopolis.server.storage.databases import check_database, display_name, engine_of, migrate

Data = Annotated[Path, typer.Option(metavar="DIR", help="Data folder.", envvar="POLYOPOLIS_DATA", show_envvar=False)]
Database = Annotated[
    str,
    typer.Option(
        metavar="URL", envvar="POLYOPOLIS_DATABASE", help="PostgreSQL database of the site.", show_default=False
    ),
]
TableId = Annotated[str, typer.Argument(metavar="TABLE", help="Table id, as in its address.", show_default=False)]


@dataclass(frozen=True)
class DataLocation:
    """Where the data of a site are: a folder, and a database in it or in PostgreSQL."""

    data: Path
    database: str = ""

    @property
    def existing_database(self) -> Path | str:
        """File or URL of the database. Raises `BadOption` or another error if it is not a database of Polyopolis."""
        if self.database:
            check_database(self.database, whole=True)
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
    def stopped(self) -> Iterator[Engine]:
        """Opens the database if no server uses it, and keeps servers from starting in the folder meanwhile."""
        database = self.existing_database
        with data_folder.lock_folder(self.data) if isinstance(database, Path) else nullcontext():
            engine = engine_of(database)
            try:
                if self.database and site_migration.in_use(engine):
                    raise BadOption(f"a server uses {display_name(database)}: stop it first")
                yield engine
            finally:
                engine.dispose()


def verify_store(data: Data = Path("data"), database: Database = "") -> None:
    """Replay all stored matches and list those that would fail.

    Read-only. Exits with 2 if a match would fail.
    """
    _verify(DataLocation(data, database))


def _verify(location: DataLocation) -> None:
    if not asyncio.run(_all_valid(location.existing_database)):
        raise typer.Exit(2)


async def _all_valid(database: Path | str) -> bool:
    matches = broken = 0
    async for table, number, differences in audit_database(database):
        matches += number is not None
        broken += bool(differences)
        for difference in differences:
            match = "-" if number is None else str(number)
            typer.echo(phrase("store", "broken", table=table, match=match, difference=difference))
    typer.echo(phrase("store", "verified", matches=matches, broken=broken))
    return not broken


def backup(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="New file to write.", show_default=False)],
    data: Data = Path("data"),
    database: Database = "",
) -> None:
    """Copy the database to a file; works while a server runs."""
    if database:
        raise BadOption("use pg_dump to back up PostgreSQL while a server runs, or `polyopolis move-store`")
    source = DataLocation(data).file
    if file.exists():
        raise BadOption(f"{file} exists already")
    if not file.parent.is_dir():
        raise BadOption(f"there is no folder {file.parent}")
    data_folder.copy_database(source, file)
    typer.echo(phrase("store", "backed-up", file=file))


def restore(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="File written by `backup`.", show_default=False)],
    data: Data = Path("data"),
) -> None:
    """Replace the database by a backup while no server runs.

    The replaced database stays beside it.
    """
    if not file.exists():
        raise BadOption(f"there is no file {file}")
    data_folder.revision_of(file)
    with data_folder.lock_folder(data):
        path, unfinished = data / DATABASE, data / f"{DATABASE}.restored"
        replaced = data / f"replaced-{data_folder.timestamp()}.sqlite" if path.exists() else None
        try:
            data_folder.copy_database(file, unfinished)
            if replaced:
                data_folder.copy_database(path, replaced)
                for suffix in ("-wal", "-shm"):
                    path.with_name(path.name + suffix).unlink(missing_ok=True)
            unfinished.replace(path)
        finally:
            unfinished.unlink(missing_ok=True)
    typer.echo(phrase("store", "restored", file=file))
    if replaced:
        typer.echo(phrase("store", "replaced", file=replaced))


def set_aside(table: TableId, data: Data = Path("data"), database: Database = "") -> None:
    """Move a broken table out of the database into a file.

    No server may be running. `put-back` reverts it.
    """
    with _migrated(DataLocation(data, database)) as engine:
        file = quarantine.quarantine_table(engine, data, table)
    typer.echo(phrase("store", "set-aside", table=table, file=file))


def put_back(table: TableId, data: Data = Path("data"), database: Database = "") -> None:
    """Move a table that was set aside back into the database.

    No server may be running.
    """
    with _migrated(DataLocation(data, database)) as engine:
        quarantine.restore_table(engine, data, table)
    typer.echo(phrase("store", "put-back", table=table))


@contextmanager
def _migrated(location: DataLocation) -> Iterator[Engine]:
    """Opens the database of a stopped site, and migrates it to this version if it is SQLite."""
    with location.stopped() as engine:
        if not location.database:
            data_folder.prepare_database(location.data)
            with engine.begin() as db:
                migrate(db)
        yield engine


def move_store(
    source: Annotated[str, typer.Argument(metavar="FROM", help="Data folder, or address of a PostgreSQL database.")],
    target: Annotated[str, typer.Argument(metavar="TO", help="The same; must be empty.")],
) -> None:
    """Copy a site to another database while no server runs.

    Verifies the copy by replaying all its matches, and exits with 2 if one would fail.
    """
    old, new = _parse_location(source), _parse_location(target)
    if new.database:
        check_database(new.database)
        _copy(old, new.database)
    else:
        path = new.data / DATABASE
        if path.exists():
            raise BadOption(f"{path} exists already")
        with data_folder.lock_folder(new.data):
            unfinished = path.with_suffix(".new")
            unfinished.unlink(missing_ok=True)
            _copy(old, unfinished)
            unfinished.replace(path)
            data_folder.restrict_permissions(new.data)
    _verify(new)


def _parse_location(text: str) -> DataLocation:
    return DataLocation(Path(), text) if "://" in text else DataLocation(Path(text))


def _copy(source: DataLocation, target: Path | str) -> None:
    with source.stopped() as old, TemporaryDirectory() as scratch, ExitStack() as stack:
        if not source.database:  # a copy, which is migrated if it is of an older version
            copied = Path(scratch) / DATABASE
            data_folder.copy_database(source.file, copied)
            old = engine_of(copied)
            stack.callback(old.dispose)
            with old.begin() as db:
                migrate(db)
        new = engine_of(target)
        stack.callback(new.dispose)
        with progress_bar() as progress:
            bar = progress.add_task(phrase("store", "moving"))
            for step in site_migration.copy_site(old, new):
                progress.update(bar, completed=step.done, total=step.all)
    typer.echo(phrase("store", "moved", rows=step.all, target=display_name(target)))
