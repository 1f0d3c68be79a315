"""A site without a server: the built client as files that any host serves, in any folder."""

import gzip
import re
import sys
from collections.abc import Mapping
from hashlib import sha256
from pathlib import Path

import msgspec
import typer
from rich.console import Console
from rich.progress import Progress

from polyopolis.cli.arguments import BadOption
from polyopolis.cli.output_files import CannotKeep, reason
from polyopolis.cli.phrases import say
from polyopolis.server.web.security_headers import SECURITY_HEADERS
from polyopolis.server.web.static_files import GZIP_SUFFIX, INDEX, STATIC

OFFLINE = "offline.js"
MANIFEST = ".webmanifest"
MODULE = ".mjs"
STILL_PACKED = ".bin"
"""Hosts leave these alone: not one of them unpacks or labels them on its own, and pages unpack them themselves."""
ONLY_AS_HEADER = "frame-ancestors"
MEGABYTE = 1e6

Files = dict[str, bytes]


def write(out: Path, built: Path = STATIC) -> None:
    """Everything, into a folder that is not there yet or empty."""
    files = site(_read(built))
    try:
        out.mkdir(parents=True, exist_ok=True)
        if any(out.iterdir()):
            raise BadOption(f"{out} is not empty: name a folder that is, or that is not there yet")
        with Progress(console=Console(stderr=True), transient=True, disable=not sys.stderr.isatty()) as progress:
            for name, data in progress.track(files.items(), description=say("site", "writing")):
                path = out / name
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_bytes(data)
    except OSError as error:
        raise CannotKeep(f"cannot write {out}: {reason(error)}") from error
    size = sum(map(len, files.values())) / MEGABYTE
    typer.echo(say("site", "written", files=len(files), size=f"{size:.0f}", folder=out))


def site(built: Mapping[str, bytes]) -> Files:
    """The files of a site, out of those of the built client."""
    files: Files = {}
    packed = []
    for name, data in built.items():
        plain = name.removesuffix(GZIP_SUFFIX)
        if name == plain:
            files[name] = data
        elif plain.endswith(MODULE):  # browsers import these by themselves
            files[plain] = gzip.decompress(data)
        else:
            files[plain + STILL_PACKED] = data
            packed.append(plain)
    for name in files:
        if name.endswith(MANIFEST):
            files[name] = msgspec.json.format(
                msgspec.json.encode(msgspec.json.decode(files[name]) | {"start_url": "./"})
            )
    files[INDEX] = page(files[INDEX].decode(), sum(map(len, files.values()))).encode()
    files[OFFLINE] = worker(files, packed).encode()
    return files


def page(text: str, load: int) -> str:
    """The page of a server as one that lies in a folder, says so and how much is to be loaded there, and brings along
    what a server says in headers."""
    policy = "; ".join(
        part for part in SECURITY_HEADERS["content-security-policy"].split("; ") if not part.startswith(ONLY_AS_HEADER)
    )
    said = {'http-equiv="content-security-policy"': policy, 'name="referrer"': SECURITY_HEADERS["referrer-policy"]}
    metas = "".join(f'\n    <meta {name} content="{content}" />' for name, content in said.items())
    text = re.sub(r' data-load="\d*"', f' data-load="{load}"', text, count=1)
    text = text.replace('"/', '"./').replace("<html", "<html data-site", 1)
    return re.sub(r"<meta charset=[^>]*>", lambda found: found[0] + metas, text, count=1)


def worker(files: Mapping[str, bytes], packed: list[str]) -> str:
    """The service worker, told what is packed here. It is another one whenever any file is."""
    digest = sha256(b"\0".join(part for name in sorted(files) for part in (name.encode(), files[name])))
    text = files[OFFLINE].decode()
    text = re.sub(r"(const VERSION = )'\w+'", rf"\1'{digest.hexdigest()[:12]}'", text, count=1)
    return text.replace("const PACKED = []", f"const PACKED = {msgspec.json.encode(sorted(packed)).decode()}", 1)


def _read(built: Path) -> Files:
    files = {file.relative_to(built).as_posix(): file for file in sorted(built.rglob("*")) if file.is_file()}
    if INDEX not in files:
        raise BadOption("the client is not built yet: run `make play` in the repository, or install the wheel")
    return {name: file.read_bytes() for name, file in files.items()}
