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

SINGLE_REVIEW = "review of an eternal game for two"
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
    rows = [f"| {label} | {value} |" for label, value in figures]
    return "\n".join([f"{about}{datetime.now(UTC):%Y-%m-%d} (`{command}`).", "", "| | |", "|---|---|", *rows])


async def measure(options: Any) -> AsyncIterator[Figure]:
    with TemporaryDirectory() as folder:
        data = Path(folder)
        finished = (await write_seed_data(data / DATABASE, SeedPlan(0, options.reviews + 2, ended="mycity"))).finished
        async with run_server(data) as (http, _):
            first, single, *others = finished
            for label, table in (
                ("first review of a server, with the start of its process", first),
                (SINGLE_REVIEW, single),
            ):
                for figure in review_figures(label, [await time_review(http, table)]):
                    yield figure
            url = str(http.base_url).rstrip("/")
            yield f"round with {BOT}: median / p95 / max", format_latencies(await time_rounds(url, options.seconds))
            async with concurrent_reviews(http, others) as tasks:
                during = await time_rounds(url, options.seconds)
            yield f"the same during {len(others)} reviews: median / p95 / max", format_latencies(during)
            for figure in review_figures("reviews meanwhile", [task.result() for task in tasks]):
                yield figure


def review_figures(label: str, times: Sequence[Sequence[float]]) -> Iterator[Figure]:
    """Yields the slowest first version and the slowest complete version of some reviews; see `time_review`."""
    firsts = [seconds[0] for seconds in times if seconds]
    lasts = [seconds[1] for seconds in times if len(seconds) > 1]
    if firsts:
        yield f"{label}: first version", f"{max(firsts):.1f} s"
    yield f"{len(lasts)} of {len(times)} complete", f"after {max(lasts):.1f} s" if lasts else ""


async def time_rounds(url: str, seconds: float) -> list[float]:
    """Returns the seconds of each round until the bot has decided. The first round of each game is dropped."""
    rounds = await asyncio.gather(*(_play_games(url, seconds) for _ in range(PLAYERS)))
    return [each for player in rounds for each in player]


async def _play_games(url: str, seconds: float) -> list[float]:
    ada, rounds, start = Visitor(SimpleNamespace(url=url)), list[float](), perf_counter()  # type: ignore[arg-type]
    while perf_counter() - start < seconds:
        table = await ada.table("Ada", f"bot:{BOT}")
        async with ada.at(table) as screen:
            rounds += (await _play_game(screen, start + seconds))[1:]
    await ada.close()
    return rounds


async def _play_game(screen: Screen, end: float) -> list[float]:
    """Returns the seconds of each round. Ada decides at once."""
    rounds = list[float]()
    while not screen.over and perf_counter() < end:
        start = perf_counter()
        await screen.play(0, rounds=1)
        rounds.append(perf_counter() - start)
    return rounds


async def time_review(http: httpx.AsyncClient, table: str, over: asyncio.Event | None = None) -> list[float]:
    """Polls a review until it is complete or `over` is set; returns the seconds until its first and final version."""
    start, status, times = perf_counter(), {"answer": 0, "final": False}, list[float]()
    while not status["final"] and not (over and over.is_set()):
        response = await http.get(f"/api/tables/{table}/matches/0/review?known={status['answer']}")
        response.raise_for_status()
        status = response.json()
        if status.pop("review", None):
            times.append(perf_counter() - start)
    return [times[0], times[-1]] if times and status["final"] else times[:1]


@asynccontextmanager
async def concurrent_reviews(
    http: httpx.AsyncClient, tables: Sequence[str]
) -> AsyncIterator[Sequence[asyncio.Task[list[float]]]]:
    """Requests the reviews of all tables concurrently until the context ends."""
    over = asyncio.Event()

    async def request(table: str) -> list[float]:
        # Each client is a new guest.
        async with httpx.AsyncClient(base_url=http.base_url, timeout=TIMEOUT_SECONDS) as client:
            return await time_review(client, table, over)

    tasks = [asyncio.create_task(request(table)) for table in tables]
    yield tasks
    over.set()
    await asyncio.gather(*tasks)
