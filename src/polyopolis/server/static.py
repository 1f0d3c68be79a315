"""The built client, held in memory: no path of a request ever reaches the disk."""

import gzip
import mimetypes
from dataclasses import dataclass
from pathlib import Path

STATIC = Path(__file__).parent / "static"
INDEX = "index.html"
NOT_BUILT = b"The client is not built yet: run `make play` in the repository, or install the wheel.\n"


PACKED = ".gz"
"""A file that was packed when the client was built; it is asked for without this."""


@dataclass(frozen=True)
class Asset:
    zipped: bytes
    media_type: str
    forever: bool
    """Its name changes with its content, so a browser may keep it."""

    @property
    def data(self) -> bytes:
        """For the few who cannot unpack it."""
        return gzip.decompress(self.zipped)


def assets(folder: Path = STATIC) -> dict[str, Asset]:
    """Every file of the built client by its path; nothing if it is not built."""
    found = {}
    for file in sorted(folder.rglob("*")) if folder.is_dir() else []:
        if file.is_file():
            path, data = file.relative_to(folder).as_posix(), file.read_bytes()
            zipped = data if file.suffix == PACKED else gzip.compress(data, 9, mtime=0)
            path = path.removesuffix(PACKED)
            found[path] = Asset(zipped, _media_type(path), path.startswith("assets/"))
    return found


def _media_type(path: str) -> str:
    """Modules and WebAssembly are named here, because a machine may not know them and a browser insists on them."""
    known = {".mjs": "text/javascript", ".wasm": "application/wasm"}
    return known.get(Path(path).suffix) or mimetypes.guess_type(path)[0] or "application/octet-stream"
