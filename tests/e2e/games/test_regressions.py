"""Regressions at tables: double clicks, moving boards, texts that are cut off."""

import json
import re
from collections.abc import Callable
from time import monotonic
from typing import Any

import pytest
from playwright.sync_api import Locator, expect

from polyopolis.play.match.bot_turns import STAND_IN_DELAY_SECONDS
from tests.e2e.games.test_envelopes import CREATE_TABLE
from tests.e2e.games.test_hints import panel, request_hint
from tests.e2e.games.test_pointcity import open_setup
from tests.e2e.support.people import (
    DESKTOP,
    FINISH_ANIMATIONS,
    MOTION,
    SMALL_PHONE,
    Person,
    build_by_mouse,
    turn_until_it_fits,
)

pytestmark = pytest.mark.slow
AFTER_ONE_ROUND = 4
"""Number of moves: a card, a decision of each of two seats, and the next card."""
NewPerson = Callable[..., Person]


def seat_two_players(ada: Person, ben: Person) -> None:
    """Seats Ada in seat 0 and Ben in seat 1; both have their first card."""
    ada.page.goto("/")
    seats = [{"type": "me", "name": "Ada"}, {"type": "open"}]
    table = {"game": "mycity", "setup": {"mode": "eternal"}, "seats": seats}
    ada.page.goto(f"/t/{ada.page.evaluate(CREATE_TABLE, table)}")
    ben.page.goto(ada.page.url)
    ben.page.get_by_label("Your name").fill("Ben")
    ben.button("Sit down").click()
    ada.choices(0)


def place_piece(person: Person, seat: int = 0) -> None:
    """Places the piece on the board without a decision."""
    cells = next(choice["cells"] for choice in person.choices(seat) if choice["type"] == "place")
    turn_until_it_fits(person.button("Build here"), lambda: person.cell(cells[0]).click(force=True))


def box(place: Locator) -> dict[str, float]:
    bounds = place.bounding_box()
    assert bounds
    return {
        "x": round(bounds["x"]),
        "y": round(bounds["y"]),
        "width": round(bounds["width"]),
        "height": round(bounds["height"]),
    }


def record_decisions(person: Person) -> list[str]:
    """Returns a list to which the types of sent decisions are appended, for connections that are opened later."""
    types: list[str] = []

    def note(frame: str | bytes) -> None:
        if (kind := json.loads(frame)["type"]) in ("act", "retract"):
            types.append(kind)

    person.page.on("websocket", lambda socket: socket.on("framesent", note))
    return types


def finish_animations(person: Person) -> None:
    person.page.evaluate(FINISH_ANIMATIONS)


def test_a_double_click_builds_and_the_board_keeps_its_size(person: NewPerson) -> None:
    ada, ben = person(**MOTION), person()
    decisions = record_decisions(ada)
    seat_two_players(ada, ben)
    expect(ada.board).to_be_visible()
    finish_animations(ada)
    before = box(ada.board)
    ada.button("Stop").click()
    expect(ada.button("Yes, stop")).to_be_visible()
    assert box(ada.board) == before
    ada.button("Cancel").click()
    place_piece(ada)
    expect(ada.page.get_by_text(re.compile("^[^ ]?[0-9]+ points?$")).first).to_be_visible()
    assert box(ada.board) == before
    ada.button("Build here").dblclick()
    expect(ada.page.get_by_text("You have decided: you build.")).to_be_visible()
    ada.wait_until(lambda: ada.mine[0]["staged"] is not None)
    finish_animations(ada)
    assert box(ada.board) == before
    ada.page.get_by_role("group", name="Players and scores").get_by_role("button", name="Ben").click()
    expect(ada.page.get_by_role("grid", name="City of Ben")).to_be_visible()
    ben.page.get_by_role("group", name="Players and scores").get_by_role("button", name="Ada").click()
    expect(ben.page.get_by_text("You are looking at the city of Ada.")).to_be_visible()
    expect(ben.page.get_by_text("Drag it")).to_have_count(0)
    # The second click of the double click has not taken the decision back.
    expect(ada.page.get_by_text("You have decided: you build.")).to_be_visible()
    assert decisions == ["act"]


@pytest.mark.parametrize("window", [DESKTOP, SMALL_PHONE], ids=["desk", "phone"])
def test_a_new_game_begins_with_what_was_won_and_a_par(person: NewPerson, window: dict[str, Any]) -> None:
    """Negative points for open cells are shown separately."""
    ada = person(**window)
    ada.start_game()
    ada.choices(0)
    now = ada.table["result"]["scores"][0]
    won = now - ada.table["cities"][0]["open"]
    assert now < 0 < won
    if window is SMALL_PHONE:
        score = ada.button(re.compile(f"^Won so far: {won}[.]"))
        expect(score).to_be_visible()
        score.click()
    sheet = ada.page.get_by_role("region", name="Won so far")
    expect(sheet.locator("header .sum").first).to_have_text(str(won))
    expect(sheet.get_by_text(f"par {ada.table['par']}")).to_be_visible()


