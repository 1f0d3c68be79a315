"""Guided first games, played to their end by people who have never heard of them."""

from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import expect

from tests.browser.people import DESK, PHONE, Person, assert_accessible
from tests.browser.pupils import Press, Pupil, click, enter, tap
from tests.browser.words import said

pytestmark = pytest.mark.slow
NewPerson = Callable[..., Person]

MOUSE: tuple[dict[str, Any], Press] = (DESK, click)
TOUCH: tuple[dict[str, Any], Press] = (PHONE, tap)
KEYS: tuple[dict[str, Any], Press] = (DESK, enter)


def learn(new: NewPerson, game: str, language: str, by: tuple[dict[str, Any], Press]) -> Pupil:
    """From the home page, where newcomers are offered it."""
    window, press = by
    pupil = Pupil(new(**window, locale=language), press)
    pupil.page.goto("/")
    name = said(f"game.{game}", language[:2])
    pupil.press(pupil.person.button(said("guide.learn.game", language[:2], game=name)))
    expect(pupil.card).to_be_visible()
    return pupil


def accessible_at(pupil: Pupil, *steps: str) -> Callable[[str], None]:
    def look(step: str) -> None:
        if step in steps:
            assert_accessible(pupil.person)

    return look


def test_the_eternal_game_by_mouse(person: NewPerson) -> None:
    ada = learn(person, "mycity", "en-GB", MOUSE)
    ada.play(accessible_at(ada, "valley/0", "first/0", "church/1", "end/0"))
    assert ada.done >= {"valley", "first", "touch", "land", "colours", "specials", "church", "block", "pass", "stop"}
    table = ada.page.url
    ada.press(ada.card.locator(".primary"))
    expect(ada.person.board).to_be_visible()
    assert ada.page.url != table
    expect(ada.card).to_have_count(0)
    ada.page.goto("/")
    expect(ada.person.button("Play My City")).to_be_visible()
    expect(ada.person.button("Learn My City in ten minutes")).to_have_count(0)


def test_roll_and_write_by_keys_in_german(person: NewPerson) -> None:
    ada = learn(person, "rollwrite", "de", KEYS)
    ada.play(accessible_at(ada, "sheet/1", "pass/0"))
    assert ada.done >= {"sheet", "first", "touch", "land", "kinds", "blank", "pass", "stop"}


def test_point_city_by_touch_in_french(person: NewPerson) -> None:
    ada = learn(person, "pointcity", "fr", TOUCH)
    ada.play(accessible_at(ada, "market/0", "build/0", "end/0"))
    assert ada.done >= {"market", "build", "more", "plan", "late"}
    ada.press(ada.card.get_by_role("button", name="Apprendre à jouer en solo"))
    expect(ada.card).to_contain_text("Automa")


def test_point_city_alone_by_touch_in_dutch(person: NewPerson) -> None:
    ada = Pupil(person(**PHONE, locale="nl"), tap)
    ada.page.goto("/new/pointcity")
    ada.page.get_by_text(said("pointcity.mode.alone", "nl"), exact=True).first.tap()
    ada.press(ada.person.button(said("guide.setup.play", "nl")))
    expect(ada.card).to_be_visible()
    ada.play(accessible_at(ada, "line/0", "automa/0"))
    assert ada.done >= {"line", "market", "automa", "build", "more", "plan", "late"}
    expect(ada.page.get_by_role("heading", name=said("result.sheets", "nl"))).to_be_visible()
    assert len(ada.person.table["result"]["scores"]) == 2


def test_the_campaign_has_the_same_guide(person: NewPerson) -> None:
    """Its first episode, after the letter; and what it leaves on the board."""
    ada = Pupil(person(**DESK), click)
    ada.page.goto("/new/mycity")
    ada.page.get_by_text("Campaign", exact=True).first.click()
    ada.press(ada.person.button("Play with a guide"))
    expect(ada.card).to_be_visible()
    ada.play()
    assert ada.done >= {"valley", "first", "touch", "land", "episode", "pass", "stop", "sticker"}
    expect(ada.card.get_by_role("button", name="Next episode")).to_be_visible()


def test_it_is_left_resumed_repeated_and_skipped(person: NewPerson) -> None:
    ada = learn(person, "mycity", "en-GB", MOUSE)
    ada.press(ada.next)
    ada.page.keyboard.press("Escape")
    expect(ada.card).to_contain_text("Each round")
    ada.page.reload()
    expect(ada.card).to_contain_text("Each round")
    # Back and on by keys: G comes to it.
    ada.page.locator("body").press("g")
    expect(ada.next).to_be_focused()
    ada.press(ada.card.get_by_role("button", name="Back"))
    expect(ada.card).to_contain_text("Welcome")
    # Folded, and open again.
    ada.press(ada.card.get_by_role("button", name="Fold the guide"))
    expect(ada.next).to_have_count(0)
    ada.press(ada.card.get_by_role("button", name="Unfold the guide"))
    # A part is skipped, and repeated.
    parts = ada.card.get_by_role("button", name="All parts")
    ada.press(parts)
    assert_accessible(ada.person)
    ada.press(ada.card.get_by_role("button", name="Skip this part"))
    expect(ada.card).to_contain_text("along the river")
    ada.press(parts)
    ada.press(ada.card.get_by_role("button", name="Your valley Once more"))
    expect(ada.card).to_contain_text("Welcome")
    # Left, and back from the menu where it was.
    ada.press(parts)
    ada.press(ada.card.get_by_role("button", name="Leave the guide"))
    expect(ada.card).to_have_count(0)
    ada.press(ada.thing("menu"))
    ada.press(ada.person.button("Back to the guide"))
    expect(ada.card).to_contain_text("Welcome")


def test_any_table_can_have_one(person: NewPerson) -> None:
    """Somebody just plays, and then wants to be shown."""
    ada = Pupil(person(lucky=True), click)
    ada.person.play_at_once()
    expect(ada.card).to_have_count(0)
    ada.press(ada.thing("menu"))
    ada.press(ada.person.button("Show me how it is played"))
    expect(ada.card).to_contain_text("Welcome")
    expect(ada.card).not_to_contain_text("practice")
