"""Episodes of My City's campaign in the browser: stickers, gears, kiosks and scoring."""

import json
import re
import sqlite3
from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import expect

from polyopolis.play.version import VERSION
from tests.e2e.support.people import (
    DESKTOP,
    MOTION,
    PHONE,
    TIMEOUT_MS,
    Message,
    Person,
    assert_accessible,
    assert_presentable,
    build_by_mouse,
    focus_cell,
    horizontal_overflow,
)
from tests.server.support.server_process import ServerProcess, seat_of

pytestmark = pytest.mark.slow
NewPerson = Callable[..., Person]
FULL_BOARD: Message = {
    "circles": 17,
    "nuggets": 3,
    "stickers": {"g1": "rock", "i1": "tree", "k3": "meadow", "j8": "forest-tree"},
    "church": "z5",
    "gears": ["i4", "u5", "s4"],
    "shafts": {"blue": 4, "red": 2},
}


def open_episode(
    person: Person,
    episode: int,
    *others: str,
    boards: list[Message] | None = None,
    seed: str = "sit down",
    **setup: Any,
) -> str:
    """Opens a table for an episode with this person in the first seat; returns its address.

    `boards` are boards as earlier episodes leave them. No request can set them, so they are written into the database
    before the match begins. The default bot always scores more than a player who stops at once.
    """
    page = person.page
    others = others or ("bot:greedy",)
    episode_setup = {"mode": "episode", "episode": episode, **setup}
    seats = [seat_of("Ada"), *(seat_of("open") for _ in others)]
    table = post(person, "/tables", {"game": "mycity", "setup": episode_setup, "seats": seats, "seed": seed})["table"]
    if boards:
        store_boards(person.server, table, boards)
    for seat, other in enumerate(others, start=1):
        if other != "open":
            post(person, f"/tables/{table}/seats/{seat}", {"type": "put-bot", "bot": other.removeprefix("bot:")})
    page.goto(f"/t/{table}")
    if "open" not in others:
        expect(person.board).to_be_visible()
    return page.url


def post(person: Person, path: str, body: Message) -> Message:
    headers = {"x-polyopolis": VERSION, "origin": person.server.url}
    response = person.page.request.post(f"/api{path}", data=body, headers=headers)
    assert response.ok, response.text()
    content: Message = response.json()
    return content


def store_boards(server: ServerProcess, table: str, boards: list[Message]) -> None:
    with sqlite3.connect(server.data / "polyopolis.sqlite", timeout=TIMEOUT_MS / 1000) as database:
        (setup,) = database.execute("SELECT setup FROM tables WHERE id = ?", [table]).fetchone()
        changed = json.dumps({**json.loads(setup), "boards": boards})
        database.execute("UPDATE tables SET setup = ? WHERE id = ?", [changed, table])
    database.close()


def join(person: Person, address: str, name: str) -> None:
    person.page.goto(address)
    person.page.get_by_label("Your name").fill(name)
    person.button("Sit down").click()
    expect(person.board).to_be_visible()


def stop(person: Person, seat: int = 0) -> None:
    person.choices(seat)
    person.button("Stop").click()
    person.button("Yes, stop").click()


def reach_rewards(person: Person, episode: int, **setup: Any) -> list[Message]:
    """Stops at the first card; returns the choices for the first reward."""
    open_episode(person, episode, play="campaign", **setup)
    stop(person)
    person.wait_until(lambda: bool(person.scene) and person.table["asks"] == "reward")
    person.skip_counting()
    return person.choices(0)


def rewards(person: Person) -> list[str]:
    return list(person.table["cities"][0]["legacy"]["rewards"])


def stickers(person: Person) -> dict[str, str]:
    return dict(person.table["cities"][0]["legacy"]["stickers"])


