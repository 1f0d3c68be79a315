"""Fixtures for tests with a real browser and a real server."""

import json
import os
import shutil
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from typing import Any

import pytest
from playwright.sync_api import Browser, Playwright, expect

from tests.e2e.support.people import DESKTOP, KEEP_MESSAGES, TIMEOUT_MS, Person
from tests.server.support.server_process import ServerProcess, running_server
from tests.server.support.smtp_sink import SmtpSink, smtp_sink

expect.set_options(timeout=TIMEOUT_MS)
BROWSER_PROGRAMS = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome")
"""In order of preference. The first has no windows and needs half the processor time."""
KNOWS_THE_GAMES = """
if (location.protocol === 'http:' && !localStorage.getItem('polyopolis.settings'))
  localStorage.setItem('polyopolis.settings', '{"knows": true}');
"""
SEED_TABLES = """
{
  const asked = window.fetch;
  window.fetch = (path, options) => {
    const wish = path === '/api/tables' && options?.body ? JSON.parse(options.body) : null;
    if (!wish || wish.seed || wish.luck === 'typed') return asked(path, options);
    return asked(path, { ...options, body: JSON.stringify({ ...wish, seed: SEED }) });
  };
}
"""
"""Adds a seed to requests for new tables without one, so that a test gets the same cards and dice in every run."""


ONE_BOT = ("--bot-processes", "1")
"""By default, each server starts one process per core."""
FAST_NOTIFICATIONS = ("--notices-reach", "anywhere", "--notices-pause", "0.2")
"""Allows receivers on this machine, and sends without delay."""
SHORT_REVIEWS = ("--review-futures", "24")
"""A few futures are enough to detect a blunder."""


@pytest.fixture(scope="session")
def mail_server() -> Iterator[SmtpSink]:
    with smtp_sink() as sink:
        yield sink


@pytest.fixture(scope="session")
def server(tmp_path_factory: pytest.TempPathFactory, mail_server: SmtpSink) -> Iterator[ServerProcess]:
    """The shared server. It sends e-mails to `mail_server` and notifications to receivers on this machine."""
    with running_server(
        tmp_path_factory.mktemp("server"), *ONE_BOT, *FAST_NOTIFICATIONS, *SHORT_REVIEWS, *mail_server.options
    ) as running:
        yield running


@pytest.fixture(scope="session")
def launch_options() -> dict[str, Any]:
    return browser_launch_options()


def browser_launch_options() -> dict[str, Any]:
    """Returns launch options for the browser of the system, or for the one of Playwright if none is installed."""
    installed = next(filter(None, map(shutil.which, BROWSER_PROGRAMS)), None)
    sandbox = ["--no-sandbox"] if os.geteuid() == 0 else []
    quiet = ["--disable-background-networking", "--disable-component-update", "--disable-sync", "--no-first-run"]
    return {"executable_path": installed, "args": [*sandbox, *quiet]}


@pytest.fixture(scope="session")
def chromium(playwright: Playwright, launch_options: dict[str, Any]) -> Iterator[Browser]:
    browser = playwright.chromium.launch(**launch_options)
    yield browser
    browser.close()


@pytest.fixture
def person(chromium: Browser, server: ServerProcess, request: pytest.FixtureRequest) -> Iterator[Callable[..., Person]]:
    """Returns a function that opens a browser window for a new person; its options are those of the browser context.

    By default, a person knows the games, so that no envelope covers the board, and prefers reduced motion (see
    `MOTION`), and the seed of the tables is the name of the test.
    """
    seeded = SEED_TABLES.replace("SEED", json.dumps(request.node.name[:64]))
    with ExitStack() as stack:
        people: list[Person] = []

        def new(knows_the_games: bool = True, unseeded: bool = False, **options: Any) -> Person:
            defaults = {"base_url": server.url, "locale": "en-GB", "reduced_motion": "reduce", **DESKTOP}
            context = chromium.new_context(**{**defaults, **options})
            stack.callback(context.close)
            context.add_init_script(KEEP_MESSAGES)
            if knows_the_games:
                context.add_init_script(KNOWS_THE_GAMES)
            if not unseeded:
                context.add_init_script(seeded)
            people.append(Person(context.new_page(), server))
            return people[-1]

        yield new
        for visitor in people:
            assert visitor.errors == [], "the console must stay clean"
