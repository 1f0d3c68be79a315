"""Creates the Litestar application: the API, the WebSocket of tables, and the static client."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from litestar import Litestar, Router
from litestar.config.compression import CompressionConfig
from litestar.exceptions import HTTPException
from litestar.openapi import OpenAPIConfig
from litestar.openapi.plugins import JsonRenderPlugin

from polyopolis.engine import PolyopolisError
from polyopolis.play.endpoints import (
    EXPORT_ENDPOINTS,
    IMPORT_ENDPOINTS,
    REVIEW_ENDPOINTS,
    TABLE_CREATION_ENDPOINTS,
    TABLE_ENDPOINTS,
)
from polyopolis.play.errors import Unwritable
from polyopolis.play.version import VERSION
from polyopolis.server.auth.bearer_auth import SECURITY_SCHEMES
from polyopolis.server.limits.rate_limits import RateLimitMiddleware
from polyopolis.server.limits.reader_queue import ReaderQueueMiddleware
from polyopolis.server.ops.logs import LogContextMiddleware
from polyopolis.server.ops.metrics import request_metrics_middleware
from polyopolis.server.options import Options
from polyopolis.server.routes.account_routes import ACCOUNT_EXPORT_ROUTES, ACCOUNT_ROUTES
from polyopolis.server.routes.bot_account_routes import BOT_ACCOUNT_ROUTES
from polyopolis.server.routes.bot_streams import BOT_STREAM_ROUTES
from polyopolis.server.routes.daily_routes import DAILY_PLAY_ROUTES, DAILY_ROUTES
from polyopolis.server.routes.device_routes import DEVICE_ROUTES
from polyopolis.server.routes.notification_routes import NOTIFICATION_ROUTES, UNSUBSCRIBE_ROUTES, receiver_router
from polyopolis.server.routes.profile_routes import PROFILE_ROUTES
from polyopolis.server.routes.social_routes import SOCIAL_ROUTES
from polyopolis.server.routes.table_socket import table_socket
from polyopolis.server.services import run_services
from polyopolis.server.web.dependencies import DEPENDENCIES, fair_share_key
from polyopolis.server.web.endpoint_adapter import routes_for
from polyopolis.server.web.error_handlers import (
    handle_http_exception,
    handle_polyopolis_error,
    handle_recursion_error,
    handle_unexpected_error,
    handle_unwritable,
)
from polyopolis.server.web.guards import require_same_origin, require_scope
from polyopolis.server.web.health import HEALTH_ROUTES
from polyopolis.server.web.json_request import JSONRequest, RawObjectSchema
from polyopolis.server.web.known_hosts import HostCheckMiddleware
from polyopolis.server.web.security_headers import header_hook
from polyopolis.server.web.static_files import load_assets, static_route
from polyopolis.server.web.url_validation import UrlValidationMiddleware

GZIP_LEVEL = 6
"""Level 9 takes 3 times as long in the event loop for 0.1 % less."""
MAX_BODY_BYTES = 64 * 1024
MAX_IMPORT_BYTES = 1024 * 1024
"""Four times the size of the longest campaign that was played to the end."""


def create_app(options: Options) -> Litestar:
    @asynccontextmanager
    async def lifespan(app: Litestar) -> AsyncIterator[None]:
        async with run_services(options) as services:
            app.state.services = services
            yield

    reader_queue = ReaderQueueMiddleware(fair_share_key)
    reading = Router(
        "",
        route_handlers=[*routes_for(EXPORT_ENDPOINTS), *ACCOUNT_EXPORT_ROUTES],
        middleware=[RateLimitMiddleware(options.limits.reading), reader_queue],
    )
    reviewing = Router(
        "", route_handlers=routes_for(REVIEW_ENDPOINTS), middleware=[RateLimitMiddleware(options.limits.reading)]
    )
    importing = Router(
        "",
        route_handlers=routes_for(IMPORT_ENDPOINTS),
        middleware=[RateLimitMiddleware(options.limits.imports), reader_queue],
        request_max_body_size=MAX_IMPORT_BYTES,
    )
    making = Router(
        "",
        route_handlers=[*routes_for(TABLE_CREATION_ENDPOINTS), *DAILY_PLAY_ROUTES],
        middleware=[RateLimitMiddleware(options.limits.tables)],
    )
    api = Router(
        "/api",
        route_handlers=[
            *routes_for(TABLE_ENDPOINTS),
            *SOCIAL_ROUTES,
            *DEVICE_ROUTES,
            *ACCOUNT_ROUTES,
            *DAILY_ROUTES,
            *PROFILE_ROUTES,
            *NOTIFICATION_ROUTES,
            *BOT_ACCOUNT_ROUTES,
            *BOT_STREAM_ROUTES,
            receiver_router(options.limits),
            making,
            reading,
            reviewing,
            importing,
            table_socket,
        ],
        dependencies=DEPENDENCIES,
        guards=[require_scope, require_same_origin],
        middleware=[RateLimitMiddleware(options.limits.requests)],
    )

    from_mail = Router(
        "/api",
        route_handlers=UNSUBSCRIBE_ROUTES,
        dependencies=DEPENDENCIES,
        middleware=[RateLimitMiddleware(options.limits.requests)],
    )
    return Litestar(
        [api, from_mail, static_route(load_assets()), *HEALTH_ROUTES],
        lifespan=[lifespan],
        middleware=[
            LogContextMiddleware(),
            HostCheckMiddleware(options.public_url),
            *request_metrics_middleware(options.metrics),
            UrlValidationMiddleware(),
        ],
        before_send=[header_hook(options.public_url)],
        exception_handlers={
            PolyopolisError: handle_polyopolis_error,
            HTTPException: handle_http_exception,
            RecursionError: handle_recursion_error,
            Unwritable: handle_unwritable,
            Exception: handle_unexpected_error,
        },
        request_class=JSONRequest,
        plugins=[RawObjectSchema()],
        request_max_body_size=MAX_BODY_BYTES,
        compression_config=CompressionConfig("gzip", gzip_compress_level=GZIP_LEVEL, exclude_opt_key="compressed"),
        openapi_config=OpenAPIConfig(
            "Polyopolis", VERSION, path="/api/schema", components=SECURITY_SCHEMES, render_plugins=[JsonRenderPlugin()]
        ),
        logging_config=None,  # the caller configures logging
    )
