"""Writing together: what waits while a commit is on its way is written with the next one."""

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
from polyopolis.server.storage.databases import engine_of, without_limits
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


async def written(writer: DbWriter, words: str) -> str:
    return await writer.write(lambda db: note(db, words))


async def test_what_waits_for_a_commit_is_written_by_one_more(engine: Engine) -> None:
    commits = list[Connection]()
    event.listen(engine, "commit", commits.append)
    writer, reader, hold = DbWriter(engine), DbReader(engine), Event()
    first = asyncio.create_task(writer.write(lambda _: hold.wait(TIMEOUT_SECONDS)))
    await asyncio.sleep(0)
    others = [asyncio.create_task(written(writer, words)) for words in "abc"]
    await asyncio.sleep(0)
    hold.set()
    assert await first
    assert await asyncio.gather(*others) == ["a", "b", "c"]
    assert len(commits) == 2
    assert await reader.read(notes) == ["a", "b", "c"]
    await writer.close()
    await reader.close()


async def test_one_that_is_refused_takes_nobody_with_it(engine: Engine) -> None:
    writer, reader = DbWriter(engine), DbReader(engine)
    came = await asyncio.gather(*(written(writer, words) for words in "abac"), return_exceptions=True)
    assert [type(answer) for answer in came] == [str, str, IntegrityError, str]
    assert await reader.read(notes) == ["a", "b", "c"]
    await writer.close()
    await reader.close()


async def test_while_the_database_is_locked_all_fail_at_once_and_later_none(engine: Engine) -> None:
    writer = DbWriter(engine)
    with engine.connect() as other:
        other.execute(text("BEGIN IMMEDIATE"))
        came = await asyncio.gather(*(written(writer, words) for words in "ab"), return_exceptions=True)
        assert [type(answer) for answer in came] == [OperationalError, OperationalError]
        other.rollback()
    assert await written(writer, "a") == "a"
    await writer.close()


async def test_closing_waits_for_what_was_given_to_be_written(engine: Engine) -> None:
    writer = DbWriter(engine)
    given = asyncio.create_task(written(writer, "a"))
    await asyncio.sleep(0)
    await writer.close()
    assert await given == "a"


async def test_what_the_driver_refuses_is_refused_like_all_else(engine: Engine) -> None:
    def quickly(db: Connection) -> None:
        db.connection.cursor().execute("INSERT INTO notes VALUES ('a')")

    writer = DbWriter(engine)
    came = await asyncio.gather(*(writer.write(quickly) for _ in range(2)), return_exceptions=True)
    assert [type(answer) for answer in came] == [type(None), IntegrityError]
    await writer.close()


async def test_work_on_many_refuses_one_and_does_the_others_in_the_same_commit(engine: Engine) -> None:
    def all_but_b(db: Connection, given: Sequence[str]) -> list[Outcome[str]]:
        return [(None, ValueError(words)) if words == "b" else (note(db, words), None) for words in given]

    commits = list[Connection]()
    event.listen(engine, "commit", commits.append)
    writer, reader = DbWriter(engine), DbReader(engine)
    given = (writer.write_with_others(all_but_b, words) for words in "cba")
    came = await asyncio.gather(*given, return_exceptions=True)
    assert [str(answer) for answer in came] == ["c", "b", "a"]
    assert isinstance(came[1], ValueError)
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


def tried_again(_: float) -> None:
    raise AssertionError("it was tried again")


def backend(db: Connection) -> int:
    return int(db.execute(text("SELECT pg_backend_pid()")).scalar_one())


def cut_off(engine: Engine, pid: int) -> None:
    """Ends the connection of another process, as a restart of the server does."""
    with engine.connect() as db:
        assert db.execute(text("SELECT pg_terminate_backend(:pid, 10000)"), {"pid": pid}).scalar_one()


