"""What belongs to somebody goes to somebody else, or is nobody's any more: all of it in one transaction.

Every table where they sit gets a new version with it: whoever holds it, here or at another node, reads it again.
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
from polyopolis.server.auth.people import bots_of, move_on
from polyopolis.server.storage.match_repository import DatabaseMatchRepository
from polyopolis.server.storage.schema import (
    OWN,
    SAID,
    SHARED,
    TOLD,
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

Versions = Mapping[str, int]
"""Of the tables that are otherwise now."""


AT_ONCE = 1_000
"""Rows of a list that are read together."""
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
CALL = (
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

    async def bring(self, guest: str, person: str) -> Versions:
        """All that a guest has is somebody's from now on."""
        return await self._write(lambda db: merge_guest_into_account(db, guest, person))

    async def give_up(self, person: str, now: int) -> Versions:
        """Somebody goes, and others play on: in the lists of who played there is a mark in the place of the name."""
        return await self._write(lambda db: anonymize_person(db, person, now))

    async def tables_of(self, person: str) -> tuple[tuple[str, str, bool, int], ...]:
        """Returns all tables of somebody, in the order in which they were made: the game, whether a campaign is played
        there, and how many matches there are."""
        found, last = list[Row[Any]](), ""
        while page := await self._page(TABLES, {"of_person": person, "after": last}):
            found += page
            last = page[-1].id
            if len(page) < AT_ONCE:
                break
        found.sort(key=lambda row: (row.created, row.id))
        return tuple((row.id, row.game, row.plan != "[]", row.matches) for row in found)

    async def remarks_of(self, person: str) -> tuple[tuple[str, int, str], ...]:
        """Returns all that somebody has written: at which table, when, and what."""
        found, last = list[Row[Any]](), (-1, "")
        while page := await self._page(REMARKS, {"of_person": person, "after_time": last[0], "after": last[1]}):
            found += page
            last = page[-1].time, page[-1].id
            if len(page) < AT_ONCE:
                break
        return tuple((row.table, row.time, row.text) for row in found)

    async def _page(self, statement: Select[Any], about: Mapping[str, Any]) -> Sequence[Row[Any]]:
        """Each page is a read of its own, so that others are answered in between."""
        return await self._read(lambda db: db.execute(statement, {**about, "most": AT_ONCE}).all())


async def tell_changed(synchronizer: NodeSynchronizer, neighbours: ClusterLink, versions: Versions) -> None:
    """Tables whose seats are somebody else's are told so, here and at other nodes."""
    await synchronizer.follow(versions)
    for table, version in versions.items():
        neighbours.changed(table, version)


def merge_guest_into_account(db: Connection, guest: str, person: str) -> Versions:
    versions = _changed(db, _tables_of(guest))
    _drop_codes(db, guest)
    for found, column in (*SHARED, *TOLD, (remarks, "person"), (reports, "person")):
        db.execute(update(found).where(found.c[column] == guest).values({column: person}))
    for found, column in MET:
        _bring(db, found, column, guest, person)
    db.execute(delete(ignored).where(ignored.c.person == ignored.c.other))
    _bring_name(db, guest, person)
    versions = {**versions, **_bring_bots(db, guest, person)}
    db.execute(delete(devices).where(devices.c.person == guest))
    move_on(db)
    return versions


def anonymize_person(db: Connection, person: str, now: int) -> Versions:
    """With their bots."""
    bots = {table: version for bot in bots_of(db, person) for table, version in anonymize_person(db, bot, now).items()}
    versions = {**bots, **_changed(db, _tables_of(person))}
    _drop_codes(db, person)
    _stop_clocks(db, person, now)
    _forget_names(db, person)
    _free_seats(db, person)
    _unrate(db, _tables_of(person), "substitute")
    for found, column in (*OWN, *TOLD, *SAID):
        db.execute(delete(found).where(found.c[column] == person))
    for found, column in SHARED:
        db.execute(update(found).where(found.c[column] == person).values({column: None}))
    _forget_days(db, person)
    gone = upsert(people).values(id=person, removed=now)
    unnamed = {"name": None, "joined": None, "removed": now, "shared": None, "owner": None}
    db.execute(gone.on_conflict_do_update(index_elements=["id"], set_=unnamed))
    move_on(db)
    return versions


def _tables_of(person: str) -> Select[Any]:
    return select(seats.c.table).where(seats.c.person == person)


def _changed(db: Connection, found: Select[Any]) -> Versions:
    """Counts the versions of tables up, first of all, so that nobody else can change these tables until the transaction
    ends. Consent that somebody has asked for there has to be asked for again."""
    own = tables.c.id.in_(found)
    # All are locked in the same order, so that two transactions do not wait for each other.
    db.execute(select(tables.c.id).where(own).order_by(tables.c.id).with_for_update()).all()
    moved = update(tables).where(own).values(version=tables.c.version + 1).returning(tables.c.id, tables.c.version)
    versions = {row.id: row.version for row in db.execute(moved)}
    asked = update(matches).where(matches.c.table.in_(found), matches.c.asked.is_not(None))
    db.execute(asked.values(asked=None))
    return dict(sorted(versions.items()))


def _has_seat(found: Table, person: str) -> ColumnElement[bool]:
    """Whether somebody has the seat that a row is about."""
    same = (seats.c.table == found.c.table, seats.c.seat == found.c.seat)
    return select(seats.c.person).where(*same, seats.c.person == person).exists()


