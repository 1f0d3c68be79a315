"""Prepared SQL statements. They are built once, because building one takes longer than executing it."""

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
    """Returns the columns of an entity: they have the names of its fields."""
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
NEWEST_MATCHES = MATCHES.where(_newest)
_unlisted = select(unlisted.c.table).where(
    unlisted.c.person == _person, unlisted.c.table == tables.c.id, unlisted.c.time >= tables.c.changed
)
_listed = (
    select(tables.c.id)
    .where(tables.c.id.in_(select(seats.c.table).where(seats.c.person == _person)), ~_unlisted.exists())
    .limit(bindparam("most"))
)
TABLES_OF_PERSON = _listed.order_by(tables.c.changed.desc(), tables.c.created.desc(), tables.c.id)
_others = select(seats.c.table).where(seats.c.table == tables.c.id, seats.c.person != _person)
_goes_on = select(matches.c.table).where(
    matches.c.table == tables.c.id, _newest, or_(matches.c.over.is_(False), matches.c.asked.is_not(None))
)
TABLES_WITH_OTHERS = _listed.where(_others.exists(), _goes_on.exists()).order_by(
    tables.c.changed, tables.c.created, tables.c.id
)
_free = select(seats.c.table).where(seats.c.table == tables.c.id, seats.c.person.is_(None), seats.c.bot.is_(None))
OPEN_TABLES = (
    select(tables.c.id)
    .where(tables.c.invites.is_not(None), tables.c.changed >= bindparam("since"), _free.exists())
    .where(~select(matches.c.table).where(matches.c.table == tables.c.id).exists())
    .order_by(tables.c.changed.desc(), tables.c.created.desc(), tables.c.id)
    .limit(bindparam("most"))
)
"""Open tables with a free seat and no match yet."""
TURN_AWAY = upsert(turned_away).on_conflict_do_nothing()
TURNED_AWAY = select(turned_away.c.person).where(turned_away.c.table == _table, turned_away.c.person == _person)
TURNED_AWAY_FROM = select(turned_away.c.table).where(turned_away.c.person == _person, turned_away.c.table.in_(_tables))
CHANGE_INVITATION = update(tables).where(tables.c.id == _table)
RESTS_OF_PERSON = select(seats.c.table, seats.c.seat, seats.c.rest).where(
    seats.c.person == _person, seats.c.rest.is_not(None)
)
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
PERSON_AT_SEAT = select(seats.c.person).where(seats.c.table == _table, seats.c.seat == _seat)
DROP_CODES = delete(codes).where(codes.c.table == _table, codes.c.seat == _seat)
"""Invalidates the codes of a seat that has a new player."""
CHANGE_SEAT = update(seats).where(seats.c.table == _table, seats.c.seat == _seat)
ADD_MATCH, ADD_SEAT, ADD_CODE = insert(matches), insert(seats), insert(codes)
ADD_TABLE = upsert(tables).on_conflict_do_nothing().returning(tables.c.id)
"""Returns no row if the table exists."""

ADD_SECRET = upsert(secrets_).on_conflict_do_nothing()
SECRET = select(secrets_.c.value).where(secrets_.c.name == bindparam("of_name"))
CODE = select(codes).where(codes.c.code == bindparam("of_code"), codes.c.expires > bindparam("now"))
USE_CODE = delete(codes).where((codes.c.code == bindparam("of_code")) | (codes.c.expires <= bindparam("now")))
_remember = upsert(people)
SET_NAME = _remember.on_conflict_do_update(index_elements=["id"], set_={"name": _remember.excluded.name})
_unlist = upsert(unlisted)
UNLIST = _unlist.on_conflict_do_update(index_elements=["person", "table"], set_={"time": _unlist.excluded.time})
RELIST = delete(unlisted).where(unlisted.c.person == _person, unlisted.c.table == _table)

_beat = upsert(nodes).values(id=_node, beats=0)
COUNT_BEAT = _beat.on_conflict_do_update(index_elements=["id"], set_={"beats": nodes.c.beats + 1})
BEATS = select(nodes.c.id, nodes.c.beats)
DELETE_NODE = delete(nodes).where(nodes.c.id == _node)
DELETE_DEAD_NODE = DELETE_NODE.where(nodes.c.beats == bindparam("at"))
"""Unless its counter has increased."""

_sign = upsert(alive).values(id=0, time=bindparam("now"))
UPDATE_LAST_SIGN = _sign.on_conflict_do_update(index_elements=["id"], set_={"time": _sign.excluded.time})
LAST_SIGN = select(alive.c.time).where(alive.c.id == 0).with_for_update()
TOUCH_ROW = update(alive).values(time=alive.c.time)
"""Writes a row without changing it."""
ADD_OUTAGE = upsert(outages).on_conflict_do_nothing()
OUTAGES = select(*_columns(Outage, outages.c)).where(outages.c.ended > bindparam("since")).order_by(outages.c.began)
CLOCKED = select(matches.c.table).where(IS_CLOCKED).distinct()

_present = upsert(presence)
SET_PRESENCE = _present.on_conflict_do_update(
    index_elements=["node", "table"], set_={name: _present.excluded[name] for name in ("people", "unknown", "watching")}
)
DELETE_PRESENCE = delete(presence).where(presence.c.node == _node, presence.c.table == _table)
DELETE_NODE_PRESENCE = delete(presence).where(presence.c.node == _node)
PRESENCE_ELSEWHERE = select(presence.c.people, presence.c.unknown, presence.c.watching).where(
    presence.c.table == _table, presence.c.node != _node, presence.c.node.in_(select(nodes.c.id))
)

