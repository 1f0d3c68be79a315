"""The static site: files in a subfolder of a plain file server."""

import json
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from typing import Any
from urllib.request import urlopen

import pytest
from playwright.sync_api import Playwright, expect

from polyopolis.cli.hosting import static_site
from tests.e2e.serverless.test_backend_in_page import OFFLINE_READY, PersistentPerson, build_on_any_cell
from tests.e2e.support.people import DESKTOP, TIMEOUT_MS, assert_accessible
from tests.server.support.server_process import ServerProcess, free_port

pytestmark = pytest.mark.slow
FOLDER = "some/folder/"
BACKEND_FILES = "() => performance.getEntriesByType('resource').filter(({ name }) => name.includes('/house-')).length"
ICON_SIZES = """async (icons) => {
  const measure = async ({ src, sizes }) => {
    const { width, height } = await createImageBitmap(await (await fetch(src)).blob());
    return [sizes, `${width}x${height}`];
  };
  return Promise.all(icons.filter(({ type }) => type === 'image/png').map(measure));
}"""


class QuietHandler(SimpleHTTPRequestHandler):
    def log_message(self, *_: Any) -> None:
        """Discards the message."""


@contextmanager
def serve_files(root: Path, port: int) -> Iterator[None]:
    """Serves files with `http.server`."""
    with ThreadingHTTPServer(("127.0.0.1", port), partial(QuietHandler, directory=str(root))) as server:
        Thread(target=server.serve_forever, daemon=True).start()
        yield
        server.shutdown()


@pytest.fixture
def ada(playwright: Playwright, launch_options: dict[str, Any], tmp_path: Path) -> Iterator[PersistentPerson]:
    context = playwright.chromium.launch_persistent_context(
        tmp_path / "profile", locale="en-GB", reduced_motion="reduce", **launch_options, **DESKTOP
    )
    person = PersistentPerson(context, ServerProcess(tmp_path / "nowhere"))
    yield person
    assert person.errors == [], "the console must stay clean"
    context.close()


def test_games_are_played_on_a_static_site_and_survive_an_update(ada: PersistentPerson, tmp_path: Path) -> None:
    root, port, page = tmp_path / "root", free_port(), ada.page
    static_site.write_site(root / FOLDER)
    home = f"http://127.0.0.1:{port}/{FOLDER}"
    with serve_files(root, port):
        page.goto(home)
        size = sum(file.stat().st_size for file in root.rglob("*") if file.is_file()) / 1e6
        expect(page.get_by_text(f"{size:.0f} MB to load, once.")).to_be_visible()
        expect(page.get_by_role("link", name="Play on the server")).to_have_count(0)
        assert page.evaluate(BACKEND_FILES) == 0, "the backend is loaded only on request"
        assert_accessible(ada)
        ada.button("Load and play").click()
        expect(page.get_by_role("progressbar")).to_be_visible()
        expect(page.get_by_text(OFFLINE_READY)).to_be_visible(timeout=2 * TIMEOUT_MS)
        for name in ("Play on the server", "Enter the code"):
            expect(page.get_by_role("link", name=name)).to_have_count(0)
        assert_manifest(ada, home)

        page.get_by_role("link", name="Set up My City", exact=True).click()
        page.get_by_text("More", exact=True).click()
        page.get_by_label("Chosen seed").fill("a folder of files")
        page.get_by_label("Bot at seat 2").select_option("level-1")
        ada.button("Play").click()
        ada.play(0, build_on_any_cell, rounds=2)
        table = page.url
        assert table.startswith(f"{home}?/t/")
        with urlopen(table) as response:
            assert response.read() == (root / FOLDER / "index.html").read_bytes(), "any host serves the page of a table"

    moves = ada.moves
    page.reload()
    expect(ada.board).to_be_visible()
    ada.wait_until(lambda: ada.moves == moves)
    ada.play(0, build_on_any_cell, rounds=1)
    moves = ada.moves

    changed = {"index.html": (root / FOLDER / "index.html").read_bytes().replace(b"<body>", b'<body data-new="">')}
    write_new_version(root / FOLDER, changed)
    with serve_files(root, port):
        page.reload()
        expect(ada.board).to_be_visible()
        expect(page.locator("[data-new]")).to_have_count(0)
        page.get_by_role("link", name="Polyopolis, home").click()
        expect(page.get_by_text("A new version is here.")).to_be_visible()
        ada.button("Use it now").click()
        expect(page.locator("[data-new]")).to_be_visible()
        page.locator("a.table").click()
        expect(ada.board).to_be_visible()
        ada.choices(0)
        assert ada.moves == moves, "the update keeps the match"


def write_new_version(folder: Path, changed: dict[str, bytes]) -> None:
    """Replaces the site by a newer version."""
    files = {file.relative_to(folder).as_posix(): file.read_bytes() for file in folder.rglob("*") if file.is_file()}
    packed = [name.removesuffix(".bin") for name in files if name.endswith(".bin")]
    for name, data in changed.items():
        (folder / name).write_bytes(data)
    (folder / static_site.OFFLINE).write_text(static_site.service_worker(files | changed, packed))


def assert_manifest(ada: PersistentPerson, home: str) -> None:
    """Asserts that the browser accepts the manifest, and that its icons have the declared sizes."""
    address = ada.page.locator("link[rel=manifest]").get_attribute("href")
    assert address == "./manifest.en.webmanifest"
    response = ada.page.context.new_cdp_session(ada.page).send("Page.getAppManifest")
    assert (response["url"], response["errors"]) == (f"{home}manifest.en.webmanifest", [])
    manifest = json.loads(response["data"])
    assert (manifest["start_url"], manifest["scope"], manifest["lang"]) == ("./", "./", "en")
    sizes = ada.page.evaluate(ICON_SIZES, manifest["icons"])
    assert sorted(map(tuple, sizes)) == sorted([("192x192", "192x192"), ("512x512", "512x512")] * 2)
