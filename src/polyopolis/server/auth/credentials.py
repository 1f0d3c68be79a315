"""What is kept of the ways in which somebody proves who they are: passkeys, mail addresses, codes of their own.

Words that open something are never kept, only their digests. They are long and made by chance, so a plain digest
tells nobody anything.
"""

from hashlib import sha256
from typing import Any, Literal

from msgspec import Struct
from sqlalchemy import Connection, Table, and_, delete, func, insert, select, update
from sqlalchemy.dialects.postgresql import insert as upsert  # SQLite understands it, too

from polyopolis.play.errors import Forbidden
from polyopolis.server.auth.people import Device, join
from polyopolis.server.storage.match_repository import DatabaseMatchRepository
from polyopolis.server.storage.row_mapping import fields
from polyopolis.server.storage.schema import asks, mails, own_codes, passkeys, people, seats

CodeKind = Literal["code", "recovery"]
"""A code that always opens, and one that opens once when nothing else does."""
TicketKind = Literal["ticket", "recovery"]
"""Whoever enters by the second spends the code that has led to it."""
AskKind = Literal["new-passkey", "passkey", "letter"] | TicketKind


class Passkey(Struct, frozen=True):
    id: str
    person: str
    key: bytes
    count: int
    name: str
    made: int


class Ask(Struct, frozen=True):
    """What somebody at a device began to prove."""

    id: str
    kind: AskKind
    device: str
    expires: int
    person: str | None = None
    mail: str | None = None


class SignInMethods(Struct, frozen=True):
    """All ways of somebody."""

    passkeys: tuple[Passkey, ...]
    mails: tuple[str, ...]
    code: int | None
    """When it was made."""
    recovery: int | None


class CredentialInUse(Forbidden):
    """It is somebody else's already."""


