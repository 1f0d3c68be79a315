"""Operations: probes, metrics, log, shutdown."""

import asyncio
import json
import logging
import sqlite3
import subprocess
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from threading import Event
from typing import Any

import httpx
import pytest
from litestar import Litestar
from litestar.testing import TestClient

from polyopolis.play.lobby.table_registry import TableRegistry
from polyopolis.server.app import create_app
from polyopolis.server.auth.session_cookies import COOKIE
from polyopolis.server.limits.rate_limits import Limits, RateLimit
from polyopolis.server.ops import logs
from polyopolis.server.ops.data_folder import DATABASE
from polyopolis.server.options import Options
from polyopolis.server.services import services_of
from polyopolis.server.storage.db_threads import DbThread
from tests.play.in_memory_site import until
from tests.server.support.server_process import ServerProcess, Visitor, free_port
from tests.server.support.threaded_server import TIMEOUT_SECONDS
from tests.server.support.threaded_server import until as until_true

pytestmark = pytest.mark.anyio
SERVICE_RESTART = 1012


@pytest.fixture
def client(tmp_path: Path) -> Iterator[TestClient[Litestar]]:
    options = Options(tmp_path, bot_processes=1, limits=Limits(requests=RateLimit(2, 60)))
    with TestClient(create_app(options), raise_server_exceptions=False) as found:
        yield found


# Probes


def test_probes_work_for_any_host_without_session_or_limit(client: TestClient[Litestar]) -> None:
    for path, said in (("/health", "alive"), ("/ready", "ready")):
        for _ in range(5):
            answer = client.get(path, headers={"host": "any.example"})
        assert (answer.status_code, answer.text) == (200, said)
        assert client.head(path).status_code == 200
        assert "set-cookie" not in answer.headers
        assert answer.headers["cache-control"] == "no-store"


def test_a_server_that_is_not_ready_says_why(client: TestClient[Litestar], monkeypatch: pytest.MonkeyPatch) -> None:
    def breaking(*_: Any) -> None:
        raise OSError("/secret/path is full")

    monkeypatch.setattr(DbThread, "transaction", breaking)
    answer = client.get("/ready")
    assert (answer.status_code, answer.text) == (503, "the database does not answer")
    assert client.get("/health").status_code == 200


@pytest.mark.parametrize("thread", ["writer", "reader"])
def test_a_hanging_thread_makes_the_server_not_ready_and_is_probed_once(
    client: TestClient[Litestar], monkeypatch: pytest.MonkeyPatch, thread: str
) -> None:
    monkeypatch.setattr("polyopolis.server.web.health.PROBE_TIMEOUT_SECONDS", 0.01)
    writer, reader = services_of(client.app).repository.threads
    db_thread, busy, hold = writer._thread if thread == "writer" else reader._threads[-1], Event(), Event()

    def hang() -> None:
        busy.set()
        hold.wait(TIMEOUT_SECONDS)

    blocked = db_thread._executor.submit(hang)
    assert busy.wait(TIMEOUT_SECONDS)
    probes = set[Any]()
    for _ in range(5):
        answer = client.get("/ready")
        assert (answer.status_code, answer.text) == (503, "the database does not answer in time")
        probes.add(db_thread._probe)
    assert len(probes) == 1, "one probe runs at a time"
    hold.set()
    blocked.result(TIMEOUT_SECONDS)
    monkeypatch.undo()
    until_true(lambda: client.get("/ready").status_code == 200)


def test_dead_bot_processes_are_noticed_and_replaced(client: TestClient[Litestar]) -> None:
    (bot_process,) = services_of(client.app).bots._processes
    for process in bot_process.worker._processes:
        process.kill()
        process.join()
    answer = client.get("/ready")
    assert (answer.status_code, answer.text) == (503, "no bot process is running; one is being restarted")
    assert client.get("/ready").status_code == 200


# A server process


@pytest.fixture
def hosted(tmp_path: Path) -> Iterator[tuple[ServerProcess, int, Path]]:
    port, log = free_port(), tmp_path / "log"
    house = ServerProcess(
        tmp_path / "data", "--metrics", str(port), "--log-level", "debug", "--log-format", "json", log=log
    )
    house.start()
    try:
        yield house, port, log
    finally:
        house.stop()


def numbers(port: int) -> dict[str, float]:
    told = httpx.get(f"http://127.0.0.1:{port}/metrics").text
    lines = [line.rpartition(" ") for line in told.splitlines() if line.startswith("polyopolis_")]
    return {name: float(value) for name, _, value in lines}


