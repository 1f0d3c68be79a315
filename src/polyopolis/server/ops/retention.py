"""Deletes or archives abandoned tables.

Archived matches and campaigns are ordinary record files, which `polyopolis replay` and `polyopolis verify` can read.
"""

import asyncio
import logging
from collections import Counter
from collections.abc import AsyncIterator, Callable, Collection
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Annotated, Literal

import msgspec
from msgspec import Meta, Struct
from sqlalchemy import Connection, bindparam, func, select
from sqlalchemy.dialects.postgresql import insert as upsert  # SQLite understands it, too

from polyopolis.play.entities import TableEntity, as_json
from polyopolis.play.history import match_exports
from polyopolis.play.match.match_chain import MatchChain
from polyopolis.play.protocols import Clock, TableAttendance
from polyopolis.play.seats.seating import Seating
from polyopolis.server.ops.data_folder import PRIVATE_FILE_MODE, PRIVATE_FOLDER_MODE
from polyopolis.server.ops.quotas import DECIDED, DECIDED_BY_PERSON, IS_IMPORT, is_off_list
from polyopolis.server.settings import About
from polyopolis.server.storage.match_repository import DatabaseMatchRepository, remove_table
from polyopolis.server.storage.schema import counters, matches, opened, people, results, seats, tables

logger = logging.getLogger(__name__)

ARCHIVE_FOLDER = "archive"
DAY = 86_400.0
OFF_LIST_DAYS = 7.0
"""Imported games that their owner has removed from the list are deleted after this time."""
PAGE_SIZE, PAUSE_SECONDS = 100, 0.05
"""Tables per query, and the pause after each query and each deletion, so that other work is not delayed."""
OPENINGS_COUNTER = "openings"
"""Counter with the first day on which openings of tables were recorded."""

Days = Annotated[float, Meta(ge=0)] | Literal["never"]
Reason = Literal["unbegun", "left", "unplayed", "guests", "imports"]


def _days_option(what: str) -> About:
    return About("DAYS", "a number of days, or never", what)


@dataclass(frozen=True)
class Retention:
    """The days after which tables are deleted.

    `unbegun` and `left` count from the last change of a table. The others count from its last change or opening,
    whichever was later. They never delete a table that was played and where a person with an account has a seat or a
    result, or a running campaign.
    """

    unbegun: Annotated[Days, _days_option("Delete tables without a match that have not changed for this long.")] = (
        "never"
    )
    left: Annotated[
        Days, _days_option("Archive tables that have not changed for this long as records in DIR/archive.")
    ] = "never"
    unplayed: Annotated[Days, _days_option("Delete unplayed tables that have not been opened for this long.")] = 30.0
    guests: Annotated[
        Days,
        _days_option("Archive tables of guests that have not been opened for this long as records in DIR/archive."),
    ] = 400.0
    imports: Annotated[
        Days, _days_option("Delete imported games that were not continued and have not been opened for this long.")
    ] = 30.0

    def days(self, reason: Reason) -> float | None:
        days: Days = getattr(self, reason)
        return None if days == "never" else days

    @property
    def shortest(self) -> float | None:
        """The shortest period after which a table is deleted; None if no rule is set."""
        found = [days for name in REASONS if (days := self.days(name)) is not None]
        return min([*found, OFF_LIST_DAYS] if self.days("imports") is not None else found, default=None)

    def reason(self, table: "Usage", now: float, since: float) -> Reason | None:
        """Returns why a table is deleted now, or None if it stays. Openings have been recorded since `since`."""
        if self._is_over("left" if table.begun else "unbegun", table.changed, now):
            return "left" if table.begun else "unbegun"
        used = max(table.changed, DAY * table.opened, since)
        if table.imported and not table.decided:
            days = self.days("imports")
            if days is not None and table.off_list:
                days = min(days, OFF_LIST_DAYS)
            return "imports" if days is not None and used < now - days * DAY else None
        is_played = table.decided or table.over or table.clocked
        if not is_played and self._is_over("unplayed", used, now):
            return "unplayed"
        if not table.has_account and not table.goes_on and self._is_over("guests", used, now):
            return "guests"
        return None

    def _is_over(self, reason: Reason, used: float, now: float) -> bool:
        days = self.days(reason)
        return days is not None and used < now - days * DAY


