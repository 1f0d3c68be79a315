"""Web push, mail and webhook senders."""

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
from polyopolis.server.mail.mailer import Mailer, MailRejected
from polyopolis.server.notifications import message_texts
from polyopolis.server.notifications.message_texts import NotificationContent, Text
from polyopolis.server.notifications.receivers import HookTarget, Kind, MailTarget, PushTarget, ReceiverRow, Receivers
from polyopolis.server.notifications.safe_http import BlockedAddress, HttpAnswer, SafeHttpClient, Unreachable

GONE_STATUSES = frozenset({404, 410})
APPLE_HOST, APPLE_GONE_STATUS = ".push.apple.com", 403
PUSH_TTL_SECONDS = 86_400
"""The push service stores a message this long for a browser that is offline."""
CURVE = ec.SECP256R1()
CURVE_ORDER = 0xFFFFFFFF00000000FFFFFFFFFFFFFFFFBCE6FAADA7179E84F3B9CAC2FC632551
"""Order of the curve: private keys are smaller."""

How = Literal["told", "gone", "failed", "refused"]


@dataclass(frozen=True)
class DeliveryResult:
    how: How
    """`gone`: the receiver no longer exists. `refused`: a retry would fail, too."""
    why: str = ""
    wait: float | None = None
    """The server asks for no retry before this many seconds."""


DELIVERED = DeliveryResult("told")


@dataclass(frozen=True)
class NotificationBatch:
    """The notifications that a receiver gets in one message, and the number of tables that wait for the person."""

    contents: Sequence[NotificationContent]
    text: Text
    waiting: int
    key: str = ""
    """The id of a batch without notifications."""

    @property
    def id(self) -> str:
        """Equal for equal contents, so that repeated deliveries can be detected."""
        ids = sorted(each.id for each in self.contents)
        return ids[0] if len(ids) == 1 else self.key or _short_digest("/".join(ids))

    @property
    def topic(self) -> str:
        """The push topic: of two undelivered messages with the same topic, the push service keeps the newer one. A
        batch of several notifications has a topic of its own."""
        if len(self.contents) != 1:
            return self.id
        (content,) = self.contents
        about = f"{content.kind}/{content.about}" if content.about else "match"
        return _short_digest(f"{content.table}/{about}")

    @property
    def path(self) -> str:
        tables = {each.table for each in self.contents}
        return f"/t/{tables.pop()}" if len(tables) == 1 else "/"


class Sender(Protocol):
    async def send(self, row: ReceiverRow, batch: NotificationBatch) -> DeliveryResult: ...


def _short_digest(text: str) -> str:
    return base64.urlsafe_b64encode(sha256(text.encode()).digest())[:22].decode()


def delivery_result(url: str, answer: HttpAnswer) -> DeliveryResult:
    """Maps an HTTP response to a delivery result."""
    if answer.status < 300:
        return DELIVERED
    apple = (urlsplit(url).hostname or "").endswith(APPLE_HOST)
    if answer.status in GONE_STATUSES or (apple and answer.status == APPLE_GONE_STATUS):
        return DeliveryResult("gone", f"answer {answer.status}")
    return DeliveryResult("failed", f"answer {answer.status}", answer.wait)


class PushSender:
    """Web push. The VAPID key is derived from a secret of the server."""

    def __init__(self, http: SafeHttpClient, secret: bytes, contact: str) -> None:
        number = int.from_bytes(secret, "big") % (CURVE_ORDER - 1) + 1
        self._key = ec.derive_private_key(number, CURVE)
        self._http = http
        self._contact = contact

    @property
    def public(self) -> str:
        """The public key, with which browsers subscribe."""
        point = self._key.public_key().public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)
        return base64.urlsafe_b64encode(point).rstrip(b"=").decode()

    async def send(self, row: ReceiverRow, batch: NotificationBatch) -> DeliveryResult:
        where = row.where
        assert isinstance(where, PushTarget)
        session = _PushSession(self._http)
        try:
            await webpush_async(
                {"endpoint": where.endpoint, "keys": {"p256dh": where.p256dh, "auth": where.auth}},
                data=msgspec.json.encode(_push_payload(batch)).decode(),
                vapid_private_key=Vapid02(self._key),
                vapid_claims={"sub": self._contact},
                ttl=PUSH_TTL_SECONDS,
                headers={"urgency": "normal", "topic": batch.topic},
                aiohttp_session=session,  # implements all that pywebpush uses
            )
        except WebPushException as error:
            if session.answer is None:
                return DeliveryResult("refused", str(error.message))
        except (BlockedAddress, Unreachable) as error:
            return DeliveryResult("failed", str(error))
        except ValueError:  # invalid keys of the subscription
            return DeliveryResult("refused", "the message cannot be encrypted")
        return delivery_result(where.endpoint, session.answer) if session.answer else DELIVERED


