"""With a full disk, requests fail with 503, no data changes, and the log stays short."""

import logging
import shutil
import sqlite3
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from litestar import Litestar
from litestar.di import NamedDependency, Provide
from litestar.testing import TestClient
from psycopg import errors
from sqlalchemy import text
from sqlalchemy.exc import DBAPIError, OperationalError

from polyopolis.play.errors import Unwritable
from polyopolis.server import app as apps
from polyopolis.server.app import create_app
from polyopolis.server.auth.people import PersonRepository
from polyopolis.server.auth.visitors import Visit
from polyopolis.server.options import Options
from polyopolis.server.realtime.connection_guard import uvicorn_protocols
from polyopolis.server.services import run_services, services_of
from polyopolis.server.storage.databases import is_unwritable
from polyopolis.server.storage.match_repository import DatabaseMatchRepository
from polyopolis.server.web.dependencies import DEPENDENCIES
from tests.server.support.full_disk import SimulatedDisk, full_disk_error
from tests.server.support.server_process import NO_LIMITS, ORIGIN, OWN_PAGE, Visitor
from tests.server.support.threaded_server import ThreadedServer, serve_in_thread

SENTENCE = "the server cannot save at the moment; try again later"
TABLE = {"game": "mycity", "setup": {"mode": "eternal"}, "seats": [{"type": "me", "name": "Ada"}, {"type": "open"}]}
ALONE = TABLE | {"seats": [{"type": "me", "name": "Ada"}, {"type": "me", "name": "Ben"}]}


# The database


def sqlite_error(code: int) -> OperationalError:
    problem = sqlite3.OperationalError("simulated")
    problem.sqlite_errorcode = code
    return OperationalError(None, None, problem)


@pytest.mark.parametrize(
    ("error", "unwritable"),
    [
        (OperationalError(None, None, full_disk_error()), True),
        (sqlite_error(sqlite3.SQLITE_IOERR_WRITE), True),
        (sqlite_error(sqlite3.SQLITE_READONLY_DBMOVED), True),
        (sqlite_error(sqlite3.SQLITE_BUSY), False),
        (sqlite_error(sqlite3.SQLITE_ERROR), False),
        (OperationalError(None, None, errors.DiskFull()), True),
        (OperationalError(None, None, errors.IoError()), True),
        (DBAPIError(None, None, errors.ReadOnlySqlTransaction()), True),
        (OperationalError(None, None, errors.QueryCanceled()), False),
        (OperationalError(None, None, errors.OperationalError("no answer")), False),
    ],
    ids=lambda value: type(value.orig).__name__ if isinstance(value, DBAPIError) else None,
)
def test_errors_that_mean_the_database_is_unwritable(error: DBAPIError, unwritable: bool) -> None:
    assert is_unwritable(error) is unwritable


@pytest.fixture
async def store(tmp_path: Path) -> Any:
    found = DatabaseMatchRepository(tmp_path / "polyopolis.sqlite")
    await found.open()
    yield found
    await found.close()


@pytest.mark.anyio
async def test_a_write_that_does_not_fit_raises_unwritable(store: DatabaseMatchRepository) -> None:
    """Uses a page limit of SQLite."""
    await store.write(lambda db: db.execute(text("PRAGMA max_page_count = 1")))
    with pytest.raises(Unwritable, match=SENTENCE):
        await store.remember("ada", "A" * 1_000_000)
    assert await store.name_of("ada") is None
    await store.write(lambda db: db.execute(text("PRAGMA max_page_count = 1000000")))
    await store.remember("ada", "A" * 1_000_000)


@pytest.mark.anyio
async def test_a_full_disk_and_its_end_are_logged_once(
    store: DatabaseMatchRepository, caplog: pytest.LogCaptureFixture
) -> None:
    disk = SimulatedDisk(store)
    await store.check_writable()
    assert disk.commits == 0, "the check does not write"
    with caplog.at_level(logging.INFO):
        disk.full = True
        for _ in range(20):
            with pytest.raises(Unwritable):
                await store.remember("ada", "Ada")
        with pytest.raises(Unwritable):
            await store.check_writable()
        assert await store.name_of("ada") is None
        disk.full = False
        await store.check_writable()
        commits = disk.commits
        await store.check_writable()
        assert disk.commits == commits
    assert [(record.levelname, record.getMessage(), record.exc_info) for record in caplog.records] == [
        ("ERROR", "the database cannot be written: database or disk is full", None),
        ("INFO", "the database can be written again", None),
    ]


