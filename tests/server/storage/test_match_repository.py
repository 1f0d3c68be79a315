"""Database schema, secrets and codes."""

from pathlib import Path

import pytest
from alembic import command
from alembic.autogenerate import compare_metadata
from alembic.config import Config
from alembic.migration import MigrationContext
from sqlalchemy import create_engine, insert, select, text
from sqlalchemy.pool import NullPool

from polyopolis.server.storage.databases import MIGRATIONS, engine_of
from polyopolis.server.storage.match_repository import DatabaseMatchRepository
from polyopolis.server.storage.schema import matches, metadata, tables, tries

pytestmark = pytest.mark.anyio


async def opened(folder: Path) -> DatabaseMatchRepository:
    store = DatabaseMatchRepository(folder / "deep" / "polyopolis.sqlite")
    await store.open()
    return store


async def test_migrations_produce_the_schema_of_the_code(tmp_path: Path) -> None:
    store = await opened(tmp_path)
    await store.close()
    engine = create_engine(f"sqlite:///{tmp_path}/deep/polyopolis.sqlite", poolclass=NullPool)
    with engine.connect() as connection:
        assert compare_metadata(MigrationContext.configure(connection), metadata) == []
        assert connection.execute(text("PRAGMA journal_mode")).scalar() == "wal"


async def test_opening_a_database_twice_keeps_its_data(tmp_path: Path) -> None:
    store = await opened(tmp_path)
    key = await store.secret("sessions")
    await store.close()
    again = await opened(tmp_path)
    assert await again.secret("sessions") == key
    await again.close()


async def test_a_code_works_once_and_expires(tmp_path: Path) -> None:
    store = await opened(tmp_path)
    await store.add_code("FRESH", "t", 0, expires=100)
    await store.add_code("OLD", "t", 1, expires=50)
    assert await store.use_code("OLD", now=60) is None
    assert await store.use_code("FRESH", now=60) == ("t", 0)
    assert await store.use_code("FRESH", now=60) is None
    await store.close()


@pytest.mark.parametrize("place", ["file", pytest.param("postgres", marks=pytest.mark.slow)])
async def test_the_migration_deletes_verdicts_of_practice_tries(
    place: str, tmp_path: Path, request: pytest.FixtureRequest
) -> None:
    """Leaderboards count verdicts only. Earlier versions left verdicts on tries whose match became practice."""
    site = tmp_path / "site.sqlite" if place == "file" else request.getfixturevalue("new_site")()
    engine, config = engine_of(site), Config()
    config.set_main_option("script_location", str(MIGRATIONS))
    fresh = {"number": 0, "setup": "{}", "seed": b"s", "bot_seed": b"b", "over": True}
    with engine.begin() as db:
        config.attributes["connection"] = db
        command.upgrade(config, "0017")
        for name, practice, ended in (
            ("a", False, False),
            ("b", True, False),
            ("c", False, True),
            ("gone", False, False),
        ):
            table = {"id": name, "game": "g", "setup": "{}", "plan": "[]", "typed": False, "created": 1}
            about = {"day": "2026-11-16", "game": "g", "person": name, "table": name}
            db.execute(insert(tries), {**about, "verdict": "counted", "score": 3, "name": name})
            if name != "gone":
                db.execute(insert(tables), table)
                db.execute(insert(matches), {**fresh, "table": name, "practice": practice, "ended": ended})
    engine.dispose()
    store = DatabaseMatchRepository(site)
    await store.open()
    found = await store.read(lambda db: db.execute(select(tries.c.person, tries.c.verdict)).all())
    assert {tuple(row) for row in found} == {("a", "counted"), ("b", None), ("c", None), ("gone", "counted")}
    await store.close()
