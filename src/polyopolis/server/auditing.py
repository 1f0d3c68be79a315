"""Whether all that is kept can be played on with what is installed: on a copy, so that nothing is touched."""

from collections.abc import AsyncIterator
from pathlib import Path
from tempfile import TemporaryDirectory

from polyopolis.play.chain import Chain
from polyopolis.play.stamping import stamps
from polyopolis.server.folder import DATABASE, copy
from polyopolis.server.store import Store


async def audited(data: Path) -> AsyncIterator[tuple[str, int | None, tuple[str, ...]]]:
    """For every match its table, its number and what would break; without a number where the table itself cannot be
    read. What an older version did not write down is no difference."""
    with TemporaryDirectory() as folder:
        copied = Path(folder) / DATABASE
        copy(data / DATABASE, copied)
        store = Store(copied)
        await store.open()
        try:
            for table in await store.all_tables():
                async for finding in _audited(store, table):
                    yield finding
        finally:
            await store.close()


async def _audited(store: Store, table: str) -> AsyncIterator[tuple[str, int | None, tuple[str, ...]]]:
    try:
        row = await store.table(table)
        if row is None:
            return
        async for stamp in stamps(Chain(store, row)):
            unknown = stamp.kept.rules is None and stamp.given is not None
            yield table, stamp.kept.number, () if unknown else stamp.differences
    except Exception as error:  # whatever decoders say of a row that is broken
        yield table, None, (str(error),)
