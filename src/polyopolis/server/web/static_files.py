"""Serves the built client from memory; request paths never reach the file system."""

import gzip
import mimetypes
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from litestar import HttpMethod, Response, route
from litestar.handlers import HTTPRouteHandler
from litestar.params import FromPath

from polyopolis.play.errors import NotFound
from polyopolis.server.web.dependencies import ApiRequest, provide_visit

STATIC = Path(__file__).parents[1] / "static"
INDEX = "index.html"
NOT_BUILT = b"The client is not built yet: run `make play` in the repository, or install the wheel.\n"


GZIP_SUFFIX = ".gz"
"""Suffix of files that the build has compressed; requests omit it."""


@dataclass(frozen=True)
class Asset:
    zipped: bytes
    media_type: str
    forever: bool
    """Whether the name contains a hash of the content, so that browsers may cache the file forever."""

    @property
    def data(self) -> bytes:
        """The uncompressed file, for clients that do not accept gzip."""
        return gzip.decompress(self.zipped)


def load_assets(folder: Path = STATIC) -> dict[str, Asset]:
    """Returns all files of the built client by path; empty if the client is not built."""
    found = {}
    for file in sorted(folder.rglob("*")) if folder.is_dir() else []:
        if file.is_file():
            path, data = file.relative_to(folder).as_posix(), file.read_bytes()
            zipped = data if file.suffix == GZIP_SUFFIX else gzip.compress(data, 9, mtime=0)
            path = path.removesuffix(GZIP_SUFFIX)
            found[path] = Asset(zipped, _media_type(path), path.startswith("assets/"))
    return found


def _media_type(path: str) -> str:
    """Modules and WebAssembly have fixed types: browsers require them, and the system may not know them."""
    known = {".mjs": "text/javascript", ".wasm": "application/wasm"}
    return known.get(Path(path).suffix) or mimetypes.guess_type(path)[0] or "application/octet-stream"


def static_route(assets: Mapping[str, Asset]) -> HTTPRouteHandler:
    """Returns the handler that serves the client from memory."""

    @route(
        ["/", "/{path:path}"],
        http_method=[HttpMethod.GET, HttpMethod.HEAD],
        include_in_schema=False,
        media_type="text/html",
        opt={"compressed": True},
    )
    async def page(request: ApiRequest, path: FromPath[str] = "") -> Response[bytes]:
        """Serves a file of the client; every other path is a page of it.

        A page sets the session cookie: two parallel first requests of its scripts would create two guests.
        """
        name = path.strip("/")
        if not assets:
            return Response(NOT_BUILT, status_code=503, media_type="text/plain")
        if name.startswith(("api/", "assets/")) and name not in assets:
            raise NotFound(f"there is no {path}")
        asset = assets.get(name) or assets[INDEX]
        if asset is assets[INDEX]:
            await provide_visit(request)
        headers = {"cache-control": "public, max-age=31536000, immutable" if asset.forever else "no-cache"}
        if "gzip" in request.headers.get("accept-encoding", ""):
            headers |= {"content-encoding": "gzip", "vary": "accept-encoding"}
            return Response(asset.zipped, media_type=asset.media_type, headers=headers)
        return Response(asset.data, media_type=asset.media_type, headers=headers)

    return page
