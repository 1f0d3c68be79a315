"""Sizes of pages: compressed scripts that are loaded before a player can decide."""

from collections.abc import Callable

import pytest
from playwright.sync_api import expect

from polyopolis.server.web.static_files import load_assets
from tests.e2e.support.people import Person

pytestmark = pytest.mark.slow
NewPerson = Callable[..., Person]
KB = 1000
SCRIPT_BYTES = """() => performance.getEntriesByType('resource')
  .filter(({ name }) => name.endsWith('.js')).reduce((sum, { encodedBodySize }) => sum + encodedBodySize, 0)"""


def test_the_download_size_is_announced(person: NewPerson) -> None:
    """The announced size is that of all files that are stored for offline use, compressed."""
    ada = person()
    ada.page.goto("/")
    announced = int(ada.page.evaluate("() => document.documentElement.dataset.load"))
    compressed = sum(len(asset.zipped) for asset in load_assets().values())
    assert announced == pytest.approx(compressed, rel=0.01)
    expect(ada.page.get_by_text(f"({announced / 1e6:.0f} MB")).to_be_visible()


def script_bytes(person: Person) -> int:
    """Returns the compressed bytes of all loaded scripts."""
    person.page.wait_for_load_state("networkidle")
    return int(person.page.evaluate(SCRIPT_BYTES))


@pytest.mark.parametrize("language", ["en", "de", "fr", "nl"])
def test_the_home_page_is_light(person: NewPerson, language: str) -> None:
    ada = person(locale=language)
    ada.page.goto("/")
    expect(ada.page.locator("section.game svg").nth(2)).to_be_visible()
    assert 20 * KB < script_bytes(ada) < 60 * KB


@pytest.mark.parametrize("game", ["My City", "My City: Roll & Write", "Point City"])
def test_a_table_is_light(person: NewPerson, game: str) -> None:
    ada = person()
    ada.page.goto("/")
    ada.button(f"Play {game}").click()
    ada.choices(0)
    assert script_bytes(ada) < 150 * KB, "from the home page to the first decision"
    table = ada.page.url
    ada.page.goto("about:blank")
    ada.page.goto(table)
    expect(ada.page.locator(".game-screen")).to_be_visible()
    assert 60 * KB < script_bytes(ada) < 130 * KB
