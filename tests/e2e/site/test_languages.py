"""Languages: the language of the browser, the chosen language, and texts that fit a small phone."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import chain

import pytest
from playwright.sync_api import expect

from tests.e2e.games.test_envelopes import create_campaign
from tests.e2e.support.client_texts import LANGUAGES, client_text
from tests.e2e.support.people import (
    CUT_OFF_TEXTS,
    FINISH_ANIMATIONS,
    SMALL_PHONE,
    Person,
    horizontal_overflow,
    take_screenshot,
)

pytestmark = pytest.mark.slow
NewPerson = Callable[..., Person]


@dataclass(frozen=True)
class Speaker:
    """A person whose pages are in a language."""

    person: Person
    language: str

    def text(self, key: str, **gaps: object) -> str:
        return client_text(key, self.language, **gaps)

    def press(self, key: str, **gaps: object) -> None:
        self.person.button(self.text(key, **gaps)).first.click()

    def see(self, key: str, **gaps: object) -> None:
        expect(self.person.page.get_by_text(self.text(key, **gaps), exact=True).first).to_be_visible()

    def go(self, path: str, key: str, **gaps: object) -> None:
        self.person.page.goto(path)
        self.see(key, **gaps)


def open_home(speaker: Speaker) -> None:
    speaker.go("/", "home.title")


def entry_pages(speaker: Speaker) -> Iterator[str]:
    open_home(speaker)
    yield "home"
    speaker.press("settings")
    speaker.see("settings.motion")
    yield "settings"
    speaker.go("/code", "code.line")
    yield "code"
    speaker.go("/me", "me.guest")
    yield "me"
    speaker.go("/t/no-such-table", "lost.table")
    yield "lost"
    speaker.go("/print/rollwrite/11", "print.print")
    yield "paper"
    for game in ("pointcity", "rollwrite", "mycity"):
        speaker.go(f"/new/{game}", "setup.seats")
        yield f"setup_{game}"
    seat = speaker.person.page.get_by_role("group", name=speaker.text("setup.seat", number=2))
    seat.get_by_text(speaker.text("setup.kind.friend"), exact=True).click()
    speaker.press("setup.open")
    speaker.see("waiting.line")
    yield "waiting"
    speaker.press("company")
    speaker.see("talk.nothing")
    yield "company"
    speaker.go("/open", "open.line")
    yield "open"


def table_pages(speaker: Speaker) -> Iterator[str]:
    for game in ("pointcity", "rollwrite", "mycity"):
        open_home(speaker)
        speaker.press("home.play.game", game=speaker.text(f"game.{game}"))
        choices = speaker.person.choices(0)
        expect(speaker.person.page.locator(".game-screen")).to_be_visible()
        if game == "mycity":
            cell = next(choice["cells"] for choice in choices if choice["type"] == "place")[0]
            speaker.person.page.locator(f'[data-cell="{cell}"]').first.click(force=True)
        yield game
    speaker.press("menu")
    expect(speaker.person.page.get_by_role("dialog")).to_be_visible()
    yield "menu"


def campaign_pages(speaker: Speaker) -> Iterator[str]:
    table = f"/t/{create_campaign(speaker.person, 'Ada', 'Bo', episodes=1)}"
    speaker.go(table, "result.sheets")
    yield "result"
    speaker.person.page.locator("a[href*='/replay/']").first.click()
    expect(speaker.person.page.get_by_role("slider", name=speaker.text("replay.position"))).to_be_visible()
    yield "replay"
    speaker.go(f"{table}/campaign", "mycity.campaign.album")
    yield "campaign"
    speaker.go(f"{table}/again", "again.on")
    yield "again"


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_page_fits_the_smallest_phone(person: NewPerson, language: str) -> None:
    speaker = Speaker(person(**SMALL_PHONE, locale=language), language)
    for page in chain(entry_pages(speaker), table_pages(speaker), campaign_pages(speaker)):
        speaker.person.page.evaluate(FINISH_ANIMATIONS)
        take_screenshot(speaker.person, f"{page}-{language}-small")
        assert horizontal_overflow(speaker.person) == 0, page
        assert speaker.person.page.evaluate(CUT_OFF_TEXTS) == [], page


@pytest.mark.parametrize(
    ("locale", "language"), [("de-AT", "de"), ("fr-CA", "fr"), ("nl-BE", "nl"), ("en-US", "en"), ("pt-BR", "en")]
)
def test_a_first_visit_is_in_the_language_of_the_browser(person: NewPerson, locale: str, language: str) -> None:
    ada = person(locale=locale)
    open_home(Speaker(ada, language))
    expect(ada.page.locator("html")).to_have_attribute("lang", language)


def test_a_chosen_language_applies_at_once_and_on_later_visits(person: NewPerson) -> None:
    ada = person(locale="pt-BR", knows_the_games=False)
    open_home(Speaker(ada, "en"))
    before = "en"
    for language in [*LANGUAGES, LANGUAGES[0]]:
        Speaker(ada, before).press("settings")
        choice = ada.page.get_by_role("group", name=client_text("settings.language", before))
        expect(choice.locator("label")).to_have_count(len(LANGUAGES))
        choice.locator("label", has=ada.page.locator(f"[value={language}]")).click()
        expect(ada.page.get_by_role("group", name=client_text("settings.language", language))).to_be_visible()
        open_home(Speaker(ada, language))
        expect(ada.page.locator("html")).to_have_attribute("lang", language)
        before = language
