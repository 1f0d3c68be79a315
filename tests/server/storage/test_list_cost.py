"""The cost of lists depends on the size of the result, not on the amount of other data."""

import asyncio
from collections.abc import AsyncIterator, Sequence
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import Connection, Table, delete, insert, select, update

from polyopolis.play.lobby.table_queries import OPEN_TABLE_SECONDS
from polyopolis.play.seats.player_names import DELETED_NAME
from polyopolis.server.auth import account_merge
from polyopolis.server.auth.account_merge import AccountDataService
from polyopolis.server.realtime.bot_events import BotEventStream
from polyopolis.server.stats.player_stats import MAX_RATED_MATCHES, RATED_MATCHES
from polyopolis.server.stats.profile_types import PersonRating
from polyopolis.server.stats.profiles import ProfileService
from polyopolis.server.storage.chat_repository import DatabaseChatRepository
from polyopolis.server.storage.match_repository import DatabaseMatchRepository
from polyopolis.server.storage.schema import (
    codes,
    matches,
    remarks,
    results,
    seats,
    tables,
    turned_away,
    turns,
    unlisted,
)
from tests.play.in_memory_site import InMemorySite, Page
from tests.server.support.database_cost import count_cost

pytestmark = pytest.mark.anyio


@pytest.fixture(params=["file", pytest.param("postgres", marks=pytest.mark.slow)])
async def store(request: pytest.FixtureRequest, tmp_path: Path) -> AsyncIterator[DatabaseMatchRepository]:
    found = DatabaseMatchRepository(
        request.getfixturevalue("new_site")() if request.param == "postgres" else tmp_path / "site.sqlite"
    )
    await found.open()
    yield found
    await found.close()


async def add(store: DatabaseMatchRepository, table: Table, rows: Sequence[dict[str, Any]]) -> None:
    await store.write(lambda db: db.execute(insert(table), rows))


def table_row(table: str, **other: Any) -> dict[str, Any]:
    return {"id": table, "game": "mycity", "setup": "{}", "plan": "[]", "typed": False, "created": 1, **other}


def match_row(table: str, number: int = 0, **other: Any) -> dict[str, Any]:
    fresh = {"seed": b"s", "bot_seed": b"b", "practice": False, "setup": "{}"}
    return {"table": table, "number": number, **fresh, **other}


# Exports of a person


