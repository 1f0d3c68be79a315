"""Bearer tokens of external bots: route guard and rate limits per token.

Tokens work only on routes that declare a scope.
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
"""Key of the route option that declares a scope."""
BEARER = "bearer"
SECURITY_SCHEMES = Components(security_schemes={BEARER: SecurityScheme(type="http", scheme=BEARER)})
"""The security scheme of the OpenAPI document."""
BEARER_SECURITY = [{BEARER: list[str]()}]
STREAM_RETRY_SECONDS = 10.0
"""Retry-After of a token with too many open streams."""


class BearerLimits:
    """Rate limits of tokens at this node."""

    def __init__(self, limits: Limits) -> None:
        self._credit = TokenBucket(limits.tokens)
        self._most = limits.streams
        self._streams = Counter[str]()

    def spend(self, visit: Visit) -> None:
        raise_if_limited(self._credit.spend(visit.device))

    @contextmanager
    def streaming(self, visit: Visit) -> Iterator[None]:
        """Counts a stream while it is open."""
        if self._streams[visit.device] >= self._most:
            raise_if_limited(STREAM_RETRY_SECONDS)
        self._streams[visit.device] += 1
        try:
            yield
        finally:
            self._streams[visit.device] -= 1
            self._streams += Counter()  # drops tokens without streams


def shown_token(connection: ASGIConnection[Any, Any, Any, Any]) -> str | None:
    """Returns the bearer token of a request, valid or not."""
    kind, _, token = connection.headers.get("authorization", "").partition(" ")
    return token.strip() if kind.casefold() == BEARER else None


def bearer_of(connection: ASGIConnection[Any, Any, Any, Any]) -> Visit | None:
    """Returns the bot that has sent the request, if it has a token."""
    return cast("Visit | None", connection.scope.get("state", {}).get(BEARER))


def invalid_token() -> NotAuthorizedException:
    return NotAuthorizedException("a valid token is required", headers={"www-authenticate": "Bearer"})
