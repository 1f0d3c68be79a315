"""Games move from a page without a network to the server and back, and their records are valid there."""

import json
import re
from contextlib import redirect_stdout
from io import StringIO
from pathlib import Path
from typing import Any

import msgspec
import pytest
from playwright.sync_api import Playwright, expect

from polyopolis.bots import bot, choose
from polyopolis.cli import main
from polyopolis.play.entities import LogEntry, MatchEntity, StoredMatch
from polyopolis.play.history.match_exports import match_of
from tests.e2e.conftest import ONE_BOT
from tests.e2e.games.test_envelopes import CREATE_TABLE, STOP_MATCH, place_a_reward, stop
from tests.e2e.serverless.test_backend_in_page import OFFLINE_READY, PersistentPerson, build_on_any_cell, open_browser
from tests.e2e.support.client_texts import chapter_texts
from tests.e2e.support.people import TIMEOUT_MS, Message, Person, assert_accessible, assert_presentable
from tests.server.support.server_process import ServerProcess, running_server

pytestmark = pytest.mark.slow
LogEntries = list[LogEntry]
OPENING_MS = 2 * TIMEOUT_MS
"""Timeout for the start of the backend in the page."""

REQUEST_BACKEND = """([method, path, body]) => new Promise((done, failed) => {
  const ask = Math.floor(Math.random() * 2 ** 40);
  const heard = ({ data }) => {
    if (data.ask !== ask) return;
    window.house.removeEventListener('message', heard);
    if (data.status < 400) done(JSON.parse(data.text));
    else failed(new Error(data.text));
  };
  window.house.addEventListener('message', heard);
  window.house.postMessage({ type: 'request', ask, method, path, body: JSON.stringify(body) });
})"""
"""Sends a request to the backend in the page."""

PLAY_MATCH = """(table) => new Promise((done) => {
  const said = new Set(), line = Math.floor(Math.random() * 2 ** 40);
  window.house.addEventListener('message', ({ data }) => {
    if (data.line !== line || data.what !== 'message') return;
    const { scene, mine } = JSON.parse(data.text);
    if (scene?.match.over) {
      window.house.postMessage({ type: 'leave', line });
      done(scene.moves);
    }
    for (const { seat, turn, choices, staged } of mine ?? []) {
      if (!choices.length || staged || said.has(turn)) continue;
      said.add(turn);
      const action = choices[Math.floor(choices.length / 3)];
      window.house.postMessage({ type: 'say', line, text: JSON.stringify({ type: 'act', seat, turn, action }) });
    }
  });
  window.house.postMessage({ type: 'connect', line, path: `/tables/${table}/socket` });
})"""
"""Plays a whole game with messages to the backend; each choice is from the first third of the list."""

STORED_ROWS = """(below) => new Promise((done) => {
  indexedDB.open('polyopolis').onsuccess = ({ target: { result } }) => {
    const range = IDBKeyRange.bound(below, `${below}\uffff`);
    const asked = result.transaction('rows').objectStore('rows').getAll(range);
    asked.onsuccess = () => done(asked.result);
  };
})"""
"""Returns the rows in IndexedDB whose keys begin with `below`."""

STRONGEST_BOTS = ("level-5", "master")
BOTS = {"mycity": ("level-3", "level-2"), "rollwrite": STRONGEST_BOTS, "pointcity": ("level-3", "level-2")}
"""Bots of the seats after Ada's. The strongest play only one game, because a game takes them 20 to 40 s of a core."""
ADA = {"type": "me", "name": "Ada"}


def request_backend(person: Person, method: str, path: str, body: Any = None) -> Message:
    response: Message = person.page.evaluate(REQUEST_BACKEND, [method, path, body])
    return response


def assert_same_choices(person: Person, game: str, table: str, decisions: int = 3) -> None:
    """Asserts that the bots in the page decided as they do here with the same seed."""
    row = msgspec.json.decode(person.page.evaluate(STORED_ROWS, f"match/{table}/")[0], type=MatchEntity)
    log = [
        row
        for part in person.page.evaluate(STORED_ROWS, f"log/{table}/")
        for row in msgspec.json.decode(part, type=LogEntries)
    ]
    played = match_of(game, StoredMatch(row, tuple(log), ()))
    for seat, name in enumerate(BOTS[game], start=1):
        own = [number for number, move in enumerate(played.moves) if move.seat == seat][:decisions]
        for number in own:
            before = next(match for at in range(number, -1, -1) if not (match := played.rewound(at)).staged)
            assert choose(bot(name), before, seat, row.bot_seed) == played.moves[number].action


