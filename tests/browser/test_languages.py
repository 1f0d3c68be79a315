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
  .filter((shown) => shown.checkVisibility() && shown.clientWidth > 1 && shown.scrollWidth > shown.clientWidth + 1)
  .filter((shown) => getComputedStyle(shown).textOverflow !== 'ellipsis')
  .map((shown) => shown.innerText)"""
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


def home(speaker: Speaker) -> None:
    speaker.go("/", "home.title")


def settings(speaker: Speaker) -> None:
    home(speaker)
    speaker.press("settings")
    speaker.see("settings.motion")


def code(speaker: Speaker) -> None:
    speaker.go("/code", "code.line")


def lost(speaker: Speaker) -> None:
    speaker.go("/t/no-such-table", "lost.table")


def paper(speaker: Speaker) -> None:
    speaker.go("/print/rollwrite/11", "print.print")


def setup_mycity(speaker: Speaker) -> None:
    speaker.go("/new/mycity", "setup.seats")


def setup_rollwrite(speaker: Speaker) -> None:
    speaker.go("/new/rollwrite", "setup.seats")


def setup_pointcity(speaker: Speaker) -> None:
    speaker.go("/new/pointcity", "setup.seats")


def waiting(speaker: Speaker) -> None:
    setup_mycity(speaker)
    seat = speaker.person.page.get_by_role("group", name=speaker.said("setup.seat", number=2))
    seat.get_by_text(speaker.said("setup.kind.friend"), exact=True).click()
    speaker.press("setup.open")
    speaker.see("waiting.line")


def play(speaker: Speaker, game: str) -> None:
    home(speaker)
    speaker.press("home.play.game", game=speaker.said(f"game.{game}"))
    speaker.person.choices(0)


def mycity(speaker: Speaker) -> None:
    play(speaker, "mycity")
    places = [choice["cells"] for choice in speaker.person.choices(0) if choice["type"] == "place"]
    speaker.person.page.locator(f'[data-cell="{places[0][0]}"]').first.click(force=True)


def rollwrite(speaker: Speaker) -> None:
    play(speaker, "rollwrite")


def pointcity(speaker: Speaker) -> None:
    play(speaker, "pointcity")


def menu(speaker: Speaker) -> None:
    play(speaker, "mycity")
    speaker.press("menu")


def an_episode_later(speaker: Speaker) -> str:
    """Where a campaign stands whose first episode has been played."""
    return f"/t/{set_out(speaker.person, 'Ada', 'Bo', episodes=1)}"


def result(speaker: Speaker) -> None:
    speaker.go(an_episode_later(speaker), "result.sheets")


def replay(speaker: Speaker) -> None:
    result(speaker)
    speaker.person.page.locator("a[href*='/replay/']").first.click()
    expect(speaker.person.page.get_by_role("slider", name=speaker.said("replay.position"))).to_be_visible()


def campaign(speaker: Speaker) -> None:
    speaker.go(an_episode_later(speaker) + "/campaign", "mycity.campaign.album")


def again(speaker: Speaker) -> None:
    speaker.go(an_episode_later(speaker) + "/again", "again.on")


PAGES = [
    home, settings, code, lost, paper, setup_mycity, setup_rollwrite, setup_pointcity, waiting, mycity, rollwrite,
    pointcity, menu, result, replay, campaign, again,
]  # fmt: skip


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.__name__)
def test_a_page_fits_the_smallest_phone(person: NewPerson, page: Callable[[Speaker], None], language: str) -> None:
    speaker = person(**SMALL, locale=language, reduced_motion="reduce")
    page(Speaker(speaker, language))
    speaker.page.wait_for_timeout(300)
    PICTURES.mkdir(parents=True, exist_ok=True)
    speaker.page.screenshot(path=PICTURES / f"{page.__name__}-{language}-small.png")
    assert wider_than_the_screen(speaker) == 0
    assert speaker.page.evaluate(CUT_OFF) == []


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
