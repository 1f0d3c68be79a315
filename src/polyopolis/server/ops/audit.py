"""Whether all that is kept can be played on with what is installed. Nothing is touched: of a file a copy is read."""

from collections.abc import AsyncIterator
from pathlib import Path
from tempfile import TemporaryDirectory

from polyopolis.play.history.derived_columns import recompute_derived_columns
from polyopolis.play.match.match_chain import MatchChain
from polyopolis.server.ops.data_folder import DATABASE, copy
from polyopolis.server.storage.databases import check
from polyopolis.server.storage.match_repository import DatabaseMatchRepository

Finding = tuple[str, int | None, tuple[str, ...]]
"""A table, a match and what would break; without a match where the table itself cannot be read."""


async def audited(database: Path | str) -> AsyncIterator[Finding]:
    """For every match. What an older version did not write down is no difference."""
    with TemporaryDirectory() as folder:
        if isinstance(database, Path):
            copied = Path(folder) / DATABASE
            copy(database, copied)
            database = copied
        else:
            check(database, whole=True)
        async for finding in _all_audited(DatabaseMatchRepository(database), migrate=isinstance(database, Path)):
            yield finding


async def _all_audited(store: DatabaseMatchRepository, *, migrate: bool) -> AsyncIterator[Finding]:
    if migrate:
        await store.open()
    try:
        for table in await store.all_tables():
            async for finding in _audited(store, table):
                yield finding
    finally:
        await store.close()


async def _audited(store: DatabaseMatchRepository, table: str) -> AsyncIterator[Finding]:
    try:
        row = await store.table(table)
        if row is None:
            return
        async for stamp in recompute_derived_columns(MatchChain(store, row)):
            unknown = stamp.kept.rules is None and stamp.given is not None
            yield table, stamp.kept.number, () if unknown else stamp.differences
    except Exception as error:  # whatever decoders say of a row that is broken
        yield table, None, (str(error),)
