"""The database: its schema, and what only a server keeps."""

from pathlib import Path

import pytest
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from sqlalchemy import create_engine, text
from sqlalchemy.pool import NullPool

from polyopolis.server.schema import metadata
from polyopolis.server.store import Store

pytestmark = pytest.mark.anyio


async def opened(folder: Path) -> Store:
    store = Store(folder / "deep" / "polyopolis.sqlite")
    await store.open()
    return store


async def test_the_migrations_lead_to_the_schema_of_the_code(tmp_path: Path) -> None:
    store = await opened(tmp_path)
    await store.close()
    engine = create_engine(f"sqlite:///{tmp_path}/deep/polyopolis.sqlite", poolclass=NullPool)
    with engine.connect() as connection:
        assert compare_metadata(MigrationContext.configure(connection), metadata) == []
        assert connection.execute(text("PRAGMA journal_mode")).scalar() == "wal"


async def test_opening_twice_changes_nothing(tmp_path: Path) -> None:
    store = await opened(tmp_path)
    key = await store.secret("sessions")
    await store.close()
    again = await opened(tmp_path)
    assert await again.secret("sessions") == key
    await again.close()


async def test_a_code_works_once_and_not_for_ever(tmp_path: Path) -> None:
    store = await opened(tmp_path)
    await store.add_code("FRESH", "t", 0, expires=100)
    await store.add_code("OLD", "t", 1, expires=50)
    assert await store.use_code("OLD", now=60) is None
    assert await store.use_code("FRESH", now=60) == ("t", 0)
    assert await store.use_code("FRESH", now=60) is None
    await store.close()
