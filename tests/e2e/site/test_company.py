"""Other people at a table: spectators, freed seats, open tables, chat, reports, removal and rematches."""

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import expect

from tests.e2e.support.people import PHONE, Person, assert_accessible, horizontal_overflow

CREATE_TABLE = """async () => {
  const seats = [{ type: 'me', name: 'Ada' }, { type: 'open' }, { type: 'open' }];
  const headers = { 'content-type': 'application/json', 'x-polyopolis': '1' };
  const body = JSON.stringify({ game: 'mycity', setup: {}, seats });
  return (await (await fetch('/api/tables', { method: 'POST', headers, body })).json()).table;
}"""

SET_NAME = """async (name) => {
  const headers = { 'content-type': 'application/json', 'x-polyopolis': '1' };
  await fetch('/api/me/name', { method: 'POST', headers, body: JSON.stringify({ name }) });
}"""

pytestmark = pytest.mark.slow


def test_a_seat_is_freed_and_spectators_are_counted(person: Callable[..., Person]) -> None:
    ada, ben, eve = person(), person(**PHONE), person()
    ada.page.goto("/")
    table = f"/t/{ada.page.evaluate(CREATE_TABLE)}"
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
    assert horizontal_overflow(ben) <= 0
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


def with_name(person: Person, name: str) -> Person:
    """Sets the name of a person."""
    person.page.goto("/")
    person.page.evaluate(SET_NAME, name)
    return person


def stop(person: Person, seat: int) -> None:
    person.choices(seat)
    person.button("Stop").click()
    person.button("Yes, stop").click()


def send_message(person: Person, text: str) -> None:
    person.page.get_by_role("textbox", name="Write something").fill(text)
    person.button("Send").click()


def meet_at_open_table(person: Callable[..., Person]) -> tuple[Person, Person, Person]:
    """Opens a table of three; the other two players join it from the list of open tables."""
    ada, ben, cleo = with_name(person(), "Ada"), with_name(person(**PHONE), "Ben"), with_name(person(), "Cleo")
    ada.page.goto(f"/t/{ada.page.evaluate(CREATE_TABLE)}")
    ada.page.get_by_role("checkbox", name="On the list of open tables").check()
    ben.page.goto("/")
    ben.page.get_by_role("link", name="Open tables").click()
    take_seat = re.compile("^Sit down: My City, Ada")
    expect(ben.button(take_seat)).to_be_visible()
    assert_accessible(ben)
    expect(ben.page.get_by_text("2 free seats · somebody is waiting now")).to_be_visible()
    ben.button(take_seat).click()
    expect(ben.page.get_by_text("Waiting for a friend")).to_be_visible()
    cleo.page.goto("/open")
    cleo.button(take_seat).click()
    for page in (ada, ben, cleo):
        expect(page.board).to_be_visible()
    return ada, ben, cleo


def chat(ada: Person, ben: Person, cleo: Person) -> None:
    """Ben and Cleo write messages; Ada reports and mutes Cleo."""
    ben.button("Company").click()
    ben.button("Wave").click()
    expect(ada.page.get_by_text("Ben waves").first).to_be_visible()
    send_message(ben, "Hello <b>all</b> https://x.example")
    ada.button("Company, 1 new message").click()
    log = ada.page.get_by_role("log")
    expect(log.get_by_text("Hello <b>all</b> https://x.example")).to_be_visible()
    expect(log.get_by_role("link")).to_have_count(0)
    assert_accessible(ada)
    assert_accessible(ben)
    cleo.button("Company, 1 new message").click()
    send_message(cleo, "Boo")
    expect(log.get_by_text("Boo")).to_be_visible()
    log.get_by_label("More about the message from Cleo").click()
    ada.button("Report to the host").click()
    expect(log.get_by_text("Reported to the host.")).to_be_visible()
    ada.button("Mute Cleo").click()
    expect(log.get_by_text("You have muted this person.")).to_be_visible()
    send_message(cleo, "Boo again")
    expect(ben.page.get_by_role("log").get_by_text("Boo again")).to_be_visible()
    expect(log.get_by_text("Boo")).to_have_count(0)
    ada.page.keyboard.press("Escape")
    expect(log).to_have_count(0)
    ben.button("Close").click()


def test_strangers_meet_chat_remove_a_player_and_play_again(person: Callable[..., Person]) -> None:
    ada, ben, cleo = meet_at_open_table(person)
    chat(ada, ben, cleo)
    for seat, page in enumerate((ada, ben, cleo)):
        stop(page, seat)
    for page in (ada, ben, cleo):
        page.skip_counting()
    ada.button("Menu").click()
    ada.button("Company at this table").click()
    ada.page.get_by_role("listitem").filter(has_text="Cleo").get_by_role("button", name="Remove").click()
    assert_accessible(ada)
    ada.button("A bot takes over").click()
    expect(cleo.page.get_by_text("has removed you from it")).to_be_visible()
    ada.button("Close").click()
    ada.button("Play again").click()
    expect(ada.page.get_by_text("Still to answer: Ben.")).to_be_visible()
    expect(ben.page.get_by_text("would like another game.")).to_be_visible()
    assert_accessible(ben)
    ben.button("Join in").click()
    for page in (ada, ben):
        page.wait_until(lambda page=page: bool(page.scene) and page.scene["match"]["number"] == 1)  # type: ignore[misc]
        expect(page.board).to_be_visible()