@pytest.mark.parametrize("device", ["mouse", "touch", "keys"])
def test_stickers_are_placed_one_after_the_other(person: NewPerson, device: str) -> None:
    ada = person(**{"touch": PHONE, "mouse": MOTION, "keys": DESKTOP}[device])
    reach_rewards(ada, 7, boards=[{"church": "z5"}, {"church": "l3"}])
    placed: dict[str, str] = {}
    while choices := ada.choices(0):
        reward, *more = rewards(ada)
        cell = choices[-1]["cell"]
        panel = ada.page.get_by_role("region", name="Your turn")
        if more:
            expect(panel).to_contain_text(f"{len(more)} more to place")
        before = ada.moves
        if device == "keys":
            focus_cell(ada.page, cell)
            ada.page.keyboard.press("Enter")
        else:
            ada.cell(cell).click(force=True) if device == "mouse" else ada.cell(cell).tap(force=True)
            expect(panel).to_contain_text("for good")
            ada.button("Put it here").click()
        ada.wait_until(lambda before=before: ada.over or ada.moves > before)  # type: ignore[misc]
        placed[cell] = reward
    assert placed
    assert {cell: kind for cell, kind in stickers(ada).items() if cell in placed} == placed


def test_a_sticker_is_refused_with_a_reason(person: NewPerson) -> None:
    ada = person()
    reach_rewards(ada, 1)
    ada.cell("a5").click(force=True)
    expect(ada.page.get_by_role("region", name="Your turn")).to_contain_text("cannot lie on this cell")
    assert stickers(ada) == {}


def test_a_reward_is_taken_back_while_others_place_theirs(person: NewPerson) -> None:
    ada, ben = person(), person(**PHONE)
    address = open_episode(ada, 3, "open", play="campaign")
    join(ben, address, "Ben")
    stop(ada)
    stop(ben, 1)
    for each in (ada, ben):
        each.wait_until(lambda each=each: each.table["asks"] == "reward")  # type: ignore[misc]
        each.skip_counting()
    first, second = (choice["cell"] for choice in ada.choices(0)[:2])
    ada.cell(first).click(force=True)
    ada.button("Put it here").click()
    expect(ada.page.get_by_text("You have decided where it goes.")).to_be_visible()
    ada.page.locator(".waiting").get_by_role("button", name="Take back").click()
    expect(ada.button("Put it here")).to_be_visible()
    ada.cell(second).click(force=True)
    ada.button("Put it here").click()
    before = ben.moves
    ben.cell(ben.choices(1)[0]["cell"]).tap(force=True)
    ben.button("Put it here").tap()
    ben.wait_until(lambda: ben.moves > before)
    assert second in stickers(ben)
    assert first not in stickers(ben)


def test_a_gear_makes_a_factory(person: NewPerson) -> None:
    ada = person()
    choices = reach_rewards(ada, 14, boards=[{"church": "z5", "gears": ["o4"]}, {"church": "l3"}])
    assert "o4" not in [choice["shape"] for choice in choices]
    ada.page.get_by_role("radio", name="bar").check(force=True)
    ada.button("Make it a factory").click()
    ada.wait_until(lambda: "i4" in ada.table["cities"][0]["legacy"]["gears"])


def test_a_kiosk_is_declined_or_added_after_a_round(person: NewPerson) -> None:
    ada = person()
    open_episode(ada, 23)
    declined = False
    for _ in range(12):
        choices = ada.choices(0)
        before = ada.moves
        if choices[-1] != {"type": "no-kiosk"}:
            ada.decide(0, build_by_mouse)
        elif not declined:
            ada.button("Not now").click()
            declined = True
        else:
            ada.cell(choices[0]["cell"]).click(force=True)
            ada.button("Add a kiosk").click()
            ada.wait_until(lambda before=before: ada.moves > before)  # type: ignore[misc]
            break
        ada.wait_until(lambda before=before: ada.moves > before)  # type: ignore[misc]
    city = ada.table["cities"][0]
    assert city["kiosks"] == 1
    assert "yellow-kiosk" in [building["card"] for building in city["buildings"]]
    expect(ada.page.locator('[data-body^="yellow-kiosk"]').first).to_be_visible()


EARLY_FACTORY_SEED = "wait 1"
"""With this seed, the first card is a building that has left each city in which it is no factory."""


def test_a_player_without_the_building_waits_and_sees_why(person: NewPerson) -> None:
    ada = person()
    boards: list[Message] = [
        {"church": "z5"},
        {"church": "l3", "gears": ["i4", "o4", "t4", "s4", "j4", "u5", "i2", "l3"]},
    ]
    address = open_episode(ada, 22, "open", play="campaign", boards=boards, seed=EARLY_FACTORY_SEED)
    ben = person()
    join(ben, address, "Ben")
    ben.choices(1)
    assert ben.table["acting"] == [1]
    expect(ada.page.get_by_text("has left: you wait this round")).to_be_visible()


