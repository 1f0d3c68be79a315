"""Deletes tables that nobody needs any more; what was played at them becomes records in an archive.

The files of the archive are those of any match and campaign: `polyopolis replay` and `polyopolis verify` open them.
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
from polyopolis.server.ops.data_folder import FILE_OF_OURS, OURS_ALONE
from polyopolis.server.ops.quotas import DECIDED, DECIDED_BY_PERSON, IS_IMPORT, is_off_list
from polyopolis.server.settings import About
from polyopolis.server.storage.match_repository import DatabaseMatchRepository, remove_table
from polyopolis.server.storage.schema import counters, matches, opened, people, results, seats, tables

logger = logging.getLogger(__name__)

ARCHIVE = "archive"
DAY = 86_400.0
OFF_LIST_DAYS = 7.0
"""Days after which a game from elsewhere goes that its owner has taken off their list."""
AT_ONCE, PAUSE = 100, 0.05
"""Tables that are looked at by one statement, and seconds in which others may work before the next one, and before the
next table is deleted."""
SINCE = "openings"
"""The counter that holds the day from which on it is known when tables were opened."""

Days = Annotated[float, Meta(ge=0)] | Literal["never"]
Reason = Literal["unbegun", "left", "unplayed", "guests", "imports"]


def _after(what: str) -> About:
    return About("DAYS", "a number of days, or never", what)


@dataclass(frozen=True)
class Retention:
    """The days after which tables are deleted.

    `unbegun` and `left` count from the last change of a table. The others count from when it was changed or opened
    last, whichever was later, and they never delete a table at which a person with an account has a seat or a result
    and somebody has played, or a campaign that was begun and is not over.
    """

    unbegun: Annotated[Days, _after("Delete tables without a match that have not changed for this long.")] = "never"
    left: Annotated[Days, _after("Archive tables that have not changed for this long as records in DIR/archive.")] = (
        "never"
    )
    unplayed: Annotated[Days, _after("Delete unplayed tables that have not been opened for this long.")] = 30.0
    guests: Annotated[
        Days, _after("Archive tables of guests that have not been opened for this long as records in DIR/archive.")
    ] = 400.0
    imports: Annotated[
        Days, _after("Delete imported games that were not continued and have not been opened for this long.")
    ] = 30.0

    def days(self, reason: Reason) -> float | None:
        days: Days = getattr(self, reason)
        return None if days == "never" else days

    @property
    def shortest(self) -> float | None:
        """The fewest days after which anything goes."""
        found = [days for name in REASONS if (days := self.days(name)) is not None]
        return min([*found, OFF_LIST_DAYS] if self.days("imports") is not None else found, default=None)

    def reason(self, table: "Usage", now: float, since: float) -> Reason | None:
        """Returns why a table is deleted now, or None if it stays. Openings are known since then."""
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
"""Of the others there is nothing to keep: nobody has played there, or the file of it came from elsewhere."""


class MonotonicDate:
    """What day it is, for those who give things up. Days are counted from one start of the server to the next, which
    only the time of day can tell; but no table goes because somebody has set it forth since this start."""

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._begun = clock.now() / 1000 - clock.running()

    @property
    def seconds(self) -> float:
        """Since 1970."""
        return min(self._clock.now() / 1000, self._begun + self._clock.running())


class Usage(Struct, frozen=True):
    """What is known of the use of a table."""

    id: str
    changed: int
    version: int
    plan: str
    opened: int
    """The last day on which somebody opened it and changed nothing; 0 if there was none."""
    begun: bool
    imported: bool
    """It began as a game from another house."""
    over: int
    """Matches that are over."""
    seated: bool
    """A person has a seat."""
    decided_by_person: bool
    decided_by_any: bool
    has_account: bool
    """Somebody with an account has made it, sits there, or has a result there. Outside bots have accounts."""
    clocked: bool
    """A clock runs there."""
    off_list: bool
    """Whoever has made it has taken it off their list."""

    @property
    def decided(self) -> bool:
        """Whether a person may have decided something in this house. Whoever has left their seat may have."""
        return self.decided_by_person if self.seated else self.decided_by_any

    @property
    def goes_on(self) -> bool:
        """A campaign that was begun and is not over."""
        try:
            return self.begun and self.over < len(msgspec.json.decode(self.plan, type=list[int]))
        except msgspec.MsgspecError:  # nobody can tell
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
    .limit(AT_ONCE)
)
UNCHANGED = (
    select(tables.c.id)
    .outerjoin(opened, opened.c.table == tables.c.id)
    .where(tables.c.id == bindparam("of_table"), tables.c.version == bindparam("version"))
    .where(func.coalesce(opened.c.day, 0) == bindparam("day"))
    .with_for_update(of=tables)
)


async def retire(
    store: DatabaseMatchRepository,
    folder: Path,
    retention: Retention,
    today: MonotonicDate,
    in_use: Callable[[], Collection[str]],
) -> int:
    """Deletes the tables that are over by these rules, a few at a time, and returns how many.

    A table that is in use or cannot be read stays. When this is first done in a database nobody knows yet which tables
    are opened, so for the rules that go by that, the days count from then.
    """
    if (shortest := retention.shortest) is None:
        return 0
    since, is_first = await store.write(partial(_since, now=today.seconds))
    gone, later, after = Counter[Reason](), Counter[Reason](), ""
    while found := await store.read(partial(_usage, after=after, before=today.seconds - shortest * DAY)):
        for table in found:
            why = retention.reason(table, today.seconds, since)
            if why and table.id not in in_use() and await _delete(store, folder, table, archived=why in ARCHIVED):
                gone[why] += 1
                await asyncio.sleep(PAUSE)
            elif is_first and (soon := retention.reason(table, today.seconds, 0.0)):
                later[soon] += 1
        after = found[-1].id
        await asyncio.sleep(PAUSE)
    if gone:
        logger.info("tables were deleted: %s", _listed(gone))
    if later:
        logger.warning(
            "tables that nobody uses are deleted from now on (--keep-unplayed, --keep-guests, --keep-imports), and "
            "these, unless somebody opens them: %s",
            ", ".join(f"{count} ({name}) in {retention.days(name):g} days" for name, count in sorted(later.items())),
        )
    return gone.total()


def _listed(counted: Counter[Reason]) -> str:
    return ", ".join(f"{count} ({name})" for name, count in sorted(counted.items()))


def _since(db: Connection, now: float) -> tuple[float, bool]:
    """The time from which on openings are known, and whether that is now."""
    first = upsert(counters).values(name=SINCE, number=int(now // DAY)).on_conflict_do_nothing()
    is_first = db.execute(first.returning(counters.c.number)).scalar() is not None
    return DAY * db.execute(select(counters.c.number).where(counters.c.name == SINCE)).scalar_one(), is_first


def _usage(db: Connection, after: str, before: float) -> list[Usage]:
    return [Usage(*row) for row in db.execute(USAGE, {"after": after, "before": before})]


async def _delete(store: DatabaseMatchRepository, folder: Path, table: Usage, *, archived: bool) -> bool:
    """Whether it is gone: not if somebody looks on at another server, or has changed or opened it in the meantime."""
    if await store.crowd(table.id) != TableAttendance():
        return False
    try:
        if archived and (row := await store.table(table.id)):
            async for name, content in _records(store, row):
                await asyncio.to_thread(_write, folder / ARCHIVE / name, content)
    except Exception:  # whatever rules and decoders say of a table that is broken
        logger.exception("table %s stays: it cannot be archived", table.id)
        return False
    return await store.write(partial(_remove, table=table), table.id)


def _remove(db: Connection, table: Usage) -> bool:
    about = {"of_table": table.id, "version": table.version, "day": table.opened}
    if db.execute(UNCHANGED, about).scalar() is None:
        return False
    remove_table(db, table.id)
    return True


async def _records(store: DatabaseMatchRepository, row: TableEntity) -> AsyncIterator[tuple[str, bytes]]:
    """A campaign is one file, other matches are one each."""
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
    path.parent.mkdir(OURS_ALONE, exist_ok=True)
    path.write_bytes(content)
    path.chmod(FILE_OF_OURS)
