"""What the store asks of the database. Statements are written once: to write one takes longer than to execute it."""

from typing import Any

from msgspec import Struct
from sqlalchemy import BigInteger, BindParameter, Integer, String, bindparam, delete, func, insert, select, update
from sqlalchemy.dialects.postgresql import insert as upsert  # SQLite understands it, too

from polyopolis.play.rows import LogRow, MatchRow, Outage, SeatRow, TurnRow
from polyopolis.server.schema import (
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
    seats,
    secrets_,
    tables,
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
SEATS = select(seats.c.table, *_columns(SeatRow, seats.c)).where(seats.c.table.in_(_tables)).order_by(seats.c.seat)
MATCHES = (
    select(matches.c.table, *_columns(MatchRow, matches.c))
    .where(matches.c.table.in_(_tables))
    .order_by(matches.c.number)
)
_later = matches.alias()
NEWEST = MATCHES.where(
    matches.c.number == select(func.max(_later.c.number)).where(_later.c.table == matches.c.table).scalar_subquery()
)
_unlisted = select(unlisted.c.table).where(
    unlisted.c.person == _person, unlisted.c.table == tables.c.id, unlisted.c.time >= tables.c.changed
)
OF_PERSON = (
    select(tables.c.id)
    .where(tables.c.id.in_(select(seats.c.table).where(seats.c.person == _person)), ~_unlisted.exists())
    .order_by(tables.c.changed.desc(), tables.c.created.desc(), tables.c.id)
    .limit(bindparam("most"))
)
SCORES = (
    select(matches.c.table, matches.c.number, seats.c.seat, matches.c.setup, matches.c.result)
    .join(seats, seats.c.table == matches.c.table)
    .join(tables, tables.c.id == matches.c.table)
    .where(seats.c.person == _person, tables.c.game == _game)
    .where(matches.c.over.is_(True), matches.c.practice.is_(False), matches.c.result.is_not(None))
    .order_by(tables.c.created, matches.c.table, matches.c.number, seats.c.seat)
)
MATCH = select(*_columns(MatchRow, matches.c)).where(matches.c.table == _table, matches.c.number == _match)
LOG = select(*_columns(LogRow, log.c)).where(log.c.table == _table, log.c.match == _match).order_by(log.c.number)
LATER = LOG.where(log.c.number >= bindparam("of_number"))
TURNS = (
    select(*_columns(TurnRow, turns.c)).where(turns.c.table == _table, turns.c.match == _match).order_by(turns.c.seat)
)
UNSTAMPED = (
    select(matches.c.table, matches.c.number)
    .where(matches.c.rules.is_(None))
    .order_by(matches.c.table, matches.c.number)
)
NAME = select(people.c.name).where(people.c.id == _person)

CHANGE_MATCH = update(matches).where(matches.c.table == _table, matches.c.number == _match)
SEATED = select(seats.c.person).where(seats.c.table == _table, seats.c.seat == _seat)
DROP_CODES = delete(codes).where(codes.c.table == _table, codes.c.seat == _seat)
"""Of a seat that has gone to somebody else: whoever had it before has no key to it any more."""
CHANGE_SEAT = update(seats).where(seats.c.table == _table, seats.c.seat == _seat)
CHANGE_TABLE = update(tables).where(tables.c.id == _table, tables.c.version == bindparam("known"))
"""No row if somebody else has changed it."""
ADD_LOG, ADD_MATCH, ADD_SEAT, ADD_CODE = insert(log), insert(matches), insert(seats), insert(codes)
ADD_TABLE = upsert(tables).on_conflict_do_nothing().returning(tables.c.id)
"""No row if it is there."""
_count = upsert(turns)
COUNT_TURN = _count.on_conflict_do_update(
    index_elements=["table", "match", "seat"],
    set_={name: _count.excluded[name] for name in TurnRow.__struct_fields__ if name != "seat"},
)

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
ADD_OUTAGE = upsert(outages).on_conflict_do_nothing()
OUTAGES = select(*_columns(Outage, outages.c)).where(outages.c.ended > bindparam("since")).order_by(outages.c.began)
CLOCKED = select(matches.c.table).where(matches.c.over.is_(False), matches.c.deadlines.is_not(None)).distinct()

_present = upsert(presence)
PRESENT = _present.on_conflict_do_update(
    index_elements=["node", "table"], set_={name: _present.excluded[name] for name in ("people", "unknown", "watching")}
)
GONE = delete(presence).where(presence.c.node == _node, presence.c.table == _table)
ALL_GONE = delete(presence).where(presence.c.node == _node)
ELSEWHERE = select(presence.c.people, presence.c.unknown, presence.c.watching).where(
    presence.c.table == _table, presence.c.node != _node, presence.c.node.in_(select(nodes.c.id))
)

_owed = select(
    bindparam("of_id", type_=String),
    receivers.c.id,
    receivers.c.person,
    bindparam("of_table", type_=String),
    bindparam("of_match", type_=Integer),
    bindparam("of_kind", type_=String),
    bindparam("of_look", type_=BigInteger),
).where(receivers.c.person == _person, receivers.c.proven.is_(True))
OWE = (
    upsert(outbox)
    .from_select(["id", "receiver", "person", "table", "match", "kind", "look"], _owed)
    .on_conflict_do_nothing()
)
"""For each receiver of a person; nothing for whoever has none."""
ANSWERED = delete(outbox).where(outbox.c.table == _table, outbox.c.person == _person)
"""Whatever somebody was to be told of a table before: something newer has happened there."""

_think = upsert(errands)
THINK = _think.on_conflict_do_update(index_elements=["table"], set_={"node": _think.excluded.node})
DONE_THINKING = delete(errands).where(errands.c.table == _table)
REST = DONE_THINKING.where(errands.c.node == _node)
_lonely = (
    select(errands.c.table)
    .where(errands.c.node != _node, errands.c.node.not_in(select(nodes.c.id)))
    .limit(bindparam("most"))
    .with_for_update(skip_locked=True)
)
ADOPT = update(errands).where(errands.c.table.in_(_lonely.scalar_subquery())).returning(errands.c.table)
"""Those that think at a node which is gone; what another node is about to adopt is left to it."""