REASONS: tuple[Reason, ...] = ("unbegun", "left", "unplayed", "guests", "imports")
ARCHIVED = frozenset({"left", "guests"})
"""Reasons for which tables are archived. The other tables were not played, or were imported from a file."""


class MonotonicDate:
    """A date that never jumps ahead while the server runs: wall-clock time, but at most the time at startup plus the
    elapsed monotonic time. So setting the clock forward does not delete tables."""

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._begun = clock.now() / 1000 - clock.running()

    @property
    def seconds(self) -> float:
        """Seconds since 1970."""
        return min(self._clock.now() / 1000, self._begun + self._clock.running())


class Usage(Struct, frozen=True):
    """The usage of a table."""

    id: str
    changed: int
    version: int
    plan: str
    opened: int
    """The last day on which it was opened without a change; 0 if there was none."""
    begun: bool
    imported: bool
    """Whether it began as an imported game."""
    over: int
    """The number of finished matches."""
    seated: bool
    """Whether a person has a seat."""
    decided_by_person: bool
    decided_by_any: bool
    has_account: bool
    """Whether an account has created it, or has a seat or a result there. External bots have accounts."""
    clocked: bool
    """Whether a clock runs."""
    off_list: bool
    """Whether its creator has removed it from their list."""

    @property
    def decided(self) -> bool:
        """Whether a person may have decided on this site, including one who has left their seat."""
        return self.decided_by_person if self.seated else self.decided_by_any

    @property
    def goes_on(self) -> bool:
        """Whether a campaign is running."""
        try:
            return self.begun and self.over < len(msgspec.json.decode(self.plan, type=list[int]))
        except msgspec.MsgspecError:  # unreadable: keep the table
            return True


_begun = select(matches.c.table).where(matches.c.table == tables.c.id).exists()
_over = (
    select(func.count())
    .select_from(matches)
    .where(matches.c.table == tables.c.id, matches.c.over.is_(True), matches.c.ended.is_(False))
    .scalar_subquery()
)
_clocked = (
    select(matches.c.table)
    .where(matches.c.table == tables.c.id, matches.c.over.is_(False), matches.c.deadlines.is_not(None))
    .exists()
)
_seated = select(seats.c.table).where(seats.c.table == tables.c.id, seats.c.person.is_not(None)).exists()
_is_account = people.c.joined.is_not(None)
_has_account = (
    select(people.c.id).where(people.c.id == tables.c.maker, _is_account).exists()
    | select(people.c.id)
    .join(seats, seats.c.person == people.c.id)
    .where(seats.c.table == tables.c.id, _is_account)
    .exists()
    | select(people.c.id)
    .join(results, results.c.person == people.c.id)
    .where(results.c.table == tables.c.id, _is_account)
    .exists()
)
USAGE = (
    select(
        tables.c.id,
        tables.c.changed,
        tables.c.version,
        tables.c.plan,
        func.coalesce(opened.c.day, 0),
        _begun,
        IS_IMPORT,
        _over,
        _seated,
        DECIDED_BY_PERSON,
        DECIDED,
        _has_account,
        _clocked,
        is_off_list(tables.c.maker),
    )
    .outerjoin(opened, opened.c.table == tables.c.id)
    .where(tables.c.id > bindparam("after"), tables.c.changed < bindparam("before"))
    .order_by(tables.c.id)
    .limit(PAGE_SIZE)
)
LOCK_UNCHANGED = (
    select(tables.c.id)
    .outerjoin(opened, opened.c.table == tables.c.id)
    .where(tables.c.id == bindparam("of_table"), tables.c.version == bindparam("version"))
    .where(func.coalesce(opened.c.day, 0) == bindparam("day"))
    .with_for_update(of=tables)
)


