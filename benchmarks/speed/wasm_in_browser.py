"""Compares level 5 in the page with machine code in one run: `python -m benchmarks.speed.wasm_in_browser`.

Chromium opens the built page with its worker; only the loader of Pyodide is replaced, so that this program can run
Python in the worker. Each position is decided in both ways in turn, with the same seed. The positions are from a game
between weak bots.
"""

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import msgspec
from msgspec import Struct
from playwright.sync_api import Route, expect, sync_playwright

from benchmarks.speed import single_decision
from benchmarks.speed.summaries import format_spread, ratios
from polyopolis.bots import bot, choose
from polyopolis.engine import Dealer, Match, seed_of
from polyopolis.games import game
from polyopolis.kernels.warmup import warm
from tests.e2e.conftest import browser_launch_options
from tests.server.support.server_process import running_server

MAX_RATIO = 1.5
"""Target: highest accepted ratio to machine code."""
TABLES: dict[str, dict[str, Any]] = {
    "mycity eternal": {"game": "mycity", "seats": 2},
    "mycity episode 24": {"game": "mycity", "seats": 2, "mode": "episode", "episode": 24},
    "rollwrite 12": {"game": "rollwrite", "seats": 2, "episode": 12},
    "pointcity": {"game": "pointcity", "seats": 2},
}
MAX_POSITIONS = 10
"""Maximum number of positions of a table."""
ROUNDS = 3
"""The fastest round counts, because other load on the machine only adds time."""
OPEN_TIMEOUT_MS = 60_000
LOADER = """
export * from './pyodide.mjs?plain';
import { loadPyodide as load } from './pyodide.mjs?plain';
export const loadPyodide = async (options) => (globalThis.python = await load(options));
"""
DECIDED = "(position) => globalThis.python.globals.get('decided')(...position)"

Position = tuple[str, str, str, int]
Decide = Callable[[Position], str]


class TimedDecision(Struct, array_like=True):
    ms: float
    action: Any


def positions(table: dict[str, Any]) -> list[Position]:
    """Returns positions in which the first seat decides, spread over a game."""
    key, setup = table["game"], {name: value for name, value in table.items() if name != "game"}
    rules, dealer = game(key), Dealer(seed_of("page"))
    match, results = Match.start(rules, rules.Setup(**setup)).deal(dealer), list[Position]()
    setup_json = msgspec.json.encode(match.setup).decode()
    while not match.over:
        if 0 in match.due and not match.staged and len(rules.legal(match.state, 0)) > 1:
            results.append((key, setup_json, msgspec.json.encode(match.moves).decode(), 0))
        for seat in sorted(match.due):
            match = match.decide(seat, choose(bot("novice"), match, seat, seed_of("page")))
        match = match.deal(dealer)
    return results[:: len(results) // MAX_POSITIONS + 1]


@contextmanager
def page_decider() -> Iterator[Decide]:
    """Yields a function that decides positions in the worker of the page in Chromium."""

    def replace_loader(route: Route) -> None:
        if route.request.url.endswith("?plain"):
            route.continue_()
        else:
            route.fulfill(body=LOADER, content_type="text/javascript")

    with (
        TemporaryDirectory() as folder,
        running_server(Path(folder)) as server,
        sync_playwright() as playwright,
        playwright.chromium.launch(**browser_launch_options()) as browser,
    ):
        tab = browser.new_page(base_url=server.url)
        tab.route("**/pyodide.mjs*", replace_loader)
        tab.goto("/")
        tab.get_by_role("link", name="Play without a server").click()
        expect(tab.get_by_role("button", name="Play My City", exact=True)).to_be_enabled(timeout=OPEN_TIMEOUT_MS)
        (worker,) = tab.workers
        worker.evaluate(
            "(code) => globalThis.python.runPython(code)", Path(single_decision.__file__).read_text("utf-8")
        )
        yield lambda position: str(worker.evaluate(DECIDED, list(position)))


def compare_decisions(decide: Decide, table: dict[str, Any]) -> tuple[list[TimedDecision], list[TimedDecision]]:
    """Returns the decisions by machine code and by the page, position by position."""
    here, there = list[TimedDecision](), list[TimedDecision]()
    for position in positions(table):
        rounds = [(single_decision.decided(*position), decide(position)) for _ in range(ROUNDS)]
        for decisions, side in ((here, 0), (there, 1)):
            decisions.append(
                min(
                    (msgspec.json.decode(pair[side], type=TimedDecision) for pair in rounds),
                    key=lambda decision: decision.ms,
                )
            )
    return here, there


def main() -> int:
    """Returns the number of tables that miss the target or have different decisions."""
    warm()
    failed = 0
    with page_decider() as decide:
        for name, table in TABLES.items():
            here, there = compare_decisions(decide, table)
            native, chromium = ([each.ms for each in decided] for decided in (here, there))
            alike = sum(ours.action == theirs.action for ours, theirs in zip(here, there, strict=True))
            ratio = sum(chromium) / sum(native)
            failed += ratio > MAX_RATIO or alike < len(here)
            times = f"{format_spread(native, 0):>20} ms here {format_spread(chromium, 0):>20} ms in Chromium"
            print(
                f"{name:20}{times}  {ratio:.2f} x in all, {format_spread(ratios(chromium, native))} each,"
                f" {alike} of {len(here)} choices the same",
                flush=True,
            )
    return failed


if __name__ == "__main__":
    sys.exit(main())