async def test_metrics_log_and_shutdown_of_a_server(hosted: tuple[ServerProcess, int, Path]) -> None:
    house, port, log = hosted
    ada = Visitor(house)
    table = await ada.table("Ada", "bot:random")
    async with ada.at(table) as screen:
        await screen.play(0, rounds=2)
        await screen.act(0, (await screen.turn(0))[-1] | {"type": "nonsense"})
        await screen.heard_of("refused")
        await screen.until(lambda: screen.decided == [1])  # no bot is computing while metrics are read
        await until(lambda: numbers(port)["polyopolis_loop_lag_seconds_count"] > 0)
        check_numbers(numbers(port), table)
        assert "polyopolis_sockets" not in (await ada.http.get("/metrics")).text
        await ada.table("Ada", "bot:level-5", "bot:level-5")  # they are computing during the shutdown
        code = (await ada.post(f"/tables/{table}/seats/0/code", {}))["code"]
        choice = (await screen.turn(0))[1]
        moves = screen.moves
        await screen.act(0, choice)
        await screen.until(lambda: screen.moves > moves)
        ending = asyncio.create_task(asyncio.to_thread(house.end))
        assert await screen.hear_to_the_end() == SERVICE_RESTART
        assert await ending == 0
    await until_group_has_ended(house.group)
    stored = secrets_of(house.data, table)
    assert choice in stored["decisions"], "broadcast decisions are stored"
    check_log(log, table, [ada.http.cookies[COOKIE], code, *stored["seeds"]])
    await ada.close()


async def until_group_has_ended(group: int) -> None:
    """Waits until all processes of a group have ended; zombies do not count."""
    await until(lambda: not any(line.split()[0] == str(group) and "Z" not in line for line in processes()))


def processes() -> list[str]:
    return subprocess.run(["ps", "-eo", "pgid=,stat="], check=True, capture_output=True, text=True).stdout.splitlines()


def check_numbers(seen: dict[str, float], table: str) -> None:
    assert seen['polyopolis_decisions_total{by="person"}'] == seen["polyopolis_decision_seconds_count"] == 2
    assert seen['polyopolis_decisions_total{by="bot"}'] == 3
    assert seen["polyopolis_sockets"] == seen["polyopolis_tables"] == 1
    assert seen["polyopolis_thought_wait_seconds_count"] == seen['polyopolis_thought_seconds_count{bot="random"}']
    assert seen["polyopolis_thoughts_waiting"] == 0
    assert any("polyopolis_requests_total" in name and 'path="/api/tables"' in name for name in seen)
    assert not any(table in name for name in seen)


def secrets_of(data: Path, table: str) -> dict[str, list[Any]]:
    with closing(sqlite3.connect(data / DATABASE)) as db:
        seeds = [seed.hex() for (seed,) in db.execute("SELECT seed FROM matches")]
        logged = db.execute('SELECT action FROM log WHERE "table" = ? AND seat = 0', (table,)).fetchall()
        staged = db.execute('SELECT staged FROM turns WHERE "table" = ? AND staged IS NOT NULL', (table,)).fetchall()
    return {"seeds": seeds, "decisions": [json.loads(action) for (action,) in logged + staged]}


def check_log(log: Path, table: str, secrets: list[str]) -> None:
    """Also at level debug. A shutdown that exceeded its time limit would have logged an error."""
    written = log.read_text()
    lines = [json.loads(line) for line in written.splitlines()]
    assert {"time", "level", "logger", "message"} <= set.intersection(*map(set, lines))
    assert {line["level"] for line in lines} <= {"debug", "info"}, "no warnings or errors"
    assert any("POST /api/tables" in line["message"] for line in lines), "each request is logged"
    assert [line["message"] for line in lines if line["logger"] == "polyopolis.cli.hosting.serve"][-1] == "closed"
    for secret in secrets:
        assert secret not in written
        assert secret.partition(".")[0] not in written
    assert '"cells' not in written.replace("\\", "")
    (line,) = [line for line in lines if line.get("request") == "POST /api/tables/{table}/seats/{seat}/code"]
    assert line["table"] == table


def test_a_log_line_names_request_and_table_and_is_one_line(
    client: TestClient[Litestar], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def breaking(*_: Any) -> Any:
        logging.getLogger("polyopolis.part").warning("no such thing as %s", "a\nb")
        raise ZeroDivisionError("by nothing")

    monkeypatch.setattr(TableRegistry, "table", breaking)
    root = logging.getLogger()
    before, level = root.handlers, root.level
    try:
        for form, first in (("json", '{"time":"20'), ("text", "20")):
            logs.configure_logging("warning", form)  # type: ignore[arg-type]
            assert isinstance(root.handlers[0], logs.LimitedHandler)
            client.get("/api/tables/t%0Ax")
            said, told, *trace = capsys.readouterr().err.splitlines()
            assert said.startswith(first)
            assert "no such thing as a\\nb" in said
            for line in (said, told):
                assert "GET /api/tables/{table}" in line
                assert "t\\nx" in line
            assert "ZeroDivisionError: by nothing" in (told if form == "json" else trace[-1])
    finally:
        root.handlers, root.level = before, level
        logging.captureWarnings(False)
        logging.getLogger("polyopolis").setLevel(logging.NOTSET)
