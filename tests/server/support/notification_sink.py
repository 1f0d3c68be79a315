"""An HTTP server that receives notifications, as push service and as webhook, and records them."""

import base64
import json
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from time import monotonic, sleep
from typing import Any, cast

import http_ece
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

TIMEOUT_SECONDS = 60.0


@dataclass
class ReceivedPost:
    path: str
    headers: dict[str, str]
    body: bytes

    @property
    def said(self) -> dict[str, Any]:
        found: dict[str, Any] = json.loads(self.body)
        return found


class NotificationSink(ThreadingHTTPServer):
    daemon_threads = True

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self.heard: list[ReceivedPost] = []
        self.answers: dict[str, int] = {}
        """Status by path; 201 for other paths."""

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.server_address[1]}"

    def at(self, path: str, many: int = 0) -> list[ReceivedPost]:
        """Waits for this number of requests to a path and returns all of them."""
        end = monotonic() + TIMEOUT_SECONDS
        while len(found := [each for each in self.heard if each.path == path]) < many and monotonic() < end:
            sleep(0.01)
        return found


class _Handler(BaseHTTPRequestHandler):
    def do_POST(self) -> None:
        ears = cast("NotificationSink", self.server)
        body = self.rfile.read(int(self.headers.get("content-length", 0)))
        ears.heard.append(ReceivedPost(self.path, {name.lower(): value for name, value in self.headers.items()}, body))
        self.send_response(ears.answers.get(self.path, 201))
        self.send_header("location", "/elsewhere")
        self.send_header("content-length", "0")
        self.end_headers()

    def log_message(self, *_: Any) -> None:
        """Suppresses the log."""


@contextmanager
def notification_sink() -> Iterator[NotificationSink]:
    with NotificationSink() as found:
        thread = threading.Thread(target=found.serve_forever, args=[0.05])
        thread.start()
        try:
            yield found
        finally:
            found.shutdown()
            thread.join()


@dataclass
class PushBrowser:
    """A browser with a push subscription."""

    endpoint: str
    key: ec.EllipticCurvePrivateKey = field(default_factory=lambda: ec.generate_private_key(ec.SECP256R1()))
    auth: bytes = b"sixteen letters!"

    @property
    def wish(self) -> dict[str, Any]:
        point = self.key.public_key().public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)
        keys = {"p256dh": _text(point), "auth": _text(self.auth)}
        return {"type": "push", "endpoint": self.endpoint, "language": "de", **keys}

    def read(self, heard: ReceivedPost) -> dict[str, Any]:
        """Decrypts a push message."""
        text = http_ece.decrypt(heard.body, private_key=self.key, auth_secret=self.auth, version="aes128gcm")
        found: dict[str, Any] = json.loads(text)
        return found


def _text(raw: bytes) -> str:
    return base64.urlsafe_b64encode(raw).rstrip(b"=").decode()
