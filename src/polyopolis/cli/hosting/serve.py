"""`serve`: checks the data folder, binds the port and runs the server in one or several processes."""

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
from pathlib import Path
from types import ModuleType
from typing import Annotated, Any

import segno
import typer
import uvicorn

from polyopolis.cli.arguments import BadOption
from polyopolis.cli.console import warn_if_slow
from polyopolis.cli.hosting.option_flags import with_flags
from polyopolis.cli.hosting.process_group import serve_together
from polyopolis.cli.phrases import phrase
from polyopolis.server.app import create_app
from polyopolis.server.ops import data_folder, logs
from polyopolis.server.ops.metrics import serve_metrics
from polyopolis.server.options import Options
from polyopolis.server.realtime.connection_guard import uvicorn_protocols
from polyopolis.server.settings import load_settings, unknown_variables
from polyopolis.server.storage.databases import check_database, display_name

resource: ModuleType | None
try:
    import resource
except ImportError:  # Windows, which has no such limit
    resource = None

FIRST_PORT, PORTS_TRIED = 8000, 20
MAX_OPEN_FILES = 65_536
SHUTDOWN_TIMEOUT_SECONDS = 5
"""Time for responses that have begun, after the server is asked to stop."""

logger = logging.getLogger(__name__)


@dataclass(frozen=True)
class ServerAddress:
    host: str
    port: int
    public_url: str = ""

    @property
    def url(self) -> str:
        """Address to share. If the server listens on all interfaces, it is the one of this machine in its network."""
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


@with_flags(Options)
def serve(
    config: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Options as TOML; docs/hosting.md lists all.")
    ] = None,
    open_page: Annotated[bool, typer.Option("--open", help="Open the page in a browser.")] = False,
    flags: Any = None,
) -> None:
    """Run a server.

    Each option can also be set in a file (--config) or in the environment, such as POLYOPOLIS_PORT=80.
    """
    options = load_settings(Options, config, os.environ, flags)
    with prepared_data(options):
        listener = listen(options.host, options.port)
        warn_if_slow()
        run_server(options, listener, open_page)


def listen(host: str, port: int | None) -> socket.socket:
    """Binds a port, or the first free one from `FIRST_PORT` if none is given."""
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
def prepared_data(options: Options) -> Iterator[None]:
    """Validates the options, locks the data folder and prepares the database."""
    if options.workers > 1 and not options.database:
        raise BadOption("several workers need a PostgreSQL database (--database)")
    if options.smtp.host and not options.smtp.sender:
        raise BadOption("mail needs a sender (--smtp-sender)")
    with data_folder.lock_folder(options.data):
        data_folder.check_writable(options.data)
        if options.database:
            check_database(options.database)
            data_folder.restrict_permissions(options.data)
        else:
            data_folder.prepare_database(options.data)
        yield


def run_server(options: Options, listener: socket.socket, open_page: bool) -> None:
    """Runs the server until it is stopped by a signal."""
    address = ServerAddress(options.host, listener.getsockname()[1], options.public_url)
    public_url = "" if address.is_local and not address.public_url else address.url
    options = replace(options, public_url=public_url)
    logs.configure_logging(options.log_level, options.log_format)
    for name in unknown_variables(Options, os.environ):
        logger.warning("%s is ignored: there is no such option", name)
    for line in greeting(address) if options.log_format == "text" else ():
        print(line, flush=True)
    if open_page and _has_screen():
        threading.Timer(1.0, webbrowser.open, [address.url]).start()
    with exit_on_signals():
        logger.info("open at %s, with tables in %s", address.url, display_name(options.database_location))
        if options.workers > 1:
            serve_together(options.workers, partial(_run_worker, options), listener)
        else:
            _run_uvicorn(options, listener)


def _run_worker(options: Options, number: int, listener: socket.socket) -> None:
    """Runs one of several processes, with its share of the bot processes and its own port for metrics."""
    metrics = options.metrics
    share = replace(
        options,
        bot_processes=max(1, options.bot_processes // options.workers),
        metrics=metrics._replace(port=metrics.port + number) if metrics else None,
    )
    logs.configure_logging(options.log_level, options.log_format)
    with exit_on_signals():
        _run_uvicorn(share, listener)


def raise_open_file_limit() -> None:
    """Raises the limit of open files, usually 1,024, because each connection needs one."""
    if resource is None:
        return
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = MAX_OPEN_FILES if hard == resource.RLIM_INFINITY else min(MAX_OPEN_FILES, hard)
    if soft != resource.RLIM_INFINITY and soft < wanted:
        with suppress(OSError, ValueError):  # some systems refuse their own hard limit
            resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, hard))


def _run_uvicorn(options: Options, listener: socket.socket) -> None:
    raise_open_file_limit()
    config = uvicorn.Config(
        create_app(options),
        log_config=None,
        access_log=options.log_level == "debug",
        **uvicorn_protocols(options.limits),
        forwarded_allow_ips=list(options.trusted_proxy) or None,
        timeout_graceful_shutdown=SHUTDOWN_TIMEOUT_SECONDS,
    )
    with serve_metrics(options.metrics):
        uvicorn.Server(config).run([listener])


@contextmanager
def exit_on_signals() -> Iterator[None]:
    """Exits with 0 on SIGINT and SIGTERM. uvicorn raises the signal again after it has shut down."""

    def end(*_: object) -> None:
        raise SystemExit(0)

    before = {number: signal.signal(number, end) for number in (signal.SIGINT, signal.SIGTERM)}
    try:
        yield
    finally:
        logger.info("closed")
        for number, handler in before.items():
            signal.signal(number, handler)


def greeting(address: ServerAddress) -> Iterator[str]:
    """Yields the lines that the server prints when it starts, with a QR code if other machines can reach it."""
    yield phrase("serve", "ready", url=address.url)
    if not address.is_local:
        yield phrase("serve", "friends")
        yield from _qr(address.url)
    yield phrase("serve", "end")


def _qr(url: str) -> list[str]:
    """Draws a QR code. Each line of text shows two rows of dots."""
    rows = [list(row) for row in segno.make(url, error="l").matrix_iter(border=2)]
    if len(rows) % 2:
        rows.append([0] * len(rows[0]))
    signs = {(0, 0): "█", (0, 1): "▀", (1, 0): "▄", (1, 1): " "}
    return [
        "".join(signs[bool(top), bool(bottom)] for top, bottom in zip(upper, lower, strict=True))
        for upper, lower in zip(rows[::2], rows[1::2], strict=True)
    ]


def _has_screen() -> bool:
    """Whether a browser can open a window."""
    return sys.platform != "linux" or bool(os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY"))


def _own_address() -> str:
    """Returns the address of this machine in its network. Connecting a UDP socket sends no packet."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(("192.0.2.1", 9))
            return str(probe.getsockname()[0])
        except OSError:
            return "127.0.0.1"
