"""The home page: games, the default opponent, and the tables of the player."""

import re
from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import expect

from tests.e2e.support.people import PHONE, Person, assert_accessible

pytestmark = pytest.mark.slow
NewPerson = Callable[..., Person]


@pytest.mark.parametrize("options", [{}, PHONE], ids=["desk", "phone"])
def test_tables_are_on_top_and_finished_ones_can_be_removed_and_put_back(
    person: NewPerson, options: dict[str, Any]
) -> None:
    ada = person(**options)
    ada.page.goto("/")
    expect(ada.button("Play My City")).to_be_visible()
    expect(ada.page.get_by_role("region", name="Your turn")).to_have_count(0)
    ada.page.get_by_role("link", name="The campaign").first.click()
    expect(ada.page.get_by_label("Campaign")).to_be_checked()
    expect(ada.page.get_by_label("Bot at seat 2").locator("option:checked")).to_have_text("Pip · very easy")
    expect(ada.page.get_by_text("Overlooks a lot.")).to_be_visible()
    ada.button("Play").click()
    ada.choices(0)
    ada.page.goto("/")
    ada.button("Play My City: Roll & Write").click()
    ada.choices(0)
    ada.button("Stop").click()
    ada.button("Yes, stop").click()
    ada.wait_until(lambda: ada.over)
    ada.page.goto("/")
    table = ada.page.get_by_role("region", name="Your turn").get_by_role("link", name="Mayor · Pip")
    expect(table).to_have_count(1)
    expect(table).to_contain_text("Mayor · Pip")
    expect(table).to_contain_text("Campaign, episode 1")
    expect(table).to_contain_text("Your turn")
    first = ada.page.get_by_role("heading", level=2).first
    expect(first).to_have_text("Your turn")
    assert_accessible(ada)
    finished = ada.page.get_by_role("region", name="Finished games")
    expect(finished.get_by_role("link")).to_have_count(1)
    ada.button(re.compile("^Remove from my list")).click()
    expect(finished.get_by_role("link")).to_have_count(0)
    ada.button("Undo").click()
    expect(finished.get_by_role("link")).to_have_count(1)
    ada.button(re.compile("^Remove from my list")).click()
    expect(finished.get_by_role("link")).to_have_count(0)
    ada.page.reload()
    expect(table).to_have_count(1)
    expect(ada.page.get_by_role("region", name="Finished games")).to_have_count(0)
