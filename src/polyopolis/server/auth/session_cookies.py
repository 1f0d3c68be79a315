"""Signs and reads session cookies.

    PERSON.DEVICE.ISSUED.KEY.SIGNATURE

Keys are numbered: the newest signs, older ones verify until they are deleted. Cookies of the first versions
(`PERSON.SIGNATURE`, key 0) stay valid and are replaced with the next response.
"""

import hmac
import secrets
from collections.abc import Mapping
from dataclasses import dataclass
from hashlib import sha256

COOKIE = "polyopolis"
GUEST_COOKIE_NAME = "polyopolis-before"
"""Cookie of the guest who used this browser before an account signed in; restored on sign-out."""
DAY = 86_400
COOKIE_SECONDS = 400 * DAY
"""The longest lifetime that browsers accept."""
ROTATION_SECONDS = 7 * DAY
"""A cookie is replaced when it is older."""
MAX_DIGITS = 15
"""Maximum length of a number in a cookie."""


@dataclass(frozen=True)
class SessionCookie:
    """The contents of a verified cookie."""

    person: str
    device: str
    issued: int = 0
    """In seconds since 1970; 0 for cookies of the first versions."""
    key: int = 0


class Sessions:
    """Signs and verifies cookies with the signing keys, by number."""

    def __init__(self, keys: Mapping[int, bytes]) -> None:
        self._keys = keys
        self.newest = max(keys)

    def fresh(self, now: int) -> SessionCookie:
        """Returns the session of a new guest."""
        return self.of(secrets.token_urlsafe(16), secrets.token_urlsafe(12), now)

    def of(self, person: str, device: str, now: int) -> SessionCookie:
        return SessionCookie(person, device, now, self.newest)

    def signed(self, found: SessionCookie) -> str:
        text = f"{found.person}.{found.device}.{found.issued}.{found.key}"
        return f"{text}.{_signature(self._keys[found.key], text)}"

    def read(self, cookie: str | None) -> SessionCookie | None:
        """Returns the contents of a cookie, or None if its signature is invalid."""
        text, _, signature = (cookie or "").rpartition(".")
        match text.split("."):
            case [person] if person:
                found = SessionCookie(person, self._first_device(person))
            case [person, device, issued, key] if _is_number(issued) and _is_number(key):
                found = SessionCookie(person, device, int(issued), int(key))
            case _:
                return None
        known = self._keys.get(found.key)
        if known and hmac.compare_digest(signature.encode(), _signature(known, text).encode()):
            return found
        return None

    def knows(self, key: int) -> bool:
        return key in self._keys

    def is_old(self, found: SessionCookie, now: int) -> bool:
        """Whether the cookie should be replaced."""
        return found.key != self.newest or now - found.issued > ROTATION_SECONDS

    def _first_device(self, person: str) -> str:
        """Returns a fixed device id for a cookie of the first versions: a browser may send several requests with it
        at once."""
        return _signature(self._keys.get(0, b""), f"device {person}")[:16]


def _is_number(text: str) -> bool:
    return text.isdecimal() and len(text) <= MAX_DIGITS


def _signature(key: bytes, text: str) -> str:
    return hmac.new(key, text.encode(), sha256).hexdigest()