def _push_payload(batch: NotificationBatch) -> dict[str, Any]:
    return {
        "ids": [each.id for each in batch.contents],
        "tag": batch.id,
        "title": batch.text.title,
        "body": batch.text.body,
        "path": batch.path,
        "waiting": batch.waiting,
    }


class _PushSession:
    """Replaces the HTTP session of `pywebpush`: requests go through `SafeHttpClient`."""

    def __init__(self, http: SafeHttpClient) -> None:
        self._http = http
        self.answer: HttpAnswer | None = None

    async def post(self, url: str, data: bytes, headers: Mapping[str, str], timeout: Any = None) -> "_PushSession":
        self.answer = await self._http.post(url, data, headers)
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
    """Webhooks: one notification per request, signed as in Standard Webhooks (id, time and body)."""

    def __init__(self, http: SafeHttpClient, address: str, clock: Clock) -> None:
        self._http = http
        self._address = address
        self._clock = clock

    async def send(self, row: ReceiverRow, batch: NotificationBatch) -> DeliveryResult:
        where = row.where
        assert isinstance(where, HookTarget)
        said = _webhook_payload(batch, self._address)
        body, key, time = msgspec.json.encode(said), batch.id, str(self._clock.now() // 1000)
        headers = {
            "content-type": "application/json",
            "user-agent": "Polyopolis",
            "webhook-id": key,
            "webhook-timestamp": time,
            "webhook-signature": signature(where.secret, key, time, body),
        }
        try:
            return delivery_result(where.url, await self._http.post(where.url, body, headers))
        except (BlockedAddress, Unreachable) as error:
            return DeliveryResult("failed", str(error))


def signature(secret: str, key: str, time: str, body: bytes) -> str:
    raw = base64.b64decode(secret.removeprefix("whsec_"))
    found = hmac.new(raw, f"{key}.{time}.".encode() + body, sha256).digest()
    return f"v1,{base64.b64encode(found).decode()}"


def _webhook_payload(batch: NotificationBatch, address: str) -> dict[str, Any]:
    title, body, url = batch.text.title, batch.text.body, f"{address}{batch.path}"
    said: dict[str, Any] = {"id": batch.id, "type": "trial", "title": title, "body": body, "url": url}
    for content in batch.contents:
        kind = "turn-again" if content.again else content.kind
        said |= {"type": kind, "game": content.game, "table": content.table, "with": content.names}
    return said


class MailSender:
    """Mails in plain text with one-click unsubscribe (RFC 8058)."""

    def __init__(self, mailer: Mailer, receivers: Receivers, address: str) -> None:
        self._mailer = mailer
        self._receivers = receivers
        self._address = address

    @property
    def any(self) -> bool:
        return self._mailer.any

    async def send(self, row: ReceiverRow, batch: NotificationBatch) -> DeliveryResult:
        said, token = message_texts.load_texts(row.language)["mail"], self._receivers.token(row.id, "stop")
        lines = [batch.text.body, f"{self._address}{batch.path}"]
        if batch.path != "/":
            lines.append(said["home"].format(url=self._address))
        stop = said["stop"].format(url=f"{self._address}/notices/stop/{token}")
        headers = {
            "Message-ID": f"<{batch.id}.{row.id}@{urlsplit(self._address).hostname or 'polyopolis'}>",
            "List-Unsubscribe": f"<{self._address}/api/notices/stop/{token}>",
            "List-Unsubscribe-Post": "List-Unsubscribe=One-Click",
            "X-Polyopolis-Notices": " ".join(each.id for each in batch.contents),
        }
        body = "\n\n".join([*lines, f"-- \n{said['why']}\n{stop}"])
        return await self._send(row, batch.text.title, body, headers)

    async def ask(self, row: ReceiverRow) -> DeliveryResult:
        """Sends a mail with a link that confirms the address."""
        said = message_texts.load_texts(row.language)["prove"]
        url = f"{self._address}/notices/prove/{self._receivers.token(row.id, 'prove')}"
        return await self._send(row, said["title"], f"{said['body'].format(url=url)}\n\n{said['otherwise']}", {})

    async def _send(self, row: ReceiverRow, subject: str, body: str, headers: Mapping[str, str]) -> DeliveryResult:
        where = row.where
        assert isinstance(where, MailTarget)
        try:
            await self._mailer.send(where.address, subject, body, headers=headers)
        except MailRejected as error:
            return DeliveryResult("refused" if error.lasting else "failed", str(error))
        except PolyopolisError as error:
            return DeliveryResult("failed", str(error))
        return DELIVERED


Senders = Mapping[Kind, Sender]
