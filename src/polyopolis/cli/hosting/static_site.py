"""`site`: writes the static site, which runs without a server and can be served by any host under any path."""

import gzip
import re
from collections.abc import Mapping
from hashlib import sha256
from pathlib import Path
from typing import Annotated

import msgspec
import typer

from polyopolis.cli.arguments import BadOption
from polyopolis.cli.console import progress_bar
from polyopolis.cli.output_files import CannotWrite, os_error_reason
from polyopolis.cli.phrases import phrase
from polyopolis.server.web.security_headers import SECURITY_HEADERS
from polyopolis.server.web.static_files import GZIP_SUFFIX, INDEX, STATIC

OFFLINE = "offline.js"
MANIFEST = ".webmanifest"
MODULE = ".mjs"
PACKED_SUFFIX = ".bin"
"""Suffix of gzip files, which the page unpacks itself. Static hosts treat `.gz` differently, but not this suffix."""
ONLY_AS_HEADER = "frame-ancestors"
BYTES_PER_MEGABYTE = 1e6

Files = dict[str, bytes]


def site(
    out: Annotated[Path, typer.Argument(metavar="OUT", help="Empty or new folder.", show_default=False)],
) -> None:
    """Write the static site, which needs no server.

    Any static host can serve the files, under any path.
    """
    write_site(out)


def write_site(out: Path, built: Path = STATIC) -> None:
    """Writes the site into a new or empty folder. `built` is the folder of the built client."""
    files = site_files(_read(built))
    try:
        out.mkdir(parents=True, exist_ok=True)
        if any(out.iterdir()):
            raise BadOption(f"{out} is not empty: choose an empty or a new folder")
        with progress_bar() as progress:
            for name, data in progress.track(files.items(), description=phrase("site", "writing")):
                path = out / name
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_bytes(data)
    except OSError as error:
        raise CannotWrite(f"cannot write {out}: {os_error_reason(error)}") from error
    size = sum(map(len, files.values())) / BYTES_PER_MEGABYTE
    typer.echo(phrase("site", "written", files=len(files), size=f"{size:.0f}", folder=out))


def site_files(built: Mapping[str, bytes]) -> Files:
    """Returns the files of the site, given those of the built client."""
    files: Files = {}
    packed = []
    for name, data in built.items():
        plain = name.removesuffix(GZIP_SUFFIX)
        if name == plain:
            files[name] = data
        elif plain.endswith(MODULE):  # imported by browsers, which do not unpack files
            files[plain] = gzip.decompress(data)
        else:
            files[plain + PACKED_SUFFIX] = data
            packed.append(plain)
    for name in files:
        if name.endswith(MANIFEST):
            files[name] = msgspec.json.format(
                msgspec.json.encode(msgspec.json.decode(files[name]) | {"start_url": "./"})
            )
    files[INDEX] = site_page(files[INDEX].decode(), sum(map(len, files.values()))).encode()
    files[OFFLINE] = service_worker(files, packed).encode()
    return files


def site_page(text: str, load: int) -> str:
    """Returns the page with relative addresses, the number of bytes to load and the security headers as `meta` tags."""
    policy = "; ".join(
        part for part in SECURITY_HEADERS["content-security-policy"].split("; ") if not part.startswith(ONLY_AS_HEADER)
    )
    headers = {'http-equiv="content-security-policy"': policy, 'name="referrer"': SECURITY_HEADERS["referrer-policy"]}
    metas = "".join(f'\n    <meta {name} content="{content}" />' for name, content in headers.items())
    text = re.sub(r' data-load="\d*"', f' data-load="{load}"', text, count=1)
    text = text.replace('"/', '"./').replace("<html", "<html data-site", 1)
    return re.sub(r"<meta charset=[^>]*>", lambda found: found[0] + metas, text, count=1)


def service_worker(files: Mapping[str, bytes], packed: list[str]) -> str:
    """Returns the service worker with the list of packed files. Its version is a hash of all files."""
    digest = sha256(b"\0".join(part for name in sorted(files) for part in (name.encode(), files[name])))
    text = files[OFFLINE].decode()
    text = re.sub(r"(const VERSION = )'\w+'", rf"\1'{digest.hexdigest()[:12]}'", text, count=1)
    return text.replace("const PACKED = []", f"const PACKED = {msgspec.json.encode(sorted(packed)).decode()}", 1)


def _read(built: Path) -> Files:
    files = {file.relative_to(built).as_posix(): file for file in sorted(built.rglob("*")) if file.is_file()}
    if INDEX not in files:
        raise BadOption("the client is not built yet: run `make play` in the repository, or install the wheel")
    return {name: file.read_bytes() for name, file in files.items()}
