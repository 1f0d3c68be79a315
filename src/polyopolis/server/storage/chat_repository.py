"""Stores chat messages, ignore lists and abuse reports."""

import logging
import secrets
from collections.abc import Iterable
from typing import Any

from msgspec import Struct
from sqlalchemy import BindParameter, Connection, bindparam, delete, func, insert, select
from sqlalchemy.dialects.postgresql import insert as upsert  # SQLite understands it, too

from polyopolis.play.entities import ChatMessage
from polyopolis.server.storage.match_repository import DatabaseMatchRepository
from polyopolis.server.storage.row_mapping import column_values, read_rows
from polyopolis.server.storage.schema import ignored, remarks, reports

logger = logging.getLogger(__name__)

Bind = BindParameter[Any]
_person: Bind = bindparam("of_person")
_remark: Bind = bindparam("of_remark")

_select_remarks = select(*(remarks.c[name] for name in ChatMessage.__struct_fields__))
SELECT_REMARK = _select_remarks.where(remarks.c.id == _remark)
LATEST_REMARKS = (
    _select_remarks.where(remarks.c.table == bindparam("of_table"))
    .order_by(remarks.c.time.desc(), remarks.c.id.desc())
    .limit(bindparam("most"))
)
INSERT_IGNORED = upsert(ignored).on_conflict_do_nothing()
DELETE_IGNORED = delete(ignored).where(ignored.c.person == _person, ignored.c.other == bindparam("of_other"))
IGNORED_BY = select(ignored.c.other).where(ignored.c.person == _person)
IGNORING = select(ignored.c.person).where(ignored.c.other == _person)
REPORT_BY_PERSON = select(reports.c.id).where(reports.c.remark == _remark, reports.c.reporter == _person)


class DatabaseChatRepository:
    """A `ChatRepository` in a database."""

    def __init__(self, store: DatabaseMatchRepository) -> None:
        self._write, self._read = store.write, store.read

    async def write(self, row: ChatMessage) -> None:
        await self._write(lambda db: db.execute(insert(remarks), column_values(row)), row.table)

    async def remark(self, remark: str) -> ChatMessage | None:
        found = await self._read(lambda db: read_rows(db, ChatMessage, SELECT_REMARK, {"of_remark": remark}))
        return next(iter(found), None)

    async def remarks(self, table: str, most: int) -> tuple[ChatMessage, ...]:
        found = await self._read(
            lambda db: read_rows(db, ChatMessage, LATEST_REMARKS, {"of_table": table, "most": most})
        )
        return found[::-1]

    async def ignore(self, person: str, other: str, ignored: bool) -> None:
        about = {"of_person": person, "of_other": other}
        await self._write(
            lambda db: (
                db.execute(INSERT_IGNORED, {"person": person, "other": other})
                if ignored
                else db.execute(DELETE_IGNORED, about)
            )
        )

    async def ignored_by(self, person: str) -> frozenset[str]:
        return await self._read(lambda db: frozenset(db.execute(IGNORED_BY, {"of_person": person}).scalars()))

    async def ignoring(self, other: str) -> frozenset[str]:
        return await self._read(lambda db: frozenset(db.execute(IGNORING, {"of_person": other}).scalars()))

    async def report(self, remark: ChatMessage, by: str, now: int) -> None:
        about = {name: value for name, value in column_values(remark).items() if name in reports.c}
        row = {**about, "id": secrets.token_urlsafe(6), "remark": remark.id, "reporter": by, "time": now}

        def work(db: Connection) -> bool:
            if db.execute(REPORT_BY_PERSON, {"of_remark": remark.id, "of_person": by}).scalar():
                return False
            db.execute(insert(reports), row)
            return True

        if await self._write(work):
            logger.warning("a remark was reported; `polyopolis people reports` lists it")


# For hosts


class AbuseReport(Struct, frozen=True):
    """A reported chat message."""

    remark: str
    person: str
    """The author."""
    name: str
    text: str
    table: str
    times: int
    """The number of people who have reported it."""
    last: int
    """The time of the latest report, in seconds since 1970."""


def all_reports(db: Connection) -> Iterable[AbuseReport]:
    """Yields the reported messages, the latest report first."""
    of = (reports.c.remark, reports.c.person, reports.c.name, reports.c.text, reports.c.table)
    last = func.max(reports.c.time)
    found = select(*of, func.count(reports.c.id), last).group_by(*of).order_by(last.desc(), reports.c.remark)
    return (AbuseReport(*row) for row in db.execute(found))


def dismiss_report(db: Connection, remark: str) -> bool:
    """Deletes the reports of a message. Returns whether any existed."""
    return bool(db.execute(delete(reports).where(reports.c.remark == remark)).rowcount)
