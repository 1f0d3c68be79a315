"""How somebody is told: by web push, by mail, or by a post to a program of theirs."""

import base64
import hmac
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256
from typing import Any, Literal, Protocol
from urllib.parse import urlsplit

import msgspec
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat
from py_vapid import Vapid02
from pywebpush import WebPushException, webpush_async

from polyopolis.engine import PolyopolisError
from polyopolis.play.protocols import Clock
from polyopolis.server.mail.mailer import Mailer, Undelivered
from polyopolis.server.notifications import message_texts
from polyopolis.server.notifications.message_texts import NotificationContent, Text
from polyopolis.server.notifications.receivers import HookTarget, Kind, MailTarget, PushTarget, ReceiverRow, Receivers
from polyopolis.server.notifications.safe_http import BlockedAddress, HttpAnswer, SafeHttpClient, Unreachable

GONE = frozenset({404, 410})
APPLE, APPLE_IS_DONE = ".push.apple.com", 403
DAY = 86_400
"""Seconds for which a push service keeps what a browser that is off has not got."""
CURVE = ec.SECP256R1()
ORDER = 0xFFFFFFFF00000000FFFFFFFFFFFFFFFFBCE6FAADA7179E84F3B9CAC2FC632551
"""Of the points of the curve: a key is a number below it."""

How = Literal["told", "gone", "failed", "refused"]


@dataclass(frozen=True)
class DeliveryResult:
    how: How
    """Gone: the receiver is no more. Refused: it would be in vain to try again."""
    why: str = ""
    wait: float | None = None
    """Seconds that the other side wants to be left alone."""


TOLD = DeliveryResult("told")


@dataclass(frozen=True)
class NotificationBatch:
    """All that a receiver is told at once, and how many tables wait for its owner."""

    told: Sequence[NotificationContent]
    text: Text
    waiting: int
    key: str = ""
    """Names it where it tells nothing."""

    @property
    def id(self) -> str:
        """The same for the same contents."""
        ids = sorted(each.id for each in self.told)
        return ids[0] if len(ids) == 1 else self.key or _short("/".join(ids))

    @property
    def matter(self) -> str:
        """Something newer of the same is told instead, where neither has arrived; of several things nothing is."""
        if len(self.told) != 1:
            return self.id
        (told,) = self.told
        about = f"{told.kind}/{told.about}" if told.about else "match"
        return _short(f"{told.table}/{about}")

    @property
    def path(self) -> str:
        tables = {each.table for each in self.told}
        return f"/t/{tables.pop()}" if len(tables) == 1 else "/"


class Sender(Protocol):
    async def send(self, row: ReceiverRow, parcel: NotificationBatch) -> DeliveryResult: ...


def _short(text: str) -> str:
    return base64.urlsafe_b64encode(sha256(text.encode()).digest())[:22].decode()


def judged(url: str, answer: HttpAnswer) -> DeliveryResult:
    """What an answer of the web means."""
    if answer.status < 300:
        return TOLD
    apple = (urlsplit(url).hostname or "").endswith(APPLE)
    if answer.status in GONE or (apple and answer.status == APPLE_IS_DONE):
        return DeliveryResult("gone", f"answer {answer.status}")
    return DeliveryResult("failed", f"answer {answer.status}", answer.wait)


class PushSender:
    """With keys of our own, which follow from a secret of the server."""

    def __init__(self, outlet: SafeHttpClient, secret: bytes, contact: str) -> None:
        number = int.from_bytes(secret, "big") % (ORDER - 1) + 1
        self._key = ec.derive_private_key(number, CURVE)
        self._outlet = outlet
        self._contact = contact

    @property
    def public(self) -> str:
        """What browsers are told of the key."""
        point = self._key.public_key().public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)
        return base64.urlsafe_b64encode(point).rstrip(b"=").decode()

    async def send(self, row: ReceiverRow, parcel: NotificationBatch) -> DeliveryResult:
        where = row.where
        assert isinstance(where, PushTarget)
        wire = _Wire(self._outlet)
        try:
            await webpush_async(
                {"endpoint": where.endpoint, "keys": {"p256dh": where.p256dh, "auth": where.auth}},
                data=msgspec.json.encode(_pushed(parcel)).decode(),
                vapid_private_key=Vapid02(self._key),
                vapid_claims={"sub": self._contact},
                ttl=DAY,
                headers={"urgency": "normal", "topic": parcel.matter},
                aiohttp_session=wire,  # it asks no more of one
            )
        except WebPushException as error:
            if wire.answer is None:
                return DeliveryResult("refused", str(error.message))
        except (BlockedAddress, Unreachable) as error:
            return DeliveryResult("failed", str(error))
        except ValueError:  # keys that are none
            return DeliveryResult("refused", "it cannot be encrypted")
        return judged(where.endpoint, wire.answer) if wire.answer else TOLD


