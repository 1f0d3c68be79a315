"""A real browser at a real server."""

import json
import os
import shutil
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from typing import Any

import pytest
from playwright.sync_api import Browser, Playwright, expect

from tests.e2e.support.people import DESK, LINGER, PATIENCE, Person
from tests.server.support.server_process import House, open_house
from tests.server.support.smtp_sink import PostOffice, post_office

expect.set_options(timeout=PATIENCE)
BROWSERS = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome")
"""The first is half the work for a machine: it has no windows."""
KNOWS = """
if (location.protocol === 'http:' && !localStorage.getItem('polyopolis.settings'))
  localStorage.setItem('polyopolis.settings', '{"knows": true}');
"""
SEEDED = """
{
  const asked = window.fetch;
  window.fetch = (path, options) => {
    const wish = path === '/api/tables' && options?.body ? JSON.parse(options.body) : null;
    if (!wish || wish.seed || wish.luck === 'typed') return asked(path, options);
    return asked(path, { ...options, body: JSON.stringify({ ...wish, seed: SEED }) });
  };
}
"""
"""Tables that are made without a seed get one, so that a test meets the same cards and dice every time."""


ONE_BOT = ("--bot-processes", "1")
"""Otherwise each server starts as many as there are cores."""
NOTICES = ("--notices-reach", "anywhere", "--notices-pause", "0.2")
"""Programs on this machine are told, and at once."""
REVIEWS = ("--review-futures", "24")
"""Few futures are enough to see a blunder."""


@pytest.fixture(scope="session")
def office() -> Iterator[PostOffice]:
    with post_office() as found:
        yield found


@pytest.fixture(scope="session")
def house(tmp_path_factory: pytest.TempPathFactory, office: PostOffice) -> Iterator[House]:
    """The server of all tests that need no other: it writes e-mails, and tells programs on this machine."""
    with open_house(tmp_path_factory.mktemp("house"), *ONE_BOT, *NOTICES, *REVIEWS, *office.options) as found:
        yield found


@pytest.fixture(scope="session")
def program() -> dict[str, Any]:
    return found_program()


def found_program() -> dict[str, Any]:
    """How the browser of the system is started, else Playwright's own."""
    found = next(filter(None, map(shutil.which, BROWSERS)), None)
    sandbox = ["--no-sandbox"] if os.geteuid() == 0 else []
    quiet = ["--disable-background-networking", "--disable-component-update", "--disable-sync", "--no-first-run"]
    return {"executable_path": found, "args": [*sandbox, *quiet]}


@pytest.fixture(scope="session")
def chromium(playwright: Playwright, program: dict[str, Any]) -> Iterator[Browser]:
    browser = playwright.chromium.launch(**program)
    yield browser
    browser.close()


@pytest.fixture
def person(chromium: Browser, house: House, request: pytest.FixtureRequest) -> Iterator[Callable[..., Person]]:
    """Opens a browser window for a new person: `person(**options of the window)`.

    Unless they are asked not to, people here know the games, so that no envelope stands between them and the board,
    prefer reduced motion (see MOTION), and the luck at their tables follows from the name of the test.
    """
    seeded = SEEDED.replace("SEED", json.dumps(request.node.name[:64]))
    with ExitStack() as stack:
        people: list[Person] = []

        def new(knows: bool = True, lucky: bool = False, **options: Any) -> Person:
            usual = {"base_url": house.url, "locale": "en-GB", "reduced_motion": "reduce", **DESK}
            context = chromium.new_context(**{**usual, **options})
            stack.callback(context.close)
            context.add_init_script(LINGER)
            if knows:
                context.add_init_script(KNOWS)
            if not lucky:
                context.add_init_script(seeded)
            people.append(Person(context.new_page(), house))
            return people[-1]

        yield new
        for visitor in people:
            assert visitor.errors == [], "the console must stay clean"
