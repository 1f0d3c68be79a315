"""Tables that nobody needs any more: one that never began goes; one that was left becomes records in an archive.

The files of the archive are those of any match and campaign: `polyopolis replay` and `polyopolis verify` open them.
"""

import logging
from collections.abc import AsyncIterator
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

from msgspec import Meta

from polyopolis.play import paper
from polyopolis.play.chain import Chain
from polyopolis.play.needs import Clock, Crowd
from polyopolis.play.rows import TableRow, as_json
from polyopolis.play.seating import Seating
from polyopolis.server.folder import FILE_OF_OURS, OURS_ALONE
from polyopolis.server.settings import About
from polyopolis.server.store import Store

logger = logging.getLogger(__name__)

ARCHIVE = "archive"
DAY = 86_400.0


Days = Annotated[float, Meta(ge=0)]


def _after(what: str) -> About:
    return About("DAYS", "a number of days", what, "never")


@dataclass(frozen=True)
class Retention:
    """Days after which a table is given up; none: never."""

    unbegun: Annotated[Days | None, _after("Tables that never began go after so long.")] = None
    left: Annotated[Days | None, _after("Tables that were left become records in DIR/archive.")] = None

    @property
    def any(self) -> bool:
        return self.unbegun is not None or self.left is not None

    def is_over(self, row: TableRow, now: float) -> bool:
        days = self.left if row.matches else self.unbegun
        return days is not None and row.changed < now - days * DAY


FOR_EVER = Retention()


class Today:
    """What day it is, for those who give things up. Days are counted from one start of the server to the next, which
    only the time of day can tell; but no table goes because somebody has set it forth since this start."""

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._begun = clock.now() / 1000 - clock.running()

    @property
    def seconds(self) -> float:
        """Since 1970."""
        return min(self._clock.now() / 1000, self._begun + self._clock.running())


async def retire(store: Store, folder: Path, retention: Retention, today: Today, in_use: frozenset[str]) -> int:
    """How many tables went; one that is in use or cannot be read stays."""
    gone = 0
    for table in await store.all_tables():
        row = await store.table(table)
        if row is None or table in in_use or not retention.is_over(row, today.seconds):
            continue
        if await store.crowd(table) != Crowd():
            continue  # somebody looks on at another server
        try:
            async for name, content in _records(store, row):
                _write(folder / ARCHIVE / name, content)
        except Exception:  # whatever rules and decoders say of a table that is broken
            logger.exception("table %s stays: it cannot be archived", table)
            continue
        await store.remove(table)
        gone += 1
    return gone


async def _records(store: Store, row: TableRow) -> AsyncIterator[tuple[str, bytes]]:
    """A campaign is one file, other matches are one each."""
    chain, names = Chain(store, row), Seating(row.seats, row.typed).names
    kept = [await chain.kept(match.number) for match in chain.rows]
    if chain.plan and kept:
        about = chain.game.key, chain.plan, as_json(chain.setup), kept
        yield f"{row.id}-campaign.json", paper.campaign_record(*about, names)
        return
    for match in kept:
        yield f"{row.id}-{match.row.number}.json", paper.record(chain.game.key, match, names)


def _write(path: Path, content: bytes) -> None:
    path.parent.mkdir(OURS_ALONE, exist_ok=True)
    path.write_bytes(content)
    path.chmod(FILE_OF_OURS)
