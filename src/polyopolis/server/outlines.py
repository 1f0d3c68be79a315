"""What is known of a game before anybody plays it, and what a reader of its rules may try, as answers."""

from hashlib import sha256
from typing import Any

import msgspec
from litestar import MediaType, Request, Response, get
from litestar.datastructures import State
from litestar.params import FromPath, FromQuery

from polyopolis.games import SIGNS
from polyopolis.play.problems import NotFound
from polyopolis.play.trials import trials
from polyopolis.server.problems import PROBLEMS

FRESH = "no-cache"
"""A browser may keep it, and asks whether it is still the same: a new server may say more of the same content."""


@get(
    "/games/{key:str}/outline",
    summary="What is known of a game before anybody plays it; without a version of the newest content",
    media_type=MediaType.JSON,
    responses=PROBLEMS,
)
async def show_outline(
    request: Request[Any, Any, State], key: FromPath[str], content: FromQuery[int | None] = None
) -> Response[bytes]:
    sign = SIGNS.get(key)
    if sign is None or sign.outline is None:
        raise NotFound(f"nothing is known of a game {key!r}")
    return _same_or_new(request, sign.outline(sign.versions[-1] if content is None else content))


@get(
    "/games/{key:str}/trials",
    summary="Positions on which a reader of the rules tries something, with all answers",
    media_type=MediaType.JSON,
    responses=PROBLEMS,
)
async def show_trials(request: Request[Any, Any, State], key: FromPath[str]) -> Response[bytes]:
    sign = SIGNS.get(key)
    if sign is None:
        raise NotFound(f"there is no game {key!r}")
    return _same_or_new(request, trials(key, sign.versions[-1]))


def _same_or_new(request: Request[Any, Any, State], answer: msgspec.Struct) -> Response[bytes]:
    data = msgspec.json.encode(answer)
    headers = {"cache-control": FRESH, "etag": f'"{sha256(data).hexdigest()[:32]}"'}
    if request.headers.get("if-none-match") == headers["etag"]:
        return Response(b"", status_code=304, headers=headers, media_type=MediaType.JSON)
    return Response(data, headers=headers, media_type=MediaType.JSON)
