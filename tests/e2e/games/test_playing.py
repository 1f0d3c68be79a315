"""Games of My City in the browser: whole games by mouse, touch and keyboard, and single features."""

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Locator, expect

from tests.e2e.support.people import (
    MOTION,
    PHONE,
    Person,
    build_by_dragging,
    build_by_keys,
    build_by_mouse,
    build_by_touch,
    server_down,
    tab_to,
)
from tests.server.support.server_process import ServerProcess

pytestmark = pytest.mark.slow
NewPerson = Callable[..., Person]


def expect_result(person: Person) -> None:
    person.skip_counting()
    expect(person.page.get_by_role("heading", name="Score sheets")).to_be_visible()
    expect(person.button("Play again")).to_be_visible()


def test_a_newcomer_plays_within_two_clicks_by_mouse_to_the_end(person: NewPerson) -> None:
    ada = person(**MOTION)
    ada.start_game()
    expect(ada.page).to_have_title(re.compile("Your turn"))
    ada.play(0, build_by_mouse)
    expect_result(ada)


def test_a_game_by_touch_on_a_phone_from_the_first_tap_to_the_result(person: NewPerson) -> None:
    ada = person(**PHONE)
    ada.page.goto("/")
    ada.button("Play My City").tap()
    expect(ada.board).to_be_visible()
    ada.play(0, build_by_touch, rounds=8)
    ada.choices(0)
    ada.button("Stop").tap()
    ada.button("Yes, stop").tap()
    expect_result(ada)


def test_a_game_with_the_keyboard_alone_from_the_first_key_to_the_result(person: NewPerson) -> None:
    ada = person()
    ada.page.goto("/")
    press_by_keyboard(ada.button("Play My City"))
    expect(ada.board).to_be_visible()
    ada.play(0, build_by_keys, rounds=8)
    ada.choices(0)
    press_by_keyboard(ada.button("Stop"))
    press_by_keyboard(ada.button("Yes, stop"))
    expect_result(ada)


def press_by_keyboard(button: Locator) -> None:
    tab_to(button)
    button.page.keyboard.press("Enter")


def test_the_piece_is_dragged_from_the_hand(person: NewPerson) -> None:
    ada = person(**MOTION)
    ada.start_game()
    dragged: list[bool] = []
    ada.play(0, lambda ada, cells: dragged.append(build_by_dragging(ada, cells)), rounds=3)
    assert any(dragged)


def test_an_illegal_place_is_refused_with_a_reason(person: NewPerson) -> None:
    ada = person()
    ada.start_game()
    ada.choices(0)
    ada.cell("a5").click(force=True)
    expect(ada.page.get_by_role("region", name="Your turn")).to_contain_text(
        re.compile("build on meadow|along the river|edge|one bank")
    )
    assert ada.mine[0]["turn"] == 0


def test_the_preview_shows_what_the_sheet_would_gain(person: NewPerson) -> None:
    ada = person()
    ada.start_game()
    places = [choice["cells"] for choice in ada.choices(0) if choice["type"] == "place"]
    ada.cell(places[0][0]).click(force=True)
    expect(ada.page.get_by_role("region", name="Your turn")).to_contain_text("Empty meadow")


def open_table_with_free_seat(ada: Person) -> str:
    """Opens a table with a free seat; returns its address."""
    ada.page.goto("/new/mycity")
    ada.page.get_by_role("group", name="Seat 2").get_by_text("Friend").click()
    ada.button("Open the table").click()
    expect(ada.page.get_by_text("Waiting for a friend")).to_be_visible()
    return ada.page.url


def test_two_browsers_at_one_table(person: NewPerson) -> None:
    ada, ben = person(), person(**PHONE)
    address = open_table_with_free_seat(ada)
    expect(ada.page.get_by_role("img", name=re.compile("QR code"))).to_be_visible()
    ben.page.goto(address)
    ben.page.get_by_label("Your name").fill("Ben")
    ben.button("Sit down").click()
    expect(ben.board).to_be_visible()
    ada.choices(0)
    for _ in range(3):
        before = ada.moves
        ada.decide(0, build_by_mouse)
        expect(ada.button("Take back").first).to_be_visible()
        ben.decide(1, build_by_touch)
        ada.wait_until(lambda before=before: ada.moves > before)  # type: ignore[misc]
        ben.wait_until(lambda before=before: ben.moves > before)  # type: ignore[misc]
    assert ada.table["cities"] == ben.table["cities"]


