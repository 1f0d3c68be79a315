"""`site`: the static site."""

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
    """A built client that the command uses."""
    folder = tmp_path / "static"
    for name, data in BUILT.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_bytes(data)
    monkeypatch.setattr(static_site.write_site, "__defaults__", (folder,))
    return folder


def test_addresses_are_relative_and_only_modules_are_unpacked(run: Run, built: Path, tmp_path: Path) -> None:
    out = tmp_path / "deep" / "out"
    result = run("site", out)
    assert (result.code, result.out.startswith("Wrote 6 files (0 MB)")) == (0, True), result
    page = (out / "index.html").read_text()
    assert page.startswith("<html data-site ")
    load = re.search(r'data-load="(\d+)"', page)
    assert load
    files = sum(file.stat().st_size for file in out.rglob("*") if file.is_file())
    assert int(load[1]) == pytest.approx(files, abs=len(page)), "the size of the folder"
    assert re.findall(r'(?:src|href)="([^"]*)"', page) == ["./assets/a.js", "./icon.svg"]
    policy = re.search(r'http-equiv="content-security-policy" content="([^"]*)"', page)
    assert policy
    assert "script-src 'self' 'wasm-unsafe-eval';" in policy[1]
    assert "frame-ancestors" not in policy[1], "browsers allow it only as a header"
    assert json.loads((out / "manifest.en.webmanifest").read_bytes())["start_url"] == "./"
    assert (out / "assets/house-1/python.mjs").read_bytes() == b"export {}"
    assert gzip.decompress((out / "assets/house-1/python.wasm.bin").read_bytes()) == b"wasm"
    assert 'const PACKED = ["assets/house-1/python.wasm"];' in (out / "offline.js").read_text()


def test_a_changed_page_changes_the_service_worker(built: Path) -> None:
    first = static_site.site_files(BUILT)["offline.js"]
    assert first == static_site.site_files(BUILT)["offline.js"]
    assert first != static_site.site_files(BUILT | {"index.html": BUILT["index.html"] + b"<hr>"})["offline.js"]


def test_the_folder_must_be_empty(run: Run, built: Path, tmp_path: Path) -> None:
    (tmp_path / "full").mkdir()
    (tmp_path / "full" / "mine.txt").write_text("mine")
    result = run("site", tmp_path / "full")
    assert result.code == 2
    assert "full is not empty" in result.err
    assert [file.name for file in (tmp_path / "full").iterdir()] == ["mine.txt"]
    result = run("site", tmp_path / "full" / "mine.txt")
    assert result.code == 2
    assert "cannot write" in result.err


def test_the_client_must_be_built(run: Run, built: Path, tmp_path: Path) -> None:
    (built / "index.html").unlink()
    result = run("site", tmp_path / "out")
    assert result.code == 2
    assert "the client is not built yet" in result.err
    assert not (tmp_path / "out").exists()