def play_against_bots(ada: PersistentPerson) -> None:
    """Plays two whole games with messages to the backend, and one by clicks against the strongest bots."""
    for game, setup in (("mycity", {"mode": "eternal"}), ("pointcity", {})):
        request = {"game": game, "setup": setup, "seats": [ADA, *({"type": "bot", "bot": name} for name in BOTS[game])]}
        table = request_backend(ada, "POST", "/tables", {**request, "seed": "against the strongest"})["table"]
        assert ada.page.evaluate(PLAY_MATCH, table) > 20
        assert_same_choices(ada, game, table)
    ada.mine, ada.scene = {}, {}  # the recorded messages belong to PLAY_MATCH
    master = ada.page.get_by_label("Bot at seat 2").locator("option", has_text="Iris · master")
    ada.page.get_by_role("link", name="Set up My City", exact=True).click()
    expect(master).to_have_count(1)
    ada.page.get_by_role("link", name="Polyopolis, home").click()
    ada.page.get_by_role("link", name="Set up My City: Roll & Write", exact=True).click()
    ada.page.get_by_label("Name at seat 1").fill("Ada")
    expect(master).to_have_count(1)
    ada.button("Another seat").click()
    ada.page.get_by_text("More", exact=True).click()
    ada.page.get_by_label("Chosen seed").fill("against the strongest")
    for seat, name in enumerate(BOTS["rollwrite"], start=2):
        ada.page.get_by_label(f"Bot at seat {seat}").select_option(name)
    ada.button("Play").click()
    expect(ada.board).to_be_visible()
    ada.play(0, build_on_any_cell)
    assert ada.over
    assert_same_choices(ada, "rollwrite", ada.page.url.rpartition("/")[2])


def play_hot_seat_episode(ada: PersistentPerson) -> str:
    """Plays the first episode of a campaign with two players at one screen; returns the address of the second."""
    ada.page.evaluate("localStorage.setItem('polyopolis.settings', '{}')")
    setup = {"mode": "episode", "play": "campaign", "episode": 1}
    seats = [ADA, {"type": "me", "name": "Ben"}]
    request = {"game": "mycity", "setup": setup, "seats": seats, "plan": [1, 2, 3], "seed": "at one screen"}
    ada.page.goto(f"/here/t/{request_backend(ada, 'POST', '/tables', request)['table']}")
    expect(ada.page.get_by_text(chapter_texts(1)["mycity.chapter.1.story"])).to_be_visible(timeout=OPENING_MS)
    ada.button("To the board").click()
    ada.decide(0, build_on_any_cell)
    ada.button("I am Ben").click()
    dealt = ada.moves
    ada.decide(1, build_on_any_cell)
    ada.wait_until(lambda: ada.moves > dealt)
    moves = ada.moves
    ada.page.reload()
    expect(ada.board).to_be_visible(timeout=OPENING_MS)
    ada.choices(0)
    assert ada.moves == moves, "the match continues after a reload"
    stop(ada)
    ada.button(re.compile("^I am")).click()
    stop(ada)
    place_a_reward(ada, 0)
    ada.button(re.compile("^I am")).click()
    place_a_reward(ada, 1)
    ada.wait_until(lambda: ada.over)
    ada.button("Next episode").click()
    ada.button("To the board").click()
    expect(ada.board).to_be_visible()
    return ada.page.url


def replay_output(person: Person, file: str, folder: Path) -> str:
    """Downloads a record and returns the output of `polyopolis replay`."""
    path, output = folder / "file.json", StringIO()
    path.write_bytes(person.page.request.get(f"/api{file}").body())
    with redirect_stdout(output):
        assert main(["replay", str(path)]) == 0
    return output.getvalue()


def server_tables(person: Person) -> list[Message]:
    """Returns the tables on the player's list on the server."""
    tables: list[Message] = person.page.request.get("/api/hello").json()["tables"]
    return tables


