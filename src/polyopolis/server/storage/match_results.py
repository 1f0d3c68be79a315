"""What everybody came to in every match that is over, beside the match: written with the move that ends it.

All of it follows from the match and from who sat there when it ended, so it can be found anew: for databases from
before, once a server has opened, and by `polyopolis ratings --rebuild`.
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
from polyopolis.server.storage.databases import without_limits
from polyopolis.server.storage.player_ratings import rate
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
KNOWN = select(results.c.seat).where(OF_MATCH)
ADD = upsert(results).on_conflict_do_nothing()
FORGET = delete(results).where(OF_MATCH)
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
"""In the order in which they ended."""
Key = tuple[str, int]
"""The table and the number of a match."""
FIRST: Key = "", -1
AT_ONCE = 50
"""Matches that are looked at in one transaction while people play."""
PAGE = (
    select(matches.c.table, matches.c.number, and_(*_counts, ~_found.exists()).label("lacks_results"))
    .where(tuple_(matches.c.table, matches.c.number) > tuple_(_table, _match))
    .order_by(matches.c.table, matches.c.number)
    .limit(bindparam("most"))
)
THERE = _over.where(_found.exists())
FILLED = "results"
"""The counter that exists once all matches of before were looked at."""
IS_FILLED = select(counters.c.number).where(counters.c.name == FILLED)
NOTE_FILLED = upsert(counters).values(name=FILLED, number=1).on_conflict_do_nothing()
REFRESH = update(results).where(OF_MATCH, results.c.seat == bindparam("of_seat"))


def store_results(db: Connection, table: str, match: int) -> None:
    """What a match that is over has come to, once."""
    about = {"of_table": table, "of_match": match}
    found = db.execute(MATCH, about).one_or_none()
    if found is None:  # practice, or given up before its end
        delete_results(db, table, match)
        return
    if db.execute(KNOWN, about).first():
        return
    rows = _rows(db, about, found)
    if found.rated == "yes":
        rows = rate(db, found.game, rows)
    if rows:
        db.execute(ADD, rows)


def delete_results(db: Connection, table: str, match: int) -> None:
    """It goes on, because its end was taken back."""
    db.execute(FORGET, {"of_table": table, "of_match": match})


def fill(db: Connection) -> None:
    """Writes the results of matches from before results were written down. Reads all matches."""
    without_limits(db)
    for row in db.execute(MISSING).all():
        store_results(db, row.table, row.number)


def fill_some(db: Connection, after: Key = FIRST) -> Key | None:
    """Does the same for a page of matches, from the first one after this on. Returns the last match of the page; None
    once all were looked at, by this call or before: since then every match gets its results when it ends."""
    if db.execute(IS_FILLED).first():
        return None
    page = db.execute(PAGE, {"of_table": after[0], "of_match": after[1], "most": AT_ONCE}).all()
    for row in page:
        if row.lacks_results:
            store_results(db, row.table, row.number)
    if len(page) == AT_ONCE:
        return page[-1].table, page[-1].number
    db.execute(NOTE_FILLED)
    return None


def refresh(db: Connection) -> None:
    """Whatever follows from the matches that are there, anew. Who sat there when they ended is as it was."""
    for row in db.execute(THERE).all():
        about = {"of_table": row.table, "of_match": row.number}
        for each in _rows(db, about, db.execute(MATCH, about).one()):
            derived = {name: each[name] for name in ("game", "kind", "score", "rank", "ended")}
            db.execute(REFRESH, about | {"of_seat": each["seat"]} | derived)


def _rows(db: Connection, about: dict[str, Any], found: Any) -> list[dict[str, Any]]:
    """None of what cannot be read, which is no reason to refuse the move that ends it."""
    seated: Sequence[Any] = db.execute(SEATS, {"of_table": about["of_table"]}).all()
    try:
        sign, result = spec_of(found.game), msgspec.json.decode(found.result, type=Result)
        kind = sign.kind(msgspec.json.decode(found.setup, type=sign.rules.Setup))
        scores = [(result.scores[seat], result.ranks[seat]) for seat in range(len(seated))]
    except ROW_ERRORS as error:
        logger.warning("table %s: match %s cannot be counted: %s", about["of_table"], about["of_match"], error)
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
