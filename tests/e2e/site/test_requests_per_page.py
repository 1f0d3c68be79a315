"""Pages request only the data that they show, and explain data that cannot be shown."""

import re
import sqlite3
from collections.abc import Callable
from contextlib import closing

import pytest
from playwright.sync_api import Page, Request, expect

from polyopolis.play.history.match_exports import FRAMES_PER_RESPONSE
from polyopolis.server.ops.data_folder import DATABASE
from tests.e2e.support.people import Person, assert_accessible, build_by_mouse, server_down
from tests.server.support.server_process import ServerProcess

pytestmark = pytest.mark.slow
NewPerson = Callable[..., Person]


def record_requests(page: Page) -> list[str]:
    """Returns a list to which later requests about matches are appended, such as `events?since=0`."""
    requests: list[str] = []

    def note(request: Request) -> None:
        about = re.search(r"/api/tables/[^/]+/matches/\d+/(.+)$", request.url)
        if about:
            requests.append(about[1])

    page.on("request", note)
    return requests


def test_the_log_is_requested_once_and_continued_by_updates(person: NewPerson) -> None:
    ada = person()
    ada.start_game()
    ada.play(0, build_by_mouse, rounds=1)
    requests = record_requests(ada.page)
    ada.button("Menu").click()
    ada.button("What happened").click()
    lines = ada.page.get_by_role("dialog").get_by_role("listitem")
    expect(lines.first).to_be_visible()
    before = lines.count()
    ada.page.keyboard.press("Escape")
    expect(ada.page.get_by_role("dialog")).to_have_count(0)
    ada.play(0, build_by_mouse, rounds=2)
    ada.button("Menu").click()
    ada.button("What happened").click()
    expect(lines.nth(before)).to_be_visible()
    shown = lines.all_inner_texts()
    assert requests == ["events?since=0"]
    ada.page.reload()
    ada.choices(0)
    ada.button("Menu").click()
    ada.button("What happened").click()
    expect(lines).to_have_text(shown, use_inner_text=True)


def test_a_replay_goes_anywhere_with_one_request(person: NewPerson) -> None:
    ada = person()
    requests = record_requests(ada.page)
    ada.start_game()
    ada.choices(0)
    ada.button("Stop").click()
    ada.button("Yes, stop").click()
    ada.wait_until(lambda: ada.over)
    ada.skip_counting()
    expect(ada.page.get_by_role("heading", name="The course of the game")).to_be_visible()
    ada.wait_until(lambda: sorted(requests) == ["best", "course"])
    ada.page.get_by_role("link", name="Replay").first.click()
    slider = ada.page.get_by_role("slider", name="Position")
    expect(slider).to_be_visible()
    last = int(slider.get_attribute("max") or 0)
    assert requests[2:] == ["replay"]
    ada.page.keyboard.press("End")
    expect(slider).to_have_value(str(last))
    expect(ada.page.get_by_role("main")).to_have_attribute("aria-busy", "false")
    ada.page.keyboard.press("ArrowLeft")
    ada.page.keyboard.press("ArrowLeft")
    expect(ada.page.get_by_role("main")).to_have_attribute("aria-busy", "false")
    beside = 1 + (last % FRAMES_PER_RESPONSE < 2)
    ada.wait_until(lambda: len(requests) - 3 >= beside)
    pieces = requests[3:]
    assert len(pieces) == beside, "the last piece, and the one before it"
    ada.page.keyboard.press("Home")
    ada.page.get_by_role("button", name="Play", exact=True).click()
    ada.wait_until(lambda: len(requests) > 3 + len(pieces))
    assert requests[-1] not in pieces, "the next piece is loaded before it is needed"


def change_stored_data(server: ServerProcess, *statements: str) -> None:
    """Changes stored data as another version would have written them."""
    with server_down(server), closing(sqlite3.connect(server.data / DATABASE)) as database, database:
        for statement in statements:
            database.execute(statement)


def test_matches_and_tables_of_another_version_are_shown_or_named(person: NewPerson, server: ServerProcess) -> None:
    """A match with other rules is shown but cannot be continued; an unreadable table is named and hides no others."""
    ada, ben = person(), person()
    address = ada.start_game()
    ada.play(0, build_by_mouse, rounds=1)
    unread = ben.start_game().rsplit("/", 1)[-1]
    ben.start_game()
    change_stored_data(
        server,
        f"""UPDATE matches SET rules = 99 WHERE "table" = '{address.rsplit("/", 1)[-1]}'""",
        f"UPDATE tables SET game = 'chess' WHERE id = '{unread}'",
    )
    ada.page.goto(address)
    expect(ada.page.get_by_text("follows rules that this server does not have")).to_be_visible()
    expect(ada.page.get_by_role("link", name="Replay")).to_be_visible()
    expect(ada.page.get_by_role("link", name="Save the record")).to_be_visible()
    expect(ada.page.get_by_role("grid", name="City of Mayor")).to_be_visible()
    expect(ada.button("Build here")).to_have_count(0)
    expect(ada.button("Take back")).to_have_count(0)
    expect(ada.button("Hint")).to_have_count(0)
    assert_accessible(ada)

    ben.page.goto("/")
    expect(ben.page.get_by_text("cannot read one of your tables")).to_be_visible()
    expect(ben.page.get_by_text(unread)).to_be_visible()
    expect(ben.page.get_by_role("region", name="Your turn").get_by_role("link", name="Next table")).to_have_count(1)
    assert_accessible(ben)
