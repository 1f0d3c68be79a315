"""Measures the latency of bots without and with concurrent reviews."""

import asyncio
import os
import platform
from collections.abc import AsyncIterator, Iterator, Sequence
from contextlib import asynccontextmanager
from datetime import UTC, datetime
from pathlib import Path
from tempfile import TemporaryDirectory
from time import perf_counter
from types import SimpleNamespace
from typing import Any

import httpx

from benchmarks.doc_tables import write_block
from benchmarks.load.measured_server import format_latencies, print_figure, run_server
from benchmarks.load.replay_readers import TIMEOUT_SECONDS
from benchmarks.load.seed_data import SeedPlan, write_seed_data
from polyopolis.server.ops.data_folder import DATABASE
from tests.server.support.server_process import Screen, Visitor

ALONE = "review of an eternal game for two"
BOT = "level-3"
PLAYERS = 4
"""Simulated players, each at a table with one bot."""

MARKS = "<!-- review latency, written by `python -m benchmarks.load` -->", "<!-- end of review latency -->"
TITLE = "## Latency of reviews"
Figure = tuple[str, str]
"""Label and value of a measurement."""


async def measure_bot_latency(options: Any) -> int:
    figures = list[Figure]()
    async for figure in measure(options):
        print_figure(*figure)
        figures.append(figure)
    if options.write:
        write_block(options.write, MARKS, _page(options, figures), TITLE)
    return 0


def _page(options: Any, figures: Sequence[Figure]) -> str:
    about = f"{os.cpu_count()} cores ({platform.machine()}), shared by the server and {PLAYERS} simulated players; "
    command = (
        f"python -m benchmarks.load --reviews {options.reviews} --seconds {options.seconds:g} --write docs/reviews.md"
    )
    rows = [f"| {what} | {value} |" for what, value in figures]
    return "\n".join([f"{about}{datetime.now(UTC):%Y-%m-%d} (`{command}`).", "", "| | |", "|---|---|", *rows])


async def measure(options: Any) -> AsyncIterator[Figure]:
    with TemporaryDirectory() as folder:
        data = Path(folder)
        ended = (await write_seed_data(data / DATABASE, SeedPlan(0, options.reviews + 2, ended="mycity"))).finished
        async with run_server(data) as (http, _):
            first, alone, *others = ended
            for what, table in (("first review of a server, with the start of its process", first), (ALONE, alone)):
                for figure in review_figures(what, [await time_review(http, table)]):
                    yield figure
            url = str(http.base_url).rstrip("/")
            yield f"round with {BOT}: median / p95 / max", format_latencies(await time_rounds(url, options.seconds))
            async with concurrent_reviews(http, others) as asked:
                during = await time_rounds(url, options.seconds)
            yield f"the same during {len(others)} reviews: median / p95 / max", format_latencies(during)
            for figure in review_figures("reviews meanwhile", [task.result() for task in asked]):
                yield figure


def review_figures(what: str, found: Sequence[Sequence[float]]) -> Iterator[Figure]:
    firsts = [seconds[0] for seconds in found if seconds]
    lasts = [seconds[1] for seconds in found if len(seconds) > 1]
    if firsts:
        yield f"{what}: first version", f"{max(firsts):.1f} s"
    yield f"{len(lasts)} of {len(found)} complete", f"after {max(lasts):.1f} s" if lasts else ""


async def time_rounds(url: str, seconds: float) -> list[float]:
    """Returns the seconds of each round until the bot has decided. The first round of each game is dropped."""
    found = await asyncio.gather(*(_play_games(url, seconds) for _ in range(PLAYERS)))
    return [each for waits in found for each in waits]


async def _play_games(url: str, seconds: float) -> list[float]:
    ada, waits, begun = Visitor(SimpleNamespace(url=url)), list[float](), perf_counter()  # type: ignore[arg-type]
    while perf_counter() - begun < seconds:
        table = await ada.table("Ada", f"bot:{BOT}")
        async with ada.at(table) as screen:
            waits += (await _play_game(screen, begun + seconds))[1:]
    await ada.close()
    return waits


async def _play_game(screen: Screen, end: float) -> list[float]:
    """Returns the seconds of each round. Ada decides at once."""
    waits = list[float]()
    while not screen.over and perf_counter() < end:
        start = perf_counter()
        await screen.play(0, rounds=1)
        waits.append(perf_counter() - start)
    return waits


async def time_review(http: httpx.AsyncClient, table: str, over: asyncio.Event | None = None) -> list[float]:
    """Polls a review until it is complete or `over` is set; returns the seconds until its first and final version."""
    begun, heard, found = perf_counter(), {"answer": 0, "final": False}, list[float]()
    while not heard["final"] and not (over and over.is_set()):
        answer = await http.get(f"/api/tables/{table}/matches/0/review?known={heard['answer']}")
        answer.raise_for_status()
        heard = answer.json()
        if heard.pop("review", None):
            found.append(perf_counter() - begun)
    return [found[0], found[-1]] if found and heard["final"] else found[:1]


@asynccontextmanager
async def concurrent_reviews(
    http: httpx.AsyncClient, tables: Sequence[str]
) -> AsyncIterator[Sequence[asyncio.Task[list[float]]]]:
    """Requests the reviews of all tables concurrently until the context ends."""
    over = asyncio.Event()

    async def ask(table: str) -> list[float]:
        async with httpx.AsyncClient(base_url=http.base_url, timeout=TIMEOUT_SECONDS) as own:  # a new guest each time
            return await time_review(own, table, over)

    asked = [asyncio.create_task(ask(table)) for table in tables]
    yield asked
    over.set()
    await asyncio.gather(*asked)
