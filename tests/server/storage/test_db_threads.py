"""Database threads: group commit, retries and timeouts."""

import asyncio
import logging
from collections.abc import AsyncIterator, Callable, Iterator, Sequence
from pathlib import Path
from threading import Event

import pytest
from alembic import command
from alembic.config import Config
from sqlalchemy import Connection, Engine, create_engine, event, text
from sqlalchemy.exc import DataError, IntegrityError, OperationalError

from polyopolis.server.storage import db_threads
from polyopolis.server.storage.databases import engine_of, lift_timeouts
from polyopolis.server.storage.db_threads import DbReader, DbWriter, Outcome
from polyopolis.server.storage.match_repository import DatabaseMatchRepository
from tests.play.in_memory_site import TIMEOUT_SECONDS
from tests.support.postgres_server import MISSING, Postgres, postgres

pytestmark = pytest.mark.anyio


@pytest.fixture
async def engine(tmp_path: Path) -> AsyncIterator[Engine]:
    found = create_engine(f"sqlite:///{tmp_path}/notes.sqlite", connect_args={"check_same_thread": False, "timeout": 0})
    with found.begin() as connection:
        connection.execute(text("CREATE TABLE notes (note TEXT PRIMARY KEY)"))
    yield found
    found.dispose()


def note(db: Connection, words: str) -> str:
    db.execute(text("INSERT INTO notes VALUES (:words)"), {"words": words})
    return words


def notes(db: Connection) -> list[str]:
    return list(db.execute(text("SELECT note FROM notes ORDER BY note")).scalars())


async def write(writer: DbWriter, words: str) -> str:
    return await writer.write(lambda db: note(db, words))


async def test_writes_that_arrive_during_a_commit_share_the_next_transaction(engine: Engine) -> None:
    commits = list[Connection]()
    event.listen(engine, "commit", commits.append)
    writer, reader, hold = DbWriter(engine), DbReader(engine), Event()
    first = asyncio.create_task(writer.write(lambda _: hold.wait(TIMEOUT_SECONDS)))
    await asyncio.sleep(0)
    others = [asyncio.create_task(write(writer, words)) for words in "abc"]
    await asyncio.sleep(0)
    hold.set()
    assert await first
    assert await asyncio.gather(*others) == ["a", "b", "c"]
    assert len(commits) == 2
    assert await reader.read(notes) == ["a", "b", "c"]
    await writer.close()
    await reader.close()


async def test_a_failing_write_does_not_affect_others_of_its_batch(engine: Engine) -> None:
    writer, reader = DbWriter(engine), DbReader(engine)
    outcomes = await asyncio.gather(*(write(writer, words) for words in "abac"), return_exceptions=True)
    assert [type(answer) for answer in outcomes] == [str, str, IntegrityError, str]
    assert await reader.read(notes) == ["a", "b", "c"]
    await writer.close()
    await reader.close()


async def test_writes_fail_at_once_while_the_database_is_locked(engine: Engine) -> None:
    writer = DbWriter(engine)
    with engine.connect() as other:
        other.execute(text("BEGIN IMMEDIATE"))
        outcomes = await asyncio.gather(*(write(writer, words) for words in "ab"), return_exceptions=True)
        assert [type(answer) for answer in outcomes] == [OperationalError, OperationalError]
        other.rollback()
    assert await write(writer, "a") == "a"
    await writer.close()


async def test_closing_waits_for_queued_writes(engine: Engine) -> None:
    writer = DbWriter(engine)
    given = asyncio.create_task(write(writer, "a"))
    await asyncio.sleep(0)
    await writer.close()
    assert await given == "a"


async def test_errors_of_direct_driver_calls_are_wrapped(engine: Engine) -> None:
    def quickly(db: Connection) -> None:
        db.connection.cursor().execute("INSERT INTO notes VALUES ('a')")

    writer = DbWriter(engine)
    outcomes = await asyncio.gather(*(writer.write(quickly) for _ in range(2)), return_exceptions=True)
    assert [type(answer) for answer in outcomes] == [type(None), IntegrityError]
    await writer.close()


