"""The built client, held in memory: no path of a request ever reaches the disk."""

import gzip
import mimetypes
from dataclasses import dataclass
from pathlib import Path

STATIC = Path(__file__).parent / "static"
INDEX = "index.html"
NOT_BUILT = b"The client is not built yet: run `make play` in the repository, or install the wheel.\n"


@dataclass(frozen=True)
class Asset:
    data: bytes
    zipped: bytes
    media_type: str
    forever: bool
    """Its name changes with its content, so a browser may keep it."""


def assets(folder: Path = STATIC) -> dict[str, Asset]:
    """Every file of the built client by its path; nothing if it is not built."""
    found = {}
    for file in sorted(folder.rglob("*")) if folder.is_dir() else []:
        if file.is_file():
            path, data = file.relative_to(folder).as_posix(), file.read_bytes()
            kind = mimetypes.guess_type(path)[0] or "application/octet-stream"
            found[path] = Asset(data, gzip.compress(data, 9, mtime=0), kind, path.startswith("assets/"))
    return found
