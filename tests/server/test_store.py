"""What is never lost, and how it is kept."""

from pathlib import Path

import pytest
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from sqlalchemy import create_engine, text

from polyopolis.server.store import Happened, LogRow, MatchRow, SeatRow, Store, TableRow, TurnRow, metadata

pytestmark = pytest.mark.anyio
SEATS = (SeatRow(0, "Ada", "a", None), SeatRow(1, "greedy", None, "greedy"))
MATCH = MatchRow(0, "{}", b"seed", b"bots", False)


async def opened(folder: Path) -> Store:
    store = Store(folder / "deep" / "polyopolis.sqlite")
    await store.open()
    return store


async def with_a_match(folder: Path) -> Store:
    store = await opened(folder)
    await store.create(TableRow("t", "mycity", "{}", None, "[]", False, 7, SEATS, ()))
    await store.start("t", MATCH, [LogRow(-1, "reveal", None)])
    return store


async def test_the_migrations_lead_to_the_schema_of_the_code(tmp_path: Path) -> None:
    store = await opened(tmp_path)
    await store.close()
    with create_engine(f"sqlite:///{tmp_path}/deep/polyopolis.sqlite").connect() as connection:
        assert compare_metadata(MigrationContext.configure(connection), metadata) == []
        assert connection.execute(text("PRAGMA journal_mode")).scalar() == "wal"


async def test_opening_twice_changes_nothing(tmp_path: Path) -> None:
    store = await with_a_match(tmp_path)
    key = await store.secret("sessions")
    await store.close()
    again = await opened(tmp_path)
    assert await again.secret("sessions") == key
    assert await again.table("t") == TableRow("t", "mycity", "{}", None, "[]", False, 7, SEATS, (MATCH,))
    await again.close()


async def test_what_one_message_led_to_is_kept_as_a_whole_or_not_at_all(tmp_path: Path) -> None:
    store = await with_a_match(tmp_path)
    moves = [LogRow(0, "place", None), LogRow(1, "pass", None)]
    await store.append("t", 0, Happened(1, moves, [TurnRow(0, 1, None)]))
    with pytest.raises(Exception, match="UNIQUE"):
        await store.append("t", 0, Happened(2, moves, [TurnRow(0, 2, "stop")], practice=True))
    log, turns = await store.log("t", 0)
    assert log == (LogRow(-1, "reveal", None), *moves)
    assert turns == (TurnRow(0, 1, None),)
    kept = await store.table("t")
    assert kept
    assert not kept.matches[0].practice
    await store.close()


async def test_a_staged_decision_is_overwritten_in_place(tmp_path: Path) -> None:
    store = await with_a_match(tmp_path)
    for turn, staged in enumerate(["place", "pass", None], start=1):
        await store.append("t", 0, Happened(1, [], [TurnRow(0, turn, staged)]))
        assert (await store.log("t", 0))[1] == (TurnRow(0, turn, staged),)
    await store.close()


async def test_a_code_works_once_and_not_for_ever(tmp_path: Path) -> None:
    store = await with_a_match(tmp_path)
    await store.add_code("FRESH", "t", 0, expires=100)
    await store.add_code("OLD", "t", 1, expires=50)
    assert await store.use_code("OLD", now=60) is None
    assert await store.use_code("FRESH", now=60) == ("t", 0)
    assert await store.use_code("FRESH", now=60) is None
    await store.close()


async def test_the_tables_of_a_person_come_newest_first(tmp_path: Path) -> None:
    store = await with_a_match(tmp_path)
    await store.create(TableRow("newer", "mycity", "{}", None, "[]", False, 9, SEATS, ()))
    await store.create(TableRow("other", "mycity", "{}", None, "[]", False, 9, SEATS[1:], ()))
    assert await store.tables_of("a") == ("newer", "t")
    await store.close()
