"""Stores the results of finished matches, in the transaction of the move that ends the match.

Results follow from the match and from the seats at its end, so they can be recomputed: for matches of old versions
after the server has started, and by `polyopolis ratings --rebuild`.
"""

import logging
from collections import Counter
from collections.abc import Sequence
from typing import Any

import msgspec
from sqlalchemy import BindParameter, Connection, and_, bindparam, delete, func, select, tuple_, update
from sqlalchemy.dialects.postgresql import insert as upsert  # SQLite understands it, too

from polyopolis.engine import Result
from polyopolis.games import spec_of
from polyopolis.play.errors import ROW_ERRORS
from polyopolis.server.storage.databases import lift_timeouts
from polyopolis.server.storage.player_ratings import rate_results
from polyopolis.server.storage.schema import counters, log, matches, results, seats, tables

logger = logging.getLogger(__name__)

_table: BindParameter[Any] = bindparam("of_table")
_match: BindParameter[Any] = bindparam("of_match")

MATCH = (
    select(tables.c.game, matches.c.setup, matches.c.result, matches.c.rated)
    .join(tables, tables.c.id == matches.c.table)
    .where(matches.c.table == _table, matches.c.number == _match)
    .where(matches.c.over.is_(True), matches.c.practice.is_(False), matches.c.result.is_not(None))
)
SEATS = select(seats.c.seat, seats.c.person, seats.c.bot).where(seats.c.table == _table).order_by(seats.c.seat)
ENDED = select(func.max(log.c.time)).where(log.c.table == _table, log.c.match == _match)
OF_MATCH = (results.c.table == _table) & (results.c.match == _match)
EXISTING_RESULTS = select(results.c.seat).where(OF_MATCH)
INSERT_RESULTS = upsert(results).on_conflict_do_nothing()
DELETE_RESULTS = delete(results).where(OF_MATCH)
_found = select(results.c.table).where(results.c.table == matches.c.table, results.c.match == matches.c.number)
_moves = (log.c.table == matches.c.table, log.c.match == matches.c.number)
_last = select(func.max(log.c.time)).where(*_moves).scalar_subquery()
_counts = (matches.c.over.is_(True), matches.c.practice.is_(False), matches.c.result.is_not(None))
_over = (
    select(matches.c.table, matches.c.number)
    .where(*_counts)
    .order_by(func.coalesce(_last, 0), matches.c.table, matches.c.number)
)
MISSING = _over.where(~_found.exists())
"""Finished matches without results, in the order in which they ended."""
MatchKey = tuple[str, int]
"""The table and the number of a match."""
BEFORE_FIRST: MatchKey = "", -1
PAGE_SIZE = 50
"""Matches per transaction of the backfill, which runs while people play."""
PAGE = (
    select(matches.c.table, matches.c.number, and_(*_counts, ~_found.exists()).label("lacks_results"))
    .where(tuple_(matches.c.table, matches.c.number) > tuple_(_table, _match))
    .order_by(matches.c.table, matches.c.number)
    .limit(bindparam("most"))
)
WITH_RESULTS = _over.where(_found.exists())
BACKFILL_COUNTER = "results"
"""Name of the counter that exists once the backfill is complete."""
IS_BACKFILLED = select(counters.c.number).where(counters.c.name == BACKFILL_COUNTER)
NOTE_BACKFILLED = upsert(counters).values(name=BACKFILL_COUNTER, number=1).on_conflict_do_nothing()
UPDATE_RESULT = update(results).where(OF_MATCH, results.c.seat == bindparam("of_seat"))


def store_results(db: Connection, table: str, match: int) -> None:
    """Stores the results of a finished match, unless they exist."""
    about = {"of_table": table, "of_match": match}
    found = db.execute(MATCH, about).one_or_none()
    if found is None:  # practice, or ended early
        delete_results(db, table, match)
        return
    if db.execute(EXISTING_RESULTS, about).first():
        return
    rows = _rows(db, about, found)
    if found.rated == "yes":
        rows = rate_results(db, found.game, rows)
    if rows:
        db.execute(INSERT_RESULTS, rows)


def delete_results(db: Connection, table: str, match: int) -> None:
    """Deletes the results of a match whose end was taken back."""
    db.execute(DELETE_RESULTS, {"of_table": table, "of_match": match})


def store_missing_results(db: Connection) -> None:
    """Stores the results of all finished matches that lack them. Reads all matches."""
    lift_timeouts(db)
    for row in db.execute(MISSING).all():
        store_results(db, row.table, row.number)


def store_missing_results_page(db: Connection, after: MatchKey = BEFORE_FIRST) -> MatchKey | None:
    """Stores missing results for one page of matches after this one. Returns the last match of the page, or None when
    the backfill is complete: from then on every match gets its results when it ends."""
    if db.execute(IS_BACKFILLED).first():
        return None
    page = db.execute(PAGE, {"of_table": after[0], "of_match": after[1], "most": PAGE_SIZE}).all()
    for row in page:
        if row.lacks_results:
            store_results(db, row.table, row.number)
    if len(page) == PAGE_SIZE:
        return page[-1].table, page[-1].number
    db.execute(NOTE_BACKFILLED)
    return None


def refresh_results(db: Connection) -> None:
    """Recomputes the columns that follow from the matches. The players recorded at the end stay."""
    for row in db.execute(WITH_RESULTS).all():
        about = {"of_table": row.table, "of_match": row.number}
        for each in _rows(db, about, db.execute(MATCH, about).one()):
            derived = {name: each[name] for name in ("game", "kind", "score", "rank", "ended")}
            db.execute(UPDATE_RESULT, about | {"of_seat": each["seat"]} | derived)


def _rows(db: Connection, about: dict[str, Any], found: Any) -> list[dict[str, Any]]:
    """Returns no rows if the match cannot be read: that must not prevent the move that ends it."""
    seated: Sequence[Any] = db.execute(SEATS, {"of_table": about["of_table"]}).all()
    try:
        sign, result = spec_of(found.game), msgspec.json.decode(found.result, type=Result)
        kind = sign.kind(msgspec.json.decode(found.setup, type=sign.rules.Setup))
        scores = [(result.scores[seat], result.ranks[seat]) for seat in range(len(seated))]
    except ROW_ERRORS as error:
        logger.warning("table %s: no results for match %s: %s", about["of_table"], about["of_match"], error)
        return []
    held = Counter(row.person for row in seated)
    ended = db.execute(ENDED, about).scalar() or 0
    return [
        {
            "table": about["of_table"],
            "match": about["of_match"],
            "seat": row.seat,
            "game": found.game,
            "kind": kind,
            "person": row.person,
            "bot": row.bot,
            "score": scores[row.seat][0],
            "rank": scores[row.seat][1],
            "counts": row.person is not None and row.bot is None and held[row.person] == 1,
            "ended": ended,
            "rated": None,
            "from_mu": None,
            "from_sigma": None,
            "mu": None,
            "sigma": None,
        }
        for row in seated
    ]
