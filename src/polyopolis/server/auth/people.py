"""What is kept of people beside their seats: who may come in and where from, and what hosts say of them.

Whatever shuts somebody out, or makes a device another one's, moves a counter on: servers look at it every second, and
whoever sees it move looks again at all who are there.
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
from polyopolis.server.storage.row_mapping import AT_ONCE, fields
from polyopolis.server.storage.schema import counters, devices, people, seats, secrets_, tables
from polyopolis.server.storage.statements import KEEP_SECRET

DOOR = "door"
SECRET = "sessions"
"""The first key of the sessions; those after it have a number behind the word."""


class Device(Struct, frozen=True):
    """Where an account is signed in."""

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
    """What a token is for, as JSON; None for a browser."""

    @classmethod
    def first(cls, found: SessionCookie, name: str, now: int) -> "Device":
        return cls(found.device, found.person, name, now, now, found.issued, found.key, found.issued, found.key)


class AccountStatus(Struct, frozen=True):
    """How it stands with somebody who shows a cookie."""

    account: bool = False
    muted: bool = False
    removed: bool = False
    device: Device | None = None


class PersonSummary(Struct, frozen=True):
    """Somebody, as hosts see them."""

    id: str
    name: str | None
    account: bool
    muted: bool
    removed: bool
    outside: bool
    """A program."""
    shared: bool
    """Everybody may see what they have played."""
    tables: int
    last: int
    """When something happened last at one of their tables, in seconds since 1970."""


class PersonRepository:
    def __init__(self, store: DatabaseMatchRepository) -> None:
        self._write, self._read = store.write, store.read
        self._secret = store.secret

    # Who may come in

    async def keys(self) -> dict[int, bytes]:
        """All keys of the sessions; the first one is made on the first day."""
        await self._secret(SECRET)
        return await self._read(keys_of)

    async def door(self) -> int:
        return await self._read(_door)

    async def standings(self, passes: Sequence[SessionCookie]) -> tuple[int, list[AccountStatus]]:
        """How it stands with each, and where the counter stood at that moment."""
        return await self._read(lambda db: (_door(db), _standings(db, passes)))

    async def seen(self, found: SessionCookie, now: int) -> None:
        """A device has shown this cookie. Of two that follow each other the earlier one holds until the next comes:
        a browser may have asked with it before it got the later one."""
        newer = and_(devices.c.id == found.device, devices.c.issued < found.issued)
        shifted = {"since": devices.c.issued, "since_key": devices.c.key, "issued": found.issued, "key": found.key}

        def work(db: Connection) -> None:
            db.execute(update(devices).where(newer).values(**shifted))
            db.execute(update(devices).where(devices.c.id == found.device).values(seen=now))

        await self._write(work)

    # Devices

    async def devices_of(self, person: str) -> tuple[Device, ...]:
        """Those that were seen last come first."""
        own = select(devices).where(devices.c.person == person).order_by(devices.c.seen.desc(), devices.c.id)
        return await self._read(lambda db: tuple(Device(**row) for row in db.execute(own).mappings()))

    async def let_in(self, device: Device) -> None:
        def work(db: Connection) -> None:
            let_in(db, device)
            move_on(db)

        await self._write(work)

    async def shut_out(self, person: str, device: str) -> bool:
        """A device is signed out; whether it was that person's."""
        own = delete(devices).where(devices.c.id == device, devices.c.person == person)

        def work(db: Connection) -> bool:
            found = bool(db.execute(own).rowcount)
            if found:
                move_on(db)
            return found

        return await self._write(work)


def let_in(db: Connection, device: Device) -> None:
    db.execute(upsert(devices).on_conflict_do_nothing(), fields(device))


def join(db: Connection, device: Device, now: int) -> None:
    """Somebody is an account from now on, if they were not before: then they are signed in at this device alone."""
    added = upsert(people).values(id=device.person, joined=now)
    same = added.on_conflict_do_update(index_elements=["id"], set_={"joined": now}, where=people.c.joined.is_(None))
    if db.execute(same.returning(people.c.id)).scalar():
        let_in(db, device)
        move_on(db)


def move_on(db: Connection) -> None:
    """Everybody looks again who is there."""
    first = upsert(counters).values(name=DOOR, number=1)
    db.execute(first.on_conflict_do_update(index_elements=["name"], set_={"number": counters.c.number + 1}))


def _door(db: Connection) -> int:
    return int(db.execute(select(counters.c.number).where(counters.c.name == DOOR)).scalar() or 0)


def _standings(db: Connection, passes: Sequence[SessionCookie]) -> list[AccountStatus]:
    known, at = dict[str, Any](), dict[str, Device]()
    for first in range(0, len(passes), AT_ONCE):
        some = passes[first : first + AT_ONCE]
        known |= _by_id(db, select(people), people.c.id.in_([each.person for each in some]))
        rows = _by_id(db, select(devices), devices.c.id.in_([each.device for each in some]))
        at |= {name: Device(**row) for name, row in rows.items()}
    return [_standing(known.get(each.person), at.get(each.device)) for each in passes]


def _by_id(db: Connection, asked: Select[Any], which: Any) -> dict[str, Mapping[str, Any]]:
    return {row["id"]: dict(row) for row in db.execute(asked.where(which)).mappings()}


def _standing(person: Mapping[str, Any] | None, device: Device | None) -> AccountStatus:
    if person is None:
        return AccountStatus(device=device)
    return AccountStatus(person["joined"] is not None, person["muted"], person["removed"] is not None, device)


# Keys


def keys_of(db: Connection) -> dict[int, bytes]:
    ours = or_(secrets_.c.name == SECRET, secrets_.c.name.like(f"{SECRET}-%"))
    return {_number(row.name): bytes(row.value) for row in db.execute(select(secrets_).where(ours))}


def _number(name: str) -> int:
    return int(re.sub(r"\D", "", name) or 0)


def add_key(db: Connection, value: bytes) -> int:
    """From now on this one signs; its number."""
    number = max(keys_of(db), default=-1) + 1
    db.execute(KEEP_SECRET, {"name": f"{SECRET}-{number}" if number else SECRET, "value": value})
    move_on(db)
    return number


def forget_keys(db: Connection, newest: int) -> None:
    """All but this one: whoever has not been here since it signs is signed out."""
    names = [SECRET, *(f"{SECRET}-{number}" for number in keys_of(db))]
    db.execute(delete(secrets_).where(secrets_.c.name.in_(names), secrets_.c.name != f"{SECRET}-{newest}"))
    move_on(db)


# As hosts see them


def known_people(db: Connection, names: str = "") -> Iterable[PersonSummary]:
    """Those who have a seat or an account, the last who were there first; all, or those of such a name."""
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


def mute(db: Connection, person: str, muted: bool) -> bool:
    """Whether there is such a person; so for the others."""
    return _marked(db, person, muted=muted)


def remove(db: Connection, person: str, now: int | None) -> bool:
    """Signed out everywhere, and no way back in, with their bots; without a time they may come again."""
    for each in (*bots_of(db, person), person):
        db.execute(delete(devices).where(devices.c.person == each))
        found = _marked(db, each, removed=now)
    return found


def bots_of(db: Connection, person: str) -> list[str]:
    """The outside bots that are somebody's."""
    return list(db.execute(select(people.c.id).where(people.c.owner == person).order_by(people.c.joined)).scalars())


def _marked(db: Connection, person: str, **marks: Any) -> bool:
    found = bool(db.execute(update(people).where(people.c.id == person).values(**marks)).rowcount)
    if found:
        move_on(db)
    return found