def _bring_bots(db: Connection, guest: str, person: str) -> Versions:
    """Makes the outside bots of a guest those of an account. A match in which they play with that account, or with
    other bots of it, is not rated any more."""
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
    versions = _changed(db, found)
    _unrate(db, found, "owner")
    return versions


def _drop_codes(db: Connection, person: str) -> None:
    """Deletes codes of seats that have gone to somebody else: whoever had them before has no key to them any more."""
    db.execute(delete(codes).where(codes.c.table.in_(_tables_of(person)), _has_seat(codes, person)))


MET = *((found, "person") for found in (unlisted, manners, tries, turned_away, ignored)), (ignored, "other")
"""What a guest and an account may both have."""


def _bring(db: Connection, found: Table, column: str, guest: str, person: str) -> None:
    """What either has taken off the list stays off it. Before a guest's wish when to be told, and a guest's try at the
    game of a day, that of the account holds."""
    own = [literal(person).label(column) if each.name == column else each for each in found.columns]
    moved = select(*own).where(found.c[column] == guest)
    db.execute(upsert(found).from_select(found.columns.keys(), moved).on_conflict_do_nothing())
    db.execute(delete(found).where(found.c[column] == guest))


def _stop_clocks(db: Connection, person: str, now: int) -> None:
    """Stops the clocks and ends the pauses in all seats of somebody that have any."""
    runs = select(matches.c.table).where(
        matches.c.table == seats.c.table, matches.c.over.is_(False), matches.c.timing.is_not(None)
    )
    timed = select(seats.c.table, seats.c.seat).where(
        seats.c.person == person, seats.c.rest.is_not(None) | runs.exists()
    )
    for row in db.execute(timed.order_by(seats.c.table, seats.c.seat)).all():
        _stop_clock(db, row.table, row.seat, now)


def _stop_clock(db: Connection, table: str, seat: int, now: int) -> None:
    """Ends the pauses and the thinking time of a seat. Whoever sits down later goes on with what is left.

    Of the pauses nothing remains but the vacation days that the seat has used up.
    """
    place = seats.c.table == table, seats.c.seat == seat
    held = db.execute(select(seats.c.person, seats.c.bot, seats.c.rest).where(*place))
    before = SeatEntity(seat, "", **held.mappings().one())
    try:
        used = after_leaving_seat(clocks.rest_of(before), 1000 * now).inherited
    except ROW_ERRORS:  # broken pauses are none
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
            continue  # nobody can play on at a table that cannot be read
        left.pop(seat, None)
        stopped = {"timing": as_json(timing), "deadlines": as_json(left) if left else None}
        db.execute(update(matches).where(matches.c.table == table, matches.c.number == row.number).values(**stopped))


def _unrate(db: Connection, found: Select[Any], why: Rated) -> None:
    """Ends the rating of the matches that are played at these tables."""
    rated = update(matches).where(matches.c.table.in_(found), matches.c.rated == "yes", matches.c.over.is_(False))
    db.execute(rated.values(rated=why))


def _forget_days(db: Connection, person: str) -> None:
    """What they came to stays on the boards of the days, as somebody's."""
    nobody = "gone-" + tries.c.table
    db.execute(update(tries).where(tries.c.person == person).values(person=nobody, name=DELETED_NAME))


def _bring_name(db: Connection, guest: str, person: str) -> None:
    """An account without a name takes the one of the guest."""
    name = db.execute(select(people.c.name).where(people.c.id == guest)).scalar()
    db.execute(update(people).where(people.c.id == person, people.c.name.is_(None)).values(name=name))
    db.execute(update(people).where(people.c.id == guest).values(name=None))


def _forget_names(db: Connection, person: str) -> None:
    """Replaces the name of somebody in every match that was played under it."""
    name = db.execute(select(people.c.name).where(people.c.id == person)).scalar()
    played = (
        select(matches.c.table, matches.c.number, matches.c.players, seats.c.seat, seats.c.name)
        .join(matches, matches.c.table == seats.c.table)
        .where(seats.c.person == person)
    )
    changed = dict[tuple[str, int], str]()
    for row in db.execute(played):
        before = changed.get((row.table, row.number), row.players)
        if (players := _forgotten(before, row.seat, {name, row.name})) != before:
            changed[row.table, row.number] = players
    if changed:
        rows = [
            {"of_table": table, "of_match": number, "said": players} for (table, number), players in changed.items()
        ]
        db.execute(CALL, rows)


def _forgotten(players: str, seat: int, names: set[Any]) -> str:
    """The names in a match, as JSON, without the one of this seat; none at all if they cannot be read."""
    try:
        found = msgspec.json.decode(players, type=list[str])
    except ROW_ERRORS:
        return "[]"
    if seat >= len(found) or found[seat] not in names:
        return players
    found[seat] = DELETED_NAME
    return as_json(found)


def _free_seats(db: Connection, person: str) -> None:
    """Forgets the name in each seat of somebody, and what they had in mind."""
    begun = select(matches.c.table).where(matches.c.table == seats.c.table).exists()
    freed = {"name": case((begun, DELETED_NAME), else_=""), "entrusted": False}
    db.execute(
        update(turns).where(turns.c.table.in_(_tables_of(person)), _has_seat(turns, person)).values(prepared=None)
    )
    db.execute(update(seats).where(seats.c.person == person).values(**freed))
