"""What a page weighs: the scripts that travel before somebody can play."""

from collections.abc import Callable

import pytest
from playwright.sync_api import expect

from polyopolis.server.web.static_files import load_assets
from tests.e2e.support.people import Person

pytestmark = pytest.mark.slow
NewPerson = Callable[..., Person]
KB = 1000
SCRIPTS = """() => performance.getEntriesByType('resource')
  .filter(({ name }) => name.endsWith('.js')).reduce((sum, { encodedBodySize }) => sum + encodedBodySize, 0)"""


def test_what_there_is_to_load_is_told_beforehand(person: NewPerson) -> None:
    """All that is kept for later, as it travels."""
    ada = person()
    ada.page.goto("/")
    told = int(ada.page.evaluate("() => document.documentElement.dataset.load"))
    travels = sum(len(asset.zipped) for asset in load_assets().values())
    assert told == pytest.approx(travels, rel=0.01)
    expect(ada.page.get_by_text(f"({told / 1e6:.0f} MB")).to_be_visible()


def weight(person: Person) -> int:
    """Bytes of all scripts, as they travel."""
    person.page.wait_for_load_state("networkidle")
    return int(person.page.evaluate(SCRIPTS))


@pytest.mark.parametrize("language", ["en", "de", "fr", "nl"])
def test_the_home_page_is_light(person: NewPerson, language: str) -> None:
    ada = person(locale=language)
    ada.page.goto("/")
    expect(ada.page.locator("section.game svg").nth(2)).to_be_visible()
    assert 20 * KB < weight(ada) < 60 * KB


@pytest.mark.parametrize("game", ["My City", "My City: Roll & Write", "Point City"])
def test_a_table_is_light(person: NewPerson, game: str) -> None:
    ada = person()
    ada.page.goto("/")
    ada.button(f"Play {game}").click()
    ada.choices(0)
    assert weight(ada) < 150 * KB, "from the home page to the first decision"
    table = ada.page.url
    ada.page.goto("about:blank")
    ada.page.goto(table)
    expect(ada.page.locator(".game-screen")).to_be_visible()
    assert 60 * KB < weight(ada) < 130 * KB
