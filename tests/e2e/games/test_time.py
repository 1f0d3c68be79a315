"""Clocks: a correspondence match with a timeout, a stand-in bot, and the return of the player."""

from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from pathlib import Path

import pytest
from playwright.sync_api import expect

from polyopolis.play.timing.pace import DAY
from tests.e2e.conftest import ONE_BOT
from tests.e2e.support.people import (
    SMALL_PHONE,
    Person,
    assert_accessible,
    build_by_mouse,
    build_by_touch,
    horizontal_overflow,
)
from tests.server.support.aged_data import age_data
from tests.server.support.server_process import ServerProcess, running_server

pytestmark = pytest.mark.slow
NOON_HOUR = 12
MAX_BANNER_PIXELS = 80
"""Maximum height of the banner of a table on a phone, with all of its buttons."""


@pytest.fixture
def server(tmp_path: Path) -> Iterator[ServerProcess]:
    """A separate server, because it is stopped and its data are aged."""
    with running_server(tmp_path, *ONE_BOT) as running:
        yield running


def time_zone_at_hour(hour: int) -> str:
    """Returns a time zone in which it is this hour now, so that the test never runs at night."""
    east = (hour - datetime.now(UTC).hour + 11) % 24 - 11
    return f"Etc/GMT{-east:+d}"


def pass_days(server: ServerProcess, days: int) -> None:
    server.stop()
    age_data(server.data, days * DAY)
    server.start()


def agree_on_another_pace(ada: Person, ben: Person) -> None:
    """Changes the pace, which needs the consent of all players."""
    ada.button("Menu").click()
    ada.button("Pace and pauses").click()
    ada.page.get_by_role("dialog").get_by_text("No clock").click()
    ada.button("Ask the others").click()
    expect(ben.page.get_by_role("dialog", name="Ada would like to play at another pace")).to_be_visible()
    assert_accessible(ben)
    ben.button("Agree").click()
    expect(ben.page.get_by_role("banner").get_by_text("days")).to_have_count(0)


def enable_nights(ben: Person) -> None:
    ben.button("Menu").click()
    ben.button("Pace and pauses").click()
    expect(ben.page.get_by_text("count from your next midnight")).to_be_visible()
    ben.page.get_by_label("At night").click()
    expect(ben.page.get_by_label("At night")).to_be_checked()
    expect(ben.page.get_by_text("These hours count from")).to_be_visible()


def test_a_bot_stands_in_after_a_timeout_until_the_player_returns(
    person: Callable[..., Person], server: ServerProcess
) -> None:
    ada, ben = person(), person(**SMALL_PHONE, timezone_id=time_zone_at_hour(NOON_HOUR))
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
    ada.decide(0, build_by_mouse)
    expect(ben.page.get_by_role("banner").get_by_text("5 days", exact=True)).to_be_visible()
    enable_nights(ben)
    ben.page.reload()
    ben.button("Menu").click()
    ben.button("Pace and pauses").click()
    expect(ben.page.get_by_label("At night")).to_be_checked()
    assert_accessible(ben)
    assert horizontal_overflow(ben) <= 0
    ben.page.goto("about:blank")

    pass_days(server, 14)
    ada.page.reload()
    expect(ada.page.get_by_text("Ben has run out of time.")).to_be_visible()
    assert_accessible(ada)
    before = ada.moves
    ada.button("Let a bot play").click()
    ada.wait_until(lambda: ada.moves > before)
    expect(ada.page.get_by_text("Ben has run out of time.")).to_have_count(0)
    others = ada.page.get_by_role("group", name="Players and scores")
    expect(others.get_by_role("button", name="Ben")).to_contain_text("ready")
    ben.page.goto(ada.page.url)
    expect(ben.button("Take the seat back")).to_be_visible()
    assert horizontal_overflow(ben) <= 0
    ben.button("Take the seat back").click()
    expect(ben.page.get_by_role("banner").get_by_text("2 days", exact=True)).to_be_visible()
    banner = ben.page.get_by_role("banner").bounding_box()
    assert banner
    assert banner["height"] < MAX_BANNER_PIXELS, "the title is shortened and does not wrap letter by letter"
    ben.page.locator(".waiting").get_by_role("button", name="Take back").click()
    ben.decide(1, build_by_touch)
    expect(ben.page.locator(".waiting")).to_be_visible()
    before = ada.moves
    ada.decide(0, build_by_mouse)
    ada.wait_until(lambda: ada.moves > before)
    agree_on_another_pace(ada, ben)
