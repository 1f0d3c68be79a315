"""A real browser at a real server."""

import os
import shutil
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from typing import Any

import pytest
from playwright.sync_api import Browser, Playwright

from tests.browser.people import DESK, Person
from tests.server.house import House, open_house

KNOWS = """
if (location.protocol === 'http:' && !localStorage.getItem('polyopolis.settings'))
  localStorage.setItem('polyopolis.settings', '{"knows": true}');
"""


@pytest.fixture(scope="session")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[House]:
    with open_house(tmp_path_factory.mktemp("house")) as found:
        yield found


@pytest.fixture(scope="session")
def chromium(playwright: Playwright) -> Iterator[Browser]:
    """The browser of the system, else Playwright's own."""
    found = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
    sandbox = ["--no-sandbox"] if os.geteuid() == 0 else []
    quiet = ["--disable-background-networking", "--disable-component-update", "--disable-sync", "--no-first-run"]
    browser = playwright.chromium.launch(executable_path=found, args=[*sandbox, *quiet])
    yield browser
    browser.close()


@pytest.fixture
def person(chromium: Browser, house: House) -> Iterator[Callable[..., Person]]:
    """Opens a browser window for a new person: `person(**options of the window)`.

    Unless they are asked not to, people here know the games, so that no envelope stands between them and the board.
    """
    with ExitStack() as stack:
        people: list[Person] = []

        def new(knows: bool = True, at: House = house, **options: Any) -> Person:
            context = chromium.new_context(base_url=at.url, **{**DESK, "locale": "en-GB", **options})
            stack.callback(context.close)
            if knows:
                context.add_init_script(KNOWS)
            people.append(Person(context.new_page(), at))
            return people[-1]

        yield new
        for visitor in people:
            assert visitor.errors == [], "the console must stay clean"
