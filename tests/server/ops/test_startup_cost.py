"""The cost of a server start does not depend on the number of tables without pending work."""

import json
from pathlib import Path
from typing import Any

import pytest
from litestar.testing import TestClient
from msgspec.structs import replace
from sqlalchemy import delete, insert, select, update

from polyopolis.server.app import create_app
from polyopolis.server.ops.backfill import backfill_results
from polyopolis.server.ops.data_folder import DATABASE
from polyopolis.server.ops.retention import Retention
from polyopolis.server.options import Options
from polyopolis.server.services import services_of
from polyopolis.server.storage import match_results
from polyopolis.server.storage.databases import engine_of
from polyopolis.server.storage.match_repository import DatabaseMatchRepository
from polyopolis.server.storage.schema import log, matches, seats, tables
from polyopolis.server.storage.schema import results as results_table
from tests.server.support.database_cost import DatabaseCost, count_cost

pytestmark = pytest.mark.anyio
SETUP = '{"seats":1}'
RESULT = json.dumps({"scores": [3], "ranks": [1], "sheets": [[]]})


def stored(number: int, **match: Any) -> dict[Any, dict[str, Any]]:
    """Returns the rows of a table with one finished match."""
    table = f"t{number:05}"
    fresh = {"practice": False, "rules": 3, "content": "c", "over": True, "result": RESULT}
    result = {"seat": 0, "game": "mycity", "kind": "k", "person": "p", "score": 3, "rank": 1, "counts": True}
    return {
        tables: {"id": table, "game": "mycity", "setup": "{}", "plan": "[]", "typed": False, "created": 1},
        seats: {"table": table, "seat": 0, "name": "P", "person": "p"},
        matches: {"table": table, "number": 0, "setup": SETUP, "seed": b"s", "bot_seed": b"b", **fresh, **match},
        log: {"table": table, "match": 0, "number": 0, "seat": 0, "action": "{}", "time": number},
        results_table: {"table": table, "match": 0, "ended": number, **result},
    }


def store_tables(path: Path | str, numbers: range) -> None:
    rows = [stored(number) for number in numbers]
    engine = engine_of(path)
    with engine.begin() as db:
        for table in (tables, seats, matches, log, results_table):
            db.execute(insert(table), [row[table] for row in rows])
    engine.dispose()


def start_server(folder: Path) -> DatabaseCost:
    """Starts and stops a server without retention, which scans all tables in the background. Returns the cost."""
    options = Options(folder, bot_processes=1, retention=Retention(unplayed="never", guests="never", imports="never"))
    with count_cost() as cost, TestClient(create_app(options)) as client:
        assert client.get("/api/hello").status_code == 200
        with client.portal() as portal:
            assert portal.call(services_of(client.app).repository.unstamped) == ()
            assert portal.call(services_of(client.app).repository.clocked) == ()
    return cost


def test_the_cost_of_a_start_does_not_depend_on_the_number_of_tables(tmp_path: Path) -> None:
    start_server(tmp_path)
    store_tables(tmp_path / DATABASE, range(5))
    few = start_server(tmp_path)
    store_tables(tmp_path / DATABASE, range(5, 3_000))
    many = start_server(tmp_path)
    assert len(many.of("FROM matches")) == len(few.of("FROM matches"))
    assert many.steps <= few.steps + 100


async def test_a_backfilled_match_gets_its_results(tmp_path: Path) -> None:
    store = DatabaseMatchRepository(tmp_path / DATABASE)
    await store.open()
    await store.write(match_results.store_missing_results_page)
    store_tables(tmp_path / DATABASE, range(1))
    row = await store.table("t00000")
    assert row
    for match in (replace(row.matches[0], over=False, result=None), row.matches[0]):
        await store.stamp("t00000", match)
        found = await store.read(lambda db: db.execute(select(results_table.c.score)).scalars().all())
        assert len(found) == match.over
    await store.close()


@pytest.mark.parametrize("place", ["file", pytest.param("postgres", marks=pytest.mark.slow)])
async def test_missing_results_are_backfilled_in_pages_and_once(
    place: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, request: pytest.FixtureRequest
) -> None:
    monkeypatch.setattr(match_results, "PAGE_SIZE", 4)
    site = tmp_path / DATABASE if place == "file" else request.getfixturevalue("new_site")()
    store = DatabaseMatchRepository(site)
    await store.open()
    store_tables(site, range(10))
    await store.write(lambda db: db.execute(delete(results_table)))
    practice = update(matches).where(matches.c.table == "t00005").values(practice=True)
    await store.write(lambda db: db.execute(practice))

    async def found() -> list[str]:
        return await store.read(lambda db: list(db.execute(select(results_table.c.table)).scalars()))

    after = await store.write(match_results.store_missing_results_page)
    assert after == ("t00003", 0), "a server starts after the first page"
    assert sorted(await found()) == [f"t{number:05}" for number in range(4)]
    await backfill_results(store, after)
    assert sorted(await found()) == [f"t{number:05}" for number in range(10) if number != 5]
    with count_cost() as cost:
        assert await store.write(match_results.store_missing_results_page) is None
    assert len(cost.of("SELECT")) == 1
    await store.close()