def test_a_stand_in_plays_only_after_confirmation_and_at_a_visible_pace(person: NewPerson) -> None:
    ada = person()
    ada.start_game()
    ada.choices(0)
    ada.button("Menu").click()
    ada.button("Let a bot play").click()
    question = ada.page.get_by_role("group", name=re.compile("A bot plays for you"))
    methods: list[str] = []
    ada.page.on("request", lambda request: methods.append(request.method))
    question.get_by_role("button", name="Cancel").click()
    ada.button("Let a bot play").click()
    expect(question).to_be_visible()
    assert "POST" not in methods
    assert ada.moves == 1
    begun = monotonic()
    question.get_by_role("button", name="Let a bot play").click()
    ada.page.get_by_role("dialog").get_by_role("button", name="Close", exact=True).click()
    ada.wait_until(lambda: ada.moves > AFTER_ONE_ROUND)
    assert monotonic() - begun >= STAND_IN_DELAY_SECONDS, "each round can be followed"
    ada.button("Take the seat back").click()
    expect(ada.button("Build here")).to_be_visible()


def test_the_old_device_shows_that_its_seat_has_moved(person: NewPerson) -> None:
    old, new = person(), person()
    old.start_game()
    old.button("Menu").click()
    old.button("Another device").click()
    code = old.page.get_by_label("Code for the other device").input_value()
    new.page.goto("/code")
    new.page.get_by_label("Code", exact=True).fill(code)
    new.button("Sit down").click()
    expect(old.page.get_by_text("has moved to another device")).to_have_count(1)


def test_no_text_is_cut_off_on_a_phone(person: NewPerson) -> None:
    ada = person(**SMALL_PHONE)
    for game in ("My City", "Point City", "My City: Roll & Write"):
        ada.page.goto("/")
        ada.button(f"Play {game}").click()
        ada.choices(0)
        expect(ada.page.locator(".game-screen")).to_be_visible()
        finish_animations(ada)
        cut = (
            "[...document.querySelectorAll('h1, h1 small')].filter((it) => it.scrollWidth > it.clientWidth + 1).length"
        )
        assert ada.page.evaluate(cut) == 0, game
        if game == "My City":
            scores = ada.page.get_by_role("region", name="Cities").locator("button .score")
            expect(scores).to_have_count(2)
            assert all(box(scores.nth(at))["x"] + box(scores.nth(at))["width"] <= 360 for at in range(2))
            request_hint(ada, first=True)
            finish_animations(ada)
            board, advice = box(ada.board), box(panel(ada))
            assert board["y"] >= 0
            assert board["y"] + board["height"] <= advice["y"], "the hint covers no row of the board"
        if game == "Point City":
            expect(ada.button("Take back")).to_have_count(0)


def test_copying_a_link_keeps_the_layout_and_a_replay_fits_without_scrolling(person: NewPerson) -> None:
    ada = person()
    ada.start_game()
    ada.play(0, build_by_mouse, rounds=2)
    ada.page.goto(f"{ada.page.url}/replay/0#0")
    record = ada.page.get_by_role("link", name="Save the record")
    expect(record).to_be_visible()
    expect(ada.page.get_by_role("region", name="Cities")).not_to_contain_text("done")
    finish_animations(ada)
    column = "(() => { const it = document.querySelector('.drawn'); return it.scrollHeight - it.clientHeight })()"
    assert ada.page.evaluate(column) <= 0, "all drawn cards are in sight"
    before = box(record)
    ada.button("Link to here").click()
    expect(ada.page.get_by_text("Copied").last).to_be_visible()
    assert box(record) == before


HOLD_DICE = """
addEventListener('animationstart', ({ target }) => {
  if (target.closest?.('.die')) for (const motion of target.getAnimations()) motion.pause();
}, true)
"""
"""Pauses the animations of dice."""
DICE_OUT_OF_SIGHT = """() => {
  const column = document.querySelector('.drawn').getBoundingClientRect();
  const dice = [...document.querySelectorAll('.die')];
  const motions = dice.flatMap((die) => die.getAnimations());
  const out = [];
  for (let at = 0; at <= 700; at += 50) {
    for (const motion of motions) { motion.pause(); motion.currentTime = at; }
    for (const die of dice) {
      const { top, left, right } = die.getBoundingClientRect();
      if (top < column.top || left < column.left || right > column.right) out.push(at);
    }
  }
  return { motions: motions.length, out };
}"""


def test_dice_roll_in_sight(person: NewPerson) -> None:
    ada = person(**MOTION)
    ada.page.add_init_script(HOLD_DICE)
    ada.page.goto("/")
    ada.button("Play My City: Roll & Write").click()
    expect(ada.board).to_be_visible()
    ada.play(0, build_by_mouse, rounds=1)
    ada.wait_until(lambda: ada.page.evaluate(DICE_OUT_OF_SIGHT)["motions"] == 3)
    ada.wait_until(lambda: ada.page.evaluate(DICE_OUT_OF_SIGHT)["out"] == [])  # after other animations have ended


def test_the_whole_card_of_a_player_opens_their_city(person: NewPerson) -> None:
    ada = person()
    open_setup(ada)
    ada.button("Play").click()
    ada.choices(0)
    cards = ada.page.locator(".people li:has(> button)")
    expect(cards).to_have_count(2)
    finish_animations(ada)
    card = box(cards.last)
    ada.page.mouse.click(card["x"] + card["width"] / 2, card["y"] + card["height"] - 8)
    expect(ada.page.get_by_role("dialog", name=re.compile("^City of"))).to_be_visible()
