"""Endpoints `/health` and `/ready` for monitoring: accepted for every host name and not rate-limited."""

import asyncio
import logging
from collections.abc import Sequence
from typing import Any

from litestar import HttpMethod, Request, Response, route
from litestar.datastructures import State
from litestar.types import ControllerRouterHandler

from polyopolis.play.errors import Unwritable
from polyopolis.server.services import Services, services_of
from polyopolis.server.web.known_hosts import ANY_HOST

logger = logging.getLogger(__name__)

PROBE_TIMEOUT_SECONDS = 2.0
METHODS = (HttpMethod.GET, HttpMethod.HEAD)


@route("/health", http_method=METHODS, opt={ANY_HOST: True}, include_in_schema=False)
async def health() -> Response[str]:
    return _text_response("alive")


@route("/ready", http_method=METHODS, opt={ANY_HOST: True}, include_in_schema=False)
async def ready(request: Request[Any, Any, State]) -> Response[str]:
    problem = await _problem(services_of(request.app))
    return _text_response(problem, 503) if problem else _text_response("ready")


async def _problem(services: Services) -> str | None:
    """Returns why the server is not ready, without internal details; None if it is.

    Every database thread must respond. A thread has at most one unanswered probe in its queue.
    """
    try:
        async with asyncio.timeout(PROBE_TIMEOUT_SECONDS):
            await services.repository.check_writable()
    except (Unwritable, TimeoutError):
        return "the database cannot be written"
    answered, hanging = await asyncio.wait(services.repository.probes(), timeout=PROBE_TIMEOUT_SECONDS)
    if hanging:
        return "the database does not answer in time"
    if error := next((error for probe in answered if (error := probe.result())), None):
        logger.error("the database does not answer", exc_info=error)
        return "the database does not answer"
    return None if services.bots.is_manned() else "no bot process is running; one is being restarted"


def _text_response(text: str, status: int = 200) -> Response[str]:
    return Response(text, status_code=status, media_type="text/plain", headers={"cache-control": "no-store"})


HEALTH_ROUTES: Sequence[ControllerRouterHandler] = (health, ready)
