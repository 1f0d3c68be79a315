"""Runs a server that measures its event loop lag, garbage collection and memory."""

import asyncio
import gc
import json
import socket
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from time import perf_counter
from typing import Any

import uvicorn
from litestar import Litestar

from benchmarks.speed.resident_memory import resident_bytes
from polyopolis.server.app import create_app
from polyopolis.server.limits.rate_limits import Limits, RateLimit
from polyopolis.server.options import Options
from polyopolis.server.realtime.connection_guard import uvicorn_protocols

UNLIMITED_RATE = RateLimit(10**6, 1)
UNLIMITED = Limits(
    requests=UNLIMITED_RATE,
    reading=UNLIMITED_RATE,
    tables=UNLIMITED_RATE,
    sockets=UNLIMITED_RATE,
    messages=UNLIMITED_RATE,
    pages=1_000_000,
)
"""Limits that are never reached, because all simulated players share one address."""
TICK_SECONDS = 0.005


class Probe:
    """Measures this process; a connection to its port receives the measurements since the previous one."""

    def __init__(self) -> None:
        self.blocked = 0.0
        self.collected = 0.0
        self.collections = 0
        self._collection_start = 0.0
        gc.callbacks.append(self._on_collection)

    def _on_collection(self, phase: str, info: dict[str, Any]) -> None:
        if phase == "start":
            self._collection_start = perf_counter()
        else:
            self.collected = max(self.collected, perf_counter() - self._collection_start)
            self.collections += info["generation"] == 2

    async def measure_lag(self) -> None:
        while True:
            before = perf_counter()
            await asyncio.sleep(TICK_SECONDS)
            self.blocked = max(self.blocked, perf_counter() - before - TICK_SECONDS)

    async def report(self, _: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        measurements = {
            "blocked": self.blocked,
            "collected": self.collected,
            "collections": self.collections,
            "resident": resident_bytes(),
        }
        self.blocked = self.collected = 0.0
        self.collections = 0
        writer.write(json.dumps(measurements).encode())
        await writer.drain()
        writer.close()


def main(data: Path, port: int, probe_port: int) -> None:
    app = create_app(Options(data, limits=UNLIMITED))
    probe = Probe()

    @asynccontextmanager
    async def probed(_: Litestar) -> AsyncIterator[None]:
        server = await asyncio.start_server(probe.report, "127.0.0.1", probe_port)
        task = asyncio.create_task(probe.measure_lag())
        yield
        task.cancel()
        server.close()

    app._lifespan_managers.append(probed)
    listener = socket.create_server(("127.0.0.1", port))
    config = uvicorn.Config(app, log_level="warning", **uvicorn_protocols(UNLIMITED))
    uvicorn.Server(config).run([listener])


if __name__ == "__main__":
    main(Path(sys.argv[1]), int(sys.argv[2]), int(sys.argv[3]))
