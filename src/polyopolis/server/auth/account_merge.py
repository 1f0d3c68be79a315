"""Moves all data of a guest to an account, or anonymizes a deleted account, in one transaction.

Every table where the person has a seat gets a new version, so that all nodes reload it.
"""

from collections.abc import Mapping, Sequence
from typing import Any

import msgspec
from msgspec.structs import replace
from sqlalchemy import (
    BindParameter,
    ColumnElement,
    Connection,
    Row,
    Select,
    Table,
    bindparam,
    case,
    delete,
    func,
    literal,
    select,
    tuple_,
    update,
)
from sqlalchemy.dialects.postgresql import insert as upsert  # SQLite understands it, too

from polyopolis.play.entities import Rated, SeatEntity, as_json
from polyopolis.play.errors import ROW_ERRORS
from polyopolis.play.lobby.node_synchronizer import NodeSynchronizer
from polyopolis.play.protocols import ClusterLink
from polyopolis.play.seats.player_names import DELETED_NAME
from polyopolis.play.timing import clocks
from polyopolis.play.timing.rest_hours import Rest, after_leaving_seat
from polyopolis.server.auth.people import bots_of, invalidate_sessions
from polyopolis.server.storage.match_repository import DatabaseMatchRepository
from polyopolis.server.storage.schema import (
    CHAT_COLUMNS,
    NOTIFICATION_COLUMNS,
    PRIVATE_COLUMNS,
    SHARED_COLUMNS,
    codes,
    devices,
    ignored,
    manners,
    matches,
    people,
    remarks,
    reports,
    seats,
    tables,
    tries,
    turned_away,
    turns,
    unlisted,
)

TableVersions = Mapping[str, int]
"""The new versions of the changed tables."""


PAGE_SIZE = 1_000
"""Rows of a list that are read in one transaction."""
_person: BindParameter[Any] = bindparam("of_person")
_own = (
    select(seats.c.table)
    .where(seats.c.person == _person, seats.c.table > bindparam("after"))
    .order_by(seats.c.table)
    .distinct()
    .limit(bindparam("most"))
)
_begun = select(func.count()).where(matches.c.table == tables.c.id).scalar_subquery()
TABLES = (
    select(tables.c.id, tables.c.game, tables.c.plan, tables.c.created, _begun.label("matches"))
    .where(tables.c.id.in_(_own))
    .order_by(tables.c.id)
)
SET_PLAYERS = (
    update(matches)
    .where(matches.c.table == bindparam("of_table"), matches.c.number == bindparam("of_match"))
    .values(players=bindparam("said"))
)
REMARKS = (
    select(remarks.c.id, remarks.c.table, remarks.c.time, remarks.c.text)
    .where(
        remarks.c.person == _person,
        tuple_(remarks.c.time, remarks.c.id) > tuple_(bindparam("after_time"), bindparam("after")),
    )
    .order_by(remarks.c.time, remarks.c.id)
    .limit(bindparam("most"))
)


class AccountDataService:
    def __init__(self, store: DatabaseMatchRepository) -> None:
        self._write, self._read = store.write, store.read

    async def merge_guest(self, guest: str, person: str) -> TableVersions:
        """Moves all data of a guest to an account."""
        return await self._write(lambda db: merge_guest_into_account(db, guest, person))

    async def anonymize(self, person: str, now: int) -> TableVersions:
        """Deletes an account. Its matches stay for the other players, with a placeholder in place of the name."""
        return await self._write(lambda db: anonymize_person(db, person, now))

    async def tables_of(self, person: str) -> tuple[tuple[str, str, bool, int], ...]:
        """Returns all tables of a person in the order of their creation: id, game, whether it is a campaign, and the
        number of matches."""
        found, last = list[Row[Any]](), ""
        while page := await self._page(TABLES, {"of_person": person, "after": last}):
            found += page
            last = page[-1].id
            if len(page) < PAGE_SIZE:
                break
        found.sort(key=lambda row: (row.created, row.id))
        return tuple((row.id, row.game, row.plan != "[]", row.matches) for row in found)

    async def remarks_of(self, person: str) -> tuple[tuple[str, int, str], ...]:
        """Returns all chat messages of a person: table, time and text."""
        found, last = list[Row[Any]](), (-1, "")
        while page := await self._page(REMARKS, {"of_person": person, "after_time": last[0], "after": last[1]}):
            found += page
            last = page[-1].time, page[-1].id
            if len(page) < PAGE_SIZE:
                break
        return tuple((row.table, row.time, row.text) for row in found)

    async def _page(self, statement: Select[Any], about: Mapping[str, Any]) -> Sequence[Row[Any]]:
        """Reads one page in a transaction of its own, so that other requests are not delayed."""
        return await self._read(lambda db: db.execute(statement, {**about, "most": PAGE_SIZE}).all())


