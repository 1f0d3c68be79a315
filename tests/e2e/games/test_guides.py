"""Guided first games, each played to its end in two languages."""

from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Route, expect

from tests.e2e.games.test_envelopes import files_with
from tests.e2e.support.client_texts import client_text
from tests.e2e.support.people import DESKTOP, MOTION, PHONE, Person, assert_accessible
from tests.e2e.support.pupils import GuidedPlayer, Press, click, press_enter, tap

pytestmark = pytest.mark.slow
NewPerson = Callable[..., Person]

AWAIT_SCRIPT = "(script) => import(script).then(() => new Promise((done) => setTimeout(done)))"
"""Waits until the page has loaded a script and handled its arrival."""
InputDevice = tuple[dict[str, Any], Press]
MOUSE: InputDevice = (DESKTOP, click)
MOUSE_WITH_MOTION: InputDevice = ({**DESKTOP, **MOTION}, click)
TOUCH: InputDevice = (PHONE, tap)
KEYS: InputDevice = (DESKTOP, press_enter)


def open_guide(new: NewPerson, game: str, language: str, by: InputDevice) -> GuidedPlayer:
    """Opens the guide of a game from the home page, which offers it to newcomers."""
    window, press = by
    pupil = GuidedPlayer(new(**window, locale=language), press)
    pupil.page.goto("/")
    name = client_text(f"game.{game}", language)
    pupil.press(pupil.person.button(client_text("guide.learn.game", language, game=name)))
    expect(pupil.card).to_be_visible()
    return pupil


def open_guide_of_mode(new: NewPerson, game: str, mode: str, language: str, by: InputDevice) -> GuidedPlayer:
    """Opens the guide of a mode from the set-up page."""
    window, press = by
    pupil = GuidedPlayer(new(**window, locale=language), press)
    pupil.page.goto(f"/new/{game}")
    pupil.press(pupil.page.get_by_text(client_text(mode, language), exact=True).first)
    pupil.press(pupil.person.button(client_text("guide.setup.play", language)))
    expect(pupil.card).to_be_visible()
    return pupil


def check_accessibility_at(pupil: GuidedPlayer, *steps: str) -> Callable[[str], None]:
    def check(step: str) -> None:
        if step in steps:
            assert_accessible(pupil.person)

    return check


@pytest.mark.parametrize(("language", "by"), [("en", MOUSE), ("fr", KEYS)], ids=["en-mouse", "fr-keys"])
def test_the_eternal_game(person: NewPerson, language: str, by: InputDevice) -> None:
    ada = open_guide(person, "mycity", language, by)
    ada.play(check_accessibility_at(ada, "valley/0", "first/0", "church/1", "end/0"))
    assert ada.done >= {"valley", "first", "touch", "land", "colours", "specials", "church", "block", "pass", "stop"}
    table = ada.page.url
    ada.press(ada.card.locator(".primary"))
    expect(ada.page.get_by_role("grid", name=client_text("building.board.mine", language))).to_be_visible()
    assert ada.page.url != table
    expect(ada.card).to_have_count(0)
    ada.page.goto("/")
    expect(ada.person.button(client_text("home.play.game", language, game="My City"))).to_be_visible()
    expect(ada.person.button(client_text("guide.learn.game", language, game="My City"))).to_have_count(0)


@pytest.mark.parametrize(("language", "by"), [("de", KEYS), ("nl", TOUCH)], ids=["de-keys", "nl-touch"])
def test_roll_and_write(person: NewPerson, language: str, by: InputDevice) -> None:
    ada = open_guide(person, "rollwrite", language, by)
    ada.play(check_accessibility_at(ada, "sheet/1", "pass/0"))
    assert ada.done >= {"sheet", "first", "touch", "land", "kinds", "blank", "pass", "stop"}


@pytest.mark.parametrize(("language", "by"), [("fr", TOUCH), ("en", KEYS)], ids=["fr-touch", "en-keys"])
def test_point_city(person: NewPerson, language: str, by: InputDevice) -> None:
    ada = open_guide(person, "pointcity", language, by)
    ada.play(check_accessibility_at(ada, "market/0", "build/0", "end/0"))
    assert ada.done >= {"market", "build", "more", "plan", "late"}
    ada.press(ada.card.get_by_role("button", name=client_text("guide.offer.alone", language)))
    expect(ada.card).to_contain_text("Automa")


