"""`people`, `bots`, `ratings` and `change-secret`."""

import re
import sqlite3
from contextlib import closing
from datetime import datetime
from hashlib import sha256
from pathlib import Path

import pytest

from polyopolis.server.ops import data_folder
from polyopolis.server.ops.data_folder import DATABASE
from tests.cli.conftest import Run
from tests.cli.hosting.test_data_admin import OLD


@pytest.fixture
def data(tmp_path: Path) -> Path:
    data_folder.prepare_database(tmp_path)
    with closing(sqlite3.connect(tmp_path / DATABASE)) as db, db:
        people = [("ada", "Ada", 1_700_000_000), ("-ben", "Ben", None), ("gone", None, None)]
        db.executemany("INSERT INTO people (id, name, joined) VALUES (?, ?, ?)", people)
    return tmp_path


LAST = datetime.fromtimestamp(1_700_000_000).date().isoformat()
"""A day in the local time zone."""


def marks(data: Path) -> dict[str, tuple[bool, bool]]:
    with closing(sqlite3.connect(data / DATABASE)) as db:
        return {name: (bool(muted), bool(removed)) for name, muted, removed in db.execute(
            "SELECT id, muted, removed FROM people"
        )}  # fmt: skip


def test_a_host_lists_mutes_and_removes_people(run: Run, data: Path) -> None:
    shown = run("people", "list", "--data", data)
    assert (shown.code, shown.err) == (0, "")
    ada, ben = (next(line for line in shown.out.splitlines() if name in line) for name in ("Ada", "Ben"))
    assert ada.split() == ["ada", "Ada", "account", "0", LAST]
    assert ben.split() == ["-ben", "Ben", "guest", "0"]
    assert "2 people" in shown.out
    assert "gone" not in shown.out
    assert "Ada" not in run("people", "list", "--name", "BE", "--data", data).out

    assert run("people", "mute", "-ben", "--data", data).out == "-ben is muted: they can play, but not chat or react.\n"
    assert run("people", "remove", "ada", "--data", data).code == 0
    assert marks(data) == {"ada": (False, True), "-ben": (True, False), "gone": (False, False)}
    assert "muted" in run("people", "list", "--name", "ben", "--data", data).out
    assert run("people", "mute", "-ben", "--undo", "--data", data).code == 0
    assert run("people", "remove", "ada", "--undo", "--data", data).out == "ada can return.\n"
    assert set(marks(data).values()) == {(False, False)}
    unknown = run("people", "mute", "eve", "--data", data)
    assert (unknown.code, unknown.err) == (
        2, "polyopolis: there is no person 'eve'; `polyopolis people list` lists all.\n",
    )  # fmt: skip


def test_lists_show_shared_profiles_and_ratings(run: Run, data: Path) -> None:
    with closing(sqlite3.connect(data / DATABASE)) as db, db:
        db.execute("UPDATE people SET shared = 'word' WHERE id = 'ada'")
        columns = '"table", match, seat, game, kind, person, bot, score, rank, counts, ended, rated'
        lines = [(0, "ada", None, 1), (1, None, "level-3", 2)]
        for seat, person, bot, rank in lines:
            values = ("t", 0, seat, "mycity", "eternal", person, bot, 9, rank, person is not None, 1, 1)
            db.execute(f"INSERT INTO results ({columns}, mu, sigma) VALUES ({', '.join('?' * 12)}, 0.0, 1.0)", values)
    shown = run("people", "list", "--data", data).out
    assert [line.split()[-1] for line in shown.splitlines() if "Ada" in line] == ["shared"]
    assert run("ratings", "--rebuild", "--data", data).out == "Recomputed all ratings. Rated matches: 1.\n"
    found = run("ratings", "--data", data).out
    (ada,) = [line.split() for line in found.splitlines() if "Ada" in line]
    assert ada[:2] == ["mycity", "Ada"]
    assert float(ada[2]) > 25, "a player who beats a bot of average strength is rated above average"
    assert ada[4] == "1"


def test_a_host_lists_and_dismisses_reports(run: Run, data: Path) -> None:
    assert "0 reports" in run("people", "reports", "--data", data).out
    with closing(sqlite3.connect(data / DATABASE)) as db, db:
        rows = [(f"r{n}", "-x1", by, "t", "-ben", "Ben", "Boo [red]!", 1_700_000_000) for n, by in enumerate("ac")]
        db.executemany("INSERT INTO reports VALUES (?, ?, ?, ?, ?, ?, ?, ?)", rows)
    shown = run("people", "reports", "--data", data)
    (line,) = (line for line in shown.out.splitlines() if "Boo" in line)
    assert line.split() == ["-x1", "-ben", "Ben", "Boo", "[red]!", "2", LAST, "t"]
    assert run("people", "reports", "--dismiss", "-x1", "--data", data).out == "Report -x1 is no longer listed.\n"
    gone = run("people", "reports", "--dismiss", "-x1", "--data", data)
    assert (gone.code, "there is no report '-x1'" in gone.err) == (2, True)


def test_a_host_rotates_the_key_of_sessions(run: Run, data: Path) -> None:
    def secrets() -> list[str]:
        with closing(sqlite3.connect(data / DATABASE)) as db:
            return sorted(row[0] for row in db.execute("SELECT name FROM secrets"))

    for _ in range(3):
        assert run("change-secret", "--data", data).code == 0
    assert secrets() == ["sessions", "sessions-1", "sessions-2"]
    assert "no longer valid" in run("change-secret", "--forget", "--data", data).out
    assert secrets() == ["sessions-3"]
    with closing(sqlite3.connect(data / DATABASE)) as db:
        assert db.execute("SELECT number FROM counters WHERE name = 'door'").fetchone()[0] >= 4


def test_a_database_of_an_older_version_must_be_migrated_by_a_server(run: Run, tmp_path: Path) -> None:
    (tmp_path / DATABASE).write_bytes((OLD / "before.sqlite").read_bytes())
    result = run("people", "list", "--data", tmp_path)
    assert result.code == 2
    assert "start a server on it once" in result.err


def test_a_host_creates_bots_and_tokens_and_revokes_them(run: Run, data: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "120")
    made = run("bots", "make", "Deep", "--data", data)
    assert (made.code, made.err) == (0, "")
    found = re.fullmatch(r"Deep is (bot~\S+)\. Its token, which cannot be shown again: (\S+)\n", made.out)
    assert found
    bot, token = found.groups()
    assert token.startswith(f"{bot}.")
    another = run("bots", "token", bot, "--name", "laptop", "--scopes", "watch", "--data", data)
    assert another.out.startswith(f"A token of {bot}, ")
    lines = [line.split() for line in run("bots", "list", "--data", data).out.splitlines() if "Deep" in line]
    digest = sha256(token.encode()).hexdigest()[:12]
    assert {(row[0], row[1], row[3], *row[4:-1]) for row in lines} == {
        (bot, "Deep", "host", "play", "watch"),
        (bot, "Deep", "laptop", "watch"),
    }
    assert digest in {row[2] for row in lines}
    (listed,) = (line.split() for line in run("people", "list", "--data", data).out.splitlines() if "Deep" in line)
    assert listed[:3] == [bot, "Deep", "bot"]
    assert run("bots", "revoke", digest, "--data", data).code == 0
    assert digest not in run("bots", "list", "--data", data).out
    assert "there is no token" in run("bots", "revoke", digest, "--data", data).err
    assert "there is no scope 'chat'" in run("bots", "token", bot, "--scopes", "chat", "--data", data).err
    assert "there is no bot 'ada'" in run("bots", "token", "ada", "--data", data).err
