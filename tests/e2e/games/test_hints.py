"""Hints: confirmed at the first request, shown on the board, and played with one click."""

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Locator, expect

from tests.e2e.games.test_envelopes import CREATE_TABLE, stop
from tests.e2e.games.test_pointcity import decide, open_setup
from tests.e2e.support.people import PHONE, Person, assert_accessible, assert_presentable, tab_to, take_screenshot

pytestmark = pytest.mark.slow
NewPerson = Callable[..., Person]


def request_hint(person: Person, first: bool = False) -> None:
    """Requests a hint. The first request of a match asks for confirmation, because the match becomes practice."""
    person.button("Hint").click()
    if first:
        expect(person.page.get_by_role("dialog", name="Ask for a hint?")).to_contain_text("counts as practice")
        person.button("Show the hint").click()
    expect(panel(person)).to_be_visible()


def panel(person: Person) -> Locator:
    return person.page.get_by_role("region", name="Hint", exact=True)


@pytest.mark.parametrize(("options", "name"), [({}, "desk"), (PHONE, "phone")])
def test_a_place_is_lit_and_built_on(person: NewPerson, options: dict[str, object], name: str) -> None:
    ada = person(**options)
    ada.start_game()
    ada.choices(0)
    request_hint(ada, first=True)
    marks = ada.page.locator("svg [data-hint]")
    expect(marks).to_have_count(3)
    expect(panel(ada)).to_contain_text(re.compile("after .* trial games"))
    expect(panel(ada).locator(".why")).to_contain_text(re.compile(r"[a-z]+ .*\."))
    panel(ada).get_by_text("Figures").click()
    expect(panel(ada)).to_contain_text("For it:")
    assert_presentable(ada, f"hint-mycity-{name}")
    panel(ada).get_by_role("button", name=re.compile("^Build on")).nth(1).click()
    ada.button("Play this").click()
    expect(panel(ada)).to_have_count(0)
    ada.wait_until(lambda: len(ada.table["cities"][0]["buildings"]) == 1)


def test_a_hint_by_keyboard_alone(person: NewPerson) -> None:
    ada = person()
    ada.start_game()
    ada.choices(0)
    tab_to(ada.button("Hint"))
    ada.page.keyboard.press("Enter")
    tab_to(ada.button("Show the hint"))
    ada.page.keyboard.press("Enter")
    expect(panel(ada)).to_be_focused()
    ada.page.keyboard.press("Escape")
    expect(panel(ada)).to_have_count(0)
    expect(ada.button("Hint")).to_be_focused()
    ada.page.keyboard.press("Enter")
    expect(panel(ada)).to_be_focused()
    tab_to(ada.button("Play this"))
    ada.page.keyboard.press("Enter")
    ada.wait_until(lambda: len(ada.table["cities"][0]["buildings"]) == 1)
    assert ada.scene["match"]["practice"]


EARLY_PAYMENT_SEED = "pay 15"
"""With this seed, a solo player who takes the first pair twice can choose between payments."""


def play_hint(person: Person) -> None:
    before = person.moves
    person.button("Play this").click()
    expect(panel(person)).to_have_count(0)
    person.wait_until(lambda: person.moves > before)


@pytest.mark.parametrize(("options", "name"), [({}, "desk"), (PHONE, "phone")])
def test_cards_and_payments_are_marked_and_chosen(person: NewPerson, options: dict[str, object], name: str) -> None:
    ada = person(**options)
    open_setup(ada, "Alone", "Automa, easy", "More")
    ada.page.get_by_label("Chosen seed").fill(EARLY_PAYMENT_SEED)
    ada.button("Play").click()
    for kind in ("line", "take", "pay"):
        while kind not in {choice["type"] for choice in ada.choices(0)}:
            decide(ada, 0)
        request_hint(ada, first=kind == "line")
        expect(ada.page.locator("main .hint-number").first).to_be_visible()
        take_screenshot(ada, f"hint-pointcity-{name}-{kind}")
        assert_accessible(ada)
        if kind == "take":
            expect(panel(ada)).not_to_contain_text(re.compile(r"\b[a-d][1-4]\b"))
            ada.page.keyboard.press("Escape")
    play_hint(ada)


def test_there_is_no_hint_at_a_table_with_two_people(person: NewPerson) -> None:
    ada, ben = person(), person()
    open_setup(ada)
    ada.page.get_by_role("group", name="Seat 2").get_by_text("Friend").click()
    ada.button("Open the table").click()
    expect(ada.page.get_by_text("Waiting for a friend")).to_be_visible()
    ben.page.goto(ada.page.url)
    ben.page.get_by_label("Your name").fill("Ben")
    ben.button("Sit down").click()
    for friend in (ada, ben):
        friend.wait_until(lambda friend=friend: bool(friend.scene))  # type: ignore[misc]
        expect(friend.button("Hint")).to_have_count(0)


def test_hints_cover_rewards_of_an_episode(person: NewPerson) -> None:
    ada = person()
    ada.page.goto("/")
    setup = {"mode": "episode", "play": "campaign", "episode": 14}
    seats = [{"type": "me", "name": "Ada"}, {"type": "bot", "bot": "greedy"}]
    table = ada.page.evaluate(CREATE_TABLE, {"game": "mycity", "setup": setup, "seats": seats})
    ada.page.goto(f"/t/{table}")
    ada.choices(0)
    stop(ada)
    ada.wait_until(lambda: ada.table["asks"] == "reward")
    kinds = set[str]()
    ada.skip_counting()
    while choices := ada.choices(0):
        kind = choices[0]["type"]
        request_hint(ada, first=not kinds)
        if kind not in kinds:
            take_screenshot(ada, f"hint-mycity-{kind}")
            assert_accessible(ada)
        kinds.add(kind)
        before = ada.moves
        ada.button("Play this").click()
        ada.wait_until(lambda before=before: ada.over or ada.moves > before)  # type: ignore[misc]
    assert "gear" in kinds


def test_in_a_late_episode_a_search_advises_in_words(person: NewPerson) -> None:
    ada = person(**PHONE)
    ada.page.goto("/")
    seats = [{"type": "me", "name": "Ada"}, {"type": "bot", "bot": "level-1"}]
    table = {"game": "mycity", "setup": {"mode": "episode", "episode": 21}, "seats": seats}
    ada.page.goto(f"/t/{ada.page.evaluate(CREATE_TABLE, table)}")
    for turn in range(3):
        ada.choices(0)
        request_hint(ada, first=turn == 0)
        expect(panel(ada)).to_contain_text(re.compile("after .* trial games"))
        expect(panel(ada)).not_to_contain_text(re.compile(r"feature|line\."))
        take_screenshot(ada, f"hint-late-phone-{turn}")
        play_hint(ada)
