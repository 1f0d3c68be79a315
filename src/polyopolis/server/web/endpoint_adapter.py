"""Generates the routes of the server from the endpoints in `play/endpoints.py`."""

import asyncio
import gzip
from collections.abc import Iterable
from dataclasses import field, fields, make_dataclass
from hashlib import sha256
from typing import Any, get_type_hints

import msgspec
from litestar import HttpMethod, MediaType, Response, route
from litestar.di import NamedDependency, Provide
from litestar.handlers import HTTPRouteHandler
from litestar.openapi.datastructures import ResponseSpec
from litestar.params import FromPath, FromQuery, JSONBody

from polyopolis.play.endpoints import EncodedResponse, EndpointContext, HttpEndpoint
from polyopolis.play.integer_types import Int32
from polyopolis.server.auth.bearer_auth import BEARER_SECURITY, SCOPE
from polyopolis.server.web.dependencies import ApiRequest, PersonDep, ServicesDep
from polyopolis.server.web.error_handlers import ERROR_RESPONSES
from polyopolis.server.web.parameter_types import OptionalQueryInt, PathInt, QueryInt

PATH_TYPES: dict[Any, Any] = {str: FromPath[str], Int32: PathInt}
QUERY_TYPES: dict[Any, Any] = {str: FromQuery[str], Int32: QueryInt, Int32 | None: OptionalQueryInt}
BODY_TYPE: Any = JSONBody
REVALIDATE = "no-cache"
"""Clients may store the response, but must revalidate it: a new version may respond differently to the same content."""


def routes_for(endpoints: Iterable[HttpEndpoint]) -> list[HTTPRouteHandler]:
    return [_route_for(endpoint) for endpoint in endpoints]


def _route_for(endpoint: HttpEndpoint) -> HTTPRouteHandler:
    types = endpoint.types

    async def respond(
        request: ApiRequest, context: NamedDependency[EndpointContext], parameters: NamedDependency[Any]
    ) -> Any:
        return await _response(request, endpoint, context, parameters)

    async def respond_to_body(
        request: ApiRequest, context: NamedDependency[EndpointContext], parameters: NamedDependency[Any], data: Any
    ) -> Any:
        return await _response(request, endpoint, context, parameters, data)

    handler = respond if types.body is None else respond_to_body
    # Litestar decodes requests and describes the schema by these annotations.
    handler.__annotations__["return"] = Response[bytes] if endpoint.encoded or endpoint.cacheable else types.response
    if types.body is not None:
        handler.__annotations__["data"] = BODY_TYPE[types.body]
    handler.__name__ = endpoint.handler.__name__
    content = ResponseSpec(endpoint.encoded, description="The requested data", generate_examples=False)
    return route(
        endpoint.path,
        http_method=HttpMethod(endpoint.method),
        summary=endpoint.summary,
        status_code=endpoint.status,
        media_type=MediaType.JSON,
        dependencies={
            "context": Provide(_provide_context),
            "parameters": Provide(_injectable(types.parameters, endpoint.path), sync_to_thread=False),
        },
        responses={**ERROR_RESPONSES, **({200: content} if endpoint.encoded else {})},
        security=[*BEARER_SECURITY, {}] if endpoint.scope else None,
        opt={SCOPE: endpoint.scope} | ({"compressed": True} if endpoint.encoded else {}),
    )(handler)


async def _provide_context(request: ApiRequest, services: ServicesDep, person: PersonDep) -> EndpointContext:
    query = dict(request.query_params)
    return EndpointContext(services.lobby, services.archive, services.reviews, person, query)


def _injectable(parameters: type[Any], path: str) -> type[Any]:
    """Returns a subclass of the dataclass whose types say which fields Litestar finds in the path and in the query."""
    types = get_type_hints(parameters, include_extras=True)
    marked = [
        (
            each.name,
            (PATH_TYPES if f"{{{each.name}:" in path else QUERY_TYPES)[types[each.name]],
            field(default=each.default),
        )
        for each in fields(parameters)
    ]
    return make_dataclass(parameters.__name__, marked, bases=(parameters,), frozen=True)


async def _response(
    request: ApiRequest, endpoint: HttpEndpoint, context: EndpointContext, parameters: Any, body: Any = None
) -> Any:
    content = await endpoint.respond(context, parameters, body)
    if isinstance(content, EncodedResponse):
        return await _encoded(request, content)
    return _cacheable(request, content) if endpoint.cacheable else content


async def _encoded(request: ApiRequest, response: EncodedResponse) -> Response[bytes]:
    """Sends gzip data unchanged to clients that accept it."""
    headers = {"content-disposition": f'attachment; filename="{response.filename}"'} if response.filename else {}
    headers["vary"] = "accept-encoding"
    data = response.data
    if "gzip" in request.headers.get("accept-encoding", ""):
        headers["content-encoding"] = "gzip"
    else:
        data = await asyncio.to_thread(gzip.decompress, data)
    return Response(data, media_type=MediaType.JSON, headers=headers)


def _cacheable(request: ApiRequest, content: msgspec.Struct) -> Response[bytes]:
    data = msgspec.json.encode(content)
    headers = {"cache-control": REVALIDATE, "etag": f'"{sha256(data).hexdigest()[:32]}"'}
    if request.headers.get("if-none-match") == headers["etag"]:
        return Response(b"", status_code=304, headers=headers, media_type=MediaType.JSON)
    return Response(data, headers=headers, media_type=MediaType.JSON)
