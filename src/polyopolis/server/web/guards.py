"""Route guards: check bearer tokens, and that changes come from a page of this server."""

from typing import Any

from litestar.connection import ASGIConnection
from litestar.exceptions import PermissionDeniedException
from litestar.handlers import BaseRouteHandler

from polyopolis.server.auth.bearer_auth import BEARER, SCOPE, bearer_of, invalid_token, shown_token
from polyopolis.server.services import services_of

Connection = ASGIConnection[Any, Any, Any, Any]


async def require_scope(connection: Connection, handler: BaseRouteHandler) -> None:
    """Authenticates a request with a bearer token, regardless of its cookies; the route must allow a scope of it."""
    token = shown_token(connection)
    if token is None:
        return
    services = services_of(connection.app)
    visit = await services.visitors.identify_bearer(token)
    if visit is None or visit.scopes is None:
        raise invalid_token()
    services.limiters.bearers.spend(visit)
    scope = handler.opt.get(SCOPE)
    if scope not in visit.scopes:
        reason = f"this request needs a token with the scope {scope!r}" if scope else "tokens are not accepted here"
        raise PermissionDeniedException(reason)
    connection.scope["state"][BEARER] = visit


async def require_same_origin(connection: Connection, _: BaseRouteHandler) -> None:
    """Refuses changes that a page of another site sends.

    Requests with a bearer token are exempt: browsers never add one by themselves, and let no page of another site
    add one.
    """
    if connection.scope.get("method") in (None, "GET", "HEAD", "OPTIONS") or bearer_of(connection):
        return
    if not is_same_origin(connection) or "x-polyopolis" not in connection.headers:
        raise PermissionDeniedException("a change must come from a page of this server")


def is_same_origin(connection: Connection) -> bool:
    """Whether the Origin header names this server."""
    host, public_url = connection.headers.get("host", ""), services_of(connection.app).options.public_url.rstrip("/")
    origin = connection.headers.get("origin")
    return origin is not None and origin in {f"http://{host}", f"https://{host}", public_url or None}
