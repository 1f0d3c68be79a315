"""Whatever goes wrong is one sentence for whoever asked; what is our own fault is written down too, once."""

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

LONGEST_REASON_BYTES = 123
"""Of the reason in the closing frame of a WebSocket (RFC 6455, section 5.5)."""
ELLIPSIS = "…"

PROBLEMS = {
    status: ResponseSpec(Problem, description=what, generate_examples=False)
    for status, what in {
        400: "It cannot be meant",
        401: "The token does not hold",
        403: "It is not yours to do",
        404: "There is no such thing",
        409: "It is kept, but cannot be read with what is installed",
        413: "It is too large",
        429: "It is too much",
        503: "The database does not answer in time, or nothing can be saved at the moment",
        507: "One person may not keep more: remove something first",
    }.items()
}


def problem_of(_: Request[Any, Any, State], error: PolyopolisError) -> Response[Problem]:
    headers = {"retry-after": str(error.wait)} if isinstance(error, Busy) else None
    return _answer(str(error), status_of(error), headers)


def problem_of_http(request: Request[Any, Any, State], error: HTTPException) -> Response[Problem]:
    if isinstance(error, InternalServerException):
        return our_fault(request, error)  # a bad value of a dependency; those of the request are 4xx
    fields = [
        f"{field.get('key', 'body')}: {field['message']}" for field in error.extra or [] if isinstance(field, dict)
    ]
    return _answer("; ".join(fields) or error.detail, error.status_code, error.headers)


def problem_of_database(_: Request[Any, Any, State], error: Unwritable) -> Response[Problem]:
    return _answer(str(error), 503)


def too_deep(_: Request[Any, Any, State], __: RecursionError) -> Response[Problem]:
    return _answer("the body: it is nested too deep", 400)


def our_fault(request: Request[Any, Any, State], error: Exception) -> Response[Problem]:
    write_down(request, error)
    if is_overload(error):
        return _answer("the database does not answer in time; try again in a moment", 503)
    return _answer("something went wrong here; it was written down", 500)


def write_down(connection: ASGIConnection[Any, Any, Any, Any], error: Exception) -> None:
    """What was asked, without its parameters; the log knows which table that was about."""
    asked = connection.scope.get("path_template") or "an unknown address"
    logger.error("%s %s: %s", connection.scope.get("method", "SOCKET"), asked, type(error).__name__, exc_info=error)


def close_reason(sentence: str) -> str:
    """Returns the sentence, or its beginning if it does not fit into the closing frame of a socket."""
    data = sentence.encode()
    if len(data) <= LONGEST_REASON_BYTES:
        return sentence
    return f"{data[: LONGEST_REASON_BYTES - len(ELLIPSIS.encode())].decode(errors='ignore')}{ELLIPSIS}"


def _answer(sentence: str, status: int, headers: dict[str, str] | None = None) -> Response[Problem]:
    return Response(Problem(shorten(sentence)), status_code=status, media_type=MediaType.JSON, headers=headers)
