"""Writing together: what waits while a commit is on its way is written with the next one."""

import asyncio
from collections.abc import AsyncIterator, Sequence
from pathlib import Path
from threading import Event

import pytest
from sqlalchemy import Connection, Engine, create_engine, event, text
from sqlalchemy.exc import IntegrityError, OperationalError

from polyopolis.server.desks import Outcome, Reader, Writer
from tests.tables.rooms import PATIENCE

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


async def written(writer: Writer, words: str) -> str:
    return await writer.write(lambda db: note(db, words))


async def test_what_waits_for_a_commit_is_written_by_one_more(engine: Engine) -> None:
    commits = list[Connection]()
    event.listen(engine, "commit", commits.append)
    writer, reader, hold = Writer(engine), Reader(engine), Event()
    first = asyncio.create_task(writer.write(lambda _: hold.wait(PATIENCE)))
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
    writer, reader = Writer(engine), Reader(engine)
    came = await asyncio.gather(*(written(writer, words) for words in "abac"), return_exceptions=True)
    assert [type(answer) for answer in came] == [str, str, IntegrityError, str]
    assert await reader.read(notes) == ["a", "b", "c"]
    await writer.close()
    await reader.close()


async def test_while_the_database_is_locked_all_fail_at_once_and_later_none(engine: Engine) -> None:
    writer = Writer(engine)
    with engine.connect() as other:
        other.execute(text("BEGIN IMMEDIATE"))
        came = await asyncio.gather(*(written(writer, words) for words in "ab"), return_exceptions=True)
        assert [type(answer) for answer in came] == [OperationalError, OperationalError]
        other.rollback()
    assert await written(writer, "a") == "a"
    await writer.close()


async def test_closing_waits_for_what_was_given_to_be_written(engine: Engine) -> None:
    writer = Writer(engine)
    given = asyncio.create_task(written(writer, "a"))
    await asyncio.sleep(0)
    await writer.close()
    assert await given == "a"


async def test_what_the_driver_refuses_is_refused_like_all_else(engine: Engine) -> None:
    def quickly(db: Connection) -> None:
        db.connection.cursor().execute("INSERT INTO notes VALUES ('a')")

    writer = Writer(engine)
    came = await asyncio.gather(*(writer.write(quickly) for _ in range(2)), return_exceptions=True)
    assert [type(answer) for answer in came] == [type(None), IntegrityError]
    await writer.close()


async def test_work_on_many_refuses_one_and_does_the_others_in_the_same_commit(engine: Engine) -> None:
    def all_but_b(db: Connection, given: Sequence[str]) -> list[Outcome[str]]:
        return [(None, ValueError(words)) if words == "b" else (note(db, words), None) for words in given]

    commits = list[Connection]()
    event.listen(engine, "commit", commits.append)
    writer, reader = Writer(engine), Reader(engine)
    given = (writer.write_with_others(all_but_b, words) for words in "cba")
    came = await asyncio.gather(*given, return_exceptions=True)
    assert [str(answer) for answer in came] == ["c", "b", "a"]
    assert isinstance(came[1], ValueError)
    assert len(commits) == 1
    assert await reader.read(notes) == ["a", "c"]
    await writer.close()
    await reader.close()