@pytest.mark.parametrize(("language", "by"), [("nl", TOUCH), ("de", MOUSE)], ids=["nl-touch", "de-mouse"])
def test_point_city_alone(person: NewPerson, language: str, by: InputDevice) -> None:
    ada = open_guide_of_mode(person, "pointcity", "pointcity.mode.alone", language, by)
    ada.play(check_accessibility_at(ada, "line/0", "automa/0"))
    assert ada.done >= {"line", "market", "automa", "build", "more", "plan", "late"}
    expect(ada.page.get_by_role("heading", name=client_text("result.sheets", language))).to_be_visible()
    assert len(ada.person.table["result"]["scores"]) == 2


def test_a_late_guide_of_the_previous_mode_is_not_shown(person: NewPerson) -> None:
    """The file of the guide arrives after another mode has been chosen."""
    ada = GuidedPlayer(person(), click)
    late: list[Route] = []

    def hold(route: Route) -> None:
        late.append(route)

    (name,) = (name for name in files_with("market.refill") if name.startswith("first-") and name.endswith(".js"))
    ada.page.route(f"**/assets/{name}", hold)
    ada.page.goto("/new/pointcity", wait_until="commit")
    ada.page.get_by_text("Alone", exact=True).first.click()
    expect(ada.person.button("Play with a guide")).to_be_visible()
    ada.person.wait_until(lambda: bool(late))
    for script in late:
        script.continue_()
    ada.page.evaluate(AWAIT_SCRIPT, late[0].request.url)
    ada.press(ada.person.button("Play with a guide"))
    expect(ada.card).to_contain_text("Automa")


@pytest.mark.parametrize(("language", "by"), [("en", MOUSE_WITH_MOTION), ("de", TOUCH)], ids=["en-mouse", "de-touch"])
def test_the_campaign_has_the_same_guide(person: NewPerson, language: str, by: InputDevice) -> None:
    """The guide covers the first episode, and the sticker after it."""
    ada = open_guide_of_mode(person, "mycity", "mycity.group.campaign", language, by)
    ada.play()
    assert ada.done >= {"valley", "first", "touch", "land", "episode", "pass", "stop", "sticker"}
    expect(ada.card.get_by_role("button", name=client_text("guide.offer.next", language))).to_be_visible()


def test_a_guide_is_left_resumed_repeated_and_skipped(person: NewPerson) -> None:
    ada = open_guide(person, "mycity", "en", MOUSE)
    ada.press(ada.next)
    ada.page.keyboard.press("Escape")
    expect(ada.card).to_contain_text("Each round")
    ada.page.reload()
    expect(ada.card).to_contain_text("Each round")
    # G moves the focus to the guide.
    ada.page.locator("body").press("g")
    expect(ada.next).to_be_focused()
    ada.press(ada.card.get_by_role("button", name="Back"))
    expect(ada.card).to_contain_text("Welcome")
    # Fold and unfold the guide.
    ada.press(ada.card.get_by_role("button", name="Fold the guide"))
    expect(ada.next).to_have_count(0)
    ada.press(ada.card.get_by_role("button", name="Unfold the guide"))
    # Skip a part, and repeat it.
    parts = ada.card.get_by_role("button", name="All parts")
    ada.press(parts)
    assert_accessible(ada.person)
    ada.press(ada.card.get_by_role("button", name="Skip this part"))
    expect(ada.card).to_contain_text("along the river")
    ada.press(parts)
    ada.press(ada.card.get_by_role("button", name="Your valley Once more"))
    expect(ada.card).to_contain_text("Welcome")
    # Leave the guide, and resume it from the menu.
    ada.press(parts)
    ada.press(ada.card.get_by_role("button", name="Leave the guide"))
    expect(ada.card).to_have_count(0)
    ada.press(ada.thing("menu"))
    ada.press(ada.person.button("Back to the guide"))
    expect(ada.card).to_contain_text("Welcome")


def test_a_guide_can_be_opened_at_any_table(person: NewPerson) -> None:
    ada = GuidedPlayer(person(unseeded=True), click)
    ada.person.start_game()
    expect(ada.card).to_have_count(0)
    ada.press(ada.thing("menu"))
    ada.press(ada.person.button("Show me how it is played"))
    expect(ada.card).to_contain_text("Welcome")
    expect(ada.card).not_to_contain_text("practice")
