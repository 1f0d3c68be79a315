"""Every page: a picture in each size and theme, accessible to all, and never wider than the screen."""

import gzip
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import expect

from tests.browser.people import DESK, PHONE, Person, assert_accessible, by_mouse, wider_than_the_screen

pytestmark = pytest.mark.slow
NewPerson = Callable[..., Person]
PICTURES = Path(__file__).parent.parent.parent / "out" / "screenshots"
SMALL: dict[str, Any] = {"viewport": {"width": 360, "height": 740}, "has_touch": True, "is_mobile": True}


def home(person: Person) -> None:
    person.page.goto("/")
    expect(person.button("Play Point City")).to_be_visible()


def setup(person: Person) -> None:
    person.page.goto("/new/mycity")
    expect(person.page.get_by_role("group", name="Seat 2")).to_be_visible()


def code(person: Person) -> None:
    person.page.goto("/code")
    expect(person.page.get_by_label("Code")).to_be_visible()


def waiting(person: Person) -> None:
    setup(person)
    person.page.get_by_role("group", name="Seat 2").get_by_text("Friend").click()
    person.button("Open the table").click()
    expect(person.page.get_by_text("Waiting for a friend")).to_be_visible()


def table(person: Person) -> None:
    person.play_at_once()
    person.play(0, by_mouse, rounds=6)
    places = [choice["cells"] for choice in person.choices(0) if choice["type"] == "place"]
    if places:
        person.cell(places[0][0]).click(force=True)
    person.page.wait_for_timeout(500)


def result(person: Person) -> None:
    person.play_at_once()
    person.play(0, by_mouse, rounds=5)
    person.choices(0)
    person.button("Stop").click()
    person.button("Yes, stop").click()
    person.until(lambda: person.over)
    person.see_it_counted()
    expect(person.page.get_by_role("heading", name="Score sheets")).to_be_visible()


def replay(person: Person) -> None:
    result(person)
    person.page.get_by_role("link", name="Replay").first.click()
    expect(person.page.get_by_role("slider", name="Position")).to_be_visible()


def lost(person: Person) -> None:
    person.page.goto("/t/no-such-table")
    expect(person.page.get_by_text(re.compile("no such table", re.IGNORECASE))).to_be_visible()


def rollwrite(person: Person) -> None:
    person.page.goto("/")
    person.button("Play My City: Roll & Write").click()
    expect(person.board).to_be_visible()
    person.play(0, by_mouse, rounds=5)
    person.choices(0)
    person.page.wait_for_timeout(700)


def pointcity(person: Person) -> None:
    person.page.goto("/")
    person.button("Play Point City").click()
    expect(person.page.get_by_role("grid", name="Market")).to_be_visible()
    person.page.wait_for_timeout(500)


def paper(person: Person) -> None:
    person.page.goto("/print/rollwrite/11")
    expect(person.page.get_by_role("article").get_by_role("heading", name="Episode 11")).to_be_visible()


PAGES = [home, setup, code, waiting, table, result, replay, lost, rollwrite, pointcity, paper]


@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize(("size", "window"), [("desk", DESK), ("phone", PHONE)], ids=["desk", "phone"])
@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.__name__)
def test_a_page_is_accessible_fits_and_has_its_picture_taken(
    person: NewPerson, page: Callable[[Person], None], size: str, window: dict[str, Any], theme: str
) -> None:
    visitor = person(**window, color_scheme=theme, reduced_motion="reduce")
    page(visitor)
    visitor.page.wait_for_timeout(300)
    PICTURES.mkdir(parents=True, exist_ok=True)
    visitor.page.screenshot(path=PICTURES / f"{page.__name__}-{size}-{theme}.png")
    assert_accessible(visitor)


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.__name__)
def test_nothing_scrolls_sideways_on_the_smallest_phone(person: NewPerson, page: Callable[[Person], None]) -> None:
    visitor = person(**SMALL)
    page(visitor)
    assert wider_than_the_screen(visitor) == 0


def test_the_score_sheet_lights_up_its_cells(person: NewPerson) -> None:
    ada = person()
    ada.play_at_once()
    ada.play(0, by_mouse, rounds=1)
    before = ada.page.screenshot()
    ada.page.get_by_role("button", name=re.compile("^Trees in sight")).click()
    ada.page.wait_for_timeout(300)
    assert ada.page.screenshot() != before


@pytest.mark.parametrize("game", ["My City", "My City: Roll & Write", "Point City"])
def test_all_scripts_of_a_game_stay_under_150_kb_compressed(person: NewPerson, game: str) -> None:
    ada = person()
    scripts: dict[str, bytes] = {}
    ada.page.on("response", lambda got: scripts.update({got.url: got.body()} if got.url.endswith(".js") else {}))
    ada.page.goto("/")
    ada.button(f"Play {game}").click()
    ada.choices(0)
    ada.page.wait_for_load_state("networkidle")
    assert scripts
    assert sum(len(gzip.compress(script)) for script in scripts.values()) < 150_000
