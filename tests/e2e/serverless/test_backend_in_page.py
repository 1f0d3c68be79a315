"""Games with the backend in the page: the server is stopped for good, and the browser is killed during a game."""

from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import BrowserContext, Error, Playwright, expect

from polyopolis.records import Record, read, verify
from tests.e2e.conftest import KNOWS_THE_GAMES, ONE_BOT
from tests.e2e.games.test_pointcity import decide
from tests.e2e.support.people import DESKTOP, TIMEOUT_MS, Person, assert_accessible, turn_until_it_fits
from tests.server.support.server_process import ServerProcess, running_server

pytestmark = pytest.mark.slow
REPORT_WORKER_MESSAGES = """
{
  const Plain = window.Worker;
  window.Worker = class extends Plain {
    constructor(...given) {
      super(...given);
      window.house = this;
      this.addEventListener('message', ({ data }) => {
        if (data.type === 'line' && data.what === 'message') setTimeout(() => window.heard?.(data.text));
      });
    }
  };
}
"""
"""Reports messages of tables in the page like those of a WebSocket, and exposes the worker of the backend."""
OFFLINE_READY = "They open without a network, too."
RECORDS = Path(__file__).parents[2] / "records" / "games"


class PersistentPerson(Person):
    """A person in a browser with a persistent profile."""

    def __init__(self, context: BrowserContext, server: ServerProcess) -> None:
        context.add_init_script(REPORT_WORKER_MESSAGES)
        context.add_init_script(KNOWS_THE_GAMES)
        super().__init__(context.pages[0], server)


@contextmanager
def open_browser(
    playwright: Playwright, launch_options: dict[str, Any], folder: Path, server: ServerProcess
) -> Iterator[PersistentPerson]:
    context = playwright.chromium.launch_persistent_context(
        folder, base_url=server.url, locale="en-GB", reduced_motion="reduce", **launch_options, **DESKTOP
    )
    person = PersistentPerson(context, server)
    yield person
    assert person.errors == [], "the console must stay clean"
    with suppress(Error):  # it may have been killed
        context.close()


def build_on_any_cell(person: Person, cells: list[str]) -> None:
    """Clicks on the cells of a place, one after the other, until the piece fits; then builds."""
    build = person.button("Build here")
    any(turn_until_it_fits(build, lambda cell=cell: person.cell(cell).click(force=True), 4) for cell in cells)  # type: ignore[misc]
    build.click()


def kill_browser(person: Person) -> None:
    with suppress(Error):
        person.page.context.new_cdp_session(person.page).send("Browser.crash")


def test_single_player_pages_work_without_a_server_and_others_say_that_they_need_one(
    playwright: Playwright, launch_options: dict[str, Any], tmp_path: Path
) -> None:
    opening_ms = 2 * TIMEOUT_MS
    with (
        running_server(tmp_path / "data", *ONE_BOT) as server,
        open_browser(playwright, launch_options, tmp_path / "profile", server) as ada,
    ):
        page = ada.page
        page.goto("/")
        page.get_by_role("link", name="Play without a server").click()
        expect(page.get_by_text(OFFLINE_READY)).to_be_visible(timeout=opening_ms)
        server.kill()

        for path, sentence in (
            ("who", "This page needs a server"),
            ("notices", "This page needs a server"),
            ("daily", "The games of the day are played on the server"),
        ):
            page.goto(f"/here/{path}")
            expect(page.get_by_text(sentence)).to_be_visible()
        page.goto("/here/print/rollwrite/11")
        expect(page.get_by_role("article").get_by_role("heading", name="Episode 11")).to_be_visible(timeout=opening_ms)
        page.goto("/here/rules/pointcity")
        expect(page.get_by_role("heading", level=1)).to_contain_text("Point City")
        page.goto("/here/new/pointcity")
        ada.button("Play with a guide").click(timeout=opening_ms)
        expect(page.locator('section[aria-keyshortcuts="G"]')).to_be_visible()
        for game in ("pointcity-2p-1", "rollwrite-01-alone"):
            page.get_by_role("link", name="Polyopolis, home").click()
            page.get_by_label("Open a file").set_input_files(RECORDS / f"{game}.json")
            expect(page.get_by_role("heading", name="The moments that mattered")).to_be_visible(timeout=opening_ms)


def test_games_are_played_without_a_server_and_survive_the_browser(
    playwright: Playwright, launch_options: dict[str, Any], tmp_path: Path
) -> None:
    profile = tmp_path / "profile"
    with running_server(tmp_path / "data", *ONE_BOT) as server:
        with open_browser(playwright, launch_options, profile, server) as ada:
            ada.page.goto("/")
            ada.page.get_by_role("link", name="Play without a server").click()
            expect(ada.page.get_by_role("progressbar")).to_be_visible()
            assert_accessible(ada)
            expect(ada.page.get_by_text(OFFLINE_READY)).to_be_visible(timeout=2 * TIMEOUT_MS)
            server.kill()

            ada.page.get_by_role("link", name="Set up My City", exact=True).click()
            ada.page.get_by_text("More", exact=True).click()
            ada.page.get_by_label("Chosen seed").fill("without a network")
            ada.page.get_by_label("Bot at seat 2").select_option("level-1")
            expect(ada.page.get_by_text("Playing from several devices needs a server")).to_be_visible()
            ada.button("Play").click()
            ada.play(0, build_on_any_cell, rounds=3)
            table, moves = ada.page.url, ada.moves
            assert "/here/t/" in table
            kill_browser(ada)

        with open_browser(playwright, launch_options, profile, server) as ada:
            ada.page.goto(table)
            expect(ada.board).to_be_visible()
            ada.choices(0)
            assert ada.moves == moves, "every move that was shown is stored"
            ada.button("Hint").click()
            ada.button("Show the hint").click()
            expect(ada.page.locator("svg [data-hint]").first).to_be_visible()
            ada.button("Menu").click()
            with ada.page.expect_download() as file:
                ada.page.get_by_role("link", name="Save the record").click()
            ada.page.keyboard.press("Escape")
            ada.play(0, build_on_any_cell, rounds=1)
            ada.button("Stop").click()
            ada.button("Yes, stop").click()
            ada.wait_until(lambda: ada.over)
            record = read(Path(file.value.path()))
            assert isinstance(record, Record)
            assert len(verify(record).moves) == moves

            ada.page.get_by_role("link", name="Polyopolis, home").click()
            ada.button("Play Point City").click()
            decide(ada, 0)
            ada.button("Menu").click()
            expect(ada.page.get_by_text("Whoever owns the device could look")).to_be_visible()
            ada.page.keyboard.press("Escape")
            second_tab = ada.page.context.new_page()
            second_tab.goto(ada.page.url)
            expect(second_tab.locator(".game-screen")).to_be_visible()
            # the first tab notices it at its next heartbeat
            expect(ada.page.get_by_role("heading", name="The game goes on in another tab")).to_be_visible()
