"""What the store asks of the database. Statements are written once: to write one takes longer than to execute it."""

from collections.abc import Sequence
from typing import Any

from msgspec import Struct
from sqlalchemy import (
    BindParameter,
    ColumnElement,
    Delete,
    Dialect,
    Integer,
    Select,
    String,
    Table,
    Update,
    bindparam,
    case,
    delete,
    func,
    insert,
    literal_column,
    or_,
    select,
    true,
    tuple_,
    update,
)
from sqlalchemy.dialects.postgresql import Insert
from sqlalchemy.dialects.postgresql import insert as upsert  # SQLite understands it, too

from polyopolis.play.entities import LogEntry, MatchEntity, Outage, PendingNotification, SeatEntity, SeatTurn
from polyopolis.server.storage.bulk_statements import Columns, json_rows
from polyopolis.server.storage.schema import (
    IS_CLOCKED,
    IS_UNSTAMPED,
    alive,
    codes,
    errands,
    log,
    matches,
    nodes,
    outages,
    outbox,
    people,
    presence,
    receivers,
    results,
    seats,
    secrets_,
    tables,
    turned_away,
    turns,
    unlisted,
)

Bind = BindParameter[Any]

_table: Bind = bindparam("of_table")
_tables: Bind = bindparam("of_tables", expanding=True)
_match: Bind = bindparam("of_match")
_seat: Bind = bindparam("of_seat")
_person: Bind = bindparam("of_person")
_game: Bind = bindparam("of_game")
_node: Bind = bindparam("of_node")


def _columns(kind: type[Struct], columns: Any) -> list[Any]:
    """What a row of this kind is made of: the names of the columns are those of the fields."""
    return [columns[name] for name in kind.__struct_fields__]


TABLES = (
    select(tables, errands.c.node).outerjoin(errands, errands.c.table == tables.c.id).where(tables.c.id.in_(_tables))
)
VERSIONS = select(tables.c.id, tables.c.version).where(tables.c.id.in_(_tables))
ALL_TABLES = select(tables.c.id).order_by(tables.c.created, tables.c.id)
SEATS = select(seats.c.table, *_columns(SeatEntity, seats.c)).where(seats.c.table.in_(_tables)).order_by(seats.c.seat)
MATCHES = (
    select(matches.c.table, *_columns(MatchEntity, matches.c))
    .where(matches.c.table.in_(_tables))
    .order_by(matches.c.number)
)
_later = matches.alias()
_newest = (
    matches.c.number == select(func.max(_later.c.number)).where(_later.c.table == matches.c.table).scalar_subquery()
)
NEWEST = MATCHES.where(_newest)
_unlisted = select(unlisted.c.table).where(
    unlisted.c.person == _person, unlisted.c.table == tables.c.id, unlisted.c.time >= tables.c.changed
)
_listed = (
    select(tables.c.id)
    .where(tables.c.id.in_(select(seats.c.table).where(seats.c.person == _person)), ~_unlisted.exists())
    .limit(bindparam("most"))
)
OF_PERSON = _listed.order_by(tables.c.changed.desc(), tables.c.created.desc(), tables.c.id)
_others = select(seats.c.table).where(seats.c.table == tables.c.id, seats.c.person != _person)
_goes_on = select(matches.c.table).where(
    matches.c.table == tables.c.id, _newest, or_(matches.c.over.is_(False), matches.c.asked.is_not(None))
)
WITH_OTHERS = _listed.where(_others.exists(), _goes_on.exists()).order_by(
    tables.c.changed, tables.c.created, tables.c.id
)
_free = select(seats.c.table).where(seats.c.table == tables.c.id, seats.c.person.is_(None), seats.c.bot.is_(None))
OPEN = (
    select(tables.c.id)
    .where(tables.c.invites.is_not(None), tables.c.changed >= bindparam("since"), _free.exists())
    .where(~select(matches.c.table).where(matches.c.table == tables.c.id).exists())
    .order_by(tables.c.changed.desc(), tables.c.created.desc(), tables.c.id)
    .limit(bindparam("most"))
)
"""Where everybody is invited, a seat is free and nothing was played yet."""
TURN_AWAY = upsert(turned_away).on_conflict_do_nothing()
TURNED_AWAY = select(turned_away.c.person).where(turned_away.c.table == _table, turned_away.c.person == _person)
TURNED_AWAY_FROM = select(turned_away.c.table).where(turned_away.c.person == _person, turned_away.c.table.in_(_tables))
ARRANGE = update(tables).where(tables.c.id == _table)
RESTS = select(seats.c.table, seats.c.seat, seats.c.rest).where(seats.c.person == _person, seats.c.rest.is_not(None))
BEST_SCORE = (
    select(results.c.score)
    .where(results.c.person == _person, results.c.counts.is_(True), results.c.game == _game)
    .where(results.c.kind == bindparam("of_kind"), ~((results.c.table == _table) & (results.c.match == _match)))
    .order_by(results.c.score.desc())
    .limit(1)
)
MATCH = select(*_columns(MatchEntity, matches.c)).where(matches.c.table == _table, matches.c.number == _match)
LOG = select(*_columns(LogEntry, log.c)).where(log.c.table == _table, log.c.match == _match).order_by(log.c.number)
TURNS = (
    select(*_columns(SeatTurn, turns.c)).where(turns.c.table == _table, turns.c.match == _match).order_by(turns.c.seat)
)
UNSTAMPED = select(matches.c.table, matches.c.number).where(IS_UNSTAMPED).order_by(matches.c.table, matches.c.number)
NAME = select(people.c.name).where(people.c.id == _person)