DELETE_ASSIGNMENT = delete(errands).where(errands.c.table == _table, errands.c.node == _node)
_orphaned = (
    select(errands.c.table)
    .where(errands.c.node != _node, errands.c.node.not_in(select(nodes.c.id)))
    .limit(bindparam("most"))
    .with_for_update(skip_locked=True)
)
ADOPT_ASSIGNMENTS = update(errands).where(errands.c.table.in_(_orphaned.scalar_subquery())).returning(errands.c.table)
"""Takes over assignments of nodes that no longer exist. Skips rows that another node is adopting."""


# Bulk reads

_KNOWN: Columns = {"asked": Integer(), "table": String(), "match": Integer(), "number": Integer()}


def log_entries_since(dialect: Dialect) -> Select[Any]:
    """Selects the log entries after the first `number` of each match."""
    known = json_rows(_KNOWN, dialect)
    same = (log.c.table == known.c.table) & (log.c.match == known.c.match) & (log.c.number >= known.c.number)
    return select(known.c.asked, *_columns(LogEntry, log.c)).join_from(known, log, same).order_by(log.c.number)


def turns_of(dialect: Dialect) -> Select[Any]:
    known = json_rows(_KNOWN, dialect)
    same = (turns.c.table == known.c.table) & (turns.c.match == known.c.match)
    return select(known.c.asked, *_columns(SeatTurn, turns.c)).join_from(known, turns, same).order_by(turns.c.seat)


# Bulk writes

MATCH_UPDATE_COLUMNS = (
    "practice", "practice_for", "over", "due", "result", "standings", "asked", "timing", "deadlines", "ended",
    "imported", "rated",
)  # fmt: skip
"""The columns of a match that a message can change."""
_OF_LOG = ("table", "match", "number", *LogEntry.__struct_fields__)
_OF_TURNS = ("table", "match", *SeatTurn.__struct_fields__)


def change_tables(dialect: Dialect) -> Update:
    """Updates the tables whose version is the expected one and returns their ids."""
    rows = json_rows({"table": String(), "known": Integer(), **_types(tables, "changed", "version")}, dialect)
    return (
        update(tables)
        .where(tables.c.id == rows.c.table, tables.c.version == rows.c.known)
        .values(changed=rows.c.changed, version=rows.c.version)
        .returning(tables.c.id)
    )


def change_matches(dialect: Dialect) -> Update:
    rows = json_rows({"table": String(), "match": Integer(), **_types(matches, *MATCH_UPDATE_COLUMNS)}, dialect)
    return (
        update(matches)
        .where(matches.c.table == rows.c.table, matches.c.number == rows.c.match)
        .values({name: rows.c[name] for name in MATCH_UPDATE_COLUMNS})
    )


def add_log(dialect: Dialect) -> Insert:
    return _insert_rows(log, _OF_LOG, dialect)


def put_turns(dialect: Dialect) -> Insert:
    return _upsert_rows(turns, _OF_TURNS, dialect)


def assign_bots(dialect: Dialect) -> Insert:
    return _upsert_rows(errands, ("table", "node"), dialect)


def unassign_bots(dialect: Dialect) -> Delete:
    rows = json_rows(_types(errands, "table"), dialect)
    return delete(errands).where(errands.c.table.in_(select(rows.c.table)))


def delete_superseded_notifications(dialect: Dialect) -> Delete:
    """Deletes queued notifications of the same topic and person at a table: the new notification replaces them."""
    rows = json_rows(_types(outbox, "table", "person", "kind", "seat"), dialect)
    newer = select(rows.c.table, rows.c.person, *_topic(rows.c))
    return delete(outbox).where(tuple_(outbox.c.table, outbox.c.person, *_topic(outbox.c)).in_(newer))


def _topic(columns: Any) -> tuple[ColumnElement[str], ColumnElement[int]]:
    """The topic of a notification. The state of the match is one topic; each seat's request and deadline are topics of
    their own."""
    of_all = case((columns.seat.is_(None), literal_column("'match'")), else_=columns.kind)
    return of_all, func.coalesce(columns.seat, literal_column("-1"))


def add_notifications(dialect: Dialect) -> Insert:
    """Queues a notification for each confirmed receiver of its person."""
    rows = json_rows(_types(outbox, "table", *PendingNotification.__struct_fields__), dialect)
    own = [rows.c[name] for name in ("table", *PendingNotification.__struct_fields__)]
    everywhere = select(receivers.c.id, *own).where(receivers.c.person == rows.c.person, receivers.c.proven.is_(True))
    names = ("receiver", "table", *PendingNotification.__struct_fields__)
    return upsert(outbox).from_select(names, everywhere).on_conflict_do_nothing()


def _types(table: Table, *names: str) -> Columns:
    return {name: table.c[name].type for name in names}


def _insert_rows(table: Table, names: Sequence[str], dialect: Dialect) -> Insert:
    rows = json_rows(_types(table, *names), dialect)
    all_rows = select(rows).where(true())  # without WHERE, SQLite parses ON CONFLICT as part of the SELECT
    return upsert(table).from_select(names, all_rows)


def _upsert_rows(table: Table, names: Sequence[str], dialect: Dialect) -> Insert:
    """Inserts rows, or replaces those with the same key."""
    adding, key = _insert_rows(table, names, dialect), table.primary_key.columns.keys()
    changed = {name: adding.excluded[name] for name in names if name not in key}
    return adding.on_conflict_do_update(index_elements=key, set_=changed)