def test_a_decision_is_taken_back_before_the_round_closes(person: NewPerson) -> None:
    ada, ben = person(), person()
    address = open_table_with_free_seat(ada)
    ben.page.goto(address)
    ben.page.get_by_label("Your name").fill("Ben")
    ben.button("Sit down").click()
    ada.choices(0)
    begun = ada.moves
    ada.decide(0, build_by_mouse)
    ada.page.get_by_role("main").get_by_role("button", name="Take back").click()
    expect(ada.button("Build here")).to_be_visible()
    assert ada.moves == begun


def test_a_spectator_watches_and_cannot_play(person: NewPerson) -> None:
    ada, eve = person(), person()
    address = ada.start_game()
    eve.page.goto(address)
    expect(eve.page.get_by_text("You are watching.").first).to_be_visible()
    expect(eve.button("Build here")).to_have_count(0)
    ada.play(0, build_by_mouse, rounds=1)
    eve.wait_until(lambda: eve.moves == ada.moves)
    assert eve.table == ada.table


def test_hot_seat_draws_a_curtain_between_two_people(person: NewPerson) -> None:
    both = person()
    both.page.goto("/new/mycity")
    both.page.get_by_role("group", name="Seat 2").get_by_text("Here").click()
    both.page.get_by_label("Name at seat 1").fill("Ada")
    both.page.get_by_label("Name at seat 2").fill("Ben")
    both.button("Play").click()
    expect(both.board).to_be_visible()
    # The player who closes a round also begins the next one, so there is no curtain between them.
    for first, second, name in ((0, 1, "Ben"), (1, 0, "Ada")):
        both.decide(first, build_by_mouse)
        expect(both.button(f"I am {name}")).to_be_visible()
        expect(both.button("Build here")).to_have_count(0)
        both.button(f"I am {name}").click()
        before = both.moves
        both.decide(second, build_by_mouse)
        both.wait_until(lambda before=before: both.moves > before)  # type: ignore[misc]
    assert all(city["buildings"] for city in both.table["cities"])


def test_a_page_reconnects_after_the_connection_was_lost(person: NewPerson, server: ServerProcess) -> None:
    ada = person()
    ada.start_game()
    ada.play(0, build_by_mouse, rounds=2)
    moves = ada.moves
    with server_down(server):
        expect(ada.page.get_by_text("The connection is lost")).to_be_visible()
    ada.page.context.set_offline(True)
    ada.page.context.set_offline(False)  # a browser that is online again tries at once
    expect(ada.page.get_by_text("The connection is lost")).to_have_count(0)
    ada.play(0, build_by_mouse, rounds=2)
    assert ada.moves > moves


def test_a_decision_is_taken_back_after_the_reveal_as_practice(person: NewPerson) -> None:
    ada = person()
    ada.start_game()
    ada.play(0, build_by_mouse, rounds=2)
    ada.choices(0)
    moves = ada.moves
    ada.button("Take back").first.click()
    ada.page.get_by_role("dialog").get_by_role("button", name="Take back").click()
    ada.wait_until(lambda: ada.moves < moves)
    expect(ada.page.get_by_text("practice").first).to_be_visible()
    ada.play(0, build_by_mouse, rounds=1)


def test_a_finished_game_is_replayed_and_played_on_from_the_middle(person: NewPerson) -> None:
    ada = person()
    ada.start_game()
    ada.play(0, build_by_mouse, rounds=3)
    ada.choices(0)
    ada.button("Stop").click()
    ada.button("Yes, stop").click()
    ada.wait_until(lambda: ada.over)
    expect_result(ada)
    ada.page.get_by_role("link", name="Replay").first.click()
    slider = ada.page.get_by_role("slider", name="Position")
    expect(slider).to_be_visible()
    slider.focus()
    for _ in range(3):
        ada.page.keyboard.press("ArrowRight")
    expect(ada.page).to_have_url(re.compile(r"/replay/0#\d+$"))
    for _ in range(2):
        ada.button("One step on").click()
    ada.button("One step back").click()
    ada.button(re.compile("^What if")).click()
    expect(ada.board).to_be_visible()
    expect(ada.page.get_by_text("practice").first).to_be_visible()
    ada.play(0, build_by_mouse, rounds=1)


def test_a_seat_moves_to_a_phone_by_a_code(person: NewPerson) -> None:
    desk, phone = person(), person(**PHONE)
    desk.start_game()
    desk.button("Menu").click()
    desk.button("Another device").click()
    code = desk.page.get_by_label("Code for the other device")
    expect(code).to_have_value(re.compile("^[A-Z2-9]{8}$"))
    phone.page.goto("/code")
    phone.page.get_by_label("Code").fill(code.input_value())
    phone.button("Sit down").click()
    expect(phone.board).to_be_visible()
    phone.play(0, build_by_touch, rounds=1)
