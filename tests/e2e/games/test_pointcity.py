"""Games of Point City in the browser: two browsers, hot seat, and tokens of a solo game.

Whole solo games are played in `test_guides`.
"""

import re
from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import expect

from tests.e2e.support.people import DESKTOP, PHONE, Person, assert_accessible, horizontal_overflow

pytestmark = pytest.mark.slow
NewPerson = Callable[..., Person]


def decide(person: Person, seat: int) -> None:
    """Makes the decision that is due: the first choice of its kind."""
    by_type: dict[str, Any] = {}
    for choice in person.choices(seat):
        by_type.setdefault(choice["type"], choice)
    before = person.moves
    hand = person.page.get_by_role("region", name="Your turn")
    if "line-as-drawn" in by_type:
        person.press(person.button("Leave as drawn"))
    elif "pay" in by_type:
        person.press(hand.get_by_role("button", name=re.compile("^Pay ")).first)
    elif "token" in by_type:
        person.press(hand.get_by_role("listitem").first.get_by_role("button"))
        person.press(person.button("Take it"))
    elif "take" in by_type:
        for cell in by_type["take"]["cells"]:
            person.press(person.page.locator(f'[data-cell="{cell}"]'))
        person.press(hand.get_by_role("button", name=re.compile("^Take")))
    elif "draw" in by_type:
        person.press(person.button("Draw two"))
    elif "skip" in by_type:
        person.press(person.button("Skip the turn"))
    person.wait_until(lambda: person.over or person.moves > before)


def open_setup(person: Person, *choices: str) -> None:
    """Opens the set-up page and makes some of its choices."""
    person.page.goto("/new/pointcity")
    expect(person.page.get_by_role("group", name="Seat 1")).to_be_visible()
    for choice in choices:
        person.page.get_by_text(choice, exact=True).first.click()


def test_two_browsers_take_turns(person: NewPerson) -> None:
    ada, ben = person(), person()
    open_setup(ada)
    ada.page.get_by_role("group", name="Seat 2").get_by_text("Friend").click()
    ada.button("Open the table").click()
    expect(ada.page.get_by_text("Waiting for a friend")).to_be_visible()
    ben.page.goto(ada.page.url)
    ben.page.get_by_label("Your name").fill("Ben")
    ben.button("Sit down").click()
    ada.wait_until(lambda: bool(ada.scene))
    people = {0: ada, 1: ben}
    for _ in range(8):
        turn = ada.table["turn"]
        moves = ada.moves
        decide(people[turn], turn)
        for rival in people.values():
            rival.wait_until(lambda rival=rival, moves=moves: rival.moves > moves)  # type: ignore[misc]
    assert ada.table["players"] == ben.table["players"]


def test_several_at_one_screen(person: NewPerson) -> None:
    both = person()
    open_setup(both)
    both.page.get_by_role("group", name="Seat 2").get_by_text("Here").click()
    both.button("Play").click()
    both.wait_until(lambda: bool(both.scene))
    turns = set()
    for _ in range(10):
        turn = both.table["turn"]
        turns.add(turn)
        decide(both, turn)
        expect(both.button(re.compile("^I am"))).to_have_count(0)  # there is no hidden information, so no curtain
    assert turns == {0, 1}


@pytest.mark.parametrize("window", [DESKTOP, PHONE], ids=["desk", "phone"])
def test_ten_tokens_are_chosen_by_keyboard_alone(person: NewPerson, window: dict[str, Any]) -> None:
    ada = person(**window)
    open_setup(ada, "Alone, pick your tokens", "Automa, hard")
    ada.button("Play").click()
    hand = ada.page.get_by_role("region", name="Your turn")
    expect(hand.get_by_role("heading", name="Choose 10 more tokens for the line")).to_be_visible()
    assert len(ada.table["tokens"]) == len(ada.choices(0))
    assert_accessible(ada)
    assert horizontal_overflow(ada) == 0
    hand.get_by_role("button", name=re.compile("^No. 1:")).first.focus()
    for left in range(9, 0, -1):
        ada.page.keyboard.press("Enter")
        ada.wait_until(lambda left=left: ada.table["to_line_up"] == left)  # type: ignore[misc]
        expect(hand.get_by_role("button", name=re.compile(f"^No. {11 - left}:")).first).to_be_focused()
    expect(hand.get_by_role("heading", name="Choose one more token for the line")).to_be_visible()
    chosen = list(ada.table["line"])
    ada.page.keyboard.press("Tab")
    ada.page.keyboard.press("Enter")
    ada.wait_until(lambda: ada.table["phase"] == "turn")
    assert [token["token"] for token in ada.table["tokens"]][:9] == chosen
    decide(ada, 0)
