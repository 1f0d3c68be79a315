"""Starting the server: where it listens, what it says, and the page that opens."""

import logging
import os
import socket
import sys
import threading
import webbrowser
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from ipaddress import ip_address
from pathlib import Path

import segno
import uvicorn

from polyopolis.cli.options import BadOption
from polyopolis.cli.words import say
from polyopolis.server import folder
from polyopolis.server.app import Options, create_app
from polyopolis.server.retention import Retention

FIRST_PORT, PORTS_TRIED = 8000, 20
LARGEST_MESSAGE = 16 * 1024


@dataclass(frozen=True)
class Address:
    host: str
    port: int
    public_url: str = ""
    proxies: tuple[str, ...] = ()
    """Whose word is taken for where visitors come from."""

    @property
    def url(self) -> str:
        """The address for people: on every interface, the one that others in the network can reach."""
        if self.public_url:
            return self.public_url.rstrip("/")
        host = _own_address() if self.open_to_network else self.host
        return f"http://{f'[{host}]' if ':' in host else host}:{self.port}"

    @property
    def open_to_network(self) -> bool:
        return self.host in ("0.0.0.0", "::")

    @property
    def is_local(self) -> bool:
        try:
            return ip_address(self.host).is_loopback
        except ValueError:
            return self.host == "localhost"


def listening(host: str, port: int | None) -> socket.socket:
    """A socket on the port that was asked for, or else on the first that is free."""
    ports = [port] if port is not None else range(FIRST_PORT, FIRST_PORT + PORTS_TRIED)
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    for candidate in ports:
        found = socket.socket(family)
        found.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            found.bind((host, candidate))
        except OSError:
            found.close()
        else:
            return found
    tried = f"port {port}" if port is not None else f"ports {FIRST_PORT} to {FIRST_PORT + PORTS_TRIED - 1}"
    raise BadOption(f"cannot listen on {host}, {tried}: in use or not allowed")


@contextmanager
def opened(data: Path) -> Iterator[None]:
    """The folder is this server's alone, and its database can be worked with."""
    with folder.held(data):
        folder.prepare(data)
        yield


def serve(  # noqa: PLR0913, PLR0917 - each an option of the command
    address: Address, listener: socket.socket, data: Path, absence: float, retention: Retention, open_page: bool
) -> None:
    workers = max(1, (os.cpu_count() or 2) - 1)
    public_url = "" if address.is_local and not address.public_url else address.url
    logging.basicConfig(format="%(asctime)s %(levelname)s %(name)s: %(message)s", level=logging.WARNING)
    app = create_app(Options(data, public_url, workers, absence=absence, retention=retention))
    config = uvicorn.Config(
        app,
        log_level="warning",
        ws_max_size=LARGEST_MESSAGE,
        ws="websockets-sansio",
        forwarded_allow_ips=list(address.proxies) or None,
    )
    logging.getLogger("alembic").setLevel(logging.WARNING)
    for line in greeting(address):
        print(line, flush=True)
    if open_page and _has_screen():
        threading.Timer(1.0, webbrowser.open, [address.url]).start()
    uvicorn.Server(config).run([listener])


def greeting(address: Address) -> Iterator[str]:
    yield say("serve", "ready", url=address.url)
    if not address.is_local:
        yield say("serve", "friends")
        yield from _qr(address.url)
    yield say("serve", "end")


def _qr(url: str) -> list[str]:
    """The address as a QR code, two rows of dots in a line of text."""
    rows = [list(row) for row in segno.make(url, error="l").matrix_iter(border=2)]
    if len(rows) % 2:
        rows.append([0] * len(rows[0]))
    signs = {(0, 0): "█", (0, 1): "▀", (1, 0): "▄", (1, 1): " "}
    return [
        "".join(signs[bool(top), bool(bottom)] for top, bottom in zip(upper, lower, strict=True))
        for upper, lower in zip(rows[::2], rows[1::2], strict=True)
    ]


def _has_screen() -> bool:
    """Whether a browser could show a page here."""
    return sys.platform != "linux" or bool(os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY"))


def _own_address() -> str:
    """The address of this machine in its network; nothing is sent to find it."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(("192.0.2.1", 9))
            return str(probe.getsockname()[0])
        except OSError:
            return "127.0.0.1"
