"""Stores credentials: passkeys, mail addresses, sign-in codes, recovery codes and one-time tokens.

Codes and tokens are stored as digests. They are long and random, so an unsalted SHA-256 is sufficient.
"""

from hashlib import sha256
from typing import Any, Literal

from msgspec import Struct
from sqlalchemy import Connection, Table, and_, delete, func, insert, select, update
from sqlalchemy.dialects.postgresql import insert as upsert  # SQLite understands it, too

from polyopolis.play.errors import Forbidden
from polyopolis.server.auth.people import Device, ensure_account
from polyopolis.server.storage.match_repository import DatabaseMatchRepository
from polyopolis.server.storage.row_mapping import column_values
from polyopolis.server.storage.schema import asks, mails, own_codes, passkeys, people, seats

CodeKind = Literal["code", "recovery"]
"""A sign-in code works any number of times, a recovery code once."""
TicketKind = Literal["ticket", "recovery"]
"""A ticket of a recovery code uses up that code."""
TokenKind = Literal["new-passkey", "passkey", "letter"] | TicketKind


class Passkey(Struct, frozen=True):
    id: str
    person: str
    key: bytes
    count: int
    name: str
    made: int


class OneTimeToken(Struct, frozen=True):
    """A sign-in in progress at a device. `id` is the digest of the token."""

    id: str
    kind: TokenKind
    device: str
    expires: int
    person: str | None = None
    mail: str | None = None


class SignInMethods(Struct, frozen=True):
    """All sign-in methods of a person."""

    passkeys: tuple[Passkey, ...]
    mails: tuple[str, ...]
    code: int | None
    """When the sign-in code was created."""
    recovery: int | None


class CredentialInUse(Forbidden):
    """The credential belongs to another person."""


class CredentialRepository:
    def __init__(self, store: DatabaseMatchRepository) -> None:
        self._write, self._read = store.write, store.read

    # One-time tokens

    async def add_tokens(self, asked: OneTimeToken, now: int, *more: OneTimeToken) -> None:
        def work(db: Connection) -> None:
            db.execute(delete(asks).where(asks.c.expires <= now))
            db.execute(upsert(asks).on_conflict_do_nothing(), [column_values(each) for each in (asked, *more)])

        await self._write(work)

    async def find_token(self, word: str, kind: TokenKind, now: int) -> OneTimeToken | None:
        """Returns the unexpired token of this kind."""
        found = select(asks).where(asks.c.id == digest(word), asks.c.kind == kind, asks.c.expires > now)
        return await self._read(lambda db: _struct_or_none(OneTimeToken, db.execute(found).mappings().first()))

    async def use_token(self, asked: OneTimeToken) -> bool:
        """Uses up a token. Returns whether this call was the first. The two tokens of a mail are used up together."""
        same = asks.c.id == asked.id
        if asked.kind == "letter":
            same = and_(asks.c.kind == "letter", asks.c.device == asked.device, asks.c.mail == asked.mail)
        return await self._write(lambda db: bool(db.execute(delete(asks).where(same)).rowcount))

    # Sign-in methods

    async def methods_of(self, person: str) -> SignInMethods:
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
            _insert_unique(db, passkeys, "id", column_values(found))
            ensure_account(db, device, now)

        await self._write(work)

    async def add_mail(self, address: str, device: Device, now: int) -> None:
        def work(db: Connection) -> None:
            _insert_unique(db, mails, "address", {"address": address, "person": device.person, "made": now})
            ensure_account(db, device, now)

        await self._write(work)

    async def set_code(self, kind: CodeKind, word: str, device: Device, now: int) -> None:
        """Stores a code, which replaces the previous one."""
        new = {"person": device.person, "kind": kind, "digest": digest(word), "made": now}

        def work(db: Connection) -> None:
            delete_code(db, device.person, kind)
            db.execute(insert(own_codes), new)
            ensure_account(db, device, now)

        await self._write(work)

    async def remove(self, person: str, way: Literal["passkey", "mail", "code"], which: str = "") -> bool:
        """Removes a sign-in method. Returns whether it existed. Raises `Forbidden` for the last one."""
        found = {
            "passkey": delete(passkeys).where(passkeys.c.person == person, passkeys.c.id == which),
            "mail": delete(mails).where(mails.c.person == person, mails.c.address == which),
            "code": delete(own_codes).where(own_codes.c.person == person, own_codes.c.kind == "code"),
        }[way]

        def work(db: Connection) -> bool:
            gone = bool(db.execute(found).rowcount)
            if gone and not _count_methods(db, person):
                raise Forbidden("this is the only sign-in method")
            return gone

        return await self._write(work)

    # Identification

    async def passkey(self, name: str) -> Passkey | None:
        found = select(passkeys).where(passkeys.c.id == name)
        return await self._read(lambda db: _struct_or_none(Passkey, db.execute(found).mappings().first()))

    async def record_use(self, passkey: str, count: int) -> None:
        await self._write(lambda db: db.execute(update(passkeys).where(passkeys.c.id == passkey).values(count=count)))

    async def person_of_mail(self, address: str) -> str | None:
        return await self._read(
            lambda db: db.execute(select(mails.c.person).where(mails.c.address == address)).scalar()
        )

    async def person_of_code(self, word: str) -> tuple[str, CodeKind] | None:
        found = select(own_codes.c.person, own_codes.c.kind).where(own_codes.c.digest == digest(word))

        def work(db: Connection) -> tuple[str, CodeKind] | None:
            row = db.execute(found).first()
            return (row.person, row.kind) if row else None

        return await self._read(work)

    async def use_recovery_code(self, person: str) -> bool:
        """Deletes the recovery code. Returns whether it existed."""
        return await self._write(lambda db: delete_code(db, person, "recovery"))

    async def name_and_tables(self, person: str) -> tuple[str | None, int, bool]:
        """Returns the name of a person, the number of their tables, and whether they were removed."""

        def work(db: Connection) -> tuple[str | None, int, bool]:
            row = db.execute(select(people.c.name, people.c.removed).where(people.c.id == person)).first()
            many = select(func.count(seats.c.table.distinct())).where(seats.c.person == person)
            return row.name if row else None, db.execute(many).scalar_one(), bool(row and row.removed is not None)

        return await self._read(work)


def _insert_unique(db: Connection, found: Table, key: str, row: dict[str, Any]) -> None:
    """Inserts a credential, unless the person has it already. Raises `CredentialInUse` if it belongs to another
    person."""
    db.execute(upsert(found).on_conflict_do_nothing(), row)
    if db.execute(select(found.c.person).where(found.c[key] == row[key])).scalar() != row["person"]:
        raise CredentialInUse("this belongs to another account")


def digest(word: str) -> str:
    return sha256(word.encode()).hexdigest()


def delete_code(db: Connection, person: str, kind: CodeKind) -> bool:
    """Deletes a code. Returns whether it existed."""
    gone = delete(own_codes).where(own_codes.c.person == person, own_codes.c.kind == kind)
    return bool(db.execute(gone).rowcount)


def _count_methods(db: Connection, person: str) -> int:
    """Counts the sign-in methods, without the recovery code."""
    found = (
        select(passkeys.c.id).where(passkeys.c.person == person),
        select(mails.c.address).where(mails.c.person == person),
        select(own_codes.c.kind).where(own_codes.c.person == person, own_codes.c.kind == "code"),
    )
    return sum(len(db.execute(each).all()) for each in found)


def _struct_or_none(kind: type[Any], row: Any) -> Any:
    return kind(**row) if row else None