async def test_a_batch_can_fail_for_one_item_and_commit_the_others(engine: Engine) -> None:
    def all_but_b(db: Connection, given: Sequence[str]) -> list[Outcome[str]]:
        return [(None, ValueError(words)) if words == "b" else (note(db, words), None) for words in given]

    commits = list[Connection]()
    event.listen(engine, "commit", commits.append)
    writer, reader = DbWriter(engine), DbReader(engine)
    given = (writer.write_batched(all_but_b, words) for words in "cba")
    outcomes = await asyncio.gather(*given, return_exceptions=True)
    assert [str(answer) for answer in outcomes] == ["c", "b", "a"]
    assert isinstance(outcomes[1], ValueError)
    assert len(commits) == 1
    assert await reader.read(notes) == ["a", "c"]
    await writer.close()
    await reader.close()


# PostgreSQL


@pytest.fixture
def shared(new_site: Callable[[], str]) -> Iterator[Engine]:
    found = engine_of(new_site())
    with found.begin() as db:
        db.execute(text("CREATE TABLE notes (note TEXT PRIMARY KEY)"))
    yield found
    found.dispose()


def fail_on_retry(_: float) -> None:
    raise AssertionError("it was retried")


def backend(db: Connection) -> int:
    return int(db.execute(text("SELECT pg_backend_pid()")).scalar_one())


def terminate_connection(engine: Engine, pid: int) -> None:
    """Terminates a connection, as a restart of PostgreSQL does."""
    with engine.connect() as db:
        assert db.execute(text("SELECT pg_terminate_backend(:pid, 10000)"), {"pid": pid}).scalar_one()


