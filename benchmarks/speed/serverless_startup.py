"""From nothing to the first board without a server: `python -m benchmarks.speed.serverless_startup`.

A site of files in a browser that was never there (cold: from the click that loads it to a board one can play on), the
same table again without a network (warm: from the reload to the same board), each several times; and how much memory
the page and its house take then.
"""

import sys
from contextlib import suppress
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from time import perf_counter

from playwright.sync_api import Page, Playwright, expect, sync_playwright

from benchmarks.process_memory import held
from benchmarks.speed.summaries import spread
from polyopolis.cli.hosting import static_site as site
from tests.e2e.conftest import found_program
from tests.e2e.serverless.test_static_site import hosted
from tests.e2e.support.people import DESK
from tests.server.support.server_process import free_port

COLD, WARM = 5000, 2000
"""Milliseconds that are wanted."""
TIMES = 5
PLAY = "() => document.querySelector('button[aria-label=\"Play My City\"]:enabled')"
KEPT = "() => navigator.serviceWorker.controller"
"""Until then parts of the page still come from the network."""
OPEN = 60_000


def board(page: Page) -> None:
    """Looked for at every frame: whoever expects something looks for it ever more rarely."""
    page.wait_for_function("() => document.querySelector('[role=grid] [data-cell]')", timeout=OPEN)


def cold(page: Page, home: str) -> float:
    """One click loads everything, one more begins a game."""
    page.goto(home)
    load = page.get_by_role("button", name="Load and play")
    expect(load).to_be_enabled()
    began = perf_counter()
    load.click()
    page.wait_for_function(PLAY, timeout=OPEN)
    page.get_by_role("button", name="Play My City", exact=True).click()
    board(page)
    return (perf_counter() - began) * 1000


def warm(page: Page) -> float:
    began = perf_counter()
    page.reload(wait_until="commit")
    board(page)
    return (perf_counter() - began) * 1000


def started(playwright: Playwright, home: str) -> tuple[float, float, float]:
    """In a browser that knows nothing of it; and the memory of all its processes in the end, in MB."""
    with TemporaryDirectory(ignore_cleanup_errors=True) as profile:  # a browser writes while it ends
        context = playwright.chromium.launch_persistent_context(profile, locale="en-GB", **found_program(), **DESK)
        page = context.new_page()
        first = cold(page, home)
        page.wait_for_function(KEPT)
        context.set_offline(True)
        again = warm(page)
        memory = sum(map(held, processes_with(profile))) / 2**20
        context.close()
    return first, again, memory


def processes_with(word: str) -> list[int]:
    """Those that were started with a word, and all that they have started."""
    about = dict[int, tuple[int, str]]()
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            with suppress(OSError):  # it has just ended
                parent = int((entry / "stat").read_text().rpartition(")")[2].split()[1])
                about[int(entry.name)] = parent, (entry / "cmdline").read_text()
    found = {process for process, (_, line) in about.items() if word in line}
    while more := {process for process, (parent, _) in about.items() if parent in found} - found:
        found |= more
    return sorted(found)


def main() -> int:
    """Whether it takes longer than is wanted."""
    with TemporaryDirectory() as folder:
        root, port = Path(folder), free_port()
        site.write(root / "site")
        with hosted(root, port), sync_playwright() as playwright:
            found = [started(playwright, f"http://127.0.0.1:{port}/site/") for _ in range(TIMES)]
    colds, warms, memories = (sorted(values) for values in zip(*found, strict=True))
    print(f"cold   {spread(colds, 0):>22} ms   from the click that loads it to the first board; wanted {COLD}")
    print(f"warm   {spread(warms, 0):>22} ms   from a reload without a network to the same board; wanted {WARM}")
    print(f"memory {spread(memories, 0):>22} MB   of the whole browser with that board")
    return sum((median(colds) > COLD, median(warms) > WARM))


if __name__ == "__main__":
    sys.exit(main())
