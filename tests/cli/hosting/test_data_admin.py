"""The data folder: its lock and permissions, copies, quarantined tables, archived tables, and moving a site."""

import asyncio
import json
import os
import shutil
import sqlite3
import stat
from collections.abc import Callable
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import psycopg
import pytest

from polyopolis.play.in_memory import SystemClock
from polyopolis.records import CampaignRecord, read, verify, verify_campaign
from polyopolis.server.cluster.heartbeat import HEARTBEAT_SECONDS
from polyopolis.server.ops import data_folder
from polyopolis.server.ops.data_folder import DATABASE, FolderProblem
from polyopolis.server.ops.retention import DAY, MonotonicDate, Retention, delete_unused_tables
from polyopolis.server.storage.databases import newest_revision
from polyopolis.server.storage.match_repository import DatabaseMatchRepository
from tests.cli.conftest import Run

OLD = Path(__file__).parents[2] / "server" / "data"
TABLES: dict[str, dict[str, object]] = json.loads((OLD / "before.json").read_text("utf-8"))["tables"]


@pytest.fixture
def old(tmp_path: Path) -> Path:
    """A data folder of an older version."""
    data = tmp_path / "data"
    data.mkdir()
    shutil.copy(OLD / "before.sqlite", data / DATABASE)
    return data


@pytest.fixture
def data(old: Path) -> Path:
    """A data folder of this version."""
    asyncio.run(migrated(old))
    return old


async def migrated(data: Path) -> None:
    store = DatabaseMatchRepository(data / DATABASE)
    await store.open()
    await store.close()


def rows(path: Path, statement: str) -> list[tuple[object, ...]]:
    with closing(sqlite3.connect(path)) as db:
        return db.execute(statement).fetchall()


# One server at a time


def test_a_second_server_does_not_start(run: Run, tmp_path: Path) -> None:
    with data_folder.lock_folder(tmp_path):
        result = run("serve", "--data", tmp_path)
    assert (result.code, result.err) == (2, f"polyopolis: another server works on the folder {tmp_path}.\n")


def test_the_lock_of_a_dead_process_is_free(tmp_path: Path) -> None:
    child = os.fork()
    if not child:  # pragma: no cover - exits while it holds the lock
        with data_folder.lock_folder(tmp_path):
            os._exit(0)
    os.waitpid(child, 0)
    with data_folder.lock_folder(tmp_path):
        assert (tmp_path / data_folder.LOCK).exists()


@pytest.mark.skipif(os.name == "nt", reason="Windows has no such modes")
def test_other_users_of_the_machine_cannot_read_the_folder(old: Path) -> None:
    umask = os.umask(0)
    try:
        old.chmod(0o755)
        (old / DATABASE).chmod(0o644)
        data_folder.prepare_database(old)
        modes = {path.name: stat.S_IMODE(path.stat().st_mode) for path in (old, *old.iterdir())}
    finally:
        os.umask(umask)
    assert modes.pop("data") == 0o700
    assert len(modes) > 1
    assert set(modes.values()) == {0o600}


# Other files in place of the database


@pytest.mark.parametrize(
    ("content", "reason"),
    [(b"", "no such table: alembic_version"), (b"my diary, 1893" * 99, "file is not a database")],
)
def test_a_file_that_is_not_our_database_is_not_changed(run: Run, tmp_path: Path, content: bytes, reason: str) -> None:
    path = tmp_path / DATABASE
    path.write_bytes(content)
    result = run("serve", "--data", tmp_path)
    assert (result.code, result.err) == (2, f"polyopolis: {path} is no database of Polyopolis ({reason}).\n")
    assert path.read_bytes() == content


def test_a_database_of_a_newer_version_is_refused(run: Run, data: Path) -> None:
    with closing(sqlite3.connect(data / DATABASE)) as db, db:
        db.execute("UPDATE alembic_version SET version_num = '9999'")
    result = run("serve", "--data", data)
    assert "was written by a newer version of Polyopolis (9999)" in result.err
    assert result.err.count("\n") == 1


def test_a_database_is_copied_before_it_is_migrated(old: Path) -> None:
    before = data_folder.revision_of(old / DATABASE)
    data_folder.prepare_database(old)
    (copied,) = old.glob("before-*.sqlite")
    assert data_folder.revision_of(copied) == before != newest_revision()
    assert rows(copied, "SELECT count(*) FROM log") == rows(old / DATABASE, "SELECT count(*) FROM log")


def test_a_database_of_this_version_is_not_copied(data: Path) -> None:
    data_folder.prepare_database(data)
    assert not list(data.glob("before-*"))


def test_a_new_folder_gets_a_complete_database(tmp_path: Path) -> None:
    data_folder.prepare_database(tmp_path)
    assert [path.name for path in tmp_path.iterdir()] == [DATABASE]
    assert data_folder.revision_of(tmp_path / DATABASE) == newest_revision()


# Copies


