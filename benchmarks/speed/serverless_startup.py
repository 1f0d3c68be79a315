"""Measures the start of the static site until the first board: `python -m benchmarks.speed.serverless_startup`.

Cold: in a new browser profile, from the click that loads the game to a playable board. Warm: from a reload without a
network to the same board. Both are repeated; the memory of the browser is measured at the end of each.
"""

import sys
from contextlib import suppress
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from time import perf_counter

from playwright.sync_api import Page, Playwright, expect, sync_playwright

from benchmarks.process_memory import pss_bytes
from benchmarks.speed.summaries import format_spread
from polyopolis.cli.hosting import static_site
from tests.e2e.conftest import browser_launch_options
from tests.e2e.serverless.test_static_site import serve_files
from tests.e2e.support.people import DESKTOP
from tests.server.support.server_process import free_port

COLD_TARGET_MS, WARM_TARGET_MS = 5000, 2000
"""Target times in milliseconds."""
REPEATS = 5
PLAY_BUTTON = "() => document.querySelector('button[aria-label=\"Play My City\"]:enabled')"
SERVICE_WORKER = "() => navigator.serviceWorker.controller"
"""Before that, parts of the page are loaded from the network."""
OPEN_TIMEOUT_MS = 60_000


def wait_for_board(page: Page) -> None:
    """Waits for a board. Polls at every frame, because `expect` polls less and less often."""
    page.wait_for_function("() => document.querySelector('[role=grid] [data-cell]')", timeout=OPEN_TIMEOUT_MS)


def time_cold_start(page: Page, home: str) -> float:
    """Loads the game with one click and starts a match with another; returns the milliseconds."""
    page.goto(home)
    load = page.get_by_role("button", name="Load and play")
    expect(load).to_be_enabled()
    start = perf_counter()
    load.click()
    page.wait_for_function(PLAY_BUTTON, timeout=OPEN_TIMEOUT_MS)
    page.get_by_role("button", name="Play My City", exact=True).click()
    wait_for_board(page)
    return (perf_counter() - start) * 1000


def time_warm_start(page: Page) -> float:
    start = perf_counter()
    page.reload(wait_until="commit")
    wait_for_board(page)
    return (perf_counter() - start) * 1000


def measure_start(playwright: Playwright, home: str) -> tuple[float, float, float]:
    """Returns cold and warm milliseconds in a new browser profile, and the memory of all its processes in MB."""
    with TemporaryDirectory(ignore_cleanup_errors=True) as profile:  # the browser still writes while it exits
        context = playwright.chromium.launch_persistent_context(
            profile, locale="en-GB", **browser_launch_options(), **DESKTOP
        )
        page = context.new_page()
        cold = time_cold_start(page, home)
        page.wait_for_function(SERVICE_WORKER)
        context.set_offline(True)
        warm = time_warm_start(page)
        memory = sum(map(pss_bytes, processes_with(profile))) / 2**20
        context.close()
    return cold, warm, memory


def processes_with(word: str) -> list[int]:
    """Returns processes with a word in their command line, and all their descendants."""
    processes = dict[int, tuple[int, str]]()
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            with suppress(OSError):  # the process has just ended
                parent = int((entry / "stat").read_text().rpartition(")")[2].split()[1])
                processes[int(entry.name)] = parent, (entry / "cmdline").read_text()
    matching = {process for process, (_, line) in processes.items() if word in line}
    while more := {process for process, (parent, _) in processes.items() if parent in matching} - matching:
        matching |= more
    return sorted(matching)


def main() -> int:
    """Returns the number of targets that were missed."""
    with TemporaryDirectory() as folder:
        root, port = Path(folder), free_port()
        static_site.write_site(root / "site")
        with serve_files(root, port), sync_playwright() as playwright:
            starts = [measure_start(playwright, f"http://127.0.0.1:{port}/site/") for _ in range(REPEATS)]
    colds, warms, memories = zip(*starts, strict=True)
    cold, warm, memory = (format_spread(values, 0) for values in (colds, warms, memories))
    print(f"cold   {cold:>22} ms   from the click that loads it to the first board; target {COLD_TARGET_MS}")
    print(f"warm   {warm:>22} ms   from a reload without a network to the same board; target {WARM_TARGET_MS}")
    print(f"memory {memory:>22} MB   of the whole browser with that board")
    return sum((median(colds) > COLD_TARGET_MS, median(warms) > WARM_TARGET_MS))


if __name__ == "__main__":
    sys.exit(main())
