"""A site without a server, as the command writes it."""

import gzip
import json
import re
from pathlib import Path

import pytest

from polyopolis.cli.hosting import static_site
from tests.cli.conftest import Run

BUILT = {
    "index.html": b'<html data-load="1" lang="en"><meta charset="utf-8" />'
    b'<script src="/assets/a.js"></script><a href="/icon.svg">',
    "offline.js": b"const VERSION = 'abc';\nconst PACKED = [];\n",
    "manifest.en.webmanifest": b'{"name": "Polyopolis", "start_url": "here/", "icons": []}',
    "assets/a.js": b"import('./b.js')",
    "assets/house-1/python.wasm.gz": gzip.compress(b"wasm"),
    "assets/house-1/python.mjs.gz": gzip.compress(b"export {}"),
}


@pytest.fixture
def built(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A client, and a command that finds it."""
    folder = tmp_path / "static"
    for name, data in BUILT.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_bytes(data)
    monkeypatch.setattr(static_site.write, "__defaults__", (folder,))
    return folder


def test_everything_lies_beside_the_page_and_only_modules_are_unpacked(run: Run, built: Path, tmp_path: Path) -> None:
    out = tmp_path / "deep" / "out"
    said = run("site", out)
    assert (said.code, said.out.startswith("6 files, 0 MB")) == (0, True), said
    page = (out / "index.html").read_text()
    assert page.startswith("<html data-site ")
    load = re.search(r'data-load="(\d+)"', page)
    assert load
    files = sum(file.stat().st_size for file in out.rglob("*") if file.is_file())
    assert int(load[1]) == pytest.approx(files, abs=len(page)), "as much as the folder holds"
    assert re.findall(r'(?:src|href)="([^"]*)"', page) == ["./assets/a.js", "./icon.svg"]
    policy = re.search(r'http-equiv="content-security-policy" content="([^"]*)"', page)
    assert policy
    assert "script-src 'self' 'wasm-unsafe-eval';" in policy[1]
    assert "frame-ancestors" not in policy[1], "browsers complain: it is for headers alone"
    assert json.loads((out / "manifest.en.webmanifest").read_bytes())["start_url"] == "./"
    assert (out / "assets/house-1/python.mjs").read_bytes() == b"export {}"
    assert gzip.decompress((out / "assets/house-1/python.wasm.bin").read_bytes()) == b"wasm"
    assert 'const PACKED = ["assets/house-1/python.wasm"];' in (out / "offline.js").read_text()


def test_another_page_is_another_service_worker(built: Path) -> None:
    first = static_site.site(BUILT)["offline.js"]
    assert first == static_site.site(BUILT)["offline.js"]
    assert first != static_site.site(BUILT | {"index.html": BUILT["index.html"] + b"<hr>"})["offline.js"]


def test_nothing_is_written_where_something_lies(run: Run, built: Path, tmp_path: Path) -> None:
    (tmp_path / "full").mkdir()
    (tmp_path / "full" / "mine.txt").write_text("mine")
    said = run("site", tmp_path / "full")
    assert said.code == 2
    assert "full is not empty" in said.err
    assert [file.name for file in (tmp_path / "full").iterdir()] == ["mine.txt"]
    said = run("site", tmp_path / "full" / "mine.txt")
    assert said.code == 2
    assert "cannot write" in said.err


def test_a_client_that_is_not_built_is_named(run: Run, built: Path, tmp_path: Path) -> None:
    (built / "index.html").unlink()
    said = run("site", tmp_path / "out")
    assert said.code == 2
    assert "the client is not built yet" in said.err
    assert not (tmp_path / "out").exists()
