"""A server in a thread of the test, which can change what the server is made of."""

import socket
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import uvicorn
from litestar import Litestar

from tests.server.support.server_process import House

GUARD = 60.0
"""Seconds after which `until` fails."""


@dataclass
class ThreadHouse(House):
    """Has the address and the folder of a server. It ends with the test and cannot be killed."""

    data: Path
    port: int


def until(holds: Callable[[], bool]) -> None:
    """Returns as soon as `holds()` is true. For what another thread does."""
    end = time.monotonic() + GUARD
    while not holds():
        assert time.monotonic() < end
        time.sleep(0.001)


@contextmanager
def served(app: Litestar, buffer: int | None = None, **config: Any) -> Iterator[int]:
    """Serves `app` and yields the port. The kernel keeps at most `buffer` bytes of what a connection has received."""
    server = uvicorn.Server(uvicorn.Config(app, log_level="warning", **config))
    with socket.socket() as listener:
        if buffer is not None:
            listener.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, buffer)
        listener.bind(("127.0.0.1", 0))
        listener.listen()
        thread = threading.Thread(target=server.run, args=[[listener]])
        thread.start()
        try:
            until(lambda: server.started or not thread.is_alive())
            assert server.started
            yield listener.getsockname()[1]
        finally:
            server.should_exit = True
            thread.join()
