"""Somebody who listens where notices are sent: a push service and a program in one, with everything that came."""

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

PATIENCE = 60.0


@dataclass
class Heard:
    path: str
    headers: dict[str, str]
    body: bytes

    @property
    def said(self) -> dict[str, Any]:
        found: dict[str, Any] = json.loads(self.body)
        return found


class Ears(ThreadingHTTPServer):
    daemon_threads = True

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self.heard: list[Heard] = []
        self.answers: dict[str, int] = {}
        """What is answered at a path, but 201."""

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.server_address[1]}"

    def at(self, path: str, many: int = 0) -> list[Heard]:
        """What came to a path, once it is as much as that."""
        end = monotonic() + PATIENCE
        while len(found := [each for each in self.heard if each.path == path]) < many and monotonic() < end:
            sleep(0.01)
        return found


class _Handler(BaseHTTPRequestHandler):
    def do_POST(self) -> None:
        ears = cast("Ears", self.server)
        body = self.rfile.read(int(self.headers.get("content-length", 0)))
        ears.heard.append(Heard(self.path, {name.lower(): value for name, value in self.headers.items()}, body))
        self.send_response(ears.answers.get(self.path, 201))
        self.send_header("location", "/elsewhere")
        self.send_header("content-length", "0")
        self.end_headers()

    def log_message(self, *_: Any) -> None:
        """Nobody reads it."""


@contextmanager
def ears() -> Iterator[Ears]:
    with Ears() as found:
        thread = threading.Thread(target=found.serve_forever, args=[0.05])
        thread.start()
        try:
            yield found
        finally:
            found.shutdown()
            thread.join()


@dataclass
class Browser:
    """What a browser knows of its own subscription."""

    endpoint: str
    key: ec.EllipticCurvePrivateKey = field(default_factory=lambda: ec.generate_private_key(ec.SECP256R1()))
    auth: bytes = b"sixteen letters!"

    @property
    def wish(self) -> dict[str, Any]:
        point = self.key.public_key().public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)
        keys = {"p256dh": _text(point), "auth": _text(self.auth)}
        return {"type": "push", "endpoint": self.endpoint, "language": "de", **keys}

    def read(self, heard: Heard) -> dict[str, Any]:
        """Only this browser can."""
        text = http_ece.decrypt(heard.body, private_key=self.key, auth_secret=self.auth, version="aes128gcm")
        found: dict[str, Any] = json.loads(text)
        return found


def _text(raw: bytes) -> str:
    return base64.urlsafe_b64encode(raw).rstrip(b"=").decode()
