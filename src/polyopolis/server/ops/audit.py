"""Replays every stored match with the installed rules (`verify-store`). Read-only: a SQLite file is copied first."""

from collections.abc import AsyncIterator
from pathlib import Path
from tempfile import TemporaryDirectory

from polyopolis.play.history.derived_columns import recompute_derived_columns
from polyopolis.play.match.match_chain import MatchChain
from polyopolis.server.ops.data_folder import DATABASE, copy_database
from polyopolis.server.storage.databases import check_database
from polyopolis.server.storage.match_repository import DatabaseMatchRepository

Finding = tuple[str, int | None, tuple[str, ...]]
"""A table, a match and its problems; without a match if the table itself cannot be read."""


async def audit_database(database: Path | str) -> AsyncIterator[Finding]:
    """Yields a finding for every match. Columns that an older version did not write are no difference."""
    with TemporaryDirectory() as folder:
        if isinstance(database, Path):
            copied = Path(folder) / DATABASE
            copy_database(database, copied)
            database = copied
        else:
            check_database(database, whole=True)
        async for finding in _audit_tables(DatabaseMatchRepository(database), migrate=isinstance(database, Path)):
            yield finding


async def _audit_tables(store: DatabaseMatchRepository, *, migrate: bool) -> AsyncIterator[Finding]:
    if migrate:
        await store.open()
    try:
        for table in await store.all_tables():
            async for finding in _audit_table(store, table):
                yield finding
    finally:
        await store.close()


async def _audit_table(store: DatabaseMatchRepository, table: str) -> AsyncIterator[Finding]:
    try:
        row = await store.table(table)
        if row is None:
            return
        async for stamp in recompute_derived_columns(MatchChain(store, row)):
            unknown = stamp.kept.rules is None and stamp.given is not None
            yield table, stamp.kept.number, () if unknown else stamp.differences
    except Exception as error:  # decoders raise any error for broken rows
        yield table, None, (str(error),)
