"""Rejects requests with an unknown Host header, as protection from DNS rebinding."""

import socket
from ipaddress import ip_address
from urllib.parse import urlsplit

import msgspec
from litestar.datastructures import Headers
from litestar.enums import ScopeType
from litestar.middleware import ASGIMiddleware
from litestar.types import ASGIApp, Receive, Scope, Send

from polyopolis.play.close_codes import WRONG_ORIGIN
from polyopolis.play.wire.responses import Problem

LOCAL_NAMES = ("localhost", ".local", ".localhost")
MISDIRECTED = 421
ANY_HOST = "any_host"
"""Route option: accept every Host header."""
UNKNOWN_HOST_ERROR = "unknown host name; set it with --public-url"


class HostCheckMiddleware(ASGIMiddleware):
    """Accepts the public host name, IP addresses and local names."""

    scopes = (ScopeType.HTTP, ScopeType.WEBSOCKET)
    exclude_opt_key = ANY_HOST

    def __init__(self, public_url: str) -> None:
        self._names = {urlsplit(public_url).hostname, socket.gethostname().casefold()} - {None, ""}

    async def handle(self, scope: Scope, receive: Receive, send: Send, next_app: ASGIApp) -> None:
        if self.knows(Headers.from_scope(scope).get("host", "")):
            await next_app(scope, receive, send)
        elif scope["type"] == ScopeType.HTTP:
            await _refuse(send)
        else:
            await send({"type": "websocket.close", "code": WRONG_ORIGIN, "reason": UNKNOWN_HOST_ERROR})

    def knows(self, host: str) -> bool:
        name = _name_in(host)
        return name in self._names or name == LOCAL_NAMES[0] or name.endswith(LOCAL_NAMES[1:]) or _is_number(name)


def _name_in(host: str) -> str:
    """Returns the host name without its port; empty if the header is invalid."""
    try:
        return (urlsplit(f"//{host}").hostname or "").rstrip(".")
    except ValueError:
        return ""


def _is_number(name: str) -> bool:
    try:
        ip_address(name)
    except ValueError:
        return False
    return True


async def _refuse(send: Send) -> None:
    body = msgspec.json.encode(Problem(UNKNOWN_HOST_ERROR))
    headers = [(b"content-type", b"application/json"), (b"content-length", str(len(body)).encode())]
    await send({"type": "http.response.start", "status": MISDIRECTED, "headers": headers})
    await send({"type": "http.response.body", "body": body, "more_body": False})
