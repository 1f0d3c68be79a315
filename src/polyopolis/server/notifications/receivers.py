"""Where people are told: browsers, mailboxes and programs, each of somebody, and when they like it."""

import hmac
import secrets
from base64 import b64encode
from hashlib import sha256
from typing import Literal

import msgspec
from msgspec import Struct
from sqlalchemy import ColumnElement, Connection, and_, delete, func, insert, select, update
from sqlalchemy.dialects.postgresql import insert as upsert

from polyopolis.play.entities import as_json
from polyopolis.play.errors import Forbidden, NotFound
from polyopolis.server.notifications.quiet_hours import Manners
from polyopolis.server.storage.match_repository import DatabaseMatchRepository
from polyopolis.server.storage.row_mapping import fields
from polyopolis.server.storage.schema import manners, outbox, receivers

Kind = Literal["push", "mail", "hook"]
MOST = 12
"""Receivers of one person."""
SIGNED = 32
"""Letters of a signature."""


class PushTarget(Struct, frozen=True):
    """A browser, as it has said itself."""

    endpoint: str
    p256dh: str
    auth: str


class MailTarget(Struct, frozen=True):
    address: str


class HookTarget(Struct, frozen=True):
    """A program: where it listens, and with which key what is told to it is signed."""

    url: str
    secret: str


Target = PushTarget | MailTarget | HookTarget
TARGETS: dict[str, type[PushTarget] | type[MailTarget] | type[HookTarget]] = {
    "push": PushTarget,
    "mail": MailTarget,
    "hook": HookTarget,
}


class ReceiverRow(Struct, frozen=True):
    id: str
    person: str
    kind: Kind
    target: str
    language: str
    proven: bool
    made: int

    @property
    def where(self) -> Target:
        return msgspec.json.decode(self.target, type=TARGETS[self.kind])


def new_receiver(person: str, kind: Kind, target: Target, language: str, now: int) -> ReceiverRow:
    """A mailbox is proven by whoever reads the letter; a browser and a program have answered for themselves."""
    return ReceiverRow(
        secrets.token_urlsafe(12), person, kind, as_json(target), language, proven=kind != "mail", made=now
    )


def new_secret() -> str:
    return f"whsec_{b64encode(secrets.token_bytes(24)).decode()}"


class Receivers:
    """Who is told where, in the database of the tables."""

    def __init__(self, store: DatabaseMatchRepository, key: bytes) -> None:
        self._writer, self._reader = store.desks
        self._key = key

    async def of(self, person: str) -> tuple[ReceiverRow, ...]:
        asked = select(receivers).where(receivers.c.person == person).order_by(receivers.c.made, receivers.c.id)
        return await self._reader.read(lambda db: tuple(ReceiverRow(**row) for row in db.execute(asked).mappings()))

    async def one(self, person: str, key: str) -> ReceiverRow:
        found = next((row for row in await self.of(person) if row.id == key), None)
        if found is None:
            raise NotFound("there is no such receiver")
        return found

    async def add(self, row: ReceiverRow) -> ReceiverRow:
        """The one that is there already, if it is the same. A browser belongs to whoever sits before it now."""

        def work(db: Connection) -> ReceiverRow | None:
            if row.kind == "push":
                _drop(db, and_(receivers.c.target == row.target, receivers.c.person != row.person))
            asked = select(receivers).where(receivers.c.person == row.person, receivers.c.target == row.target)
            if same := db.execute(asked).mappings().one_or_none():
                return ReceiverRow(**same)
            count = select(func.count()).where(receivers.c.person == row.person)
            if db.execute(count).scalar_one() >= MOST:
                return None
            db.execute(insert(receivers), fields(row))
            return row

        found = await self._writer.write(work)
        if found is None:
            raise Forbidden(f"nobody is told in more than {MOST} places")
        return found

    async def remove(self, key: str) -> None:
        await self._writer.write(lambda db: _drop(db, receivers.c.id == key))

    # Mailboxes

    def token(self, receiver: str, what: Literal["prove", "stop"]) -> str:
        """Whoever has it has got a letter there."""
        signature = hmac.new(self._key, f"{what}/{receiver}".encode(), sha256).hexdigest()[:SIGNED]
        return f"{receiver}.{signature}"

    def told_by(self, token: str, what: Literal["prove", "stop"]) -> str:
        """The receiver of a token."""
        receiver = token.rpartition(".")[0]
        if not hmac.compare_digest(self.token(receiver, what).encode(), token.encode()):
            raise NotFound("this link was cut off")
        return receiver

    async def prove(self, token: str) -> ReceiverRow:
        receiver = self.told_by(token, "prove")
        proven = update(receivers).where(receivers.c.id == receiver).values(proven=True).returning(receivers)

        def work(db: Connection) -> ReceiverRow | None:
            row = db.execute(proven).mappings().one_or_none()
            return ReceiverRow(**row) if row else None

        if (found := await self._writer.write(work)) is None:
            raise NotFound("this address was taken off the list meanwhile")
        return found

    async def stop(self, token: str) -> None:
        """Once or twice: that is the same."""
        await self.remove(self.told_by(token, "stop"))

    # When

    async def manners(self, person: str) -> Manners:
        asked = select(manners).where(manners.c.person == person)

        def work(db: Connection) -> Manners:
            row = db.execute(asked).mappings().one_or_none()
            return Manners(**{name: row[name] for name in Manners.__struct_fields__}) if row else Manners()

        return await self._reader.read(work)

    async def behave(self, person: str, wish: Manners) -> None:
        values = fields(wish)
        kept = upsert(manners).values(person=person, **values)
        changed = kept.on_conflict_do_update(index_elements=["person"], set_=values)
        await self._writer.write(lambda db: db.execute(changed))


def _drop(db: Connection, which: ColumnElement[bool]) -> None:
    """With all that was to be told there."""
    db.execute(delete(outbox).where(outbox.c.receiver.in_(select(receivers.c.id).where(which))))
    db.execute(delete(receivers).where(which))
