"""Clocks: a match by correspondence in which somebody's time is up, a bot plays in, and they come back."""

from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from pathlib import Path

import pytest
from playwright.sync_api import expect

from polyopolis.play.timing.pace import DAY
from tests.e2e.conftest import ONE_BOT
from tests.e2e.support.people import SMALL, Person, assert_accessible, by_mouse, by_touch, wider_than_the_screen
from tests.server.support.aged_data import grow_older
from tests.server.support.server_process import House, open_house

pytestmark = pytest.mark.slow
NOON = 12
HIGH = 80
"""Of the lines above a table, in pixels, on a phone with as many buttons in them as there can be."""


@pytest.fixture
def house(tmp_path: Path) -> Iterator[House]:
    """One of its own: it stops, and time goes by."""
    with open_house(tmp_path, *ONE_BOT) as found:
        yield found


def zone_where_it_is(hour: int) -> str:
    """A time zone in which a clock is between this hour and the next, so that the test never runs at night."""
    east = (hour - datetime.now(UTC).hour + 11) % 24 - 11
    return f"Etc/GMT{-east:+d}"


def sleep_for(house: House, days: int) -> None:
    house.stop()
    grow_older(house.data, days * DAY)
    house.start()


def agree_on_another_pace(ada: Person, ben: Person) -> None:
    """All have to."""
    ada.button("Menu").click()
    ada.button("Pace and pauses").click()
    ada.page.get_by_role("dialog").get_by_text("No clock").click()
    ada.button("Ask the others").click()
    expect(ben.page.get_by_role("dialog", name="Ada would like to play at another pace")).to_be_visible()
    assert_accessible(ben)
    ben.button("Agree").click()
    expect(ben.page.get_by_role("banner").get_by_text("days")).to_have_count(0)


def ask_for_nights(ben: Person) -> None:
    ben.button("Menu").click()
    ben.button("Pace and pauses").click()
    expect(ben.page.get_by_text("count from your next midnight")).to_be_visible()
    ben.page.get_by_label("At night").click()
    expect(ben.page.get_by_label("At night")).to_be_checked()
    expect(ben.page.get_by_text("These hours count from")).to_be_visible()


def test_time_is_up_a_bot_plays_in_and_somebody_returns(person: Callable[..., Person], house: House) -> None:
    ada, ben = person(), person(**SMALL, timezone_id=zone_where_it_is(NOON))
    ada.page.goto("/new/mycity")
    ada.page.get_by_role("textbox").first.fill("Ada")
    ada.page.get_by_text("Friend").nth(1).click()
    ada.page.get_by_text("More", exact=True).click()
    ada.page.get_by_text("By correspondence").click()
    assert_accessible(ada)
    ada.button("Open the table").click()
    expect(ada.page.get_by_text("Waiting for a friend")).to_be_visible()
    ben.page.goto(ada.page.url)
    ben.page.get_by_role("textbox").fill("Ben")
    ben.button("Sit down").click()
    ada.decide(0, by_mouse)
    expect(ben.page.get_by_role("banner").get_by_text("5 days", exact=True)).to_be_visible()
    ask_for_nights(ben)
    ben.page.reload()
    ben.button("Menu").click()
    ben.button("Pace and pauses").click()
    expect(ben.page.get_by_label("At night")).to_be_checked()
    assert_accessible(ben)
    assert wider_than_the_screen(ben) <= 0
    ben.page.goto("about:blank")

    sleep_for(house, 14)
    ada.page.reload()
    expect(ada.page.get_by_text("Ben has run out of time.")).to_be_visible()
    assert_accessible(ada)
    before = ada.moves
    ada.button("Let a bot play").click()
    ada.until(lambda: ada.moves > before)
    expect(ada.page.get_by_text("Ben has run out of time.")).to_have_count(0)
    others = ada.page.get_by_role("group", name="Players and scores")
    expect(others.get_by_role("button", name="Ben")).to_contain_text("ready")
    ben.page.goto(ada.page.url)
    expect(ben.button("Take the seat back")).to_be_visible()
    assert wider_than_the_screen(ben) <= 0
    ben.button("Take the seat back").click()
    expect(ben.page.get_by_role("banner").get_by_text("2 days", exact=True)).to_be_visible()
    banner = ben.page.get_by_role("banner").bounding_box()
    assert banner
    assert banner["height"] < HIGH, "the title gives way, it does not stand in a column of letters"
    ben.page.locator(".waiting").get_by_role("button", name="Take back").click()
    ben.decide(1, by_touch)
    expect(ben.page.locator(".waiting")).to_be_visible()
    before = ada.moves
    ada.decide(0, by_mouse)
    ada.until(lambda: ada.moves > before)
    agree_on_another_pace(ada, ben)
