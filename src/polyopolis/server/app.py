"""The web application: everything under /api, the socket of a table, and the built client."""

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
from polyopolis.server.auth.bearer_auth import TOKENS
from polyopolis.server.limits.rate_limits import RateLimitMiddleware
from polyopolis.server.limits.reader_queue import ReaderQueueMiddleware
from polyopolis.server.ops.logs import LogContextMiddleware
from polyopolis.server.ops.metrics import counted_requests
from polyopolis.server.options import Options
from polyopolis.server.routes.account_routes import ABOUT_ME, MUCH_OF_ME
from polyopolis.server.routes.bot_account_routes import ABOUT_BOTS
from polyopolis.server.routes.bot_streams import FOR_BOTS
from polyopolis.server.routes.daily_routes import ABOUT_DAYS, MAKING_DAYS
from polyopolis.server.routes.device_routes import ABOUT_DEVICES
from polyopolis.server.routes.notification_routes import ABOUT_NOTICES, FROM_MAIL, receiving
from polyopolis.server.routes.profile_routes import ABOUT_WHO
from polyopolis.server.routes.social_routes import ABOUT_COMPANY
from polyopolis.server.routes.table_socket import table_socket
from polyopolis.server.services import run_services
from polyopolis.server.web.dependencies import PROVIDED, share_of
from polyopolis.server.web.endpoint_adapter import routes_for
from polyopolis.server.web.error_handlers import our_fault, problem_of, problem_of_database, problem_of_http, too_deep
from polyopolis.server.web.guards import require_same_origin, require_scope
from polyopolis.server.web.health import PROBES
from polyopolis.server.web.json_request import JSONRequest, RawObjectSchema
from polyopolis.server.web.known_hosts import HostCheckMiddleware
from polyopolis.server.web.security_headers import header_hook
from polyopolis.server.web.static_files import load_assets, static_route
from polyopolis.server.web.url_validation import TextAddresses

GZIP_LEVEL = 6
"""Level 9 takes 3 times as long in the event loop for 0.1 % less."""
LARGEST_BODY = 64 * 1024
LARGEST_RECORD = 1024 * 1024
"""Four times the longest campaign that was ever played to its end."""


def create_app(options: Options) -> Litestar:
    @asynccontextmanager
    async def lifespan(app: Litestar) -> AsyncIterator[None]:
        async with run_services(options) as services:
            app.state.services = services
            yield

    line = ReaderQueueMiddleware(share_of)
    reading = Router(
        "",
        route_handlers=[*routes_for(EXPORT_ENDPOINTS), *MUCH_OF_ME],
        middleware=[RateLimitMiddleware(options.limits.reading), line],
    )
    reviewing = Router(
        "", route_handlers=routes_for(REVIEW_ENDPOINTS), middleware=[RateLimitMiddleware(options.limits.reading)]
    )
    importing = Router(
        "",
        route_handlers=routes_for(IMPORT_ENDPOINTS),
        middleware=[RateLimitMiddleware(options.limits.imports), line],
        request_max_body_size=LARGEST_RECORD,
    )
    making = Router(
        "",
        route_handlers=[*routes_for(TABLE_CREATION_ENDPOINTS), *MAKING_DAYS],
        middleware=[RateLimitMiddleware(options.limits.tables)],
    )
    api = Router(
        "/api",
        route_handlers=[
            *routes_for(TABLE_ENDPOINTS),
            *ABOUT_COMPANY,
            *ABOUT_DEVICES,
            *ABOUT_ME,
            *ABOUT_DAYS,
            *ABOUT_WHO,
            *ABOUT_NOTICES,
            *ABOUT_BOTS,
            *FOR_BOTS,
            receiving(options.limits),
            making,
            reading,
            reviewing,
            importing,
            table_socket,
        ],
        dependencies=PROVIDED,
        guards=[require_scope, require_same_origin],
        middleware=[RateLimitMiddleware(options.limits.requests)],
    )

    from_mail = Router(
        "/api",
        route_handlers=FROM_MAIL,
        dependencies=PROVIDED,
        middleware=[RateLimitMiddleware(options.limits.requests)],
    )
    return Litestar(
        [api, from_mail, static_route(load_assets()), *PROBES],
        lifespan=[lifespan],
        middleware=[
            LogContextMiddleware(),
            HostCheckMiddleware(options.public_url),
            *counted_requests(options.metrics),
            TextAddresses(),
        ],
        before_send=[header_hook(options.public_url)],
        exception_handlers={
            PolyopolisError: problem_of,
            HTTPException: problem_of_http,
            RecursionError: too_deep,
            Unwritable: problem_of_database,
            Exception: our_fault,
        },
        request_class=JSONRequest,
        plugins=[RawObjectSchema()],
        request_max_body_size=LARGEST_BODY,
        compression_config=CompressionConfig("gzip", gzip_compress_level=GZIP_LEVEL, exclude_opt_key="compressed"),
        openapi_config=OpenAPIConfig(
            "Polyopolis", VERSION, path="/api/schema", components=TOKENS, render_plugins=[JsonRenderPlugin()]
        ),
        logging_config=None,  # whoever starts the server says where its log goes
    )
