"""Pages are accessible in each size and theme, and not wider than the screen."""

import re
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from playwright.sync_api import expect

from tests.e2e.support.people import (
    DESKTOP,
    PHONE,
    SMALL_PHONE,
    Person,
    assert_presentable,
    build_by_mouse,
    horizontal_overflow,
)

pytestmark = pytest.mark.slow
NewPerson = Callable[..., Person]
Journey = Callable[[Person], Iterator[str]]
"""Goes from page to page; yields the name of each page when it is open."""


def entry_pages(person: Person) -> Iterator[str]:
    page = person.page
    page.goto("/")
    expect(person.button("Play Point City")).to_be_visible()
    yield "home"
    page.goto("/code")
    expect(page.get_by_label("Code")).to_be_visible()
    yield "code"
    page.goto("/t/no-such-table")
    expect(page.get_by_text(re.compile("no such table", re.IGNORECASE))).to_be_visible()
    yield "lost"
    page.goto("/print/rollwrite/11")
    expect(page.get_by_role("article").get_by_role("heading", name="Episode 11")).to_be_visible()
    yield "paper"
    page.goto("/new/mycity")
    expect(page.get_by_role("group", name="Seat 2")).to_be_visible()
    yield "setup"
    page.get_by_role("group", name="Seat 2").get_by_text("Friend").click()
    person.button("Open the table").click()
    expect(page.get_by_text("Waiting for a friend")).to_be_visible()
    yield "waiting"


def mycity(person: Person) -> Iterator[str]:
    person.start_game()
    person.play(0, build_by_mouse, rounds=3)
    places = [choice["cells"] for choice in person.choices(0) if choice["type"] == "place"]
    person.cell(places[0][0]).click(force=True)
    expect(person.button("Build here")).to_be_enabled()
    yield "table"
    person.button("Stop").click()
    person.button("Yes, stop").click()
    person.wait_until(lambda: person.over)
    expect(person.page.get_by_role("heading", name="Score sheets")).to_be_visible()
    yield "result"
    person.page.get_by_role("link", name="Replay").first.click()
    expect(person.page.get_by_role("slider", name="Position")).to_be_visible()
    yield "replay"


def other_games(person: Person) -> Iterator[str]:
    person.page.goto("/")
    person.button("Play My City: Roll & Write").click()
    expect(person.board).to_be_visible()
    person.play(0, build_by_mouse, rounds=3)
    person.choices(0)
    yield "rollwrite"
    person.page.goto("/")
    person.button("Play Point City").click()
    expect(person.page.get_by_role("grid", name="Market")).to_be_visible()
    yield "pointcity"


@pytest.mark.parametrize(("size", "window"), [("desk", DESKTOP), ("phone", PHONE)], ids=["desk", "phone"])
@pytest.mark.parametrize("journey", [entry_pages, mycity, other_games], ids=lambda journey: journey.__name__)
def test_pages_are_accessible_and_fit(person: NewPerson, journey: Journey, size: str, window: dict[str, Any]) -> None:
    visitor = person(**window)
    for page in journey(visitor):
        assert_presentable(visitor, f"{page}-{size}")
        if size == "phone":
            visitor.page.set_viewport_size(SMALL_PHONE["viewport"])
            assert horizontal_overflow(visitor) == 0, f"{page} scrolls sideways on the smallest phone"
            visitor.page.set_viewport_size(window["viewport"])


def test_the_score_sheet_lights_up_its_cells(person: NewPerson) -> None:
    ada = person()
    ada.start_game()
    ada.play(0, build_by_mouse, rounds=1)
    lit = ada.page.locator("path.shining")
    expect(ada.button("Build here")).to_be_visible()
    expect(lit).to_have_count(0)
    ada.page.get_by_role("button", name=re.compile("^Trees in sight")).click()
    expect(lit).to_be_visible()
