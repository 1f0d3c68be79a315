"""Measures latency and memory of a server with simulated players who decide while others open replays.

`--reviews 5` measures the latency of bots without and with five concurrent reviews instead; `--grow` measures the
capacity of SQLite and PostgreSQL.
"""

import argparse
import asyncio
import json
import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryDirectory
from time import perf_counter
from typing import Any

import httpx

from benchmarks.load.bot_latency import measure_bot_latency
from benchmarks.load.capacity import measure_capacity
from benchmarks.load.measured_server import format_latencies, print_figure, run_server
from benchmarks.load.replay_readers import time_request
from benchmarks.load.seed_data import SeedData, SeedPlan, write_seed_data
from benchmarks.load.simulated_players import SimulatedPlayers
from polyopolis.server.ops.data_folder import DATABASE


async def read_probe(port: int) -> dict[str, float]:
    """Returns the measurements of the server since the previous call."""
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    measurements: dict[str, float] = json.loads(await reader.read())
    writer.close()
    return measurements


async def time_replays(url: str, data: SeedData, number: int, pause: float) -> list[float]:
    """Opens `number` replays at once after `pause` seconds; returns the seconds that each took."""
    tables = [data.finished[at % len(data.finished)] for at in range(number)]
    command = [sys.executable, "-m", "benchmarks.load.replay_readers", url, str(pause), *tables]
    readers = await asyncio.create_subprocess_exec(*command, stdout=subprocess.PIPE)
    output, _ = await readers.communicate()
    seconds: list[float] = json.loads(output)
    return seconds


async def measure(options: Any, http: httpx.AsyncClient, probe_port: int, data: SeedData) -> list[str]:
    single = [await time_request(http, f"/tables/{table}/matches/0/replay") for table in data.finished]
    plies = [
        await time_request(http, f"/tables/{data.finished[0]}/matches/0/frames?first={ply}")
        for ply in (0, 100, 200, 300)
    ]
    homes = [await time_request(http, "/hello", data.collector) for _ in range(10)]
    print_figure("replay of a finished match: median / p95 / max", format_latencies(single))
    print_figure("positions of a replay: median / p95 / max", format_latencies(plies))
    print_figure("home page with finished campaigns: median / p95 / max", format_latencies(homes))
    without_tables = (await read_probe(probe_port))["resident"]
    players = SimulatedPlayers(str(http.base_url).rstrip("/"))
    for number, table in enumerate(data.tables):
        for seat in range(2):
            await players.connect(table, data.cookies[f"{number}-{seat}"], seat)
    await asyncio.sleep(1)
    with_players = (await read_probe(probe_port))["resident"]
    for table in data.tables:
        await players.connect(table, None, None)
        await players.connect(table, None, None)
    await asyncio.sleep(1)
    with_spectators = (await read_probe(probe_port))["resident"]
    sockets = 2 * len(data.tables)
    each = (with_spectators - with_players) / sockets
    print_figure("memory of a socket", f"{each / 1024:.0f} kB")
    print_figure(
        "memory of a table", f"{(with_players - without_tables - sockets * each) / len(data.tables) / 1024:.0f} kB"
    )
    await players.disconnect_spectators()
    return await measure_play(options, players.url, probe_port, data, players)


async def measure_play(options: Any, url: str, probe_port: int, data: SeedData, players: SimulatedPlayers) -> list[str]:
    await read_probe(probe_port)
    bursts = [
        asyncio.create_task(time_replays(url, data, options.replays, options.seconds * (number + 1) / 4))
        for number in range(3)
    ]
    start = perf_counter()
    decisions = await players.play(options.rate, options.seconds)
    seconds = perf_counter() - start
    replays = [each for burst in bursts for each in await burst]
    probe = await read_probe(probe_port)
    print_figure("sockets, tables", f"{2 * len(data.tables)}, {len(data.tables)}")
    print_figure("decisions per second", f"{decisions / seconds:.0f}")
    print_figure("decision on all screens: median / p95 / max", format_latencies(players.latencies))
    print_figure(f"replays, {options.replays} at once: median / p95 / max", format_latencies(replays))
    print_figure("event loop blocked, longest", f"{probe['blocked'] * 1000:.0f} ms")
    print_figure(
        "garbage collector: longest, full collections", f"{probe['collected'] * 1000:.0f} ms, {probe['collections']}"
    )
    print_figure("messages received", f"{players.messages}")
    await players.disconnect()
    return players.errors


async def main(options: Any) -> int:
    with TemporaryDirectory() as folder:
        path = Path(folder)
        data = await write_seed_data(path / DATABASE, SeedPlan(options.tables, options.finished, options.campaigns))
        async with run_server(path) as (http, probe_port):
            errors = await measure(options, http, probe_port, data)
    for error in dict.fromkeys(errors):
        print(f"{errors.count(error)} x {error}", file=sys.stderr)
    print_figure("errors", str(len(errors)))
    return 1 if errors else 0


if __name__ == "__main__":
    parser = argparse.ArgumentParser(prog="python -m benchmarks.load", description=__doc__)
    parser.add_argument("--tables", type=int, default=500, help="number of tables with two players each")
    parser.add_argument("--rate", type=float, default=200, help="decisions per second")
    parser.add_argument("--seconds", type=float, default=30)
    parser.add_argument("--replays", type=int, default=50, help="number of replays opened at once, three times")
    parser.add_argument("--reviews", type=int, default=0, help="measure bots without and with this number of reviews")
    parser.add_argument("--finished", type=int, default=10, help="number of finished matches to open")
    parser.add_argument("--campaigns", type=int, default=20, help="number of finished campaigns of one guest")
    parser.add_argument("--grow", action="store_true", help="measure the capacity of SQLite and PostgreSQL")
    parser.add_argument("--stored", type=int, default=10_000, help="number of unused tables, with --grow")
    parser.add_argument("--write", type=Path, metavar="PAGE", help="page for the table of --grow or --reviews")
    chosen = parser.parse_args()
    run = measure_capacity if chosen.grow else measure_bot_latency if chosen.reviews else main
    sys.exit(asyncio.run(run(chosen)))
