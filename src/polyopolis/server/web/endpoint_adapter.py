"""The requests of a house (`play/endpoints.py`) as a server hears them.

What a scribe writes comes packed, and what follows from the content of a game a browser may keep.
"""

import asyncio
import gzip
from hashlib import sha256
from inspect import Parameter, Signature, signature
from typing import Any

import msgspec
from litestar import HttpMethod, MediaType, Request, Response, route
from litestar.datastructures import State
from litestar.di import NamedDependency
from litestar.handlers import HTTPRouteHandler
from litestar.openapi.datastructures import ResponseSpec
from litestar.params import FromPath, FromQuery, JSONBody

from polyopolis.play import endpoints
from polyopolis.play.endpoints import EncodedResponse
from polyopolis.play.integer_types import Int32
from polyopolis.server.auth.bearer_auth import BEARER_SECURITY, SCOPE
from polyopolis.server.web.error_handlers import PROBLEMS
from polyopolis.server.web.parameter_types import OptionalQueryInt, PathInt, QueryInt

Asked = Request[Any, Any, State]
PROVIDED = ("lobby", "library", "reviews", "person", "at", "room")
WHERE: dict[str, Any] = {"provided": NamedDependency, "body": JSONBody, "path": FromPath, "query": FromQuery}
INTEGERS = {
    ("path", Int32): PathInt,
    ("query", Int32): QueryInt,
    ("query", Int32 | None): OptionalQueryInt,
}
FRESH = "no-cache"
"""A browser may keep it, and asks whether it is still the same: a new server may say more of the same content."""


def route_for(about: endpoints.HttpEndpoint) -> HTTPRouteHandler:
    """A request of the house as a route of the server."""
    needs = signature(about.answer).parameters

    async def answer(request: Asked, **given: Any) -> Any:
        if "fields" in needs:
            given["fields"] = dict(request.query_params)
        found = await about.answer(**given)
        if isinstance(found, EncodedResponse):
            return await _packed(request, found)
        return _same_or_new(request, found) if about.lasting else found

    known = {name: _from(about, name, kind) for name, kind in about.needs.items() if name != "fields"}
    asked = Parameter("request", Parameter.KEYWORD_ONLY)
    answer.__signature__ = Signature(  # type: ignore[attr-defined]
        [asked, *(needs[name].replace(kind=Parameter.KEYWORD_ONLY) for name in known)]
    )
    answer.__annotations__ = {"request": Asked, **known, "return": _answered(about)}
    answer.__name__ = about.answer.__name__
    return route(
        about.path,
        http_method=HttpMethod(about.method),
        summary=about.summary,
        status_code=about.status,
        media_type=MediaType.JSON,
        responses={**PROBLEMS, **_paper(about)},
        security=[*BEARER_SECURITY, {}] if about.scope else None,
        opt={SCOPE: about.scope} | ({"compressed": True} if about.of else {}),
    )(answer)


def _from(about: endpoints.HttpEndpoint, name: str, kind: Any) -> Any:
    """Where a server finds what a request needs."""
    if name in PROVIDED:
        place = "provided"
    elif name == "data":
        place = "body"
    else:
        place = "path" if f"{{{name}:" in about.path else "query"
    return INTEGERS.get((place, kind)) or WHERE[place][kind]


def _answered(about: endpoints.HttpEndpoint) -> Any:
    own = about.of is not None or about.lasting
    return Response[bytes] if own else signature(about.answer).return_annotation


def _paper(about: endpoints.HttpEndpoint) -> dict[int, ResponseSpec]:
    return {200: ResponseSpec(about.of, description="Here it is", generate_examples=False)} if about.of else {}


async def _packed(request: Asked, paper: EncodedResponse) -> Response[bytes]:
    """As the scribe has packed it, or unpacked for the few who cannot do that."""
    headers = {"content-disposition": f'attachment; filename="{paper.name}"'} if paper.name else {}
    headers["vary"] = "accept-encoding"
    data = paper.written
    if "gzip" in request.headers.get("accept-encoding", ""):
        headers["content-encoding"] = "gzip"
    else:
        data = await asyncio.to_thread(gzip.decompress, data)
    return Response(data, media_type=MediaType.JSON, headers=headers)


def _same_or_new(request: Asked, answer: msgspec.Struct) -> Response[bytes]:
    data = msgspec.json.encode(answer)
    headers = {"cache-control": FRESH, "etag": f'"{sha256(data).hexdigest()[:32]}"'}
    if request.headers.get("if-none-match") == headers["etag"]:
        return Response(b"", status_code=304, headers=headers, media_type=MediaType.JSON)
    return Response(data, headers=headers, media_type=MediaType.JSON)


ABOUT_TABLES = [route_for(about) for about in endpoints.ABOUT_TABLES]
ABOUT_MAKING = [route_for(about) for about in endpoints.ABOUT_MAKING]
ABOUT_MATCHES = [route_for(about) for about in endpoints.ABOUT_MATCHES]
ABOUT_REVIEWS = [route_for(about) for about in endpoints.ABOUT_REVIEWS]
ABOUT_IMPORTS = [route_for(about) for about in endpoints.ABOUT_IMPORTS]
