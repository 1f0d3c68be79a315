"""Programs that show a token: what they may ask, and how often.

A request is open to them if its route names a scope; all others are for people alone.
"""

from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, cast

from litestar.connection import ASGIConnection
from litestar.exceptions import NotAuthorizedException
from litestar.openapi.spec import Components, SecurityScheme

from polyopolis.server.auth.visitors import Visit
from polyopolis.server.limits.rate_limits import Limits, TokenBucket, raise_if_limited

SCOPE = "scope"
"""What a route is marked with."""
BEARER = "bearer"
TOKENS = Components(security_schemes={BEARER: SecurityScheme(type="http", scheme=BEARER)})
"""How it is described that a request takes a token, or may have one."""
BY_TOKEN = [{BEARER: list[str]()}]
WAIT = 10.0
"""Seconds after which one who has too many streams may try again."""


class BearerLimits:
    """How much one may ask for with a token, at this server."""

    def __init__(self, limits: Limits) -> None:
        self._credit = TokenBucket(limits.tokens)
        self._most = limits.streams
        self._streams = Counter[str]()

    def spend(self, visit: Visit) -> None:
        raise_if_limited(self._credit.spend(visit.device))

    @contextmanager
    def streaming(self, visit: Visit) -> Iterator[None]:
        """For as long as a stream is open."""
        if self._streams[visit.device] >= self._most:
            raise_if_limited(WAIT)
        self._streams[visit.device] += 1
        try:
            yield
        finally:
            self._streams[visit.device] -= 1
            self._streams += Counter()  # whoever has none is forgotten


def shown_token(connection: ASGIConnection[Any, Any, Any, Any]) -> str | None:
    """Return the token that a request shows, whether or not it holds."""
    kind, _, token = connection.headers.get("authorization", "").partition(" ")
    return token.strip() if kind.casefold() == BEARER else None


def bearer(connection: ASGIConnection[Any, Any, Any, Any]) -> Visit | None:
    """The program that asks, if one does."""
    return cast("Visit | None", connection.scope.get("state", {}).get(BEARER))


def unknown() -> NotAuthorizedException:
    return NotAuthorizedException("show a token that holds", headers={"www-authenticate": "Bearer"})
