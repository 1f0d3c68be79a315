"""How soon bots answer at tables where somebody plays, without and with reviews that are worked out meanwhile."""

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

from benchmarks.doc_tables import write
from benchmarks.load.measured_server import line, served, spread
from benchmarks.load.replay_readers import PATIENCE
from benchmarks.load.seed_data import Wanted, prepared
from polyopolis.server.ops.data_folder import DATABASE
from tests.server.support.server_process import Screen, Visitor

ALONE = "the review of an eternal game of two"
BOT = "level-3"
PLAYERS = 4
"""At tables of their own, each with a bot."""


MARKS = "<!-- reviews in a house, written by `python -m benchmarks.load` -->", "<!-- end of reviews in a house -->"
TITLE = "## How soon they are there"
Figure = tuple[str, str]
"""What was measured, and what came out."""


async def answered(options: Any) -> int:
    figures = list[Figure]()
    async for figure in measured(options):
        line(*figure)
        figures.append(figure)
    if options.write:
        write(options.write, MARKS, _page(options, figures), TITLE)
    return 0


def _page(options: Any, figures: Sequence[Figure]) -> str:
    about = f"{os.cpu_count()} cores ({platform.machine()}), which {PLAYERS} people who play share with the server; "
    command = (
        f"python -m benchmarks.load --reviews {options.reviews} --seconds {options.seconds:g} --write docs/reviews.md"
    )
    rows = [f"| {what} | {value} |" for what, value in figures]
    return "\n".join([f"{about}{datetime.now(UTC):%Y-%m-%d} (`{command}`).", "", "| | |", "|---|---|", *rows])


async def measured(options: Any) -> AsyncIterator[Figure]:
    with TemporaryDirectory() as folder:
        data = Path(folder)
        ended = (await prepared(data / DATABASE, Wanted(0, options.reviews + 2, ended="mycity"))).finished
        async with served(data) as (http, _):
            first, alone, *others = ended
            for what, table in (("the first review of a server, with the start of its process", first), (ALONE, alone)):
                for figure in told(what, [await reviewed(http, table)]):
                    yield figure
            url = str(http.base_url).rstrip("/")
            yield f"{BOT} has decided: half / 95 % / longest", spread(await played(url, options.seconds))
            async with reviews(http, others) as asked:
                during = await played(url, options.seconds)
            yield f"the same with {len(others)} reviews: half / 95 % / longest", spread(during)
            for figure in told("reviews meanwhile", [task.result() for task in asked]):
                yield figure


def told(what: str, found: Sequence[Sequence[float]]) -> Iterator[Figure]:
    firsts = [seconds[0] for seconds in found if seconds]
    lasts = [seconds[1] for seconds in found if len(seconds) > 1]
    if firsts:
        yield f"{what}: first answer", f"{max(firsts):.1f} s"
    yield f"{len(lasts)} of {len(found)} whole", f"after {max(lasts):.1f} s" if lasts else ""


async def played(url: str, seconds: float) -> list[float]:
    """What everybody waits for, from a card until the bot has decided, too; the first decision of each is not timed."""
    found = await asyncio.gather(*(_visit(url, seconds) for _ in range(PLAYERS)))
    return [each for waits in found for each in waits]


async def _visit(url: str, seconds: float) -> list[float]:
    ada, waits, begun = Visitor(SimpleNamespace(url=url)), list[float](), perf_counter()  # type: ignore[arg-type]
    while perf_counter() - begun < seconds:
        table = await ada.table("Ada", f"bot:{BOT}")
        async with ada.at(table) as screen:
            waits += (await _game(screen, begun + seconds))[1:]
    await ada.close()
    return waits


async def _game(screen: Screen, end: float) -> list[float]:
    """Ada builds wherever it goes, at once."""
    waits = list[float]()
    while not screen.over and perf_counter() < end:
        start = perf_counter()
        await screen.play(0, rounds=1)
        waits.append(perf_counter() - start)
    return waits


async def reviewed(http: httpx.AsyncClient, table: str, over: asyncio.Event | None = None) -> list[float]:
    """Asks for a review until it is whole or nobody waits any more: the seconds until its first and its last answer."""
    begun, heard, found = perf_counter(), {"answer": 0, "final": False}, list[float]()
    while not heard["final"] and not (over and over.is_set()):
        answer = await http.get(f"/api/tables/{table}/matches/0/review?known={heard['answer']}")
        answer.raise_for_status()
        heard = answer.json()
        if heard.pop("review", None):
            found.append(perf_counter() - begun)
    return [found[0], found[-1]] if found and heard["final"] else found[:1]


@asynccontextmanager
async def reviews(http: httpx.AsyncClient, tables: Sequence[str]) -> AsyncIterator[Sequence[asyncio.Task[list[float]]]]:
    """Somebody waits for the review of each of these until the rest is done."""
    over = asyncio.Event()

    async def ask(table: str) -> list[float]:
        async with httpx.AsyncClient(base_url=http.base_url, timeout=PATIENCE) as own:  # somebody else each time
            return await reviewed(own, table, over)

    asked = [asyncio.create_task(ask(table)) for table in tables]
    yield asked
    over.set()
    await asyncio.gather(*asked)