async def announce_changes(synchronizer: NodeSynchronizer, neighbours: ClusterLink, versions: TableVersions) -> None:
    """Refreshes changed tables at this node and announces them to other nodes."""
    await synchronizer.follow(versions)
    for table, version in versions.items():
        neighbours.changed(table, version)


def merge_guest_into_account(db: Connection, guest: str, person: str) -> TableVersions:
    versions = _bump_versions(db, _tables_of(guest))
    _drop_codes(db, guest)
    for found, column in (*SHARED_COLUMNS, *NOTIFICATION_COLUMNS, (remarks, "person"), (reports, "person")):
        db.execute(update(found).where(found.c[column] == guest).values({column: person}))
    for found, column in MERGED_COLUMNS:
        _merge_rows(db, found, column, guest, person)
    db.execute(delete(ignored).where(ignored.c.person == ignored.c.other))
    _transfer_name(db, guest, person)
    versions = {**versions, **_transfer_bots(db, guest, person)}
    db.execute(delete(devices).where(devices.c.person == guest))
    invalidate_sessions(db)
    return versions


def anonymize_person(db: Connection, person: str, now: int) -> TableVersions:
    """Deletes the private data of a person and their bots and removes their names from shared data."""
    bots = {table: version for bot in bots_of(db, person) for table, version in anonymize_person(db, bot, now).items()}
    versions = {**bots, **_bump_versions(db, _tables_of(person))}
    _drop_codes(db, person)
    _stop_clocks(db, person, now)
    _anonymize_players(db, person)
    _clear_seats(db, person)
    _unrate(db, _tables_of(person), "substitute")
    for found, column in (*PRIVATE_COLUMNS, *NOTIFICATION_COLUMNS, *CHAT_COLUMNS):
        db.execute(delete(found).where(found.c[column] == person))
    for found, column in SHARED_COLUMNS:
        db.execute(update(found).where(found.c[column] == person).values({column: None}))
    _anonymize_tries(db, person)
    gone = upsert(people).values(id=person, removed=now)
    unnamed = {"name": None, "joined": None, "removed": now, "shared": None, "owner": None}
    db.execute(gone.on_conflict_do_update(index_elements=["id"], set_=unnamed))
    invalidate_sessions(db)
    return versions


def _tables_of(person: str) -> Select[Any]:
    return select(seats.c.table).where(seats.c.person == person)


def _bump_versions(db: Connection, found: Select[Any]) -> TableVersions:
    """Increments the versions of tables and drops their open requests for consent. Must come first in the
    transaction: it locks the tables."""
    own = tables.c.id.in_(found)
    # All are locked in the same order, so that two transactions do not deadlock.
    db.execute(select(tables.c.id).where(own).order_by(tables.c.id).with_for_update()).all()
    moved = update(tables).where(own).values(version=tables.c.version + 1).returning(tables.c.id, tables.c.version)
    versions = {row.id: row.version for row in db.execute(moved)}
    asked = update(matches).where(matches.c.table.in_(found), matches.c.asked.is_not(None))
    db.execute(asked.values(asked=None))
    return dict(sorted(versions.items()))


def _has_seat(found: Table, person: str) -> ColumnElement[bool]:
    """Whether the person has the seat that a row is about."""
    same = (seats.c.table == found.c.table, seats.c.seat == found.c.seat)
    return select(seats.c.person).where(*same, seats.c.person == person).exists()


def _transfer_bots(db: Connection, guest: str, person: str) -> TableVersions:
    """Makes the account the owner of the guest's external bots. Running matches in which they now play with their
    owner, or with other bots of it, become unrated."""
    if not db.execute(update(people).where(people.c.owner == guest).values(owner=person)).rowcount:
        return {}
    together = (
        select(seats.c.table)
        .where(seats.c.person.in_([person, *bots_of(db, person)]))
        .group_by(seats.c.table)
        .having(func.count(seats.c.person.distinct()) > 1)
    )
    rated = select(matches.c.table).where(matches.c.rated == "yes", matches.c.over.is_(False))
    found = rated.where(matches.c.table.in_(together))
    versions = _bump_versions(db, found)
    _unrate(db, found, "owner")
    return versions


def _drop_codes(db: Connection, person: str) -> None:
    """Deletes the codes of the person's seats, which would still give access after the seats have moved."""
    db.execute(delete(codes).where(codes.c.table.in_(_tables_of(person)), _has_seat(codes, person)))


MERGED_COLUMNS = *((found, "person") for found in (unlisted, manners, tries, turned_away, ignored)), (ignored, "other")
"""Columns with rows that a guest and an account may both have."""


def _merge_rows(db: Connection, found: Table, column: str, guest: str, person: str) -> None:
    """Moves rows of the guest, except where the account has a row with the same key: that row wins."""
    own = [literal(person).label(column) if each.name == column else each for each in found.columns]
    moved = select(*own).where(found.c[column] == guest)
    db.execute(upsert(found).from_select(found.columns.keys(), moved).on_conflict_do_nothing())
    db.execute(delete(found).where(found.c[column] == guest))


