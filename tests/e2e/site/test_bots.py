"""External bots: creation, tokens, a seat at a table, and revocation."""

from collections.abc import Callable

import httpx
import pytest
from playwright.sync_api import expect

from tests.e2e.support.people import DESKTOP, PHONE, TIMEOUT_MS, Person, assert_accessible, assert_presentable
from tests.server.support.server_process import ServerProcess

pytestmark = pytest.mark.slow


def test_a_bot_is_created_joins_a_table_and_its_token_is_revoked(
    person: Callable[..., Person], server: ServerProcess
) -> None:
    ada = person()
    page = ada.page
    page.goto("/me")
    ada.button("Make a code").click()
    ada.button("I have it").click()
    bots = page.get_by_role("region", name="Bots", exact=True)
    bots.get_by_label("Name of the bot").fill("Deep Thought")
    bots.get_by_role("button", name="Make a bot").click()
    bots.get_by_role("button", name="New token for Deep Thought").click()
    bots.get_by_label("Name of this token").fill("laptop")
    assert_accessible(ada)
    bots.get_by_role("button", name="New token", exact=True).last.click()
    dialog = page.get_by_role("dialog", name="Copy this token")
    token = dialog.get_by_label("Deep Thought").input_value()
    dialog.get_by_role("button", name="I have it").click()
    expect(bots.get_by_text("watches and plays")).to_be_visible()
    assert_presentable(ada, "me-bots")
    page.set_viewport_size(PHONE["viewport"])
    bots.scroll_into_view_if_needed()
    assert_presentable(ada, "me-bots-phone")
    page.set_viewport_size(DESKTOP["viewport"])

    page.goto("/new/mycity#eternal")
    page.get_by_role("group", name="Seat 2").get_by_text("Friend").click()
    page.get_by_label("Outside bots may sit down").check()
    ada.button("Open the table").click()
    expect(page.get_by_text("bots may sit down, too.")).to_be_visible()
    table = page.url.rpartition("/")[2]
    headers = {"authorization": f"Bearer {token}"}
    with httpx.Client(base_url=f"{server.url}/api", headers=headers, timeout=TIMEOUT_MS / 1000) as bot:
        seat = {"type": "join", "name": "Deep Thought"}
        bot.post(f"/tables/{table}/seats/1", json=seat).raise_for_status()
        others = page.get_by_role("group", name="Players and scores")
        expect(others.get_by_text("Bot Deep Thought")).to_be_visible()
        ada.choices(0)
        assert_presentable(ada, "bot-at-table")

        page.goto("/me")
        bots.get_by_role("button", name="Revoke: laptop").click()
        expect(bots.get_by_text("watches and plays")).to_be_hidden()
        assert bot.get("/hello").status_code == 401
    assert_accessible(ada)
