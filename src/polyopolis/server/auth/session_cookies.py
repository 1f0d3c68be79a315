"""What a cookie says: whose it is, on which device, since when, and with which key of the server it was signed.

    PERSON.DEVICE.ISSUED.KEY.SIGNATURE

Keys have numbers; the newest signs, and the older ones are known until no cookie needs them. Cookies of the first
versions say only who somebody is (`PERSON.SIGNATURE`, by key 0): they hold, and get a successor with the next answer.
"""

import hmac
import secrets
from collections.abc import Mapping
from dataclasses import dataclass
from hashlib import sha256

COOKIE = "polyopolis"
BEFORE = "polyopolis-before"
"""Who was at home in this browser before somebody signed in there: it is theirs again when that one leaves."""
DAY = 86_400
COOKIE_SECONDS = 400 * DAY
"""As long as browsers keep one."""
ROTATED = 7 * DAY
"""Seconds after which a cookie gets a successor."""
DIGITS = 15
"""Of a number in a cookie, at most."""


@dataclass(frozen=True)
class SessionCookie:
    """What a cookie that was signed here says."""

    person: str
    device: str
    issued: int = 0
    """In seconds since 1970; of the first versions nobody knows."""
    key: int = 0


class Sessions:
    def __init__(self, keys: Mapping[int, bytes]) -> None:
        """The secrets of the server by their numbers."""
        self._keys = keys
        self.newest = max(keys)

    def fresh(self, now: int) -> SessionCookie:
        """Somebody whom nobody knows."""
        return self.of(secrets.token_urlsafe(16), secrets.token_urlsafe(12), now)

    def of(self, person: str, device: str, now: int) -> SessionCookie:
        return SessionCookie(person, device, now, self.newest)

    def signed(self, found: SessionCookie) -> str:
        text = f"{found.person}.{found.device}.{found.issued}.{found.key}"
        return f"{text}.{_signature(self._keys[found.key], text)}"

    def read(self, cookie: str | None) -> SessionCookie | None:
        """Nothing if it was not signed here."""
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
        """Whether it is time for a successor."""
        return found.key != self.newest or now - found.issued > ROTATED

    def _first_device(self, person: str) -> str:
        """Always the same one for a cookie of the first versions: a browser may ask several times with it at once."""
        return _signature(self._keys.get(0, b""), f"device {person}")[:16]


def _is_number(text: str) -> bool:
    return text.isdecimal() and len(text) <= DIGITS


def _signature(key: bytes, text: str) -> str:
    return hmac.new(key, text.encode(), sha256).hexdigest()