async def delete_unused_tables(
    store: DatabaseMatchRepository,
    folder: Path,
    retention: Retention,
    today: MonotonicDate,
    in_use: Callable[[], Collection[str]],
) -> int:
    """Deletes expired tables, a few at a time, and returns their number.

    Tables that are in use or cannot be read stay. Rules that depend on openings count from the first run on a database,
    because earlier openings were not recorded.
    """
    if (shortest := retention.shortest) is None:
        return 0
    since, is_first = await store.write(partial(_openings_known_since, now=today.seconds))
    gone, later, after = Counter[Reason](), Counter[Reason](), ""
    while found := await store.read(partial(_usage_page, after=after, before=today.seconds - shortest * DAY)):
        for table in found:
            why = retention.reason(table, today.seconds, since)
            if why and table.id not in in_use() and await _delete(store, folder, table, archived=why in ARCHIVED):
                gone[why] += 1
                await asyncio.sleep(PAUSE_SECONDS)
            elif is_first and (soon := retention.reason(table, today.seconds, 0.0)):
                later[soon] += 1
        after = found[-1].id
        await asyncio.sleep(PAUSE_SECONDS)
    if gone:
        logger.info("tables were deleted: %s", _counts_text(gone))
    if later:
        logger.warning(
            "unused tables will be deleted from now on (--keep-unplayed, --keep-guests, --keep-imports), "
            "unless they are opened before: %s",
            ", ".join(f"{count} ({name}) in {retention.days(name):g} days" for name, count in sorted(later.items())),
        )
    return gone.total()


def _counts_text(counted: Counter[Reason]) -> str:
    return ", ".join(f"{count} ({name})" for name, count in sorted(counted.items()))


def _openings_known_since(db: Connection, now: float) -> tuple[float, bool]:
    """Returns since when openings have been recorded, and whether this is the first run."""
    first = upsert(counters).values(name=OPENINGS_COUNTER, number=int(now // DAY)).on_conflict_do_nothing()
    is_first = db.execute(first.returning(counters.c.number)).scalar() is not None
    return DAY * db.execute(select(counters.c.number).where(counters.c.name == OPENINGS_COUNTER)).scalar_one(), is_first


def _usage_page(db: Connection, after: str, before: float) -> list[Usage]:
    return [Usage(*row) for row in db.execute(USAGE, {"after": after, "before": before})]


async def _delete(store: DatabaseMatchRepository, folder: Path, table: Usage, *, archived: bool) -> bool:
    """Archives and deletes a table. Returns False if it is open at another node or was changed or opened meanwhile."""
    if await store.crowd(table.id) != TableAttendance():
        return False
    try:
        if archived and (row := await store.table(table.id)):
            async for name, content in _records(store, row):
                await asyncio.to_thread(_write, folder / ARCHIVE_FOLDER / name, content)
    except Exception:  # rules and decoders raise any error for a broken table
        logger.exception("table %s is kept: it cannot be archived", table.id)
        return False
    return await store.write(partial(_remove, table=table), table.id)


def _remove(db: Connection, table: Usage) -> bool:
    about = {"of_table": table.id, "version": table.version, "day": table.opened}
    if db.execute(LOCK_UNCHANGED, about).scalar() is None:
        return False
    remove_table(db, table.id)
    return True


async def _records(store: DatabaseMatchRepository, row: TableEntity) -> AsyncIterator[tuple[str, bytes]]:
    """Yields the record files of a table: one for a campaign, otherwise one per match."""
    chain, names = MatchChain(store, row), Seating(row.seats, row.typed).names
    kept = [await chain.stored(match.number) for match in chain.rows]
    if chain.plan and kept:
        about = chain.game.key, chain.plan, as_json(chain.setup), kept
        yield f"{row.id}-campaign.json", await asyncio.to_thread(match_exports.campaign_record, *about, names)
        return
    for match in kept:
        content = await asyncio.to_thread(match_exports.record, chain.game.key, match, names)
        yield f"{row.id}-{match.row.number}.json", content


def _write(path: Path, content: bytes) -> None:
    path.parent.mkdir(PRIVATE_FOLDER_MODE, exist_ok=True)
    path.write_bytes(content)
    path.chmod(PRIVATE_FILE_MODE)
