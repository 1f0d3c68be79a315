"""Starting the server: where it listens, what it says, and the page that opens."""

import logging
import os
import signal
import socket
import sys
import threading
import webbrowser
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, replace
from functools import partial
from ipaddress import ip_address
from types import ModuleType

import segno
import uvicorn

from polyopolis.cli.arguments import BadOption
from polyopolis.cli.hosting.process_group import serve_together
from polyopolis.cli.phrases import say
from polyopolis.server.app import create_app
from polyopolis.server.ops import data_folder, logs
from polyopolis.server.ops.metrics import serve_metrics
from polyopolis.server.options import Options
from polyopolis.server.realtime.connection_guard import uvicorn_protocols
from polyopolis.server.settings import unknown_variables
from polyopolis.server.storage.databases import check, named

resource: ModuleType | None
try:
    import resource
except ImportError:  # Windows, where nobody counts them
    resource = None

FIRST_PORT, PORTS_TRIED = 8000, 20
FILES = 65_536
"""That a server may have open."""
LONGEST_END = 5
"""Seconds in which answers that were begun may be finished once the server is told to end."""

logger = logging.getLogger(__name__)


@dataclass(frozen=True)
class Address:
    host: str
    port: int
    public_url: str = ""

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
def opened(options: Options) -> Iterator[None]:
    """The folder is this server's alone, and the database can be worked with."""
    if options.workers > 1 and not options.database:
        raise BadOption("several workers need a database that they can share, a PostgreSQL (--database)")
    if options.smtp.host and not options.smtp.sender:
        raise BadOption("mail needs a sender (--smtp-sender)")
    with data_folder.held(options.data):
        data_folder.check_room(options.data)
        if options.database:
            check(options.database)
            data_folder.close_to_others(options.data)
        else:
            data_folder.prepare(options.data)
        yield


def serve(options: Options, listener: socket.socket, open_page: bool) -> None:
    address = Address(options.host, listener.getsockname()[1], options.public_url)
    public_url = "" if address.is_local and not address.public_url else address.url
    options = replace(options, public_url=public_url)
    logs.begin(options.log_level, options.log_format)
    for name in unknown_variables(Options, os.environ):
        logger.warning("%s means nothing: there is no such option", name)
    for line in greeting(address) if options.log_format == "text" else ():
        print(line, flush=True)
    if open_page and _has_screen():
        threading.Timer(1.0, webbrowser.open, [address.url]).start()
    with ended_by_signals():
        logger.info("open at %s, with tables in %s", address.url, named(options.database_location))
        if options.workers > 1:
            serve_together(options.workers, partial(_serve_among, options), listener)
        else:
            _serve(options, listener)


def _serve_among(options: Options, number: int, listener: socket.socket) -> None:
    """One of several processes: its share of the bots, and numbers on a port of its own."""
    where = options.metrics
    share = replace(
        options,
        bot_processes=max(1, options.bot_processes // options.workers),
        metrics=where._replace(port=where.port + number) if where else None,
    )
    logs.begin(options.log_level, options.log_format)
    with ended_by_signals():
        _serve(share, listener)


def many_files() -> None:
    """A page is a file to the system, and of files one usually has a thousand until one asks for more."""
    if resource is None:
        return
    now, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = FILES if most == resource.RLIM_INFINITY else min(FILES, most)
    if now != resource.RLIM_INFINITY and now < wanted:
        with suppress(OSError, ValueError):  # some systems name more than they give
            resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, most))


def _serve(options: Options, listener: socket.socket) -> None:
    many_files()
    config = uvicorn.Config(
        create_app(options),
        log_config=None,
        access_log=options.log_level == "debug",
        **uvicorn_protocols(options.limits),
        forwarded_allow_ips=list(options.trusted_proxy) or None,
        timeout_graceful_shutdown=LONGEST_END,
    )
    with serve_metrics(options.metrics):
        uvicorn.Server(config).run([listener])


@contextmanager
def ended_by_signals() -> Iterator[None]:
    """Who is told to end and does has not failed. The server hands a signal on once all is kept and all are told."""

    def end(*_: object) -> None:
        raise SystemExit(0)

    before = {told: signal.signal(told, end) for told in (signal.SIGINT, signal.SIGTERM)}
    try:
        yield
    finally:
        logger.info("closed")
        for told, handler in before.items():
            signal.signal(told, handler)


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
