"""Who is at a table: those who look on are a number, and whoever made it may free a seat while it waits."""

from collections.abc import Callable

import pytest
from playwright.sync_api import expect

from tests.browser.people import PHONE, Person, assert_accessible, wider_than_the_screen

WISH = """async () => {
  const seats = [{ type: 'me', name: 'Ada' }, { type: 'open' }, { type: 'open' }];
  const headers = { 'content-type': 'application/json', 'x-polyopolis': '1' };
  const body = JSON.stringify({ game: 'mycity', setup: {}, seats });
  return (await (await fetch('/api/tables', { method: 'POST', headers, body })).json()).table;
}"""

pytestmark = pytest.mark.slow


def test_a_seat_is_freed_and_onlookers_are_counted(person: Callable[..., Person]) -> None:
    ada, ben, eve = person(), person(**PHONE), person()
    ada.page.goto("/")
    table = f"/t/{ada.page.evaluate(WISH)}"
    for page in (ada, ben, eve):
        page.page.goto(table)
    expect(ada.page.get_by_text("2 watching")).to_be_visible()
    ben.page.get_by_role("textbox").fill("Ben")
    ben.button("Sit down").click()
    expect(ada.page.get_by_text("1 watching")).to_be_visible()
    expect(ben.button("Free the seat")).to_have_count(0)
    ada.button("Free the seat").click()
    expect(ada.page.get_by_role("dialog", name="Free the seat of Ben?")).to_be_visible()
    assert_accessible(ada)
    ada.button("Cancel").click()
    ada.button("Free the seat").click()
    ada.page.get_by_role("dialog").get_by_role("button", name="Free the seat").click()
    expect(ben.page.get_by_text("Your seat has been freed.")).to_be_visible()
    expect(ada.page.get_by_text("2 watching")).to_be_visible()
    assert_accessible(ben)
    assert wider_than_the_screen(ben) <= 0
    ben.page.get_by_role("textbox").fill("Ben")
    ben.button("Sit down").click()
    expect(ben.page.get_by_text("Your seat has been freed.")).to_have_count(0)
    ada.button("Put a bot in").click()
    expect(ada.board).to_be_visible()
    watching = ada.page.get_by_role("banner").get_by_text("1 watching")
    expect(watching).to_have_count(1)
    assert_accessible(ada)
    eve.page.goto("/")
    expect(watching).to_have_count(0)
