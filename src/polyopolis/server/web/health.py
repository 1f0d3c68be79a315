"""Whether the server lives and whether it can work: asked by whoever watches over it, under any name, without limit."""

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

PATIENCE = 2.0
"""Seconds in which all threads of the database have to answer."""
METHODS = (HttpMethod.GET, HttpMethod.HEAD)


@route("/health", http_method=METHODS, opt={ANY_HOST: True}, include_in_schema=False)
async def health() -> Response[str]:
    return _said("alive")


@route("/ready", http_method=METHODS, opt={ANY_HOST: True}, include_in_schema=False)
async def ready(request: Request[Any, Any, State]) -> Response[str]:
    problem = await _problem(services_of(request.app))
    return _said(problem, 503) if problem else _said("ready")


async def _problem(services: Services) -> str | None:
    """Returns a sentence that says why nobody can play here and names no part of the server.

    Every database thread has to answer, the one that writes and those that read. A probe that a thread has not
    answered stays in its queue and is not followed by another one.
    """
    try:
        async with asyncio.timeout(PATIENCE):
            await services.repository.check_writable()
    except (Unwritable, TimeoutError):
        return "nothing can be saved"
    answered, hanging = await asyncio.wait(services.repository.probes(), timeout=PATIENCE)
    if hanging:
        return "the database does not answer in time"
    if error := next((error for probe in answered if (error := probe.result())), None):
        logger.error("the database does not answer", exc_info=error)
        return "the database does not answer"
    return None if services.bots.is_manned() else "no bot can think; another process is on its way"


def _said(sentence: str, status: int = 200) -> Response[str]:
    return Response(sentence, status_code=status, media_type="text/plain", headers={"cache-control": "no-store"})


PROBES: Sequence[ControllerRouterHandler] = (health, ready)