CHANGE_MATCH = update(matches).where(matches.c.table == _table, matches.c.number == _match)
SEATED = select(seats.c.person).where(seats.c.table == _table, seats.c.seat == _seat)
DROP_CODES = delete(codes).where(codes.c.table == _table, codes.c.seat == _seat)
"""Of a seat that has gone to somebody else: whoever had it before has no key to it any more."""
CHANGE_SEAT = update(seats).where(seats.c.table == _table, seats.c.seat == _seat)
ADD_MATCH, ADD_SEAT, ADD_CODE = insert(matches), insert(seats), insert(codes)
ADD_TABLE = upsert(tables).on_conflict_do_nothing().returning(tables.c.id)
"""No row if it is there."""

KEEP_SECRET = upsert(secrets_).on_conflict_do_nothing()
SECRET = select(secrets_.c.value).where(secrets_.c.name == bindparam("of_name"))
CODE = select(codes).where(codes.c.code == bindparam("of_code"), codes.c.expires > bindparam("now"))
USE_CODE = delete(codes).where((codes.c.code == bindparam("of_code")) | (codes.c.expires <= bindparam("now")))
_remember = upsert(people)
REMEMBER = _remember.on_conflict_do_update(index_elements=["id"], set_={"name": _remember.excluded.name})
_unlist = upsert(unlisted)
UNLIST = _unlist.on_conflict_do_update(index_elements=["person", "table"], set_={"time": _unlist.excluded.time})
RELIST = delete(unlisted).where(unlisted.c.person == _person, unlisted.c.table == _table)

_beat = upsert(nodes).values(id=_node, beats=0)
BEAT = _beat.on_conflict_do_update(index_elements=["id"], set_={"beats": nodes.c.beats + 1})
BEATS = select(nodes.c.id, nodes.c.beats)
BURY = delete(nodes).where(nodes.c.id == _node)
BURY_AT = BURY.where(nodes.c.beats == bindparam("at"))
"""If it has not come back to life."""

_sign = upsert(alive).values(id=0, time=bindparam("now"))
SIGN_LIFE = _sign.on_conflict_do_update(index_elements=["id"], set_={"time": _sign.excluded.time})
LAST_SIGN = select(alive.c.time).where(alive.c.id == 0).with_for_update()
TOUCH = update(alive).values(time=alive.c.time)
"""Writes a row as it is."""
ADD_OUTAGE = upsert(outages).on_conflict_do_nothing()
OUTAGES = select(*_columns(Outage, outages.c)).where(outages.c.ended > bindparam("since")).order_by(outages.c.began)
CLOCKED = select(matches.c.table).where(IS_CLOCKED).distinct()

_present = upsert(presence)
PRESENT = _present.on_conflict_do_update(
    index_elements=["node", "table"], set_={name: _present.excluded[name] for name in ("people", "unknown", "watching")}
)
GONE = delete(presence).where(presence.c.node == _node, presence.c.table == _table)
ALL_GONE = delete(presence).where(presence.c.node == _node)
ELSEWHERE = select(presence.c.people, presence.c.unknown, presence.c.watching).where(
    presence.c.table == _table, presence.c.node != _node, presence.c.node.in_(select(nodes.c.id))
)

REST = delete(errands).where(errands.c.table == _table, errands.c.node == _node)
_lonely = (
    select(errands.c.table)
    .where(errands.c.node != _node, errands.c.node.not_in(select(nodes.c.id)))
    .limit(bindparam("most"))
    .with_for_update(skip_locked=True)
)
ADOPT = update(errands).where(errands.c.table.in_(_lonely.scalar_subquery())).returning(errands.c.table)
"""Those that think at a node which is gone; what another node is about to adopt is left to it."""


