"""Who a guest is: a random id in a cookie, signed with a key that lives in the database."""

import hmac
import secrets
from hashlib import sha256
from typing import Any

from litestar.connection import ASGIConnection

COOKIE = "polyopolis"
YEAR = 365 * 86400
COOKIE_SECONDS = 10 * YEAR


def from_own_page(connection: ASGIConnection[Any, Any, Any, Any]) -> bool:
    """Whether a page of this server asks, and not a page of somebody else in the same browser."""
    host = connection.headers.get("host", "")
    public: str = connection.app.state.options.public_url
    return connection.headers.get("origin") in {f"http://{host}", f"https://{host}", public.rstrip("/") or None} - {
        None
    }


class Sessions:
    def __init__(self, key: bytes) -> None:
        self._key = key

    def fresh(self) -> str:
        return secrets.token_urlsafe(16)

    def signed(self, person: str) -> str:
        return f"{person}.{self._signature(person)}"

    def person(self, cookie: str | None) -> str | None:
        """Whose cookie this is; nobody's if it was not signed here."""
        person, _, signature = (cookie or "").rpartition(".")
        if person and hmac.compare_digest(signature.encode(), self._signature(person).encode()):
            return person
        return None

    def _signature(self, person: str) -> str:
        return hmac.new(self._key, person.encode(), sha256).hexdigest()
