"""Starts the server under test, and formats measurements."""

import asyncio
import subprocess
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from statistics import quantiles
from time import perf_counter

import httpx

from benchmarks.load.replay_readers import TIMEOUT_SECONDS, time_request
from tests.server.support.server_process import free_port
from tools.processes import Guard


@asynccontextmanager
async def run_server(data: Path) -> AsyncIterator[tuple[httpx.AsyncClient, int]]:
    """Runs a server on a data folder; yields an HTTP client and the port of its probe."""
    port, probe_port = free_port(), free_port()
    command = [sys.executable, "-m", "benchmarks.load.server_probe", str(data), str(port), str(probe_port)]
    server = subprocess.Popen(command, start_new_session=True)
    with Guard.of_group(server.pid):
        try:
            async with httpx.AsyncClient(base_url=f"http://127.0.0.1:{port}", timeout=TIMEOUT_SECONDS) as http:
                await _wait_until_ready(http)
                yield http, probe_port
        finally:
            server.terminate()
            server.wait(10)


async def _wait_until_ready(http: httpx.AsyncClient) -> None:
    end = perf_counter() + TIMEOUT_SECONDS
    while perf_counter() < end:
        try:
            await time_request(http, "/hello")
        except httpx.HTTPError:
            await asyncio.sleep(0.1)
        else:
            await asyncio.sleep(3)  # until the kernels are compiled or loaded
            return
    raise TimeoutError("the server did not start")


def print_figure(label: str, value: str) -> None:
    print(f"{label:58}{value:>30}", flush=True)


def format_latencies(seconds: list[float]) -> str:
    """Returns median, p95 and maximum in milliseconds."""
    cuts = quantiles(seconds, n=100)
    return f"{cuts[49] * 1000:.1f} / {cuts[94] * 1000:.1f} / {max(seconds) * 1000:.0f} ms"