def _pushed(parcel: NotificationBatch) -> dict[str, Any]:
    return {
        "ids": [each.id for each in parcel.told],
        "tag": parcel.id,
        "title": parcel.text.title,
        "body": parcel.text.body,
        "path": parcel.path,
        "waiting": parcel.waiting,
    }


class _Wire:
    """What `pywebpush` takes for a session: everything goes through the outlet."""

    def __init__(self, outlet: SafeHttpClient) -> None:
        self._outlet = outlet
        self.answer: HttpAnswer | None = None

    async def post(self, url: str, data: bytes, headers: Mapping[str, str], timeout: Any = None) -> "_Wire":
        self.answer = await self._outlet.post(url, data, headers)
        return self

    @property
    def status(self) -> int:
        return self.answer.status if self.answer else 0

    @property
    def reason(self) -> str:
        return ""

    async def text(self) -> str:
        return ""


class HookSender:
    """One thing a post, signed as Standard Webhooks are: of the id, the time and the body."""

    def __init__(self, outlet: SafeHttpClient, address: str, clock: Clock) -> None:
        self._outlet = outlet
        self._address = address
        self._clock = clock

    async def send(self, row: ReceiverRow, parcel: NotificationBatch) -> DeliveryResult:
        where = row.where
        assert isinstance(where, HookTarget)
        said = _hooked(parcel, self._address)
        body, key, time = msgspec.json.encode(said), parcel.id, str(self._clock.now() // 1000)
        headers = {
            "content-type": "application/json",
            "user-agent": "Polyopolis",
            "webhook-id": key,
            "webhook-timestamp": time,
            "webhook-signature": signature(where.secret, key, time, body),
        }
        try:
            return judged(where.url, await self._outlet.post(where.url, body, headers))
        except (BlockedAddress, Unreachable) as error:
            return DeliveryResult("failed", str(error))


def signature(secret: str, key: str, time: str, body: bytes) -> str:
    raw = base64.b64decode(secret.removeprefix("whsec_"))
    found = hmac.new(raw, f"{key}.{time}.".encode() + body, sha256).digest()
    return f"v1,{base64.b64encode(found).decode()}"


def _hooked(parcel: NotificationBatch, address: str) -> dict[str, Any]:
    title, body, url = parcel.text.title, parcel.text.body, f"{address}{parcel.path}"
    said: dict[str, Any] = {"id": parcel.id, "type": "trial", "title": title, "body": body, "url": url}
    for told in parcel.told:
        kind = "turn-again" if told.again else told.kind
        said |= {"type": kind, "game": told.game, "table": told.table, "with": told.names}
    return said


class MailSender:
    """In plain text. One click of the mail program ends it, as RFC 8058 has it."""

    def __init__(self, mailer: Mailer, receivers: Receivers, address: str) -> None:
        self._mailer = mailer
        self._receivers = receivers
        self._address = address

    @property
    def any(self) -> bool:
        return self._mailer.any

    async def send(self, row: ReceiverRow, parcel: NotificationBatch) -> DeliveryResult:
        said, token = message_texts.words(row.language)["mail"], self._receivers.token(row.id, "stop")
        lines = [parcel.text.body, f"{self._address}{parcel.path}"]
        if parcel.path != "/":
            lines.append(said["home"].format(url=self._address))
        stop = said["stop"].format(url=f"{self._address}/notices/stop/{token}")
        headers = {
            "Message-ID": f"<{parcel.id}.{row.id}@{urlsplit(self._address).hostname or 'polyopolis'}>",
            "List-Unsubscribe": f"<{self._address}/api/notices/stop/{token}>",
            "List-Unsubscribe-Post": "List-Unsubscribe=One-Click",
            "X-Polyopolis-Notices": " ".join(each.id for each in parcel.told),
        }
        body = "\n\n".join([*lines, f"-- \n{said['why']}\n{stop}"])
        return await self._send(row, parcel.text.title, body, headers)

    async def ask(self, row: ReceiverRow) -> DeliveryResult:
        """Whether this is really theirs."""
        said = message_texts.words(row.language)["prove"]
        url = f"{self._address}/notices/prove/{self._receivers.token(row.id, 'prove')}"
        return await self._send(row, said["title"], f"{said['body'].format(url=url)}\n\n{said['otherwise']}", {})

    async def _send(self, row: ReceiverRow, subject: str, body: str, headers: Mapping[str, str]) -> DeliveryResult:
        where = row.where
        assert isinstance(where, MailTarget)
        try:
            await self._mailer.send(where.address, subject, body, headers=headers)
        except Undelivered as error:
            return DeliveryResult("refused" if error.lasting else "failed", str(error))
        except PolyopolisError as error:
            return DeliveryResult("failed", str(error))
        return TOLD


Senders = Mapping[Kind, Sender]