@pytest.mark.slow
async def test_a_value_that_the_driver_refuses_is_refused_at_once(
    shared: Engine, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(db_threads, "sleep", tried_again)
    writer, reader, hold = DbWriter(shared), DbReader(shared), Event()
    first = asyncio.create_task(writer.write(lambda _: hold.wait(TIMEOUT_SECONDS)))
    await asyncio.sleep(0)
    given = [asyncio.create_task(written(writer, words)) for words in ("a", "b\0", "c")]
    await asyncio.sleep(0)
    hold.set()
    assert await first
    came = await asyncio.gather(*given, return_exceptions=True)
    assert [type(answer) for answer in came] == [str, DataError, str]
    with pytest.raises(DataError):
        await reader.read(lambda db: note(db, "\0"))
    assert await reader.read(notes) == ["a", "c"]
    await writer.close()
    await reader.close()


@pytest.mark.slow
@pytest.mark.parametrize("quick", [False, True], ids=["statement", "driver"])
async def test_a_connection_lost_in_a_transaction_is_replaced_and_the_work_repeated(
    shared: Engine, monkeypatch: pytest.MonkeyPatch, quick: bool
) -> None:
    monkeypatch.setattr(db_threads, "sleep", lambda _: None)
    pids = list[int]()

    def interrupted(db: Connection) -> str:
        pids.append(backend(db))
        if len(pids) < 3:
            note(db, f"lost {len(pids)}")
            cut_off(shared, pids[-1])
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
async def test_a_connection_that_replaces_a_lost_one_is_set_up_as_well(
    shared: Engine, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(db_threads, "RECONNECT_SECONDS", -1.0)

    def about(db: Connection) -> tuple[int, str, str]:
        limit, isolation = (
            str(db.execute(text(f"SHOW {name}")).scalar_one()) for name in ("lock_timeout", "transaction_isolation")
        )
        return backend(db), limit, isolation

    reader = DbReader(shared)
    pid, *before = await reader.read(about)
    cut_off(shared, pid)
    with pytest.raises(OperationalError):
        await reader.read(notes)
    later, *after = await reader.read(about)
    assert pid != later
    assert before == after == ["5s", "repeatable read"]
    await reader.close()


@pytest.mark.slow
@pytest.mark.parametrize("state", ["40001", "40P01"])
async def test_a_transaction_that_crossed_another_one_is_repeated(
    shared: Engine, monkeypatch: pytest.MonkeyPatch, state: str
) -> None:
    monkeypatch.setattr(db_threads, "sleep", lambda _: None)
    pids = list[int]()

    def crossing(db: Connection) -> str:
        pids.append(backend(db))
        note(db, str(len(pids)))
        if len(pids) < 3:
            db.execute(text(f"DO $$ BEGIN RAISE EXCEPTION 'crossed' USING ERRCODE = '{state}'; END $$"))
        return "done"

    writer, reader = DbWriter(shared), DbReader(shared)
    assert await writer.write(crossing) == "done"
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
async def test_a_database_that_is_down_is_waited_for(own_postgres: Postgres, monkeypatch: pytest.MonkeyPatch) -> None:
    engine, pauses = engine_of(own_postgres.database()), list[float]()
    with engine.begin() as db:
        db.execute(text("CREATE TABLE notes (note TEXT PRIMARY KEY)"))

    def pause(seconds: float) -> None:
        pauses.append(seconds)
        if len(pauses) == 3:
            own_postgres.start()

    monkeypatch.setattr(db_threads, "sleep", pause)
    writer, reader = DbWriter(engine), DbReader(engine)
    assert await written(writer, "a") == "a"
    own_postgres.stop()
    assert await written(writer, "b") == "b"
    assert len(pauses) == 3, "once because the connection was lost, twice because none could be made"
    assert await reader.read(notes) == ["a", "b"]
    await writer.close()
    await reader.close()
    engine.dispose()


@pytest.mark.slow
async def test_a_database_that_stays_down_is_an_error_for_all_who_wait(
    own_postgres: Postgres, monkeypatch: pytest.MonkeyPatch
) -> None:
    engine, pauses = engine_of(own_postgres.database()), list[float]()
    monkeypatch.setattr(db_threads, "sleep", pauses.append)
    monkeypatch.setattr(db_threads, "monotonic", lambda: sum(pauses))
    writer = DbWriter(engine)
    own_postgres.stop()
    came = await asyncio.gather(*(written(writer, words) for words in "ab"), return_exceptions=True)
    assert [type(answer) for answer in came] == [OperationalError, OperationalError]
    assert db_threads.RECONNECT_SECONDS < sum(pauses) < 2 * db_threads.RECONNECT_SECONDS, "it was waited for once"
    own_postgres.start()
    await writer.close()
    engine.dispose()


@pytest.mark.slow
async def test_a_statement_that_takes_too_long_is_ended_and_the_others_are_written(
    shared: Engine, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(db_threads, "WRITE_SECONDS", 0.1)
    monkeypatch.setattr(db_threads, "READ_SECONDS", 0.1)
    monkeypatch.setattr(db_threads, "sleep", tried_again)
    tried = list[str]()

    def slow(db: Connection) -> None:
        tried.append("slow")
        db.execute(text("SELECT pg_sleep(60)"))

    writer, reader, hold = DbWriter(shared), DbReader(shared), Event()
    first = asyncio.create_task(writer.write(lambda _: hold.wait(TIMEOUT_SECONDS)))
    await asyncio.sleep(0)
    given = [asyncio.create_task(work) for work in (written(writer, "a"), writer.write(slow), written(writer, "b"))]
    await asyncio.sleep(0)
    hold.set()
    assert await first
    with caplog.at_level(logging.WARNING):
        came = await asyncio.gather(*given, return_exceptions=True)
        assert [type(answer) for answer in came] == [str, OperationalError, str]
        assert db_threads.is_overload(came[1])
        assert tried == ["slow", "slow"], "with the others, and alone"
        with pytest.raises(OperationalError) as caught:
            await reader.read(slow)
    assert db_threads.is_overload(caught.value)
    assert not caplog.records
    assert await reader.read(notes) == ["a", "b"]
    await writer.close()
    await reader.close()


@pytest.mark.slow
async def test_a_row_that_somebody_else_holds_is_waited_for_only_so_long(
    shared: Engine, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(db_threads, "LOCK_SECONDS", 0.1)
    writer = DbWriter(shared)
    with shared.connect() as other:
        note(other, "a")
        came = await asyncio.gather(*(written(writer, words) for words in "ab"), return_exceptions=True)
        assert [type(answer) for answer in came] == [OperationalError, str]
        assert db_threads.is_overload(came[0])
        other.rollback()
    assert await written(writer, "a") == "a"
    await writer.close()


@pytest.mark.slow
async def test_when_everything_takes_too_long_the_last_are_refused_without_trying(
    shared: Engine, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(db_threads, "WRITE_SECONDS", 0.01)
    tried = list[int]()
    monkeypatch.setattr(db_threads, "monotonic", lambda: 10.0 * len(tried))

    def slow(db: Connection) -> None:
        tried.append(1)
        db.execute(text("SELECT pg_sleep(60)"))

    writer = DbWriter(shared)
    came = await asyncio.gather(*(writer.write(slow) for _ in range(20)), return_exceptions=True)
    assert {type(answer) for answer in came} == {OperationalError}
    assert len(tried) < 8
    assert await written(writer, "a") == "a"
    await writer.close()


@pytest.mark.slow
async def test_maintenance_is_not_cut_off(shared: Engine, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(db_threads, "WRITE_SECONDS", 0.1)

    def shown(db: Connection) -> list[str]:
        names = ("statement_timeout", "lock_timeout", "idle_in_transaction_session_timeout")
        return [str(db.execute(text(f"SHOW {name}")).scalar_one()) for name in names]

    def maintain(db: Connection) -> list[str]:
        without_limits(db)
        return shown(db)

    writer, reader = DbWriter(shared), DbReader(shared)
    assert await writer.write(maintain) == ["0", "0", "0"]
    assert await writer.write(shown) == ["100ms", "5s", "1min"], "the next transaction has limits"
    assert await reader.read(shown) == ["30s", "5s", "1min"]
    await writer.close()
    await reader.close()


@pytest.mark.slow
async def test_a_migration_has_no_limits(new_site: Callable[[], str], monkeypatch: pytest.MonkeyPatch) -> None:
    limits, upgrade = list[str](), command.upgrade

    def watched(config: Config, revision: str) -> None:
        limits.append(config.attributes["connection"].execute(text("SHOW statement_timeout")).scalar_one())
        upgrade(config, revision)

    monkeypatch.setattr(command, "upgrade", watched)
    store = DatabaseMatchRepository(new_site())
    await store.open()
    assert limits == ["0"]
    await store.close()
