"""Reviews in the database: the newest of them, packed."""

import asyncio
import gzip
from typing import Any

from sqlalchemy import BindParameter, Connection, bindparam, delete, select
from sqlalchemy.dialects.postgresql import insert as upsert  # SQLite understands it, too

from polyopolis.play.protocols import Clock
from polyopolis.server.storage.match_repository import DatabaseMatchRepository
from polyopolis.server.storage.schema import reviews

MOST = 2_000
"""Reviews that are kept; the oldest go."""

_key: BindParameter[Any] = bindparam("of_key")
FIND = select(reviews.c.review).where(reviews.c.key == _key)
SHELVE = upsert(reviews).on_conflict_do_nothing()
_oldest = select(reviews.c.made).order_by(reviews.c.made.desc()).offset(MOST).limit(1).scalar_subquery()
CLEAR = delete(reviews).where(reviews.c.made <= _oldest)


class DatabaseReviewCache:
    """A `Shelf`."""

    def __init__(self, store: DatabaseMatchRepository, clock: Clock) -> None:
        self._write, self._read, self._clock = store.write, store.read, clock

    async def review(self, key: str) -> bytes | None:
        found = await self._read(lambda db: db.execute(FIND, {"of_key": key}).scalar())
        return await asyncio.to_thread(gzip.decompress, found) if found else None

    async def shelve(self, key: str, review: bytes) -> None:
        packed = await asyncio.to_thread(gzip.compress, review)
        values = {"key": key, "review": packed, "made": self._clock.now()}

        def work(db: Connection) -> None:
            db.execute(SHELVE, values)
            db.execute(CLEAR)

        await self._write(work)
