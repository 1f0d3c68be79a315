"""A rated match of two accounts: set-up, rating, statistics and the shared profile."""

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import expect

from tests.e2e.support.people import PHONE, Person, assert_accessible, assert_presentable, horizontal_overflow

pytestmark = pytest.mark.slow
GAME = "My City: Roll & Write"
PUT_BOT = """async () => {
  const headers = { 'content-type': 'application/json', 'x-polyopolis': '1' };
  const body = JSON.stringify({ type: 'put-bot', bot: 'level-1' });
  await fetch(`/api/tables/${location.pathname.split('/').at(-1)}/seats/1`, { method: 'POST', headers, body });
}"""
"""Puts a bot into seat 1."""


def create_account(person: Person) -> Person:
    person.page.goto("/me")
    person.button("Make a code").click()
    person.button("I have it").click()
    return person


def stop(person: Person, seat: int) -> None:
    """Stops before the first building, so that all players score the same with any dice."""
    person.choices(seat)
    person.button("Stop").click()
    person.button("Yes, stop").click()


def open_table(ada: Person) -> str:
    """Opens a rated table for Ada and a friend; returns its address."""
    ada.page.goto("/new/rollwrite")
    ada.page.get_by_label("Name at seat 1").fill("Ada")
    ada.page.get_by_text("More", exact=True).click()
    rated = ada.page.get_by_label("Play for your rating")
    expect(rated).to_be_disabled()
    expect(ada.page.get_by_text("Only bots whose strength was measured")).to_be_visible()
    ada.page.get_by_role("radio", name="Friend").last.check(force=True)
    rated.check()
    assert_accessible(ada)
    ada.button("Open the table").click()
    expect(ada.page.get_by_text("This table is rated")).to_be_visible()
    expect(ada.page.get_by_text("not rated yet")).to_be_visible()
    return ada.page.url


def join_rated_table(ben: Person, eve: Person, table: str) -> None:
    """Ben joins with an account; Eve cannot join without one."""
    eve.page.goto(table)
    expect(eve.page.get_by_text("To sit down here you need an account.")).to_be_visible()
    expect(eve.button("Sit down")).to_have_count(0)
    create_account(ben).page.goto(table)
    expect(ben.page.get_by_text("This table is rated")).to_be_visible()
    ben.page.get_by_role("textbox").first.fill("Ben")
    assert_presentable(ben, "rated-room-phone")
    ben.button("Sit down").click()


def check_statistics(ada: Person) -> None:
    figures = ada.page.get_by_role("region", name=GAME)
    expect(figures).to_contain_text("1 game begun · 1 finished")
    expect(figures).to_contain_text(re.compile(r"25\.0\s*±\s*1\d\.\d · after 1 rated game"))
    expect(figures.get_by_role("row", name=re.compile("Ben"))).to_contain_text(re.compile(r"0\s*1\s*0"))
    expect(figures.get_by_role("table", name=re.compile("how often which score")).get_by_role("row")).to_have_count(2)
    assert_presentable(ada, "who")


def share_profile(ada: Person, eve: Person) -> None:
    """Eve sees the shared profile on a phone until Ada stops sharing it."""
    ada.button("Share this page").click()
    eve.page.set_viewport_size(PHONE["viewport"])
    eve.page.goto(ada.page.get_by_label("Link to this page").input_value())
    expect(eve.page.get_by_role("heading", name="Ada")).to_be_visible()
    expect(eve.page.get_by_role("region", name=GAME)).to_contain_text("after 1 rated game")
    expect(eve.page.get_by_text("Ben")).to_have_count(0)
    assert horizontal_overflow(eve) <= 0
    assert_presentable(eve, "who-phone")
    ada.button("Stop sharing").click()
    expect(ada.button("Share this page")).to_be_visible()
    eve.page.reload()
    expect(eve.page.get_by_text("Nobody shares a page under this address.")).to_be_visible()
    eve.errors.clear()  # the browser reports the 404


def test_a_rated_match_appears_on_the_profile(person: Callable[..., Person]) -> None:
    ada, ben, eve = (person(unseeded=True, **look) for look in ({}, PHONE, {}))
    create_account(ada)
    ada.page.get_by_role("link", name="Your games and figures").click()
    expect(ada.page.get_by_text("Nothing finished yet.")).to_be_visible()
    table = open_table(ada)
    join_rated_table(ben, eve, table)
    stop(ada, 0)
    stop(ben, 1)
    ada.wait_until(lambda: ada.over)
    ada.skip_counting()
    expect(ada.page.get_by_text(re.compile(r"This game was rated\.\s*Your rating: 25\.0 \(0\.0\)"))).to_be_visible()
    ada.page.get_by_role("link", name="Who I am").click()
    check_statistics(ada)
    share_profile(ada, eve)

    ada.page.goto(table)
    ada.button("Play again").click()
    ada.choices(0)
    ben.page.evaluate(PUT_BOT)
    expect(ada.page.get_by_text("This game is no longer rated: a bot or another person")).to_be_visible()
    ada.button("Close").click()
    expect(ada.page.get_by_text("This game is no longer rated")).to_have_count(0)
