"""By which names this server is called: a page elsewhere that lets its own name point here gets nothing."""

import socket
from ipaddress import ip_address
from urllib.parse import urlsplit

import msgspec
from litestar.datastructures import Headers
from litestar.enums import ScopeType
from litestar.middleware import ASGIMiddleware
from litestar.types import ASGIApp, Receive, Scope, Send

from polyopolis.play.wire.responses import Problem

LOCAL = ("localhost", ".local", ".localhost")
MISDIRECTED = 421
ANY_HOST = "any_host"
"""Marks what may be asked under any name."""
UNKNOWN = "this server has another name; name it with --public-url"


class HostCheckMiddleware(ASGIMiddleware):
    """Lets in who calls the server by its public address, by an address in numbers, or by a local name."""

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
            await send({"type": "websocket.close", "code": 4403, "reason": UNKNOWN})

    def knows(self, host: str) -> bool:
        name = _name_in(host)
        return name in self._names or name == LOCAL[0] or name.endswith(LOCAL[1:]) or _is_number(name)


def _name_in(host: str) -> str:
    """Without a port; nothing if it is no name at all."""
    try:
        return (urlsplit(f"//{host}").hostname or "").rstrip(".")
    except ValueError:
        return ""


def _is_number(name: str) -> bool:
    """Nobody can let a number point elsewhere."""
    try:
        ip_address(name)
    except ValueError:
        return False
    return True


async def _refuse(send: Send) -> None:
    body = msgspec.json.encode(Problem(UNKNOWN))
    headers = [(b"content-type", b"application/json"), (b"content-length", str(len(body)).encode())]
    await send({"type": "http.response.start", "status": MISDIRECTED, "headers": headers})
    await send({"type": "http.response.body", "body": body, "more_body": False})