def test_a_backup_contains_the_write_ahead_log(run: Run, data: Path, tmp_path: Path) -> None:
    with closing(sqlite3.connect(data / DATABASE)) as writer:
        writer.execute("PRAGMA wal_autocheckpoint = 0")
        with writer:
            writer.execute("INSERT INTO people (id, name) VALUES ('p', 'Ada Lovelace')")
        shutil.copy(data / DATABASE, tmp_path / "alone.sqlite")
        result = run("backup", tmp_path / "copy.sqlite", "--data", data)
    assert (result.code, result.err) == (0, "")
    ada = "SELECT count(*) FROM people WHERE name = 'Ada Lovelace'"
    assert rows(tmp_path / "copy.sqlite", ada) == [(1,)]
    assert rows(tmp_path / "alone.sqlite", ada) == [(0,)], "copying the file alone would be enough"


def test_a_backup_does_not_overwrite_a_file(run: Run, data: Path, tmp_path: Path) -> None:
    target = tmp_path / "copy.sqlite"
    target.write_text("precious")
    assert f"{target} exists already" in run("backup", target, "--data", data).err
    assert target.read_text() == "precious"
    assert "there is no folder" in run("backup", tmp_path / "nowhere" / "copy.sqlite", "--data", data).err


def test_restoring_a_backup_keeps_the_replaced_database(run: Run, data: Path, tmp_path: Path) -> None:
    assert run("backup", tmp_path / "copy.sqlite", "--data", data).code == 0
    with closing(sqlite3.connect(data / DATABASE)) as db, db:
        db.execute("DELETE FROM log")
    result = run("restore", tmp_path / "copy.sqlite", "--data", data)
    assert (result.code, result.err) == (0, "")
    count = "SELECT count(*) > 0 FROM log"
    assert rows(data / DATABASE, count) == [(1,)]
    (replaced,) = data.glob("replaced-*.sqlite")
    assert rows(replaced, count) == [(0,)]
    assert run("verify-store", "--data", data).code == 0


def test_restoring_needs_a_stopped_server_and_a_database(run: Run, data: Path, tmp_path: Path) -> None:
    assert run("backup", tmp_path / "copy.sqlite", "--data", data).code == 0
    with data_folder.lock_folder(data):
        assert "another server works on the folder" in run("restore", tmp_path / "copy.sqlite", "--data", data).err
    (tmp_path / "diary").write_text("dear diary" * 99)
    assert "is no database of Polyopolis" in run("restore", tmp_path / "diary", "--data", data).err
    assert "there is no file" in run("restore", tmp_path / "nothing", "--data", data).err


# Quarantined tables


def test_setting_a_table_aside_and_putting_it_back_keeps_all_rows(run: Run, data: Path) -> None:
    table = str(TABLES["campaign"]["table"])
    before = all_rows(data)
    result = run("set-aside", table, "--data", data)
    assert result.code == 0
    assert not any(table in row for name, found in all_rows(data).items() for row in found if name != "codes")
    assert (data / "aside" / f"{table}.json").exists()
    assert run("put-back", table, "--data", data).code == 0
    assert all_rows(data) == before
    assert not (data / "aside" / f"{table}.json").exists()


def test_a_table_of_an_older_version_is_set_aside_too(run: Run, old: Path) -> None:
    table = str(TABLES["campaign"]["table"])
    for command in ("set-aside", "put-back"):
        assert run(command, table, "--data", old).code == 0
    assert len(list(old.glob("before-*.sqlite"))) == 1
    assert run("verify-store", "--data", old).code == 0


def all_rows(data: Path) -> dict[str, list[tuple[object, ...]]]:
    names = ("tables", "seats", "matches", "log", "turns", "codes")
    return {name: sorted(rows(data / DATABASE, f'SELECT * FROM "{name}"'), key=repr) for name in names}


@pytest.mark.parametrize("table", ["nowhere", "../../etc/passwd", ""])
def test_an_unknown_table_is_refused(run: Run, data: Path, table: str) -> None:
    for command, sentence in (("set-aside", "there is no table"), ("put-back", "there is no ")):
        result = run(command, table, "--data", data)
        assert result.code == 2
        assert sentence in result.err


# Retention

FOREVER = Retention(unplayed="never", guests="never", imports="never")


async def kept(data: Path, retention: Retention, in_use: frozenset[str] = frozenset()) -> tuple[int, set[str]]:
    store = DatabaseMatchRepository(data / DATABASE)
    await store.open()
    gone = await delete_unused_tables(store, data, retention, MonotonicDate(SystemClock()), lambda: in_use)
    left = set(await store.all_tables())
    await store.close()
    return gone, left


def test_abandoned_tables_are_archived_as_valid_records(data: Path) -> None:
    before = {str(table) for (table,) in rows(data / DATABASE, "SELECT id FROM tables")}
    used = str(TABLES["campaign"]["table"])
    gone, left = asyncio.run(kept(data, replace(FOREVER, left=0.0, unbegun=0.0), frozenset({used})))
    assert left == {used}
    assert gone == len(before) - 1
    archived = sorted((data / "archive").glob("*.json"))
    assert archived
    for path in archived:
        record = read(path)
        if isinstance(record, CampaignRecord):
            verify_campaign(record)
        else:
            verify(record)