class CredentialRepository:
    def __init__(self, store: DatabaseMatchRepository) -> None:
        self._write, self._read = store.write, store.read

    # Asking

    async def ask(self, asked: Ask, now: int, *more: Ask) -> None:
        def work(db: Connection) -> None:
            db.execute(delete(asks).where(asks.c.expires <= now))
            db.execute(upsert(asks).on_conflict_do_nothing(), [fields(each) for each in (asked, *more)])

        await self._write(work)

    async def asked(self, word: str, kind: AskKind, now: int) -> Ask | None:
        """What was asked with this word."""
        found = select(asks).where(asks.c.id == digest(word), asks.c.kind == kind, asks.c.expires > now)
        return await self._read(lambda db: _one(Ask, db.execute(found).mappings().first()))

    async def answer(self, asked: Ask) -> bool:
        """Once: whether nobody else was first. A letter holds two words, and both are spent."""
        same = asks.c.id == asked.id
        if asked.kind == "letter":
            same = and_(asks.c.kind == "letter", asks.c.device == asked.device, asks.c.mail == asked.mail)
        return await self._write(lambda db: bool(db.execute(delete(asks).where(same)).rowcount))

    # Ways in

    async def ways_of(self, person: str) -> SignInMethods:
        def work(db: Connection) -> SignInMethods:
            keys = db.execute(select(passkeys).where(passkeys.c.person == person).order_by(passkeys.c.made))
            addresses = select(mails.c.address).where(mails.c.person == person).order_by(mails.c.made)
            made = select(own_codes.c.kind, own_codes.c.made).where(own_codes.c.person == person)
            codes = {row.kind: row.made for row in db.execute(made)}
            return SignInMethods(
                tuple(Passkey(**row) for row in keys.mappings()),
                tuple(db.execute(addresses).scalars()),
                codes.get("code"),
                codes.get("recovery"),
            )

        return await self._read(work)

    async def add_passkey(self, found: Passkey, device: Device, now: int) -> None:
        def work(db: Connection) -> None:
            _add(db, passkeys, "id", fields(found))
            join(db, device, now)

        await self._write(work)

    async def add_mail(self, address: str, device: Device, now: int) -> None:
        def work(db: Connection) -> None:
            _add(db, mails, "address", {"address": address, "person": device.person, "made": now})
            join(db, device, now)

        await self._write(work)

    async def set_code(self, kind: CodeKind, word: str, device: Device, now: int) -> None:
        """In the place of the one before."""
        new = {"person": device.person, "kind": kind, "digest": digest(word), "made": now}

        def work(db: Connection) -> None:
            forget_code(db, device.person, kind)
            db.execute(insert(own_codes), new)
            join(db, device, now)

        await self._write(work)

    async def forget(self, person: str, way: Literal["passkey", "mail", "code"], which: str = "") -> bool:
        """Whether it was there; the last one stays."""
        found = {
            "passkey": delete(passkeys).where(passkeys.c.person == person, passkeys.c.id == which),
            "mail": delete(mails).where(mails.c.person == person, mails.c.address == which),
            "code": delete(own_codes).where(own_codes.c.person == person, own_codes.c.kind == "code"),
        }[way]

        def work(db: Connection) -> bool:
            gone = bool(db.execute(found).rowcount)
            if gone and not _ways(db, person):
                raise Forbidden("this is the only way in")
            return gone

        return await self._write(work)

    # Whose it is

    async def passkey(self, name: str) -> Passkey | None:
        found = select(passkeys).where(passkeys.c.id == name)
        return await self._read(lambda db: _one(Passkey, db.execute(found).mappings().first()))

    async def used(self, passkey: str, count: int) -> None:
        await self._write(lambda db: db.execute(update(passkeys).where(passkeys.c.id == passkey).values(count=count)))

    async def whose_mail(self, address: str) -> str | None:
        return await self._read(
            lambda db: db.execute(select(mails.c.person).where(mails.c.address == address)).scalar()
        )

    async def whose_code(self, word: str) -> tuple[str, CodeKind] | None:
        found = select(own_codes.c.person, own_codes.c.kind).where(own_codes.c.digest == digest(word))

        def work(db: Connection) -> tuple[str, CodeKind] | None:
            row = db.execute(found).first()
            return (row.person, row.kind) if row else None

        return await self._read(work)

    async def spend_recovery(self, person: str) -> bool:
        """Whether it was there: it opens once."""
        return await self._write(lambda db: forget_code(db, person, "recovery"))

    async def name_and_tables(self, person: str) -> tuple[str | None, int, bool]:
        """How somebody is called, at how many tables they sit, and whether they were sent away."""

        def work(db: Connection) -> tuple[str | None, int, bool]:
            row = db.execute(select(people.c.name, people.c.removed).where(people.c.id == person)).first()
            many = select(func.count(seats.c.table.distinct())).where(seats.c.person == person)
            return row.name if row else None, db.execute(many).scalar_one(), bool(row and row.removed is not None)

        return await self._read(work)


def _add(db: Connection, found: Table, key: str, row: dict[str, Any]) -> None:
    """A way in that is nobody's; if it is one's own already nothing happens."""
    db.execute(upsert(found).on_conflict_do_nothing(), row)
    if db.execute(select(found.c.person).where(found.c[key] == row[key])).scalar() != row["person"]:
        raise CredentialInUse("it is somebody else's already")


def digest(word: str) -> str:
    return sha256(word.encode()).hexdigest()


def forget_code(db: Connection, person: str, kind: CodeKind) -> bool:
    """Whether it was there."""
    gone = delete(own_codes).where(own_codes.c.person == person, own_codes.c.kind == kind)
    return bool(db.execute(gone).rowcount)


def _ways(db: Connection, person: str) -> int:
    """A code for the worst day is none of them."""
    found = (
        select(passkeys.c.id).where(passkeys.c.person == person),
        select(mails.c.address).where(mails.c.person == person),
        select(own_codes.c.kind).where(own_codes.c.person == person, own_codes.c.kind == "code"),
    )
    return sum(len(db.execute(each).all()) for each in found)


def _one(kind: type[Any], row: Any) -> Any:
    return kind(**row) if row else None