@pytest.mark.slow
async def test_a_value_that_the_driver_rejects_fails_without_retries(
    shared: Engine, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(db_threads, "sleep", fail_on_retry)
    writer, reader, hold = DbWriter(shared), DbReader(shared), Event()
    first = asyncio.create_task(writer.write(lambda _: hold.wait(TIMEOUT_SECONDS)))
    await asyncio.sleep(0)
    given = [asyncio.create_task(write(writer, words)) for words in ("a", "b\0", "c")]
    await asyncio.sleep(0)
    hold.set()
    assert await first
    outcomes = await asyncio.gather(*given, return_exceptions=True)
    assert [type(answer) for answer in outcomes] == [str, DataError, str]
    with pytest.raises(DataError):
        await reader.read(lambda db: note(db, "\0"))
    assert await reader.read(notes) == ["a", "c"]
    await writer.close()
    await reader.close()


@pytest.mark.slow
@pytest.mark.parametrize("quick", [False, True], ids=["statement", "driver"])
async def test_a_transaction_is_repeated_after_a_lost_connection(
    shared: Engine, monkeypatch: pytest.MonkeyPatch, quick: bool
) -> None:
    monkeypatch.setattr(db_threads, "sleep", lambda _: None)
    pids = list[int]()

    def interrupted(db: Connection) -> str:
        pids.append(backend(db))
        if len(pids) < 3:
            note(db, f"lost {len(pids)}")
            terminate_connection(shared, pids[-1])
        if quick:
            db.connection.cursor().execute("INSERT INTO notes VALUES ('a')")
            return "a"
        return note(db, "a")

    writer, reader = DbWriter(shared), DbReader(shared)
    assert await writer.write(interrupted) == "a"
    assert len(set(pids)) == 3
    assert await reader.read(notes) == ["a"]
    await writer.close()
    await reader.close()


@pytest.mark.slow
async def test_a_new_connection_gets_the_same_settings(shared: Engine, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(db_threads, "RECONNECT_SECONDS", -1.0)

    def about(db: Connection) -> tuple[int, str, str]:
        limit, isolation = (
            str(db.execute(text(f"SHOW {name}")).scalar_one()) for name in ("lock_timeout", "transaction_isolation")
        )
        return backend(db), limit, isolation

    reader = DbReader(shared)
    pid, *before = await reader.read(about)
    terminate_connection(shared, pid)
    with pytest.raises(OperationalError):
        await reader.read(notes)
    later, *after = await reader.read(about)
    assert pid != later
    assert before == after == ["5s", "repeatable read"]
    await reader.close()


@pytest.mark.slow
@pytest.mark.parametrize("state", ["40001", "40P01"])
async def test_a_deadlocked_transaction_is_repeated(
    shared: Engine, monkeypatch: pytest.MonkeyPatch, state: str
) -> None:
    monkeypatch.setattr(db_threads, "sleep", lambda _: None)
    pids = list[int]()

    def deadlock(db: Connection) -> str:
        pids.append(backend(db))
        note(db, str(len(pids)))
        if len(pids) < 3:
            db.execute(text(f"DO $$ BEGIN RAISE EXCEPTION 'deadlock' USING ERRCODE = '{state}'; END $$"))
        return "done"

    writer, reader = DbWriter(shared), DbReader(shared)
    assert await writer.write(deadlock) == "done"
    assert len(pids) == 3
    assert len(set(pids)) == 1, "on the same connection"
    assert await reader.read(notes) == ["3"]
    await writer.close()
    await reader.close()


@pytest.fixture
def own_postgres() -> Iterator[Postgres]:
    if MISSING:
        pytest.skip(MISSING)
    with postgres() as server:
        yield server


@pytest.mark.slow
async def test_a_transaction_waits_for_the_database(own_postgres: Postgres, monkeypatch: pytest.MonkeyPatch) -> None:
    engine, pauses = engine_of(own_postgres.database()), list[float]()
    with engine.begin() as db:
        db.execute(text("CREATE TABLE notes (note TEXT PRIMARY KEY)"))

    def pause(seconds: float) -> None:
        pauses.append(seconds)
        if len(pauses) == 3:
            own_postgres.start()

    monkeypatch.setattr(db_threads, "sleep", pause)
    writer, reader = DbWriter(engine), DbReader(engine)
    assert await write(writer, "a") == "a"
    own_postgres.stop()
    assert await write(writer, "b") == "b"
    assert len(pauses) == 3, "one lost connection, two failed attempts to connect"
    assert await reader.read(notes) == ["a", "b"]
    await writer.close()
    await reader.close()
    engine.dispose()


@pytest.mark.slow
async def test_all_writes_fail_when_the_database_stays_down(
    own_postgres: Postgres, monkeypatch: pytest.MonkeyPatch
) -> None:
    engine, pauses = engine_of(own_postgres.database()), list[float]()
    monkeypatch.setattr(db_threads, "sleep", pauses.append)
    monkeypatch.setattr(db_threads, "monotonic", lambda: sum(pauses))
    writer = DbWriter(engine)
    own_postgres.stop()
    outcomes = await asyncio.gather(*(write(writer, words) for words in "ab"), return_exceptions=True)
    assert [type(answer) for answer in outcomes] == [OperationalError, OperationalError]
    assert db_threads.RECONNECT_SECONDS < sum(pauses) < 2 * db_threads.RECONNECT_SECONDS, "the batch waits once"
    own_postgres.start()
    await writer.close()
    engine.dispose()


@pytest.mark.slow
async def test_a_statement_that_times_out_does_not_affect_others(
    shared: Engine, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(db_threads, "WRITE_TIMEOUT_SECONDS", 0.1)
    monkeypatch.setattr(db_threads, "READ_TIMEOUT_SECONDS", 0.1)
    monkeypatch.setattr(db_threads, "sleep", fail_on_retry)
    tried = list[str]()

    def slow(db: Connection) -> None:
        tried.append("slow")
        db.execute(text("SELECT pg_sleep(60)"))

    writer, reader, hold = DbWriter(shared), DbReader(shared), Event()
    first = asyncio.create_task(writer.write(lambda _: hold.wait(TIMEOUT_SECONDS)))
    await asyncio.sleep(0)
    given = [asyncio.create_task(work) for work in (write(writer, "a"), writer.write(slow), write(writer, "b"))]
    await asyncio.sleep(0)
    hold.set()
    assert await first
    with caplog.at_level(logging.WARNING):
        outcomes = await asyncio.gather(*given, return_exceptions=True)
        assert [type(answer) for answer in outcomes] == [str, OperationalError, str]
        assert db_threads.is_overload(outcomes[1])
        assert tried == ["slow", "slow"], "in the batch, then alone"
        with pytest.raises(OperationalError) as caught:
            await reader.read(slow)
    assert db_threads.is_overload(caught.value)
    assert not caplog.records
    assert await reader.read(notes) == ["a", "b"]
    await writer.close()
    await reader.close()


@pytest.mark.slow
async def test_waiting_for_a_locked_row_times_out(shared: Engine, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(db_threads, "LOCK_TIMEOUT_SECONDS", 0.1)
    writer = DbWriter(shared)
    with shared.connect() as other:
        note(other, "a")
        outcomes = await asyncio.gather(*(write(writer, words) for words in "ab"), return_exceptions=True)
        assert [type(answer) for answer in outcomes] == [OperationalError, str]
        assert db_threads.is_overload(outcomes[0])
        other.rollback()
    assert await write(writer, "a") == "a"
    await writer.close()


@pytest.mark.slow
async def test_after_many_timeouts_the_rest_of_a_batch_fails_without_a_try(
    shared: Engine, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(db_threads, "WRITE_TIMEOUT_SECONDS", 0.01)
    tried = list[int]()
    monkeypatch.setattr(db_threads, "monotonic", lambda: 10.0 * len(tried))

    def slow(db: Connection) -> None:
        tried.append(1)
        db.execute(text("SELECT pg_sleep(60)"))

    writer = DbWriter(shared)
    outcomes = await asyncio.gather(*(writer.write(slow) for _ in range(20)), return_exceptions=True)
    assert {type(answer) for answer in outcomes} == {OperationalError}
    assert len(tried) < 8
    assert await write(writer, "a") == "a"
    await writer.close()


@pytest.mark.slow
async def test_maintenance_runs_without_timeouts(shared: Engine, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(db_threads, "WRITE_TIMEOUT_SECONDS", 0.1)

    def shown(db: Connection) -> list[str]:
        names = ("statement_timeout", "lock_timeout", "idle_in_transaction_session_timeout")
        return [str(db.execute(text(f"SHOW {name}")).scalar_one()) for name in names]

    def maintain(db: Connection) -> list[str]:
        lift_timeouts(db)
        return shown(db)

    writer, reader = DbWriter(shared), DbReader(shared)
    assert await writer.write(maintain) == ["0", "0", "0"]
    assert await writer.write(shown) == ["100ms", "5s", "1min"], "the next transaction has timeouts"
    assert await reader.read(shown) == ["30s", "5s", "1min"]
    await writer.close()
    await reader.close()


@pytest.mark.slow
async def test_a_migration_runs_without_timeouts(new_site: Callable[[], str], monkeypatch: pytest.MonkeyPatch) -> None:
    limits, upgrade = list[str](), command.upgrade

    def watched(config: Config, revision: str) -> None:
        limits.append(config.attributes["connection"].execute(text("SHOW statement_timeout")).scalar_one())
        upgrade(config, revision)

    monkeypatch.setattr(command, "upgrade", watched)
    store = DatabaseMatchRepository(new_site())
    await store.open()
    assert limits == ["0"]
    await store.close()
