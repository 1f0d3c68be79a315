"""Commands fail with one sentence when the disk is full, and change no file."""

import os
import resource
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from errno import ENOSPC
from pathlib import Path
from typing import Any

import pytest

from polyopolis.server.ops import data_folder
from polyopolis.server.ops.data_folder import DATABASE, TRIAL
from tests.cli.conftest import Run
from tests.cli.hosting.test_data_admin import data, old, rows

__all__ = ["data", "old"]
PAGE = 4096


@contextmanager
def largest_file(size: int) -> Iterator[None]:
    """Limits the size of files. Writing more fails as on a full disk, but with another error."""
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, before[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)


def fill_disk_for(monkeypatch: pytest.MonkeyPatch, ending: str) -> None:
    """Limits databases whose names end with `ending` to two pages."""
    connect = sqlite3.connect

    def connected(path: Any, **options: Any) -> sqlite3.Connection:
        db: sqlite3.Connection = connect(path, **options)
        if str(path).endswith(ending):
            db.execute("PRAGMA max_page_count = 2")
        return db

    monkeypatch.setattr(sqlite3, "connect", connected)


def files(path: Path) -> dict[str, bytes]:
    return {each.name: each.read_bytes() for each in path.iterdir() if each.is_file()}


# Starting


def test_a_server_does_not_start_in_a_new_folder_without_space(run: Run, tmp_path: Path) -> None:
    with largest_file(PAGE):
        result = run("serve", "--data", tmp_path / "new")
    assert (result.code, result.err) == (
        2, f"polyopolis: the folder {tmp_path / 'new'} cannot be written to: file too large.\n"
    )  # fmt: skip
    assert files(tmp_path / "new").keys() <= {data_folder.LOCK}


def test_a_server_does_not_start_without_space_beside_its_database(
    run: Run, data: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(_: int) -> None:
        raise OSError(ENOSPC, "No space left on device")

    before = files(data)
    monkeypatch.setattr(os, "fsync", full)
    result = run("serve", "--data", data)
    assert (result.code, result.err) == (
        2, f"polyopolis: the folder {data} cannot be written to: no space left on device.\n"
    )  # fmt: skip
    assert files(data) == before | {data_folder.LOCK: b""}
    assert not (data / TRIAL).exists()


def test_a_database_that_cannot_be_copied_is_not_migrated(run: Run, old: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    before = files(old)
    fill_disk_for(monkeypatch, ".part")
    result = run("serve", "--data", old)
    assert result.code == 2
    assert result.err.startswith(f"polyopolis: {old}/before-")
    assert result.err.endswith("cannot be written: no space left on device.\n")
    assert files(old) == before | {data_folder.LOCK: b""}


# Backing up


def test_a_backup_on_a_full_disk_leaves_no_partial_file(
    run: Run, data: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    copies = tmp_path / "copies"
    copies.mkdir()
    assert run("backup", copies / "monday.sqlite", "--data", data).code == 0
    before = files(copies)
    fill_disk_for(monkeypatch, ".part")
    result = run("backup", copies / "tuesday.sqlite", "--data", data)
    assert (result.code, result.err) == (
        2, f"polyopolis: {copies / 'tuesday.sqlite'} cannot be written: no space left on device.\n"
    )  # fmt: skip
    assert files(copies) == before


def test_an_error_while_writing_a_backup_names_the_backup(run: Run, data: Path, tmp_path: Path) -> None:
    with largest_file(10 * PAGE):
        result = run("backup", tmp_path / "copy.sqlite", "--data", data)
    assert (result.code, result.err) == (
        2, f"polyopolis: {tmp_path / 'copy.sqlite'} cannot be written: disk i/o error.\n"
    )  # fmt: skip
    assert not files(tmp_path)


def test_a_database_that_cannot_be_read_is_named(run: Run, data: Path, tmp_path: Path) -> None:
    with largest_file(PAGE):
        result = run("backup", tmp_path / "copy.sqlite", "--data", data)
    assert (result.code, result.err) == (2, f"polyopolis: {data / DATABASE} cannot be read: disk i/o error.\n")


def test_a_backup_file_that_cannot_be_created_is_an_error(
    run: Run, data: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*_: Any, **__: Any) -> None:
        raise OSError(ENOSPC, "No space left on device")

    monkeypatch.setattr(Path, "touch", full)
    result = run("backup", tmp_path / "copy.sqlite", "--data", data)
    assert (result.code, result.err) == (
        2, f"polyopolis: {tmp_path / 'copy.sqlite'} cannot be written: no space left on device.\n"
    )  # fmt: skip


@pytest.mark.parametrize("ending", [".restored.part", "replaced"])
def test_a_failed_restore_leaves_all_files_unchanged(
    run: Run, data: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, ending: str
) -> None:
    assert run("backup", tmp_path / "copy.sqlite", "--data", data).code == 0
    before = files(data)
    if ending == "replaced":
        monkeypatch.setattr(data_folder, "timestamp", lambda: "now")
        ending = "replaced-now.sqlite.part"
    fill_disk_for(monkeypatch, ending)
    result = run("restore", tmp_path / "copy.sqlite", "--data", data)
    assert result.code == 2
    assert result.err.endswith("cannot be written: no space left on device.\n")
    assert files(data) == before | {data_folder.LOCK: b""}


# Other commands


def test_an_error_while_writing_to_the_database_is_one_sentence(run: Run, data: Path) -> None:
    table = rows(data / DATABASE, "SELECT id FROM tables")[0][0]
    with largest_file(PAGE):
        result = run("set-aside", table, "--data", data)
    assert result.code == 2
    assert result.err.count("\n") == 1
    assert (table,) in rows(data / DATABASE, "SELECT id FROM tables")
