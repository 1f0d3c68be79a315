"""What people write to each other, in the database; whom they ignore, and what they report to the host."""

import logging
import secrets
from collections.abc import Iterable
from typing import Any

from msgspec import Struct
from sqlalchemy import BindParameter, Connection, bindparam, delete, func, insert, select
from sqlalchemy.dialects.postgresql import insert as upsert  # SQLite understands it, too

from polyopolis.play.entities import ChatMessage
from polyopolis.server.storage.match_repository import DatabaseMatchRepository
from polyopolis.server.storage.row_mapping import fields, read
from polyopolis.server.storage.schema import ignored, remarks, reports

logger = logging.getLogger(__name__)

Bind = BindParameter[Any]
_person: Bind = bindparam("of_person")
_remark: Bind = bindparam("of_remark")

_all = select(*(remarks.c[name] for name in ChatMessage.__struct_fields__))
REMARK = _all.where(remarks.c.id == _remark)
LAST = (
    _all.where(remarks.c.table == bindparam("of_table"))
    .order_by(remarks.c.time.desc(), remarks.c.id.desc())
    .limit(bindparam("most"))
)
IGNORE = upsert(ignored).on_conflict_do_nothing()
HEAR = delete(ignored).where(ignored.c.person == _person, ignored.c.other == bindparam("of_other"))
IGNORED_BY = select(ignored.c.other).where(ignored.c.person == _person)
IGNORING = select(ignored.c.person).where(ignored.c.other == _person)
REPORTED = select(reports.c.id).where(reports.c.remark == _remark, reports.c.reporter == _person)


class DatabaseChatRepository:
    """A `Notebook`."""

    def __init__(self, store: DatabaseMatchRepository) -> None:
        self._write, self._read = store.write, store.read

    async def write(self, row: ChatMessage) -> None:
        await self._write(lambda db: db.execute(insert(remarks), fields(row)), row.table)

    async def remark(self, remark: str) -> ChatMessage | None:
        found = await self._read(lambda db: read(db, ChatMessage, REMARK, {"of_remark": remark}))
        return next(iter(found), None)

    async def remarks(self, table: str, most: int) -> tuple[ChatMessage, ...]:
        found = await self._read(lambda db: read(db, ChatMessage, LAST, {"of_table": table, "most": most}))
        return found[::-1]

    async def ignore(self, person: str, other: str, ignored: bool) -> None:
        about = {"of_person": person, "of_other": other}
        await self._write(
            lambda db: db.execute(IGNORE, {"person": person, "other": other}) if ignored else db.execute(HEAR, about)
        )

    async def ignored_by(self, person: str) -> frozenset[str]:
        return await self._read(lambda db: frozenset(db.execute(IGNORED_BY, {"of_person": person}).scalars()))

    async def ignoring(self, other: str) -> frozenset[str]:
        return await self._read(lambda db: frozenset(db.execute(IGNORING, {"of_person": other}).scalars()))

    async def report(self, remark: ChatMessage, by: str, now: int) -> None:
        about = {name: value for name, value in fields(remark).items() if name in reports.c}
        row = {**about, "id": secrets.token_urlsafe(6), "remark": remark.id, "reporter": by, "time": now}

        def work(db: Connection) -> bool:
            if db.execute(REPORTED, {"of_remark": remark.id, "of_person": by}).scalar():
                return False
            db.execute(insert(reports), row)
            return True

        if await self._write(work):
            logger.warning("a remark was reported: `polyopolis people reports` shows it")


# As hosts see it


class AbuseReport(Struct, frozen=True):
    """What the host is to read."""

    remark: str
    person: str
    """Who wrote it."""
    name: str
    text: str
    table: str
    times: int
    """By how many it was reported."""
    last: int
    """In seconds since 1970."""


def all_reports(db: Connection) -> Iterable[AbuseReport]:
    """Those that were reported last come first."""
    of = (reports.c.remark, reports.c.person, reports.c.name, reports.c.text, reports.c.table)
    last = func.max(reports.c.time)
    found = select(*of, func.count(reports.c.id), last).group_by(*of).order_by(last.desc(), reports.c.remark)
    return (AbuseReport(*row) for row in db.execute(found))


def dismiss(db: Connection, remark: str) -> bool:
    """It was read; whether there was such a report."""
    return bool(db.execute(delete(reports).where(reports.c.remark == remark)).rowcount)
