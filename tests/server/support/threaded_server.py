"""Runs a server in a thread, so that the test can patch it."""

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

from tests.server.support.server_process import ServerProcess

TIMEOUT_SECONDS = 60.0


@dataclass
class ThreadedServer(ServerProcess):
    """Address and folder of a server in a thread. It stops with the test and cannot be killed."""

    data: Path
    port: int


def until(holds: Callable[[], bool]) -> None:
    """Waits until `holds()` is true, which another thread causes."""
    end = time.monotonic() + TIMEOUT_SECONDS
    while not holds():
        assert time.monotonic() < end
        time.sleep(0.001)


@contextmanager
def serve_in_thread(app: Litestar, buffer: int | None = None, **config: Any) -> Iterator[int]:
    """Serves `app` and yields the port. `buffer` limits the receive buffer of connections."""
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
