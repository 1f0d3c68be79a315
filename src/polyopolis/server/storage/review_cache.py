"""Stores the newest reviews, compressed."""

import asyncio
import gzip
from typing import Any

from sqlalchemy import BindParameter, Connection, bindparam, delete, select
from sqlalchemy.dialects.postgresql import insert as upsert  # SQLite understands it, too

from polyopolis.play.protocols import Clock
from polyopolis.server.storage.match_repository import DatabaseMatchRepository
from polyopolis.server.storage.schema import reviews

MAX_REVIEWS = 2_000
"""If there are more reviews, the oldest are deleted."""

_key: BindParameter[Any] = bindparam("of_key")
SELECT_REVIEW = select(reviews.c.review).where(reviews.c.key == _key)
INSERT_REVIEW = upsert(reviews).on_conflict_do_nothing()
_oldest = select(reviews.c.made).order_by(reviews.c.made.desc()).offset(MAX_REVIEWS).limit(1).scalar_subquery()
DELETE_OLDEST = delete(reviews).where(reviews.c.made <= _oldest)


class DatabaseReviewCache:
    """A `ReviewCache` in a database."""

    def __init__(self, store: DatabaseMatchRepository, clock: Clock) -> None:
        self._write, self._read, self._clock = store.write, store.read, clock

    async def review(self, key: str) -> bytes | None:
        found = await self._read(lambda db: db.execute(SELECT_REVIEW, {"of_key": key}).scalar())
        return await asyncio.to_thread(gzip.decompress, found) if found else None

    async def shelve(self, key: str, review: bytes) -> None:
        packed = await asyncio.to_thread(gzip.compress, review)
        values = {"key": key, "review": packed, "made": self._clock.now()}

        def work(db: Connection) -> None:
            db.execute(INSERT_REVIEW, values)
            db.execute(DELETE_OLDEST)

        await self._write(work)
