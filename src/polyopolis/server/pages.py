"""The built client: its files, and one page for every other address."""

from typing import Any

from litestar import HttpMethod, Request, Response, route
from litestar.datastructures import State
from litestar.params import FromPath

from polyopolis.play.problems import NotFound
from polyopolis.server.providing import provide_visit
from polyopolis.server.static import INDEX, NOT_BUILT


@route(
    ["/", "/{path:path}"],
    http_method=[HttpMethod.GET, HttpMethod.HEAD],
    include_in_schema=False,
    media_type="text/html",
    opt={"compressed": True},
)
async def page(request: Request[Any, Any, State], path: FromPath[str] = "") -> Response[bytes]:
    """A file of the client; every other address is a page of it.

    A page brings the cookie: two first requests of its scripts at the same time would make two guests of one.
    """
    files = request.app.state.assets
    name = path.strip("/")
    if not files:
        return Response(NOT_BUILT, status_code=503, media_type="text/plain")
    if name.startswith(("api/", "assets/")) and name not in files:
        raise NotFound(f"there is no {path}")
    asset = files.get(name) or files[INDEX]
    if asset is files[INDEX]:
        await provide_visit(request)
    headers = {"cache-control": "public, max-age=31536000, immutable" if asset.forever else "no-cache"}
    if "gzip" in request.headers.get("accept-encoding", ""):
        headers |= {"content-encoding": "gzip", "vary": "accept-encoding"}
        return Response(asset.zipped, media_type=asset.media_type, headers=headers)
    return Response(asset.data, media_type=asset.media_type, headers=headers)
