"""A WebAuthn authenticator in Python."""

import json
import secrets
from base64 import urlsafe_b64decode, urlsafe_b64encode
from hashlib import sha256
from typing import Any
from urllib.parse import urlsplit

import cbor2
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.hashes import SHA256

PRESENT, VERIFIED, ATTESTED = 0x01, 0x04, 0x40


class Authenticator:
    """A browser with an authenticator that holds one credential."""

    def __init__(self, origin: str) -> None:
        self.origin = origin
        self._id = secrets.token_bytes(16)
        self._key = ec.generate_private_key(ec.SECP256R1())
        self._used = 0

    def register(self, options: dict[str, Any]) -> dict[str, Any]:
        """Returns the response to registration options."""
        public = self._key.public_key().public_numbers()
        key = cbor2.dumps({1: 2, 3: -7, -1: 1, -2: public.x.to_bytes(32, "big"), -3: public.y.to_bytes(32, "big")})
        attested = bytes(16) + len(self._id).to_bytes(2, "big") + self._id + key
        said = cbor2.dumps({"fmt": "none", "attStmt": {}, "authData": self._data(ATTESTED) + attested})
        client = self._client("webauthn.create", options)
        return self._answer(clientDataJSON=base64url(client), attestationObject=base64url(said))

    def authenticate(self, options: dict[str, Any]) -> dict[str, Any]:
        self._used += 1
        client, data = self._client("webauthn.get", options), self._data(0)
        signature = self._key.sign(data + sha256(client).digest(), ec.ECDSA(SHA256()))
        return self._answer(
            clientDataJSON=base64url(client), authenticatorData=base64url(data), signature=base64url(signature)
        )

    def _data(self, flags: int) -> bytes:
        site = sha256((urlsplit(self.origin).hostname or "").encode()).digest()
        return site + bytes([PRESENT | VERIFIED | flags]) + self._used.to_bytes(4, "big")

    def _client(self, kind: str, options: dict[str, Any]) -> bytes:
        return json.dumps({"type": kind, "challenge": options["challenge"], "origin": self.origin}).encode()

    def _answer(self, **response: str) -> dict[str, Any]:
        name = base64url(self._id)
        return {"id": name, "rawId": name, "type": "public-key", "response": response, "clientExtensionResults": {}}


def base64url(data: bytes) -> str:
    return urlsafe_b64encode(data).decode().rstrip("=")


def from_base64url(text: str) -> bytes:
    return urlsafe_b64decode(text + "=" * (-len(text) % 4))
