"""Refuses requests whose address is not text: no handler has to check names that it gets from a path or a query."""

from urllib.parse import unquote_to_bytes

from litestar.enums import ScopeType
from litestar.exceptions import ClientException
from litestar.middleware import ASGIMiddleware
from litestar.types import ASGIApp, Receive, Scope, Send

from polyopolis.play.errors import BAD_MESSAGE

NO_TEXT = "the address: it is not UTF-8 or contains NUL"


class TextAddresses(ASGIMiddleware):
    """Answers 400, or closes a socket with `BAD_MESSAGE`, if the path or the query is not UTF-8 or contains NUL.

    A database keeps neither NUL nor half of a surrogate pair, which is not UTF-8.
    """

    scopes = (ScopeType.HTTP, ScopeType.WEBSOCKET)

    async def handle(self, scope: Scope, receive: Receive, send: Send, next_app: ASGIApp) -> None:
        if _is_text(unquote_to_bytes(scope["raw_path"] + b"?" + scope["query_string"])):
            await next_app(scope, receive, send)
        elif scope["type"] == ScopeType.HTTP:
            raise ClientException(NO_TEXT)
        else:
            await receive()
            await send({"type": "websocket.accept", "subprotocol": None, "headers": []})  # to tell a browser why
            await send({"type": "websocket.close", "code": BAD_MESSAGE, "reason": NO_TEXT})


def _is_text(data: bytes) -> bool:
    try:
        return "\0" not in data.decode()
    except UnicodeDecodeError:
        return False