@pytest.mark.anyio
async def test_a_disk_with_space_for_one_row_still_counts_as_full(
    store: DatabaseMatchRepository, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The log of SQLite may accept small writes when the disk is full for large ones."""
    free, asked = 0, list[Path]()

    def usage(path: Path) -> Any:
        asked.append(path)
        return SimpleNamespace(free=free)

    monkeypatch.setattr(shutil, "disk_usage", usage)
    disk = SimulatedDisk(store)
    await store.check_writable()
    disk.full = True
    with pytest.raises(Unwritable):
        await store.remember("ada", "Ada")
    disk.full = False
    commits = disk.commits
    with pytest.raises(Unwritable):
        await store.check_writable()
    assert disk.commits == commits
    assert asked == [tmp_path]
    free = 1024 * 1024
    await store.check_writable()
    assert disk.commits == commits + 1


# Requests


@pytest.fixture
def client(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[TestClient[Litestar]]:
    async def visiting(visit: NamedDependency[Visit]) -> Visit:
        return visit

    monkeypatch.setattr(apps, "DEPENDENCIES", DEPENDENCIES | {"bot_visit": Provide(visiting)})
    options = Options(tmp_path, bot_processes=1, limits=NO_LIMITS)
    with TestClient(create_app(options), base_url=ORIGIN, raise_server_exceptions=False) as found:
        found.headers.update(OWN_PAGE)
        yield found


def test_a_request_that_cannot_be_saved_gets_503_and_is_not_logged(
    client: TestClient[Litestar], caplog: pytest.LogCaptureFixture
) -> None:
    table = client.post("/api/tables", json=TABLE).json()["table"]
    disk = SimulatedDisk(services_of(client.app).repository)
    disk.full = True
    with caplog.at_level(logging.WARNING):
        for path, body in (
            ("/tables", TABLE),
            (f"/tables/{table}/seats/1", {"type": "put-bot", "bot": "random"}),
            (f"/tables/{table}/talk", {"text": "Hello"}),
            ("/me/name", {"name": "Zoe"}),
        ):
            for _ in range(5):
                answer = client.post(f"/api{path}", json=body)
                assert (answer.status_code, answer.json()) == (503, {"error": SENTENCE}), path
        assert client.get(f"/api/tables/{table}").json()["seats"][1]["bot"] is None
        assert (client.get("/ready").status_code, client.get("/health").status_code) == (503, 200)
    assert len(caplog.records) == 1
    disk.full = False
    assert client.get("/ready").text != "the database cannot be written"
    assert client.post("/api/tables", json=TABLE).status_code == 201


def test_accounts_can_read_while_the_disk_is_full(
    client: TestClient[Litestar], monkeypatch: pytest.MonkeyPatch
) -> None:
    client.post("/api/me/code", json={})
    disk, noted = SimulatedDisk(services_of(client.app).repository), list[Any]()
    record_seen = PersonRepository.record_seen

    async def note(people: PersonRepository, *about: Any) -> None:
        noted.append(about)
        await record_seen(people, *about)

    monkeypatch.setattr(PersonRepository, "record_seen", note)
    monkeypatch.setattr("polyopolis.server.auth.visitors.SEEN_SECONDS", -1)
    disk.full = True
    assert client.get("/api/me").json()["account"] is True
    assert noted


def test_an_external_bot_gets_503_when_its_message_was_not_saved(client: TestClient[Litestar]) -> None:
    table = client.post("/api/tables", json=ALONE).json()["table"]
    disk = SimulatedDisk(services_of(client.app).repository)
    wish = {"type": "ask-for", "seat": 0, "wish": {"type": "end-early"}}
    disk.full = True
    answer = client.post(f"/api/bot/stream/{table}", json=wish)
    assert (answer.status_code, answer.json()) == (503, {"error": SENTENCE})
    disk.full = False
    assert client.post(f"/api/bot/stream/{table}", json=wish).status_code == 200


# Pages at a table


@pytest.mark.anyio
async def test_a_move_that_cannot_be_saved_is_refused_and_can_be_repeated(tmp_path: Path) -> None:
    app = create_app(Options(tmp_path, bot_processes=1))
    with serve_in_thread(app, **uvicorn_protocols(NO_LIMITS)) as port:
        ada = Visitor(ThreadedServer(tmp_path, port))
        table = await ada.table("Ada", "Ben")
        disk = SimulatedDisk(services_of(app).repository)
        async with ada.at(table) as screen:
            choices = await screen.turn(0)
            before = screen.mine[0]["turn"]
            disk.full = True
            for _ in range(3):
                await screen.act(0, choices[0])
                refused = await screen.hear()
                assert (refused["type"], refused["seat"], refused["reason"]["code"]) == ("refused", 0, "not-saved")
                assert (screen.mine[0]["turn"], screen.mine[0]["staged"]) == (before, None)
            await screen.say(type="consent", yes=True)
            await screen.say(type="ask-for", seat=1, wish={"type": "end-early"})
            assert (await screen.hear())["reason"]["code"] == "not-saved"
            disk.full = False
            await screen.act(0, choices[0])
            assert (await screen.hear())["type"] == "decided"
            assert screen.mine[0]["turn"] == before + 1
        await ada.close()


@pytest.mark.anyio
async def test_a_server_stops_while_the_disk_is_full(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.WARNING):
        async with run_services(Options(tmp_path, bot_processes=1)) as services:
            SimulatedDisk(services.repository).full = True
    assert {record.exc_info for record in caplog.records} == {None}
