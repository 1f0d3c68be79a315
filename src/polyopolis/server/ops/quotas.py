"""Storage quotas per person and per network, and the last day on which tables were opened."""

import asyncio
import logging
from collections import OrderedDict
from collections.abc import Callable

from sqlalchemy import ColumnElement, bindparam, func, select
from sqlalchemy.dialects.postgresql import insert as upsert  # SQLite understands it, too

from polyopolis.play.errors import Full
from polyopolis.play.protocols import Clock
from polyopolis.server.limits.client_addresses import networks_of
from polyopolis.server.limits.rate_limits import Limits, TokenBucket, raise_if_limited
from polyopolis.server.storage.match_repository import DatabaseMatchRepository
from polyopolis.server.storage.schema import matches, opened, seats, tables, turns, unlisted

logger = logging.getLogger(__name__)

DAY = 86_400
RECENT_DAYS = 30
"""Older tables do not count towards the quota of new tables."""
MAX_REMEMBERED_TABLES = 20_000
"""Tables whose opening today is cached, to write it once."""
MEGABYTE = 1_000_000

IS_IMPORT = (
    select(matches.c.table)
    .where(matches.c.table == tables.c.id, matches.c.number == 0, matches.c.practice_for == "import")
    .exists()
)
"""Condition: the table began as an imported game."""
_has_decided = (turns.c.turn > 0) | turns.c.prepared.is_not(None)
DECIDED = select(turns.c.table).where(turns.c.table == tables.c.id, _has_decided).exists()
"""Condition: a seat has decided at this table on this site."""
DECIDED_BY_PERSON = (
    select(turns.c.table)
    .join(seats, (seats.c.table == turns.c.table) & (seats.c.seat == turns.c.seat))
    .where(turns.c.table == tables.c.id, _has_decided, seats.c.person.is_not(None) | seats.c.bot.is_(None))
    .exists()
)
"""The same, without decisions of bots."""


def is_off_list(person: ColumnElement[str | None]) -> ColumnElement[bool]:
    """Condition: the person has removed the table from their list and it has not changed since."""
    return (
        select(unlisted.c.table)
        .where(unlisted.c.table == tables.c.id, unlisted.c.person == person, unlisted.c.time >= tables.c.changed)
        .exists()
    )


_person = bindparam("of_person", type_=tables.c.maker.type)
_own = (
    select(func.count())
    .select_from(tables)
    .where(tables.c.id.in_(select(seats.c.table).where(seats.c.person == _person)))
    .where(tables.c.maker == _person, ~is_off_list(_person))
)
COUNT_IMPORTS = _own.where(IS_IMPORT)
COUNT_UNPLAYED = _own.where(tables.c.created >= bindparam("since"), ~IS_IMPORT, ~DECIDED_BY_PERSON)
_found = select(tables.c.id, bindparam("day", type_=opened.c.day.type)).where(tables.c.id == bindparam("of_table"))
_opening = upsert(opened).from_select(["table", "day"], _found)
NOTE_OPENED = _opening.on_conflict_do_update(index_elements=["table"], set_={"day": _opening.excluded.day})
"""No effect if the table no longer exists."""


class StoredQuotas:
    """`Quotas` that are checked against the database and rate limits."""

    def __init__(
        self, store: DatabaseMatchRepository, limits: Limits, clock: Clock, address_of: Callable[[str], str]
    ) -> None:
        self._store, self._limits, self._clock, self._address_of = store, limits, clock, address_of
        self._tables = TokenBucket(limits.tables_daily, clock.running)
        self._megabytes = TokenBucket(limits.import_megabytes, clock.running)
        self._opened = OrderedDict[str, int]()
        self._writing = set[asyncio.Task[None]]()

    async def check_table(self, person: str) -> None:
        since = self._clock.now() // 1000 - RECENT_DAYS * DAY
        about = {"of_person": person, "since": since}
        kept = await self._store.read(lambda db: db.execute(COUNT_UNPLAYED, about).scalar_one())
        if kept >= self._limits.unplayed:
            raise Full(
                f"no game has begun at {kept} tables that you have made, which is the limit: play at one of them, "
                "leave some, or remove some from your list on the home page, then try again"
            )
        wait = self._tables.spend_all(networks_of(self._address_of(person)))
        raise_if_limited(wait, "your network has created as many tables today as allowed; try again later")

    async def check_import(self, person: str, size: int) -> None:
        kept = await self._store.read(lambda db: db.execute(COUNT_IMPORTS, {"of_person": person}).scalar_one())
        if kept >= self._limits.imports_kept:
            raise Full(
                f"you keep {kept} games from elsewhere, which is the limit: remove some from your list on the home "
                "page, or leave their tables, then try again"
            )
        wait = self._megabytes.spend_all(networks_of(self._address_of(person)), size / MEGABYTE)
        raise_if_limited(wait, "your network has imported as much data today as allowed; try again later")

    def note_opened(self, table: str, changed: int) -> None:
        today = self._clock.now() // 1000 // DAY
        if changed // DAY >= today or self._opened.get(table) == today:
            return
        self._opened[table] = today
        self._opened.move_to_end(table)
        if len(self._opened) > MAX_REMEMBERED_TABLES:
            self._opened.popitem(last=False)
        task = asyncio.create_task(self._write(table, today))
        self._writing.add(task)
        task.add_done_callback(self._writing.discard)

    async def _write(self, table: str, day: int) -> None:
        try:
            await self._store.write(lambda db: db.execute(NOTE_OPENED, {"of_table": table, "day": day}), table)
        except Exception as error:  # reading a table must not depend on it
            self._opened.pop(table, None)
            logger.warning("cannot record that a table was opened: %s", type(error).__name__)

    async def close(self) -> None:
        """Waits for pending writes."""
        await asyncio.gather(*self._writing)