def _stop_clocks(db: Connection, person: str, now: int) -> None:
    """Stops the clocks and ends the rest hours and vacations in all seats of a person."""
    runs = select(matches.c.table).where(
        matches.c.table == seats.c.table, matches.c.over.is_(False), matches.c.timing.is_not(None)
    )
    timed = select(seats.c.table, seats.c.seat).where(
        seats.c.person == person, seats.c.rest.is_not(None) | runs.exists()
    )
    for row in db.execute(timed.order_by(seats.c.table, seats.c.seat)).all():
        _stop_clock(db, row.table, row.seat, now)


def _stop_clock(db: Connection, table: str, seat: int, now: int) -> None:
    """Ends the rest hours, vacation and thinking time of a seat. A later player continues with the remaining time and
    the number of vacation days already used."""
    place = seats.c.table == table, seats.c.seat == seat
    held = db.execute(select(seats.c.person, seats.c.bot, seats.c.rest).where(*place))
    before = SeatEntity(seat, "", **held.mappings().one())
    try:
        used = after_leaving_seat(clocks.rest_of(before), 1000 * now).inherited
    except ROW_ERRORS:  # treat unreadable rest hours as none
        before, used = replace(before, rest=None), ()
    after = SeatEntity(seat, "", None, before.bot, rest=clocks.encode_rest(Rest(inherited=used)))
    db.execute(update(seats).where(*place).values(rest=after.rest))
    running = select(matches.c.number, matches.c.timing, matches.c.deadlines).where(
        matches.c.table == table, matches.c.over.is_(False), matches.c.timing.is_not(None)
    )
    for row in db.execute(running).all():
        try:
            timing = clocks.timing_after_reseating(
                msgspec.json.decode(row.timing, type=clocks.Timing), 1000 * now, before, after
            )
            left = msgspec.json.decode(row.deadlines or "{}", type=dict[int, int])
        except ROW_ERRORS:
            continue  # a match that cannot be read cannot be played on
        left.pop(seat, None)
        stopped = {"timing": as_json(timing), "deadlines": as_json(left) if left else None}
        db.execute(update(matches).where(matches.c.table == table, matches.c.number == row.number).values(**stopped))


def _unrate(db: Connection, found: Select[Any], why: Rated) -> None:
    """Makes the running matches of these tables unrated."""
    rated = update(matches).where(matches.c.table.in_(found), matches.c.rated == "yes", matches.c.over.is_(False))
    db.execute(rated.values(rated=why))


def _anonymize_tries(db: Connection, person: str) -> None:
    """Keeps scores of daily games on the leaderboards under a placeholder."""
    anonymous = "gone-" + tries.c.table
    db.execute(update(tries).where(tries.c.person == person).values(person=anonymous, name=DELETED_NAME))


def _transfer_name(db: Connection, guest: str, person: str) -> None:
    """Gives the name of the guest to an account without a name."""
    name = db.execute(select(people.c.name).where(people.c.id == guest)).scalar()
    db.execute(update(people).where(people.c.id == person, people.c.name.is_(None)).values(name=name))
    db.execute(update(people).where(people.c.id == guest).values(name=None))


def _anonymize_players(db: Connection, person: str) -> None:
    """Replaces the person's name in the player lists of their matches."""
    name = db.execute(select(people.c.name).where(people.c.id == person)).scalar()
    played = (
        select(matches.c.table, matches.c.number, matches.c.players, seats.c.seat, seats.c.name)
        .join(matches, matches.c.table == seats.c.table)
        .where(seats.c.person == person)
    )
    changed = dict[tuple[str, int], str]()
    for row in db.execute(played):
        before = changed.get((row.table, row.number), row.players)
        if (players := _without_name(before, row.seat, {name, row.name})) != before:
            changed[row.table, row.number] = players
    if changed:
        rows = [
            {"of_table": table, "of_match": number, "said": players} for (table, number), players in changed.items()
        ]
        db.execute(SET_PLAYERS, rows)


def _without_name(players: str, seat: int, names: set[Any]) -> str:
    """Returns the player names of a match as JSON with a placeholder for this seat; an empty list if they are
    unreadable."""
    try:
        found = msgspec.json.decode(players, type=list[str])
    except ROW_ERRORS:
        return "[]"
    if seat >= len(found) or found[seat] not in names:
        return players
    found[seat] = DELETED_NAME
    return as_json(found)


def _clear_seats(db: Connection, person: str) -> None:
    """Removes the name and the premoves from each seat of the person."""
    begun = select(matches.c.table).where(matches.c.table == seats.c.table).exists()
    freed = {"name": case((begun, DELETED_NAME), else_=""), "entrusted": False}
    db.execute(
        update(turns).where(turns.c.table.in_(_tables_of(person)), _has_seat(turns, person)).values(prepared=None)
    )
    db.execute(update(seats).where(seats.c.person == person).values(**freed))
