"""What a page asks the server for: no more than it shows, and what it says where there is nothing to show."""

import re
import sqlite3
from collections.abc import Callable
from contextlib import closing

import pytest
from playwright.sync_api import Page, Request, expect

from polyopolis.play.history.match_exports import FRAMES_PER_RESPONSE
from polyopolis.server.ops.data_folder import DATABASE
from tests.e2e.support.people import Person, assert_accessible, by_mouse, down
from tests.server.support.server_process import House

pytestmark = pytest.mark.slow
NewPerson = Callable[..., Person]


def asked(page: Page) -> list[str]:
    """What is asked about matches from now on: `events?since=0`."""
    requests: list[str] = []

    def note(request: Request) -> None:
        about = re.search(r"/api/tables/[^/]+/matches/\d+/(.+)$", request.url)
        if about:
            requests.append(about[1])

    page.on("request", note)
    return requests


def test_the_log_is_asked_for_once_and_goes_on_with_the_news(person: NewPerson) -> None:
    ada = person()
    ada.play_at_once()
    ada.play(0, by_mouse, rounds=1)
    requests = asked(ada.page)
    ada.button("Menu").click()
    ada.button("What happened").click()
    lines = ada.page.get_by_role("dialog").get_by_role("listitem")
    expect(lines.first).to_be_visible()
    before = lines.count()
    ada.page.keyboard.press("Escape")
    expect(ada.page.get_by_role("dialog")).to_have_count(0)
    ada.play(0, by_mouse, rounds=2)
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
    requests = asked(ada.page)
    ada.play_at_once()
    ada.choices(0)
    ada.button("Stop").click()
    ada.button("Yes, stop").click()
    ada.until(lambda: ada.over)
    ada.see_it_counted()
    expect(ada.page.get_by_role("heading", name="The course of the game")).to_be_visible()
    ada.until(lambda: sorted(requests) == ["best", "course"])
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
    ada.until(lambda: len(requests) - 3 >= beside)
    pieces = requests[3:]
    assert len(pieces) == beside, "the end, and what is beside it"
    ada.page.keyboard.press("Home")
    ada.page.get_by_role("button", name="Play", exact=True).click()
    ada.until(lambda: len(requests) > 3 + len(pieces))
    assert requests[-1] not in pieces, "while the film runs the next piece comes before it is needed"


def change(house: House, *statements: str) -> None:
    """Changes what is kept, as another version would have."""
    with down(house), closing(sqlite3.connect(house.data / DATABASE)) as database, database:
        for statement in statements:
            database.execute(statement)


def test_what_another_version_has_kept_is_shown_or_named(person: NewPerson, house: House) -> None:
    """A match of other rules is shown and not played on; a table that cannot be read is named, and the others stay."""
    ada, ben = person(), person()
    address = ada.play_at_once()
    ada.play(0, by_mouse, rounds=1)
    unread = ben.play_at_once().rsplit("/", 1)[-1]
    ben.play_at_once()
    change(
        house,
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
