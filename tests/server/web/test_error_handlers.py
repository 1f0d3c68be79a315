"""Internal errors: logged once, with the path template and without parameters."""

import gzip
import logging
import sqlite3
from collections.abc import Iterator
from multiprocessing import active_children
from multiprocessing.connection import wait
from multiprocessing.process import BaseProcess
from pathlib import Path
from typing import Any

import pytest
from litestar import Litestar
from litestar.testing import TestClient
from sqlalchemy import text
from sqlalchemy.exc import OperationalError

from polyopolis.games import game
from polyopolis.play.entities import LogEntry, MatchEntity, StoredMatch, as_json
from polyopolis.play.errors import Unreadable
from polyopolis.play.history import match_exports
from polyopolis.play.lobby.table_registry import TableRegistry
from polyopolis.server import services
from polyopolis.server.app import create_app
from polyopolis.server.options import Options
from polyopolis.server.storage.match_repository import DatabaseMatchRepository
from polyopolis.server.workers.export_process import ExportProcess

SECRET = "e5c1d7"


@pytest.fixture
def client(tmp_path: Path) -> Iterator[TestClient[Litestar]]:
    with TestClient(create_app(Options(tmp_path)), raise_server_exceptions=False) as found:
        yield found


def breaking(*_: Any) -> Any:
    raise ZeroDivisionError("by nothing")


def test_an_internal_error_is_one_sentence_in_the_response_and_one_log_line(
    client: TestClient[Litestar], monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(TableRegistry, "table", breaking)
    with caplog.at_level(logging.WARNING):
        answer = client.get(f"/api/tables/{SECRET}")
    assert answer.status_code == 500
    assert answer.json() == {"error": "internal error; it was logged"}
    (record,) = caplog.records
    assert record.getMessage() == "GET /api/tables/{table}: ZeroDivisionError"
    assert record.exc_info
    assert SECRET not in caplog.text


@pytest.mark.parametrize(
    ("code", "status", "said"),
    [
        (sqlite3.SQLITE_BUSY, 503, "the database does not answer in time; try again in a moment"),
        (sqlite3.SQLITE_FULL, 503, "the database does not answer in time; try again in a moment"),
        (sqlite3.SQLITE_ERROR, 500, "internal error; it was logged"),
    ],
)
def test_an_overloaded_database_is_503_and_one_log_line(  # noqa: PLR0913, PLR0917 - fixtures
    client: TestClient[Litestar],
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
    code: int,
    status: int,
    said: str,
) -> None:
    def overloaded(*_: Any) -> Any:
        problem = sqlite3.OperationalError("it cannot")
        problem.sqlite_errorcode = code
        raise OperationalError(None, None, problem)

    monkeypatch.setattr(TableRegistry, "table", overloaded)
    with caplog.at_level(logging.WARNING):
        answer = client.get(f"/api/tables/{SECRET}")
    assert (answer.status_code, answer.json()) == (status, {"error": said})
    assert [record.getMessage() for record in caplog.records] == ["GET /api/tables/{table}: OperationalError"]
    assert SECRET not in caplog.text


def test_client_errors_are_not_logged(client: TestClient[Litestar], caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.WARNING):
        assert client.get("/api/tables/nowhere").status_code == 404
    assert caplog.records == []


@pytest.mark.anyio
async def test_database_errors_contain_no_parameters(tmp_path: Path) -> None:
    store = DatabaseMatchRepository(tmp_path / "polyopolis.sqlite")
    await store.open()
    with pytest.raises(Exception, match="no such table") as caught:
        await store.write(lambda db: db.execute(text("INSERT INTO nowhere VALUES (:seed)"), {"seed": SECRET}))
    assert SECRET not in str(caught.value)
    await store.close()


@pytest.mark.anyio
async def test_an_unreadable_match_does_not_stop_the_export_process() -> None:
    rules = game("mycity")
    row = MatchEntity(number=0, setup=as_json(rules.Setup(seats=2)), seed=b"", bot_seed=b"", practice=False)
    broken, good = (StoredMatch(row, log, ()) for log in ((LogEntry(0, '{"type":"stop"}', None),), ()))
    exports = ExportProcess()
    try:
        with pytest.raises(Unreadable, match="seat 0 cannot stop"):
            await exports.write(match_exports.course, "mycity", broken)
        assert gzip.decompress(await exports.write(match_exports.course, "mycity", good))
    finally:
        exports.close()


@pytest.mark.anyio
async def test_a_failed_startup_leaves_no_processes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    before = set(active_children())
    started: set[BaseProcess] = set()

    async def fails(_: DatabaseMatchRepository) -> None:
        started.update(set(active_children()) - before)
        raise OSError("the disk is gone")

    monkeypatch.setattr(services, "backfill_derived_columns", fails)
    with pytest.raises(OSError, match="the disk is gone"):
        async with services.run_services(Options(tmp_path)):
            raise AssertionError("it opened")
    assert started
    for process in started:
        # Not `is_alive`: it may return True for a dead process while the thread of the pool also waits for it.
        assert wait([process.sentinel], 60), f"{process} was left"