def test_a_table_that_is_open_on_another_node_stays(data: Path) -> None:
    table = str(TABLES["campaign"]["table"])
    with closing(sqlite3.connect(data / DATABASE)) as db, db:
        db.execute("INSERT INTO nodes VALUES ('other', 1)")
        db.execute("INSERT INTO presence (node, [table], people, unknown) VALUES ('other', ?, '[]', 1)", (table,))
    assert asyncio.run(kept(data, replace(FOREVER, left=0.0, unbegun=0.0)))[1] == {table}


def test_tables_stay_until_their_retention_time_is_over(data: Path) -> None:
    with closing(sqlite3.connect(data / DATABASE)) as db, db:
        db.execute("UPDATE tables SET changed = ?", (SystemClock().now() // 1000 - int(DAY),))
    assert asyncio.run(kept(data, FOREVER))[0] == 0
    assert asyncio.run(kept(data, replace(FOREVER, left=2.0, unbegun=2.0)))[0] == 0
    assert asyncio.run(kept(data, replace(FOREVER, left=0.5, unbegun=0.5)))[1] == set()


def test_a_table_that_cannot_be_archived_stays(data: Path) -> None:
    table = str(TABLES["campaign"]["table"])
    with closing(sqlite3.connect(data / DATABASE)) as db, db:
        db.execute("UPDATE log SET action = 'nonsense' WHERE \"table\" = ?", (table,))
    assert asyncio.run(kept(data, replace(FOREVER, left=0.0, unbegun=0.0)))[1] == {table}


def test_a_damaged_database_is_not_copied(data: Path, tmp_path: Path) -> None:
    path = data / DATABASE
    content = bytearray(path.read_bytes())
    content[len(content) // 2 :] = b"\xff" * (len(content) - len(content) // 2)
    path.write_bytes(content)
    with pytest.raises(FolderProblem, match="is damaged"):
        data_folder.copy_database(path, tmp_path / "copy.sqlite")
    assert not (tmp_path / "copy.sqlite").exists()


# From one database to another


@pytest.mark.slow
def test_moving_to_postgresql_and_back_keeps_all_rows(
    run: Run, old: Path, tmp_path: Path, new_site: Callable[[], str]
) -> None:
    site, back = new_site(), tmp_path / "back"
    result = run("move-store", old, site)
    assert (result.code, result.err) == (0, "")
    assert "0 would fail" in result.out
    assert run("verify-store", "--database", site).code == 0
    again = run("move-store", old, site)
    assert (again.code, again.err) == (2, "polyopolis: the database to move to is not empty.\n")
    table = str(TABLES["campaign"]["table"])
    for command in ("set-aside", "put-back"):
        assert run(command, table, "--database", site, "--data", tmp_path).code == 0
    assert run("move-store", site, back).code == 0
    asyncio.run(migrated(old))
    assert all_rows(back) == all_rows(old)
    assert "exists already" in run("move-store", site, back).err
    assert "pg_dump" in run("backup", tmp_path / "x", "--database", site).err


@pytest.mark.slow
def test_a_site_does_not_move_under_a_running_server(
    run: Run, tmp_path: Path, new_site: Callable[[], str], monkeypatch: pytest.MonkeyPatch
) -> None:
    site, pauses = new_site(), list[float]()

    async def beat() -> None:
        store = DatabaseMatchRepository(site)
        await store.open()
        await store.beat("alive")
        await store.close()

    def beat_meanwhile(seconds: float) -> None:
        pauses.append(seconds)
        asyncio.run(beat())

    asyncio.run(beat())
    monkeypatch.setattr("polyopolis.server.ops.site_migration.sleep", beat_meanwhile)
    result = run("move-store", site, tmp_path / "back")
    assert "a server uses" in result.err
    assert result.code == 2
    assert pauses == [3 * HEARTBEAT_SECONDS]


@pytest.mark.slow
def test_an_error_of_a_database_does_not_contain_its_password(
    run: Run, tmp_path: Path, new_site: Callable[[], str]
) -> None:
    foreign = new_site()
    with psycopg.connect(foreign) as db:
        db.execute("CREATE TABLE diary (day text)")
    for site, sentence in (
        ("postgresql://me:secret@127.0.0.1:1/site", "cannot be reached"),
        ("mysql://me:secret@127.0.0.1/site", "not 'mysql'"),
        (foreign, "is no database of Polyopolis"),
        (new_site(), "is of an older version"),
    ):
        result = run("verify-store", "--database", site, "--data", tmp_path)
        assert result.code == 2
        assert sentence in result.err
        assert result.err.count("\n") == 1
        assert "secret" not in result.err