async def test_tables_of_a_person_are_read_in_pages(
    store: DatabaseMatchRepository, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(account_merge, "PAGE_SIZE", 4)
    names = [f"t{number}" for number in range(10)]
    await add(store, tables, [table_row(name, created=99 - int(name[1:]) // 2) for name in names])
    await add(
        store, seats, [{"table": name, "seat": seat, "name": "", "person": "a"} for name in names for seat in (0, 1)]
    )
    await add(store, seats, [{"table": "t3", "seat": 2, "name": "", "person": "b"}])
    await add(store, matches, [match_row("t3", number) for number in range(3)] + [match_row("t4")])
    with count_cost() as cost:
        found = await AccountDataService(store).tables_of("a")
    assert [each[0] for each in found] == ["t8", "t9", "t6", "t7", "t4", "t5", "t2", "t3", "t0", "t1"]
    assert {each[0]: each[3] for each in found if each[3]} == {"t3": 3, "t4": 1}
    assert len(cost.of("SELECT", " FROM ")) == 3, "4, 4 and 2 tables"
    assert await AccountDataService(store).tables_of("nobody") == ()


async def test_chat_messages_of_a_person_are_read_in_pages(
    store: DatabaseMatchRepository, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(account_merge, "PAGE_SIZE", 4)
    await add(store, tables, [table_row("t")])
    about = {"table": "t", "seat": 0, "name": "A"}
    rows = [{"id": f"r{number}", "person": "ab"[number % 2], "time": 50 - number // 6, **about} for number in range(22)]
    await add(store, remarks, [row | {"text": row["id"]} for row in rows])
    own = sorted((row["time"], row["id"]) for row in rows if row["person"] == "a")
    with count_cost() as cost:
        assert await AccountDataService(store).remarks_of("a") == tuple(("t", time, text) for time, text in own)
    assert len(cost.of("SELECT", " FROM ")) == 3


# Open tables


async def open_tables(store: DatabaseMatchRepository, count: int, changed: int, prefix: str) -> None:
    names = [f"{prefix}{number}" for number in range(count)]
    about = {"setup": '{"mode":"eternal","seats":2}', "invites": "en", "maker": "m", "changed": changed}
    await add(store, tables, [table_row(name, **about) for name in names])
    people = ("m", None)
    rows = [{"table": name, "seat": seat, "name": "", "person": people[seat]} for name in names for seat in (0, 1)]
    await add(store, seats, rows)


async def test_open_tables_are_read_once_for_concurrent_requests(store: DatabaseMatchRepository) -> None:
    site = InMemorySite(store)
    await open_tables(store, 9, site.clock.now() // 1000, "o")
    await store.write(lambda db: db.execute(insert(turned_away), {"table": "o3", "person": "eve"}))
    with count_cost() as cost:
        found = await asyncio.gather(*(site.lobby.queries.open_tables(person) for person in ("ben", "eve", "m")))
    listed = [{each.table.table for each in answer.tables} for answer in found]
    all_tables = {f"o{number}" for number in range(9)}
    assert listed == [all_tables, all_tables - {"o3"}, set()]
    assert len(cost.of("tables.invites IS NOT NULL")) == 1
    assert len(cost.of("SELECT", " FROM ")) == 4 + 3, (
        "the list with its seats and matches, and the tables that turned each person away"
    )
    site.clock.advance(1)
    await store.write(lambda db: db.execute(delete(turned_away)))
    assert len((await site.lobby.queries.open_tables("eve")).tables) == 9


async def test_reading_open_tables_does_not_scan_old_tables(tmp_path: Path) -> None:
    steps = list[int]()
    for old in (5, 2_000):
        with count_cost() as cost:
            store = DatabaseMatchRepository(tmp_path / f"{old}.sqlite")
            await store.open()
            site = InMemorySite(store)
            now = site.clock.now() // 1000
            await open_tables(store, 5, now, "o")
            await open_tables(store, old, now - OPEN_TABLE_SECONDS - 1, "x")
            before = cost.steps
            assert len((await site.lobby.queries.open_tables("ben")).tables) == 5
            steps.append(cost.steps - before)
            await store.close()
    assert steps[1] <= steps[0] + 20


async def test_a_stream_reads_turned_away_tables_once(store: DatabaseMatchRepository) -> None:
    site = InMemorySite(store)
    await open_tables(store, 9, site.clock.now() // 1000, "o")
    await store.write(lambda db: db.execute(update(tables).values(outsiders=True)))
    await store.write(lambda db: db.execute(insert(turned_away), {"table": "o3", "person": "bot"}))
    stream, page = BotEventStream(store, site.lobby.queries, site.clock), Page("bot")
    with stream.listening(page), count_cost() as cost:  # type: ignore[arg-type]
        await stream.poll()
        await stream.poll()
    assert {messages["table"]["table"] for messages in page.messages} == {f"o{number}" for number in range(9)} - {"o3"}
    assert len(cost.of("FROM turned_away")) == 1


# Best scores


async def test_the_best_score_reads_one_row(store: DatabaseMatchRepository) -> None:
    about = {"match": 0, "seat": 0, "game": "mycity", "kind": "k", "person": "a", "rank": 1, "counts": True, "ended": 1}
    await add(store, results, [{"table": f"t{number}", "score": number % 90, **about} for number in range(400)])
    with count_cost() as cost:
        assert await store.best_score("a", "mycity", "k", ("t359", 0)) == 89
    assert len(cost.of("SELECT", "LIMIT")) == len(cost.of("SELECT", " FROM ")) == 1
    assert cost.steps < 50


# Statistics


async def test_the_rating_history_contains_the_latest_matches(store: DatabaseMatchRepository) -> None:
    about = {"match": 0, "seat": 0, "kind": "k", "person": "a", "rank": 1, "score": 1, "counts": True, "ended": 1}
    rows = [
        {
            "table": f"{game}{number}",
            "game": game,
            "rated": 2 * number + place,
            "mu": float(number),
            "sigma": 1.0,
            **about,
        }
        for place, game in enumerate(("mycity", "rollwrite"))
        for number in range((MAX_RATED_MATCHES + 9) // (1 + place))
    ]
    await add(store, results, rows)
    found = {game.game: game.rating for game in (await ProfileService(store).mine("a")).games}
    assert found["mycity"] == PersonRating(
        MAX_RATED_MATCHES + 8.0, 2.0, MAX_RATED_MATCHES + 9, tuple(map(float, range(9, MAX_RATED_MATCHES + 9)))
    )
    assert found["rollwrite"] == PersonRating(33.0, 2.0, 34, tuple(map(float, range(34))))
    assert (
        len(await store.read(lambda db: db.execute(RATED_MATCHES, {"of_person": "a"}).all())) == MAX_RATED_MATCHES + 34
    )


# Merging and deleting accounts


async def store_tables(store: DatabaseMatchRepository, person: str, count: int) -> None:
    """Stores tables of a person, each with a finished and a running match; the person has two seats at some of them."""
    names = [f"{person}{number}" for number in range(count)]
    await add(store, tables, [table_row(name) for name in names])
    people = [[person, person if number % 3 == 0 else "other"] for number in range(count)]
    rows = [
        {"table": name, "seat": seat, "name": f"N{seat}", "person": held[seat]}
        for name, held in zip(names, people, strict=True)
        for seat in (0, 1)
    ]
    await add(store, seats, rows)
    over = {"players": '["N0","Before"]', "over": True, "rated": "yes"}
    now = {"players": '["Ada","N1"]', "over": False, "rated": "yes", "asked": "{}"}
    await add(store, matches, [match_row(name, 0, **over) for name in names])
    await add(store, matches, [match_row(name, 1, **now) for name in names])
    about = {"match": 1, "turn": 3, "prepared": "[]"}
    await add(store, turns, [{"table": name, "seat": seat, **about} for name in names for seat in (0, 1)])
    await add(store, codes, [{"code": name, "table": name, "seat": 0, "expires": 9} for name in names])
    await add(store, unlisted, [{"person": person, "table": name, "time": 1} for name in names])


async def test_deleting_an_account_takes_a_constant_number_of_statements(
    store: DatabaseMatchRepository,
) -> None:
    asked = list[int]()
    for person, count in (("few", 4), ("many", 40)):
        await store_tables(store, person, count)
        await store.remember(person, "Ada")
        with count_cost() as cost:
            versions = await AccountDataService(store).anonymize(person, 5)
        asked.append(len(cost.statements))
        assert versions == {f"{person}{number}": 1 for number in range(count)}
    assert asked[1] == asked[0]

    def work(db: Connection) -> list[Sequence[Any]]:
        of = select(seats.c.name, seats.c.person, seats.c.rest).where(seats.c.table.in_(["many0", "many1"]))
        played = select(matches.c.players, matches.c.rated, matches.c.asked).where(matches.c.table == "many1")
        ready = select(turns.c.prepared).where(turns.c.table == "many1")
        return [
            db.execute(of.order_by(seats.c.table, seats.c.seat)).all(),
            db.execute(played.order_by(matches.c.number)).all(),
            db.execute(ready.order_by(turns.c.seat)).scalars().all(),
            db.execute(select(matches.c.players).where(matches.c.table == "many0")).scalars().all(),
            [*db.execute(select(codes)), *db.execute(select(unlisted))],
        ]

    sat, played, ready, doubly, left = await store.read(work)
    assert [tuple(row) for row in sat] == [
        (DELETED_NAME, None, None), (DELETED_NAME, None, None), (DELETED_NAME, None, None), ("N1", "other", None),
    ]  # fmt: skip
    assert [tuple(row) for row in played] == [
        (f'["{DELETED_NAME}","Before"]', "yes", None),
        (f'["{DELETED_NAME}","N1"]', "substitute", None),
    ]
    assert ready == [None, "[]"]
    assert doubly == [f'["{DELETED_NAME}","Before"]', f'["{DELETED_NAME}","{DELETED_NAME}"]']
    assert left == []


async def test_merging_a_guest_takes_a_constant_number_of_statements(
    store: DatabaseMatchRepository,
) -> None:
    asked = list[int]()
    for person, count in (("few", 4), ("many", 40)):
        await store_tables(store, person, count)
        await add(store, unlisted, [{"person": "account", "table": f"{person}1", "time": 7}])
        with count_cost() as cost:
            versions = await AccountDataService(store).merge_guest(person, "account")
        asked.append(len(cost.statements))
        assert versions == {f"{person}{number}": 1 for number in range(count)}
    assert asked[1] == asked[0]
    found = await store.read(lambda db: db.execute(select(unlisted).where(unlisted.c.table.like("many%"))).all())
    assert {row.person for row in found} == {"account"}
    assert sorted(row.time for row in found) == [1] * 39 + [7], "rows of the account win"


# Chat


async def test_the_latest_chat_messages_are_read_without_older_ones(tmp_path: Path) -> None:
    steps = list[int]()
    for count in (100, 3_000):
        store = DatabaseMatchRepository(tmp_path / f"{count}.sqlite")
        await store.open()
        await add(store, tables, [table_row("t")])
        about = {"table": "t", "seat": 0, "name": "A", "person": "a", "text": "Hello"}
        await add(store, remarks, [{"id": f"r{number}", "time": 10_000 - number, **about} for number in range(count)])
        with count_cost() as cost:
            found = await DatabaseChatRepository(store).remarks("t", 20)
        assert [row.id for row in found] == [f"r{number}" for number in reversed(range(20))]
        steps.append(cost.steps)
        await store.close()
    assert steps[1] <= steps[0] + 20