# Of many tables at once

_KNOWN: Columns = {"asked": Integer(), "table": String(), "match": Integer(), "number": Integer()}


def later_log(dialect: Dialect) -> Select[Any]:
    """What came after so many rows."""
    known = json_rows(_KNOWN, dialect)
    same = (log.c.table == known.c.table) & (log.c.match == known.c.match) & (log.c.number >= known.c.number)
    return select(known.c.asked, *_columns(LogEntry, log.c)).join_from(known, log, same).order_by(log.c.number)


def all_turns(dialect: Dialect) -> Select[Any]:
    known = json_rows(_KNOWN, dialect)
    same = (turns.c.table == known.c.table) & (turns.c.match == known.c.match)
    return select(known.c.asked, *_columns(SeatTurn, turns.c)).join_from(known, turns, same).order_by(turns.c.seat)


# Of many moves at once

PLAYED = (
    "practice", "practice_for", "over", "due", "result", "standings", "asked", "timing", "deadlines", "ended",
    "imported", "rated",
)  # fmt: skip
"""What a message can change of a match."""
_OF_LOG = ("table", "match", "number", *LogEntry.__struct_fields__)
_OF_TURNS = ("table", "match", *SeatTurn.__struct_fields__)


def change_tables(dialect: Dialect) -> Update:
    """None of those that somebody else has changed; answers which."""
    rows = json_rows({"table": String(), "known": Integer(), **_types(tables, "changed", "version")}, dialect)
    return (
        update(tables)
        .where(tables.c.id == rows.c.table, tables.c.version == rows.c.known)
        .values(changed=rows.c.changed, version=rows.c.version)
        .returning(tables.c.id)
    )


def change_matches(dialect: Dialect) -> Update:
    rows = json_rows({"table": String(), "match": Integer(), **_types(matches, *PLAYED)}, dialect)
    return (
        update(matches)
        .where(matches.c.table == rows.c.table, matches.c.number == rows.c.match)
        .values({name: rows.c[name] for name in PLAYED})
    )


def add_log(dialect: Dialect) -> Insert:
    return _added(log, _OF_LOG, dialect)


def count_turns(dialect: Dialect) -> Insert:
    return _put(turns, _OF_TURNS, dialect)


def think(dialect: Dialect) -> Insert:
    return _put(errands, ("table", "node"), dialect)


def done_thinking(dialect: Dialect) -> Delete:
    rows = json_rows(_types(errands, "table"), dialect)
    return delete(errands).where(errands.c.table.in_(select(rows.c.table)))


def answered(dialect: Dialect) -> Delete:
    """Whatever somebody was to be told of the same matter at a table before: something newer has happened there."""
    rows = json_rows(_types(outbox, "table", "person", "kind", "seat"), dialect)
    newer = select(rows.c.table, rows.c.person, *_matter(rows.c))
    return delete(outbox).where(tuple_(outbox.c.table, outbox.c.person, *_matter(outbox.c)).in_(newer))


def _matter(columns: Any) -> tuple[ColumnElement[str], ColumnElement[int]]:
    """Where the match stands is one, what each asks another, and so is the time of each. These are about a seat."""
    of_all = case((columns.seat.is_(None), literal_column("'match'")), else_=columns.kind)
    return of_all, func.coalesce(columns.seat, literal_column("-1"))


def owe(dialect: Dialect) -> Insert:
    """Notices for each receiver of their people; none for whoever has none."""
    rows = json_rows(_types(outbox, "table", *PendingNotification.__struct_fields__), dialect)
    own = [rows.c[name] for name in ("table", *PendingNotification.__struct_fields__)]
    everywhere = select(receivers.c.id, *own).where(receivers.c.person == rows.c.person, receivers.c.proven.is_(True))
    names = ("receiver", "table", *PendingNotification.__struct_fields__)
    return upsert(outbox).from_select(names, everywhere).on_conflict_do_nothing()


def _types(table: Table, *names: str) -> Columns:
    return {name: table.c[name].type for name in names}


def _added(table: Table, names: Sequence[str], dialect: Dialect) -> Insert:
    rows = json_rows(_types(table, *names), dialect)
    everything = select(rows).where(true())  # SQLite takes what follows for a part of the selection otherwise
    return upsert(table).from_select(names, everything)


def _put(table: Table, names: Sequence[str], dialect: Dialect) -> Insert:
    """New ones, and others in the place of those with the same key."""
    adding, key = _added(table, names, dialect), table.primary_key.columns.keys()
    changed = {name: adding.excluded[name] for name in names if name not in key}
    return adding.on_conflict_do_update(index_elements=key, set_=changed)
