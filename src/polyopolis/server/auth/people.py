"""Stores people: devices, account status, signing keys of sessions.

Every revocation, and every change of a device's owner, increments the access counter. Nodes poll it every second;
when it has changed they check all sessions again.
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from msgspec import Struct
from sqlalchemy import Connection, Select, and_, delete, func, or_, select, update
from sqlalchemy.dialects.postgresql import insert as upsert  # SQLite understands it, too

from polyopolis.play.seats.bot_ids import is_external_bot
from polyopolis.server.auth.session_cookies import SessionCookie
from polyopolis.server.storage.match_repository import DatabaseMatchRepository
from polyopolis.server.storage.row_mapping import MAX_IDS_PER_STATEMENT, column_values
from polyopolis.server.storage.schema import counters, devices, people, seats, secrets_, tables
from polyopolis.server.storage.statements import ADD_SECRET

ACCESS_COUNTER = "door"
SESSION_SECRET = "sessions"
"""Name of the first signing key; later keys have a number as suffix."""


class Device(Struct, frozen=True):
    """A device on which an account is signed in, or a bot token."""

    id: str
    person: str
    name: str
    made: int
    seen: int
    issued: int
    key: int
    since: int
    since_key: int
    scopes: str | None = None
    """The scopes of a bot token, as JSON; None for a browser."""

    @classmethod
    def first(cls, found: SessionCookie, name: str, now: int) -> "Device":
        return cls(found.device, found.person, name, now, now, found.issued, found.key, found.issued, found.key)


class AccountStatus(Struct, frozen=True):
    """The account status of a session."""

    account: bool = False
    muted: bool = False
    removed: bool = False
    device: Device | None = None


class PersonSummary(Struct, frozen=True):
    """A person, for hosts."""

    id: str
    name: str | None
    account: bool
    muted: bool
    removed: bool
    outside: bool
    """Whether it is an external bot."""
    shared: bool
    """Whether their profile is public."""
    tables: int
    last: int
    """The last change of one of their tables, in seconds since 1970."""


class PersonRepository:
    def __init__(self, store: DatabaseMatchRepository) -> None:
        self._write, self._read = store.write, store.read
        self._secret = store.secret

    # Sessions

    async def keys(self) -> dict[int, bytes]:
        """Returns all signing keys by number. Creates the first one if none exists."""
        await self._secret(SESSION_SECRET)
        return await self._read(keys_of)

    async def access_version(self) -> int:
        return await self._read(_access_version)

    async def statuses(self, cookies: Sequence[SessionCookie]) -> tuple[int, list[AccountStatus]]:
        """Returns the access counter and the status of each session, read in one transaction."""
        return await self._read(lambda db: (_access_version(db), _statuses(db, cookies)))

    async def record_seen(self, found: SessionCookie, now: int) -> None:
        """Records that a device has sent this cookie. The previous cookie stays valid until the next rotation, because
        the browser may have requests under way that carry it."""
        newer = and_(devices.c.id == found.device, devices.c.issued < found.issued)
        shifted = {"since": devices.c.issued, "since_key": devices.c.key, "issued": found.issued, "key": found.key}

        def work(db: Connection) -> None:
            db.execute(update(devices).where(newer).values(**shifted))
            db.execute(update(devices).where(devices.c.id == found.device).values(seen=now))

        await self._write(work)

    # Devices

    async def devices_of(self, person: str) -> tuple[Device, ...]:
        """Returns the devices of a person, the most recently seen first."""
        own = select(devices).where(devices.c.person == person).order_by(devices.c.seen.desc(), devices.c.id)
        return await self._read(lambda db: tuple(Device(**row) for row in db.execute(own).mappings()))

    async def add_device(self, device: Device) -> None:
        def work(db: Connection) -> None:
            add_device(db, device)
            invalidate_sessions(db)

        await self._write(work)

    async def remove_device(self, person: str, device: str) -> bool:
        """Signs out a device. Returns whether it belonged to the person."""
        own = delete(devices).where(devices.c.id == device, devices.c.person == person)

        def work(db: Connection) -> bool:
            found = bool(db.execute(own).rowcount)
            if found:
                invalidate_sessions(db)
            return found

        return await self._write(work)


def add_device(db: Connection, device: Device) -> None:
    db.execute(upsert(devices).on_conflict_do_nothing(), column_values(device))


def ensure_account(db: Connection, device: Device, now: int) -> None:
    """Makes the person an account, signed in on this device, unless they have one already."""
    added = upsert(people).values(id=device.person, joined=now)
    same = added.on_conflict_do_update(index_elements=["id"], set_={"joined": now}, where=people.c.joined.is_(None))
    if db.execute(same.returning(people.c.id)).scalar():
        add_device(db, device)
        invalidate_sessions(db)


def invalidate_sessions(db: Connection) -> None:
    """Invalidates cached sessions on all nodes."""
    first = upsert(counters).values(name=ACCESS_COUNTER, number=1)
    db.execute(first.on_conflict_do_update(index_elements=["name"], set_={"number": counters.c.number + 1}))


def _access_version(db: Connection) -> int:
    return int(db.execute(select(counters.c.number).where(counters.c.name == ACCESS_COUNTER)).scalar() or 0)


def _statuses(db: Connection, cookies: Sequence[SessionCookie]) -> list[AccountStatus]:
    known, at = dict[str, Any](), dict[str, Device]()
    for first in range(0, len(cookies), MAX_IDS_PER_STATEMENT):
        some = cookies[first : first + MAX_IDS_PER_STATEMENT]
        known |= _by_id(db, select(people), people.c.id.in_([each.person for each in some]))
        rows = _by_id(db, select(devices), devices.c.id.in_([each.device for each in some]))
        at |= {name: Device(**row) for name, row in rows.items()}
    return [_status(known.get(each.person), at.get(each.device)) for each in cookies]


def _by_id(db: Connection, asked: Select[Any], which: Any) -> dict[str, Mapping[str, Any]]:
    return {row["id"]: dict(row) for row in db.execute(asked.where(which)).mappings()}


def _status(person: Mapping[str, Any] | None, device: Device | None) -> AccountStatus:
    if person is None:
        return AccountStatus(device=device)
    return AccountStatus(person["joined"] is not None, person["muted"], person["removed"] is not None, device)


# Keys


def keys_of(db: Connection) -> dict[int, bytes]:
    ours = or_(secrets_.c.name == SESSION_SECRET, secrets_.c.name.like(f"{SESSION_SECRET}-%"))
    return {_number(row.name): bytes(row.value) for row in db.execute(select(secrets_).where(ours))}


def _number(name: str) -> int:
    return int(re.sub(r"\D", "", name) or 0)


def add_key(db: Connection, value: bytes) -> int:
    """Adds a key, which signs all new cookies from now on. Returns its number."""
    number = max(keys_of(db), default=-1) + 1
    db.execute(ADD_SECRET, {"name": f"{SESSION_SECRET}-{number}" if number else SESSION_SECRET, "value": value})
    invalidate_sessions(db)
    return number


def delete_old_keys(db: Connection, newest: int) -> None:
    """Deletes all keys except this one. Sessions that were not re-signed with it end."""
    names = [SESSION_SECRET, *(f"{SESSION_SECRET}-{number}" for number in keys_of(db))]
    db.execute(delete(secrets_).where(secrets_.c.name.in_(names), secrets_.c.name != f"{SESSION_SECRET}-{newest}"))
    invalidate_sessions(db)


# For hosts


def list_people(db: Connection, names: str = "") -> Iterable[PersonSummary]:
    """Yields people with a name or an account, the most recently active first; with `names` only matching names."""
    last = func.coalesce(func.max(tables.c.changed), people.c.joined, 0)
    found = (
        select(people, func.count(tables.c.id.distinct()).label("tables"), last.label("last"))
        .outerjoin(seats, seats.c.person == people.c.id)
        .outerjoin(tables, tables.c.id == seats.c.table)
        .where(people.c.name.is_not(None) | people.c.joined.is_not(None))
        .where(func.lower(func.coalesce(people.c.name, "")).contains(names.lower(), autoescape=True))
        .group_by(people.c.id)
        .order_by(last.desc(), people.c.id)
    )
    for row in db.execute(found):
        joined, removed = row.joined is not None, row.removed is not None
        shared = row.shared is not None
        yield PersonSummary(
            row.id, row.name, joined, row.muted, removed, is_external_bot(row.id), shared, row.tables, row.last
        )


def set_muted(db: Connection, person: str, muted: bool) -> bool:
    """Disables or enables a person's chat. Returns whether the person exists."""
    return _update_person(db, person, muted=muted)


def set_removed(db: Connection, person: str, now: int | None) -> bool:
    """Closes an account and those of its bots, and signs all of them out; with `now=None` reopens them. Returns whether
    the person exists."""
    for each in (*bots_of(db, person), person):
        db.execute(delete(devices).where(devices.c.person == each))
        found = _update_person(db, each, removed=now)
    return found


def bots_of(db: Connection, person: str) -> list[str]:
    """Returns the external bots of a person."""
    return list(db.execute(select(people.c.id).where(people.c.owner == person).order_by(people.c.joined)).scalars())


def _update_person(db: Connection, person: str, **marks: Any) -> bool:
    found = bool(db.execute(update(people).where(people.c.id == person).values(**marks)).rowcount)
    if found:
        invalidate_sessions(db)
    return found