def upload_all_games(ada: PersistentPerson, folder: Path) -> None:
    """Uploads the campaign from its table, and finished games from the list."""
    ada.button("Menu").click()
    expect(ada.button("Bring to the server")).to_be_visible()
    assert_presentable(ada, "carry-menu")
    ada.button("Bring to the server").click()
    ada.page.get_by_role("link", name="Open it on the server").click()
    ada.page.wait_for_url(re.compile("^(?!.*/here/).*/t/"))
    ada.button("To the board").click()
    expect(ada.board).to_be_visible()
    expect(ada.page.get_by_text("from another device")).to_be_visible()
    campaign = ada.page.url.rpartition("/")[2]
    ada.decide(0, build_on_any_cell)
    ada.button("I am Ben").click()
    ada.decide(1, build_on_any_cell)
    assert "not over" in replay_output(ada, f"/tables/{campaign}/campaign.json", folder)
    ada.page.goto("/here/")
    uploads = ada.button("Bring to the server")
    expect(uploads).to_have_count(4, timeout=OPENING_MS)
    for left in (3, 2, 1):
        uploads.last.dblclick()
        expect(uploads).to_have_count(left)
    imported = [table for table in server_tables(ada) if table["match"]["over"]]
    assert {table["game"] for table in imported} == {"mycity", "pointcity", "rollwrite"}
    assert len(imported) == 3
    for table in imported:
        assert table["match"]["practice_for"] == "import"
        assert [seat["bot"] for seat in table["seats"]] == [None, *BOTS[table["game"]]]
        assert "imported" in replay_output(ada, f"/tables/{table['table']}/matches/0/record", folder)
        assert ada.page.request.get(f"/api/tables/{table['table']}/matches/0/best").ok


def download_and_open(ada: PersistentPerson, folder: Path) -> None:
    """Downloads a game of the server, and opens it from its file without a network."""
    ada.page.goto("/")
    table = ada.page.evaluate(
        CREATE_TABLE, {"game": "rollwrite", "setup": {"episode": 1}, "seats": [{**ADA, "name": "Eve"}]}
    )
    ada.page.evaluate(STOP_MATCH, table)
    ada.page.goto(f"/t/{table}")
    ada.button("Keep on this device").click()
    there = ada.page.get_by_role("link", name="Kept: open it without a server")
    expect(there).to_be_visible()
    assert_presentable(ada, "carry-kept")
    file = folder / "game.json"
    file.write_bytes(ada.page.request.get(f"/api/tables/{table}/matches/0/record").body())
    ada.page.goto("/")
    assert_accessible(ada)
    upload = ada.page.get_by_label("Open a file")
    upload.set_input_files({"name": "cat.json", "mimeType": "application/json", "buffer": b"meow"})
    expect(ada.page.get_by_text("This file is not a saved game.")).to_be_visible()
    ada.page.goto("/here/")
    wrong = {**json.loads(file.read_text()), "scores": [99]}
    expect(ada.button("Play My City")).to_be_visible(timeout=OPENING_MS)
    upload.set_input_files({"name": "b.json", "mimeType": "text/plain", "buffer": json.dumps(wrong).encode()})
    expect(ada.page.get_by_text("scores: the record says [99]")).to_be_visible()
    kept = ada.page.get_by_role("link", name=re.compile("^Eve"))
    expect(kept).to_contain_text("from another device")
    assert_presentable(ada, "carry-list")
    ada.page.context.set_offline(True)
    upload.set_input_files(file)
    ada.page.wait_for_url(re.compile("/here/t/"))
    expect(ada.page.get_by_text("Review · from another device")).to_be_visible()
    ada.page.get_by_role("link", name="Replay").click()
    expect(ada.page.get_by_text("Replay · from another device")).to_be_visible()
    ada.page.get_by_role("link", name="Polyopolis, home").click()
    expect(kept).to_have_count(1)  # both ways of opening a game lead to the same table
    ada.button(re.compile("^Remove from my list: Eve")).click()
    expect(kept).to_have_count(0)
    ada.page.context.set_offline(False)


def test_games_without_a_network_go_to_the_server_and_back(
    playwright: Playwright, launch_options: dict[str, Any], tmp_path: Path
) -> None:
    def start_backend_and_kill_server(server: ServerProcess, ada: PersistentPerson) -> None:
        ada.page.goto("/")
        ada.page.get_by_role("link", name="Play without a server").click()
        expect(ada.page.get_by_text(OFFLINE_READY)).to_be_visible(timeout=OPENING_MS)
        server.kill()

    with (
        running_server(tmp_path / "data", *ONE_BOT) as server,
        open_browser(playwright, launch_options, tmp_path / "profile", server) as ada,
    ):
        start_backend_and_kill_server(server, ada)
        play_against_bots(ada)
        address = play_hot_seat_episode(ada)
        server.start()
        assert ada.page.url == address
        upload_all_games(ada, tmp_path)
        download_and_open(ada, tmp_path)
