"""The pages in every language: the browser's own at first, then the chosen one, and none too long for a phone."""

from collections.abc import Callable
from dataclasses import dataclass

import pytest
from playwright.sync_api import expect

from tests.browser.people import Person, wider_than_the_screen
from tests.browser.test_envelopes import set_out
from tests.browser.test_pages import PICTURES, SMALL
from tests.browser.words import LANGUAGES, said

pytestmark = pytest.mark.slow
NewPerson = Callable[..., Person]
CUT_OFF = """() => [...document.querySelectorAll('button, .button, label, legend, fieldset > div, h2')]
  .filter((one) => one.checkVisibility() && one.clientWidth > 1 && one.scrollWidth > one.clientWidth + 1)
  .filter((one) => getComputedStyle(one).textOverflow !== 'ellipsis')
  .map((one) => one.innerText)"""
"""The texts of things to press that are longer than these."""


@dataclass(frozen=True)
class Speaker:
    """Somebody whose browser speaks a language."""

    person: Person
    language: str

    def said(self, key: str, **gaps: object) -> str:
        return said(key, self.language, **gaps)

    def press(self, key: str, **gaps: object) -> None:
        self.person.button(self.said(key, **gaps)).first.click()

    def see(self, key: str, **gaps: object) -> None:
        expect(self.person.page.get_by_text(self.said(key, **gaps), exact=True).first).to_be_visible()

    def go(self, path: str, key: str, **gaps: object) -> None:
        self.person.page.goto(path)
        self.see(key, **gaps)


def home(one: Speaker) -> None:
    one.go("/", "home.title")


def settings(one: Speaker) -> None:
    home(one)
    one.press("settings")
    one.see("settings.motion")


def code(one: Speaker) -> None:
    one.go("/code", "code.line")


def lost(one: Speaker) -> None:
    one.go("/t/no-such-table", "lost.table")


def paper(one: Speaker) -> None:
    one.go("/print/rollwrite/11", "print.print")


def setup_mycity(one: Speaker) -> None:
    one.go("/new/mycity", "setup.seats")


def setup_rollwrite(one: Speaker) -> None:
    one.go("/new/rollwrite", "setup.seats")


def setup_pointcity(one: Speaker) -> None:
    one.go("/new/pointcity", "setup.seats")


def waiting(one: Speaker) -> None:
    setup_mycity(one)
    seat = one.person.page.get_by_role("group", name=one.said("setup.seat", number=2))
    seat.get_by_text(one.said("setup.kind.friend"), exact=True).click()
    one.press("setup.open")
    one.see("waiting.line")


def play(one: Speaker, game: str) -> None:
    home(one)
    one.press("home.play.game", game=one.said(f"game.{game}"))
    one.person.choices(0)


def mycity(one: Speaker) -> None:
    play(one, "mycity")
    places = [choice["cells"] for choice in one.person.choices(0) if choice["type"] == "place"]
    one.person.page.locator(f'[data-cell="{places[0][0]}"]').first.click(force=True)


def rollwrite(one: Speaker) -> None:
    play(one, "rollwrite")


def pointcity(one: Speaker) -> None:
    play(one, "pointcity")


def menu(one: Speaker) -> None:
    play(one, "mycity")
    one.press("menu")


def an_episode_later(one: Speaker) -> str:
    """Where a campaign stands whose first episode has been played."""
    return f"/t/{set_out(one.person, 'Ada', 'Bo', episodes=1)}"


def result(one: Speaker) -> None:
    one.go(an_episode_later(one), "result.sheets")


def replay(one: Speaker) -> None:
    result(one)
    one.person.page.locator("a[href*='/replay/']").first.click()
    expect(one.person.page.get_by_role("slider", name=one.said("replay.position"))).to_be_visible()


def campaign(one: Speaker) -> None:
    one.go(an_episode_later(one) + "/campaign", "mycity.campaign.album")


def again(one: Speaker) -> None:
    one.go(an_episode_later(one) + "/again", "again.on")


PAGES = [
    home, settings, code, lost, paper, setup_mycity, setup_rollwrite, setup_pointcity, waiting, mycity, rollwrite,
    pointcity, menu, result, replay, campaign, again,
]  # fmt: skip


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.__name__)
def test_a_page_fits_the_smallest_phone(person: NewPerson, page: Callable[[Speaker], None], language: str) -> None:
    one = person(**SMALL, locale=language, reduced_motion="reduce")
    page(Speaker(one, language))
    one.page.wait_for_timeout(300)
    PICTURES.mkdir(parents=True, exist_ok=True)
    one.page.screenshot(path=PICTURES / f"{page.__name__}-{language}-small.png")
    assert wider_than_the_screen(one) == 0
    assert one.page.evaluate(CUT_OFF) == []


@pytest.mark.parametrize(
    ("locale", "language"), [("de-AT", "de"), ("fr-CA", "fr"), ("nl-BE", "nl"), ("en-US", "en"), ("pt-BR", "en")]
)
def test_a_first_visit_is_in_the_language_of_the_browser(person: NewPerson, locale: str, language: str) -> None:
    ada = person(locale=locale)
    home(Speaker(ada, language))
    expect(ada.page.locator("html")).to_have_attribute("lang", language)


def test_a_chosen_language_is_spoken_at_once_and_on_every_visit(person: NewPerson) -> None:
    ada = person(locale="pt-BR", knows=False)
    home(Speaker(ada, "en"))
    before = "en"
    for language in [*LANGUAGES, LANGUAGES[0]]:
        Speaker(ada, before).press("settings")
        choice = ada.page.get_by_role("group", name=said("settings.language", before))
        assert choice.locator("label").count() == len(LANGUAGES)
        choice.locator("label", has=ada.page.locator(f"[value={language}]")).click()
        expect(ada.page.get_by_role("group", name=said("settings.language", language))).to_be_visible()
        home(Speaker(ada, language))
        expect(ada.page.locator("html")).to_have_attribute("lang", language)
        before = language
