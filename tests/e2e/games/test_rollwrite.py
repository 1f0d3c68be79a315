"""Games of Roll & Write in the browser: by touch, in a campaign, with four browsers, and with real dice."""

from collections.abc import Callable

import pytest
from playwright.sync_api import expect

from tests.e2e.support.people import PHONE, Person, build_by_mouse, build_by_touch

pytestmark = pytest.mark.slow
NewPerson = Callable[..., Person]


def open_setup(person: Person, *choices: str, seats: int = 2) -> None:
    """Opens the set-up page, makes some of its choices, and sets the number of seats."""
    person.page.goto("/new/rollwrite")
    expect(person.page.get_by_role("group", name="Seat 1")).to_be_visible()
    for choice in choices:
        person.page.get_by_text(choice, exact=True).first.click()
    rows = person.page.get_by_role("group", name="Seat ")
    while (now := rows.count()) != seats:
        person.button(f"Remove seat {now}" if now > seats else "Another seat").click()
        expect(rows).to_have_count(now - 1 if now > seats else now + 1)


def stop(person: Person) -> None:
    person.choices(0)
    person.button("Stop").click()
    person.button("Yes, stop").click()
    person.wait_until(lambda: person.over)


def test_an_episode_alone_by_touch(person: NewPerson) -> None:
    ada = person(**PHONE)
    open_setup(ada, seats=1)
    ada.button("Play").tap()
    expect(ada.board).to_be_visible()
    ada.button("Dice and chances").tap()
    expect(ada.page.get_by_role("dialog").get_by_role("listitem")).to_have_count(len(ada.table["chances"]))
    ada.page.get_by_role("dialog").get_by_role("button", name="Close").tap()
    ada.play(0, build_by_touch, rounds=8)
    if not ada.over:
        stop(ada)
    ada.skip_counting()
    expect(ada.page.get_by_role("heading", name="Score sheets")).to_be_visible()


def test_a_solo_campaign_goes_on_to_its_second_episode(person: NewPerson) -> None:
    ada = person()
    open_setup(ada, "A chapter", seats=1)
    ada.button("Play").click()
    expect(ada.board).to_be_visible()
    ada.play(0, build_by_mouse, rounds=2)
    stop(ada)
    ada.skip_counting()
    expect(ada.page.get_by_role("group", name="Standings")).to_be_visible()
    ada.button("Next episode").click()
    ada.wait_until(lambda: bool(ada.scene) and ada.scene["match"]["number"] == 1)
    assert ada.table["setup"]["episode"] == 2
    ada.play(0, build_by_mouse, rounds=2)


def test_four_people_in_four_browsers(person: NewPerson) -> None:
    ada, *others = (person() for _ in range(4))
    open_setup(ada, seats=4)
    for seat in (2, 3, 4):
        ada.page.get_by_role("group", name=f"Seat {seat}").get_by_text("Friend").click()
    ada.button("Open the table").click()
    expect(ada.page.get_by_text("Waiting for 3 friends")).to_be_visible()
    for name, friend in zip(("Ben", "Cleo", "Dan"), others, strict=True):
        friend.page.goto(ada.page.url)
        friend.page.get_by_label("Your name").fill(name)
        friend.button("Sit down").click()
    people = [ada, *others]
    for _ in range(2):
        ada.wait_until(lambda: bool(ada.scene))
        before = ada.moves
        for seat, friend in enumerate(people):
            friend.decide(seat, build_by_mouse)
        for friend in people:
            friend.wait_until(lambda friend=friend, before=before: friend.moves > before)  # type: ignore[misc]
    assert all(friend.table["cities"] == ada.table["cities"] for friend in others)


def test_people_around_real_dice_type_in_what_they_see(person: NewPerson) -> None:
    ada = person()
    open_setup(ada, seats=1)
    ada.page.get_by_text("More", exact=True).click()
    ada.page.get_by_text("Our own dice: we type in every roll").click()
    ada.button("Play").click()
    for die, face in (("First blue die", "corner"), ("Second blue die", "blank"), ("White die", "residential")):
        ada.page.get_by_role("group", name=die).get_by_text(face).click(force=True)
    ada.button("That is the roll").click()
    ada.wait_until(lambda: bool(ada.scene) and ada.table["roll"] is not None)
    assert ada.table["roll"]["faces"] == ["corner", "blank", "residential"]
    ada.decide(0, build_by_mouse)
    expect(ada.button("That is the roll")).to_be_visible()