@pytest.mark.parametrize(("size", "window"), [("desk", DESKTOP), ("phone", PHONE)], ids=["desk", "phone"])
def test_an_episode_and_its_table_are_accessible(person: NewPerson, size: str, window: dict[str, Any]) -> None:
    ada = person(**window)
    open_episode(ada, 18, play="campaign", boards=[FULL_BOARD, {"church": "p5"}])
    ada.play(0, build_by_mouse, rounds=2)
    ada.choices(0)
    assert_presentable(ada, f"episode-18-{size}")
    ada.button("What counts in episode 18").click()
    dialog = ada.page.get_by_role("dialog")
    expect(dialog).to_contain_text("A building that touches the one you built before it")
    expect(dialog).to_contain_text("The mine")
    assert_presentable(ada, f"episode-18-counts-{size}")


@pytest.mark.parametrize("window", [DESKTOP, PHONE], ids=["desk", "phone"])
@pytest.mark.parametrize("episode", [7, 13])
def test_placing_rewards_is_accessible(person: NewPerson, window: dict[str, Any], episode: int) -> None:
    ada = person(**window)
    reach_rewards(ada, episode, boards=[{"circles": 7, "church": "z5"}, {"church": "p5"}])
    assert_accessible(ada)


@pytest.mark.rule("MC-31")
@pytest.mark.parametrize("window", [DESKTOP, PHONE], ids=["desk", "phone"])
def test_a_chapter_is_chosen_on_the_set_up_page(person: NewPerson, window: dict[str, Any]) -> None:
    ada = person(**window)
    page = ada.page
    page.goto("/new/mycity")
    page.get_by_role("group", name="Mode").get_by_text("A chapter").click()
    page.get_by_role("group", name="A chapter").get_by_text("3", exact=True).click()
    assert horizontal_overflow(ada) == 0
    ada.button("Play").click()
    expect(ada.board).to_be_visible()
    assert ada.table["setup"]["episode"] == 7
    page.goto(f"{page.url}/campaign")
    expect(page.get_by_text("Episode 1 of 3 is being played.")).to_be_visible()
    expect(page.get_by_role("region", name="The campaign").get_by_role("listitem").first).to_contain_text("The Flood")


def test_results_and_replays_show_the_boards_and_name_every_line(person: NewPerson) -> None:
    ada = person()
    open_episode(ada, 22)
    ada.play(0, build_by_mouse, rounds=2)
    stop(ada)
    ada.wait_until(lambda: ada.over)
    ada.skip_counting()
    sheets = ada.page.get_by_role("group", name="Score sheets")
    for line in ("Buildings on the track", "New parks", "Port joined to the track", "Factories on the way"):
        expect(sheets).to_contain_text(line)
    expect(ada.page.locator('[data-body^="red-palace"]').first).to_be_visible()
    ada.page.get_by_role("link", name="Replay").first.click()
    expect(ada.page.get_by_role("slider", name="Position")).to_be_visible()
    expect(ada.page.locator('[data-body^="port"]').first).to_be_visible()


def test_a_replay_of_a_campaign_shows_how_rewards_were_placed(person: NewPerson) -> None:
    ada = person()
    reach_rewards(ada, 1)
    cell = ada.choices(0)[0]["cell"]
    ada.cell(cell).click(force=True)
    ada.button("Put it here").click()
    ada.wait_until(lambda: ada.over)
    ada.page.goto(f"{ada.page.url.split('/campaign')[0]}/replay/0")
    slider = ada.page.get_by_role("slider", name="Position")
    slider.press("End")
    slider.press("ArrowLeft")
    expect(ada.page.get_by_text("The boards are cleared")).to_be_visible()


def test_a_campaign_is_chosen_on_the_set_up_page(person: NewPerson) -> None:
    ada = person()
    ada.page.goto("/new/mycity")
    expect(ada.page.get_by_role("group", name="Seat 2")).to_be_visible()
    ada.page.get_by_text("Campaign", exact=True).click()
    ada.button("Play").click()
    ada.wait_until(lambda: bool(ada.scene))
    setup = ada.table["setup"]
    assert (setup["episode"], setup["play"]) == (1, "campaign")
    expect(ada.page.get_by_text(re.compile("Episode 1")).first).to_be_visible()
