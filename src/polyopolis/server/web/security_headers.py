"""What browsers are told with every answer, and what a request that changes something must bring."""

from typing import Any

from litestar.connection import ASGIConnection
from litestar.datastructures import MutableScopeHeaders
from litestar.exceptions import PermissionDeniedException
from litestar.handlers import BaseRouteHandler
from litestar.types import Message, Scope

from polyopolis.server.auth.bearer_auth import bearer_of
from polyopolis.server.auth.session_cookies import DAY, is_same_origin

YEAR = 365 * DAY
SECURITY = {
    "content-security-policy": (
        "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; worker-src 'self'; "
        "style-src 'self' 'unsafe-inline'; img-src 'self' data:; font-src 'self'; connect-src 'self'; "
        "manifest-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
    ),
    "x-frame-options": "DENY",
    "x-content-type-options": "nosniff",
    "referrer-policy": "no-referrer",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "permissions-policy": "camera=(), microphone=(), geolocation=()",
}


async def same_origin(connection: ASGIConnection[Any, Any, Any, Any], _: BaseRouteHandler) -> None:
    """Nobody else's page can make a browser change something here. It could not send a token, either: no browser brings
    one along by itself, and none lets a page of another site add one."""
    if connection.scope.get("method") in (None, "GET", "HEAD", "OPTIONS") or bearer_of(connection):
        return
    if not is_same_origin(connection) or "x-polyopolis" not in connection.headers:
        raise PermissionDeniedException("a change must come from a page of this server")


async def add_headers(message: Message, scope: Scope) -> None:
    """Every answer keeps browsers strict, and brings a cookie that is new."""
    if message["type"] == "http.response.start":
        headers = MutableScopeHeaders.from_message(message)
        for name, value in SECURITY.items():
            headers[name] = value
        if scope["app"].state.options.public_url.startswith("https://"):
            headers["strict-transport-security"] = f"max-age={YEAR}"
        if scope["path"].startswith("/api/") and "cache-control" not in headers:
            headers["cache-control"] = "no-store"  # what a guest is told is nobody else's
        for cookie in scope["state"].get("cookies", {}).values():
            headers.add("set-cookie", cookie)
