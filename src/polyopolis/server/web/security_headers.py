"""Sets security headers and queued cookies on every response."""

from collections.abc import Awaitable, Callable

from litestar.datastructures import MutableScopeHeaders
from litestar.types import Message, Scope

from polyopolis.server.auth.session_cookies import DAY

YEAR_SECONDS = 365 * DAY
SECURITY_HEADERS = {
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


def header_hook(public_url: str) -> Callable[[Message, Scope], Awaitable[None]]:
    """Returns a `before_send` hook of Litestar."""
    headers_always = dict(SECURITY_HEADERS)
    if public_url.startswith("https://"):
        headers_always["strict-transport-security"] = f"max-age={YEAR_SECONDS}"

    async def add_headers(message: Message, scope: Scope) -> None:
        if message["type"] == "http.response.start":
            headers = MutableScopeHeaders.from_message(message)
            for name, value in headers_always.items():
                headers[name] = value
            if scope["path"].startswith("/api/") and "cache-control" not in headers:
                headers["cache-control"] = "no-store"  # responses depend on the guest
            for cookie in scope["state"].get("cookies", {}).values():
                headers.add("set-cookie", cookie)

    return add_headers
