"""Stores receivers of notifications (browsers, mailboxes, webhooks) and delivery preferences."""

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
from polyopolis.server.notifications.quiet_hours import NotificationPreferences
from polyopolis.server.storage.match_repository import DatabaseMatchRepository
from polyopolis.server.storage.row_mapping import column_values
from polyopolis.server.storage.schema import manners, outbox, receivers

Kind = Literal["push", "mail", "hook"]
MAX_RECEIVERS = 12
"""Receivers of one person."""
SIGNATURE_LENGTH = 32
"""Characters of a signature in a link."""


class PushTarget(Struct, frozen=True):
    """A push subscription of a browser."""

    endpoint: str
    p256dh: str
    auth: str


class MailTarget(Struct, frozen=True):
    address: str


class HookTarget(Struct, frozen=True):
    """A webhook: its URL and the key that signs its requests."""

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
    """Returns a new receiver. A mailbox must be confirmed by a mailed link; browsers and webhooks need no
    confirmation."""
    return ReceiverRow(
        secrets.token_urlsafe(12), person, kind, as_json(target), language, proven=kind != "mail", made=now
    )


def new_secret() -> str:
    return f"whsec_{b64encode(secrets.token_bytes(24)).decode()}"


class Receivers:
    """Receivers and preferences in the database."""

    def __init__(self, store: DatabaseMatchRepository, key: bytes) -> None:
        self._writer, self._reader = store.threads
        self._key = key

    async def of(self, person: str) -> tuple[ReceiverRow, ...]:
        asked = select(receivers).where(receivers.c.person == person).order_by(receivers.c.made, receivers.c.id)
        return await self._reader.read(lambda db: tuple(ReceiverRow(**row) for row in db.execute(asked).mappings()))

    async def one(self, person: str, key: str) -> ReceiverRow:
        found = next((row for row in await self.of(person) if row.id == key), None)
        if found is None:
            raise NotFound("receiver not found")
        return found

    async def add(self, row: ReceiverRow) -> ReceiverRow:
        """Adds a receiver, or returns the existing one with the same target. A browser that was registered by another
        person moves to this one."""

        def work(db: Connection) -> ReceiverRow | None:
            if row.kind == "push":
                _delete_receivers(db, and_(receivers.c.target == row.target, receivers.c.person != row.person))
            asked = select(receivers).where(receivers.c.person == row.person, receivers.c.target == row.target)
            if same := db.execute(asked).mappings().one_or_none():
                return ReceiverRow(**same)
            count = select(func.count()).where(receivers.c.person == row.person)
            if db.execute(count).scalar_one() >= MAX_RECEIVERS:
                return None
            db.execute(insert(receivers), column_values(row))
            return row

        found = await self._writer.write(work)
        if found is None:
            raise Forbidden(f"the limit is {MAX_RECEIVERS} receivers per person")
        return found

    async def remove(self, key: str) -> None:
        await self._writer.write(lambda db: _delete_receivers(db, receivers.c.id == key))

    # Mailboxes

    def token(self, receiver: str, purpose: Literal["prove", "stop"]) -> str:
        """Returns the token of a link in a mail: it proves that the mail was received."""
        signature = hmac.new(self._key, f"{purpose}/{receiver}".encode(), sha256).hexdigest()[:SIGNATURE_LENGTH]
        return f"{receiver}.{signature}"

    def receiver_of(self, token: str, purpose: Literal["prove", "stop"]) -> str:
        """Returns the receiver of a token. Raises `NotFound` if its signature is invalid."""
        receiver = token.rpartition(".")[0]
        if not hmac.compare_digest(self.token(receiver, purpose).encode(), token.encode()):
            raise NotFound("this link is incomplete")
        return receiver

    async def prove(self, token: str) -> ReceiverRow:
        receiver = self.receiver_of(token, "prove")
        proven = update(receivers).where(receivers.c.id == receiver).values(proven=True).returning(receivers)

        def work(db: Connection) -> ReceiverRow | None:
            row = db.execute(proven).mappings().one_or_none()
            return ReceiverRow(**row) if row else None

        if (found := await self._writer.write(work)) is None:
            raise NotFound("this address has been removed in the meantime")
        return found

    async def stop(self, token: str) -> None:
        """Removes the mailbox of a link. Idempotent."""
        await self.remove(self.receiver_of(token, "stop"))

    # Preferences

    async def preferences(self, person: str) -> NotificationPreferences:
        asked = select(manners).where(manners.c.person == person)

        def work(db: Connection) -> NotificationPreferences:
            row = db.execute(asked).mappings().one_or_none()
            return (
                NotificationPreferences(**{name: row[name] for name in NotificationPreferences.__struct_fields__})
                if row
                else NotificationPreferences()
            )

        return await self._reader.read(work)

    async def set_preferences(self, person: str, wish: NotificationPreferences) -> None:
        values = column_values(wish)
        kept = upsert(manners).values(person=person, **values)
        changed = kept.on_conflict_do_update(index_elements=["person"], set_=values)
        await self._writer.write(lambda db: db.execute(changed))


def _delete_receivers(db: Connection, which: ColumnElement[bool]) -> None:
    """Deletes receivers and their queued notifications."""
    db.execute(delete(outbox).where(outbox.c.receiver.in_(select(receivers.c.id).where(which))))
    db.execute(delete(receivers).where(which))
