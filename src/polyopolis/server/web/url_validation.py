"""Rejects URLs that are not UTF-8 or contain NUL, so that handlers need not check paths and queries."""

from urllib.parse import unquote_to_bytes

from litestar.enums import ScopeType
from litestar.exceptions import ClientException
from litestar.middleware import ASGIMiddleware
from litestar.types import ASGIApp, Receive, Scope, Send

from polyopolis.play.close_codes import BAD_MESSAGE

INVALID_URL = "URL: not UTF-8, or contains NUL"


class UrlValidationMiddleware(ASGIMiddleware):
    """Responds with 400, or closes a WebSocket with `BAD_MESSAGE`.

    Databases store neither NUL nor unpaired surrogates, which are not UTF-8.
    """

    scopes = (ScopeType.HTTP, ScopeType.WEBSOCKET)

    async def handle(self, scope: Scope, receive: Receive, send: Send, next_app: ASGIApp) -> None:
        if _is_text(unquote_to_bytes(scope["raw_path"] + b"?" + scope["query_string"])):
            await next_app(scope, receive, send)
        elif scope["type"] == ScopeType.HTTP:
            raise ClientException(INVALID_URL)
        else:
            await receive()
            await send(
                {"type": "websocket.accept", "subprotocol": None, "headers": []}
            )  # browsers receive a reason only after accept
            await send({"type": "websocket.close", "code": BAD_MESSAGE, "reason": INVALID_URL})


def _is_text(data: bytes) -> bool:
    try:
        return "\0" not in data.decode()
    except UnicodeDecodeError:
        return False
