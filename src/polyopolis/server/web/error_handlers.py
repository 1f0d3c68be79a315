"""Converts exceptions to JSON error responses, and logs internal errors once."""

import logging
from typing import Any

from litestar import MediaType, Request, Response
from litestar.connection import ASGIConnection
from litestar.datastructures import State
from litestar.exceptions import HTTPException, InternalServerException
from litestar.openapi.datastructures import ResponseSpec

from polyopolis.engine import PolyopolisError, shorten
from polyopolis.play.errors import Busy, Unwritable, status_of
from polyopolis.play.wire.responses import Problem
from polyopolis.server.storage.db_threads import is_overload

logger = logging.getLogger(__name__)

MAX_REASON_BYTES = 123
"""Maximum length of the reason in a WebSocket close frame (RFC 6455, section 5.5)."""
ELLIPSIS = "…"

ERROR_RESPONSES = {
    status: ResponseSpec(Problem, description=what, generate_examples=False)
    for status, what in {
        400: "Invalid request",
        401: "Invalid token",
        403: "Not permitted",
        404: "Not found",
        409: "Stored data cannot be read by the installed version",
        413: "Request body too large",
        429: "Too many requests",
        503: "The database is overloaded or cannot be written",
        507: "Storage quota of the person exceeded",
    }.items()
}


def handle_polyopolis_error(_: Request[Any, Any, State], error: PolyopolisError) -> Response[Problem]:
    headers = {"retry-after": str(error.wait)} if isinstance(error, Busy) else None
    return _answer(str(error), status_of(error), headers)


def handle_http_exception(request: Request[Any, Any, State], error: HTTPException) -> Response[Problem]:
    if isinstance(error, InternalServerException):
        return handle_unexpected_error(request, error)  # an invalid value of a dependency; invalid requests are 4xx
    fields = [
        f"{field.get('key', 'body')}: {field['message']}" for field in error.extra or [] if isinstance(field, dict)
    ]
    return _answer("; ".join(fields) or error.detail, error.status_code, error.headers)


def handle_unwritable(_: Request[Any, Any, State], error: Unwritable) -> Response[Problem]:
    return _answer(str(error), 503)


def handle_recursion_error(_: Request[Any, Any, State], __: RecursionError) -> Response[Problem]:
    return _answer("body: nested too deeply", 400)


def handle_unexpected_error(request: Request[Any, Any, State], error: Exception) -> Response[Problem]:
    log_error(request, error)
    if is_overload(error):
        return _answer("the database does not answer in time; try again in a moment", 503)
    return _answer("internal error; it was logged", 500)


def log_error(connection: ASGIConnection[Any, Any, Any, Any], error: Exception) -> None:
    """Logs method and path template without parameters; the log context names the table."""
    path = connection.scope.get("path_template") or "an unknown path"
    logger.error("%s %s: %s", connection.scope.get("method", "SOCKET"), path, type(error).__name__, exc_info=error)


def close_reason(sentence: str) -> str:
    """Returns the sentence, truncated to the maximum length of a WebSocket close reason."""
    data = sentence.encode()
    if len(data) <= MAX_REASON_BYTES:
        return sentence
    return f"{data[: MAX_REASON_BYTES - len(ELLIPSIS.encode())].decode(errors='ignore')}{ELLIPSIS}"


def _answer(sentence: str, status: int, headers: dict[str, str] | None = None) -> Response[Problem]:
    return Response(Problem(shorten(sentence)), status_code=status, media_type=MediaType.JSON, headers=headers)
