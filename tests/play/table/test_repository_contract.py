"""Contract tests of `MatchRepository`: in memory, in a browser, in SQLite and in PostgreSQL."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
from msgspec.structs import replace

from polyopolis.browser_backend.browser_repository import BrowserMatchRepository
from polyopolis.games import spec_of
from polyopolis.play.entities import (
    CatchUp,
    LogEntry,
    MatchEntity,
    MatchUpdate,
    SeatEntity,
    SeatTurn,
    StoredMatch,
    TableChange,
    TableEntity,
)
from polyopolis.play.errors import Conflict
from polyopolis.play.history.personal_bests import kind_of
from polyopolis.play.in_memory import InMemoryMatchRepository
from polyopolis.play.protocols import MatchRepository
from polyopolis.server.storage.match_repository import DatabaseMatchRepository
from tests.browser_backend.in_memory_storage import MemoryStorage

pytestmark = pytest.mark.anyio
SEATS = (SeatEntity(0, "Ada", "a", None), SeatEntity(1, "greedy", None, "greedy"))
TABLE = TableEntity(id="t", game="mycity", setup="{}", created=7, changed=7, seats=SEATS)
MATCH = MatchEntity(
    number=0, setup='{"seats":2}', seed=b"seed", bot_seed=b"bots", practice=False, rules=1, content="c", due="[0, 1]"
)
FIRST = LogEntry(-1, '"reveal"', None, 8_000)


@asynccontextmanager
async def kept_at(place: str, request: pytest.FixtureRequest) -> AsyncIterator[MatchRepository]:
    if place == "memory":
        yield InMemoryMatchRepository()
        return
    if place == "page":
        yield BrowserMatchRepository(MemoryStorage())
        return
    folder: Path = request.getfixturevalue("tmp_path")
    store = DatabaseMatchRepository(
        folder / "polyopolis.sqlite" if place == "file" else request.getfixturevalue("new_site")()
    )
    await store.open()
    yield store
    await store.close()


@pytest.fixture(params=["memory", "page", "file", pytest.param("postgres", marks=pytest.mark.slow)])
async def repository(request: pytest.FixtureRequest) -> AsyncIterator[MatchRepository]:
    async with kept_at(request.param, request) as found:
        await found.create(TABLE)
        await found.start("t", MATCH, (FIRST,), await entry(found, 8_000))
        yield found


async def entry(repository: MatchRepository, now: int, node: str | None = None) -> TableChange:
    """A change by a writer who has read the latest version."""
    row = await repository.table("t")
    assert row
    return TableChange(row.version, now, node, row.node)


async def test_a_table_is_created_with_imported_matches(repository: MatchRepository) -> None:
    match = replace(MATCH, practice=True, practice_for="import", imported=1)
    brought = replace(TABLE, id="u", imported=True, matches=(match, replace(match, number=1, imported=0)))
    for _ in range(2):  # it may be repeated
        await repository.create(brought, ((FIRST,), ()))
    assert await repository.table("u") == brought
    assert await repository.match("u", 0) == StoredMatch(match, (FIRST,), ())
    assert await repository.match("u", 1) == StoredMatch(brought.matches[1], (), ())
    assert [row.id for row in await repository.tables_of("a", 9)] == ["t", "u"]


async def test_a_table_is_stored_with_its_seats_and_matches(repository: MatchRepository) -> None:
    assert await repository.table("t") == replace(TABLE, matches=(MATCH,), changed=8, version=1)
    assert await repository.table("nowhere") is None


async def test_invitations_and_people_turned_away_are_stored(repository: MatchRepository) -> None:
    await repository.create(replace(TABLE, id="o", seats=(SEATS[0], SeatEntity(1, "", None, None)), changed=20))
    await repository.create(
        replace(TABLE, id="p", seats=(SEATS[0], SeatEntity(1, "", None, None)), invites="fr", changed=9)
    )
    assert [row.id for row in await repository.open_tables(0, 9)] == ["p"]
    await repository.arrange("o", "de", False, TableChange(0, 21_000, None))
    found = await repository.open_tables(0, 9)
    assert [(row.id, row.invites, row.talk) for row in found] == [("o", "de", False), ("p", "fr", True)]
    assert [row.id for row in await repository.open_tables(10, 9)] == ["o"]
    assert len(await repository.open_tables(0, 1)) == 1
    with pytest.raises(Conflict):
        await repository.arrange("o", None, True, TableChange(0, 22_000, None))
    for _ in range(2):  # for two seats
        version = (await repository.versions(["p"]))["p"]
        await repository.seat(
            "p", SeatEntity(1, "b", None, "b"), None, TableChange(version, 9_000, None, turned_away="eve")
        )
    assert [await repository.is_turned_away("p", person) for person in ("eve", "a")] == [True, False]
    assert not await repository.is_turned_away("o", "eve")
    assert [await repository.turned_away_from(["o", "p"], person) for person in ("eve", "a")] == [{"p"}, frozenset()]
    assert [row.id for row in await repository.open_tables(0, 9)] == ["o"], "only tables with a free seat"
    await repository.start("o", MATCH, (), TableChange(1, 23_000, None))
    assert await repository.open_tables(0, 9) == (), "only tables without a match"


async def test_an_update_is_stored_atomically(repository: MatchRepository) -> None:
    moves = [LogEntry(0, '"place"', None, 9_000), LogEntry(1, '"pass"', None, 9_000)]
    after = replace(MATCH, due="[]", over=True, result="{}", standings="{}")
    await repository.append("t", MatchUpdate(1, moves, [SeatTurn(0, 1, None)], after), await entry(repository, 9_000))
    kept = StoredMatch(after, (FIRST, *moves), (SeatTurn(0, 1, None),))
    assert await repository.match("t", 0) == kept
    practice = replace(after, practice=True)
    with pytest.raises(Exception, match=r"UNIQUE|unique|rows"):
        await repository.append(
            "t", MatchUpdate(2, moves, [SeatTurn(0, 2, '"stop"')], practice), await entry(repository, 10_000)
        )
    assert await repository.match("t", 0) == kept
    table = await repository.table("t")
    assert table
    assert (table.changed, table.matches) == (9, (after,))


async def test_a_staged_decision_is_overwritten(repository: MatchRepository) -> None:
    for turn, staged in enumerate(['"place"', '"pass"', None], start=1):
        await repository.append(
            "t", MatchUpdate(1, [], [SeatTurn(0, turn, staged)], MATCH), await entry(repository, 9_000)
        )
        kept = await repository.match("t", 0)
        assert kept
        assert kept.turns == (SeatTurn(0, turn, staged),)


async def test_tables_of_a_person_are_ordered_by_change_with_their_newest_match(
    repository: MatchRepository,
) -> None:
    await repository.create(replace(TABLE, id="newer", created=9, changed=9))
    await repository.create(replace(TABLE, id="other", seats=SEATS[1:]))
    assert [row.id for row in await repository.tables_of("a", 5)] == ["newer", "t"]
    await repository.start("t", replace(MATCH, number=1), (), await entry(repository, 12_000))
    newest, newer = await repository.tables_of("a", 5)
    assert [match.number for match in newest.matches] == [1]
    assert newer.matches == ()
    assert [row.id for row in await repository.tables_of("a", 1)] == ["t"]
    assert await repository.tables_of("nobody", 5) == ()


async def test_tables_with_other_players_are_ordered_by_waiting_time(repository: MatchRepository) -> None:
    together = (SEATS[0], SeatEntity(1, "Ben", "b", None))
    asked = replace(MATCH, over=True, asked="{}")
    over, going = replace(MATCH, over=True), replace(MATCH, number=1)
    for key, changed, matches in (
        ("new", 9, (MATCH,)),
        ("old", 8, (over, going)),
        ("asked", 12, (asked,)),
        ("over", 7, (MATCH, replace(over, number=1))),
        ("waits", 6, ()),
    ):
        row = replace(TABLE, id=key, changed=changed, seats=together, matches=matches)
        await repository.create(row, [() for _ in matches])
    found = await repository.tables_with_others("a", 5)
    assert [(row.id, [match.number for match in row.matches]) for row in found] == [
        ("old", [1]),
        ("new", [0]),
        ("asked", [0]),
    ], "not tables of bots only, without a match or finished"
    assert [row.id for row in await repository.tables_with_others("a", 1)] == ["old"]
    await repository.unlist("a", "old", 8)
    assert [row.id for row in await repository.tables_with_others("a", 5)] == ["new", "asked"]
    assert [row.id for row in await repository.tables_with_others("b", 5)] == ["old", "new", "asked"]


async def test_a_writer_with_an_older_version_gets_a_conflict(repository: MatchRepository) -> None:
    known = await entry(repository, 9_000)
    await repository.append("t", MatchUpdate(1, [], [SeatTurn(1, 1, '"pass"')], MATCH), known)
    before = await repository.table("t"), await repository.match("t", 0)
    late = [
        repository.append("t", MatchUpdate(1, [], [SeatTurn(0, 1, '"place"')], replace(MATCH, practice=True)), known),
        repository.seat("t", SeatEntity(0, "Eve", "e", None), None, known),
        repository.start("t", replace(MATCH, number=1), (FIRST,), known),
    ]
    for change in late:
        with pytest.raises(Conflict):
            await change
    assert (await repository.table("t"), await repository.match("t", 0)) == before


async def test_a_conflict_does_not_affect_other_writers_of_a_batch(repository: MatchRepository) -> None:
    known = await entry(repository, 9_000)
    await repository.append("t", MatchUpdate(1, [], [SeatTurn(1, 1, '"pass"')], MATCH), known)
    await repository.create(replace(TABLE, id="u"))
    await repository.start("u", MATCH, (FIRST,), TableChange(0, 9_000, None, None))
    move = LogEntry(0, '"place"', None, 9_000)
    late = repository.append("t", MatchUpdate(1, [move], [SeatTurn(0, 1, None)], MATCH), known)
    in_time = repository.append(
        "u", MatchUpdate(1, [move], [SeatTurn(0, 1, None)], MATCH), TableChange(1, 9_000, None, None)
    )
    errors = await asyncio.gather(late, in_time, return_exceptions=True)
    assert [type(error) for error in errors] == [Conflict, type(None)]
    assert await repository.match("t", 0) == StoredMatch(MATCH, (FIRST,), (SeatTurn(1, 1, '"pass"'),))
    assert await repository.match("u", 0) == StoredMatch(MATCH, (FIRST, move), (SeatTurn(0, 1, None),))


async def test_later_changes_can_be_read(repository: MatchRepository) -> None:
    moves = (LogEntry(0, '"place"', None, 9_000), LogEntry(1, '"pass"', None, 9_000))
    turns = (SeatTurn(0, 1, None), SeatTurn(1, 4, None, "greedy"))
    await repository.append("t", MatchUpdate(1, moves, turns, MATCH), await entry(repository, 9_000, "node"))
    row = replace(TABLE, matches=(MATCH,), changed=9, version=2, node="node")
    assert await repository.later("t", 0, 1) == CatchUp(row, moves, turns)
    assert await repository.later("t", 0, 2) == CatchUp(row, moves[1:], turns)
    assert await repository.later("t", -1, 9) == CatchUp(row, (FIRST, *moves), turns)
    assert await repository.later("nowhere", 0, 0) is None
    at_once = [repository.later("t", 0, 2), repository.later("nowhere", 0, 0), repository.later("t", -1, 9)]
    assert await asyncio.gather(*at_once) == [
        CatchUp(row, moves[1:], turns),
        None,
        CatchUp(row, (FIRST, *moves), turns),
    ]
    second = replace(MATCH, number=1)
    await repository.start("t", second, (FIRST,), await entry(repository, 9_000))
    row = replace(row, matches=(second,), version=3, node=None)
    assert await repository.later("t", 0, 3) == CatchUp(row, (FIRST,), ())
    await repository.create(replace(TABLE, id="empty"))
    assert await repository.later("empty", -1, 0) == CatchUp(replace(TABLE, id="empty"), (), ())
    assert await repository.versions(["t", "empty", "nowhere"]) == {"t": 3, "empty": 0}


async def test_bots_without_a_node_are_adopted_once(repository: MatchRepository) -> None:
    assert await repository.adopt("ours") == ()
    await repository.append("t", MatchUpdate(1, [], [], MATCH), await entry(repository, 9_000, "gone"))
    assert await repository.adopt("ours") == ("t",)
    row = await repository.table("t")
    assert row
    assert row.node == "ours"
    await repository.rest("t", "gone")
    assert await repository.table("t") == row
    await repository.rest("t", "ours")
    assert await repository.table("t") == replace(row, node=None)
    assert await repository.adopt("theirs") == ()


async def test_creating_an_existing_table_does_nothing(repository: MatchRepository) -> None:
    """A writer repeats the call if the connection broke before the answer."""
    before = await repository.table("t")
    await repository.create(TABLE)
    assert await repository.table("t") == before


async def test_a_seat_is_stored_with_the_players_of_the_match(repository: MatchRepository) -> None:
    row = SeatEntity(1, "Ben", "b", None, "Lerida", "owl")
    playing = replace(MATCH, players='["Ada","Ben"]')
    await repository.seat("t", row, playing, await entry(repository, 20_000))
    assert await repository.table("t") == replace(
        TABLE, seats=(SEATS[0], row), matches=(playing,), changed=20, version=2
    )


async def test_names_are_stored(repository: MatchRepository) -> None:
    assert await repository.name_of("a") is None
    for name in ("Ada", "Bea"):
        await repository.remember("a", name)
        assert await repository.name_of("a") == name


async def test_an_unlisted_table_is_hidden_until_it_changes(repository: MatchRepository) -> None:
    await repository.unlist("a", "t", 8)
    assert await repository.tables_of("a", 9) == ()
    assert await repository.table("t")
    await repository.relist("a", "t")
    assert [row.id for row in await repository.tables_of("a", 9)] == ["t"]
    await repository.unlist("a", "t", 8)
    await repository.append("t", MatchUpdate(1, [], [SeatTurn(0, 1, None)], MATCH), await entry(repository, 9_000))
    assert [row.id for row in await repository.tables_of("a", 9)] == ["t"]


async def test_the_best_score_is_from_finished_matches_without_practice(repository: MatchRepository) -> None:
    kind, other = kind_of(spec_of("mycity"), MATCH.setup), ("t", 1)
    assert await repository.best_score("a", "mycity", kind, other) is None
    result = '{"scores":[3,4],"ranks":[2,1],"sheets":[[],[]]}'
    over = replace(MATCH, over=True, result=result, due="[]")
    await repository.append("t", MatchUpdate(1, [], [], over), await entry(repository, 9_000))
    assert await repository.best_score("a", "mycity", kind, other) == 3
    assert await repository.best_score("a", "mycity", kind, ("t", 0)) is None, "without the match itself"
    assert await repository.best_score("a", "mycity", "another kind", other) is None
    assert await repository.best_score("a", "rollwrite", kind, other) is None
    assert await repository.best_score("b", "mycity", kind, other) is None
    await repository.append(
        "t", MatchUpdate(1, [], [], replace(over, practice=True, practice_for="hint")), await entry(repository, 10_000)
    )
    assert await repository.best_score("a", "mycity", kind, other) is None
    found = await repository.match("t", 0)
    assert found
    assert found.row.practice_for == "hint"


async def test_only_stale_writes_of_a_batch_are_rejected(repository: MatchRepository) -> None:
    said = LogEntry(0, '{"name":"Zoë \\"☃\\" \\\\"}', None, 9_000_000_000_000)
    for table in "uvw":
        await repository.create(replace(TABLE, id=table))
        await repository.start(table, MATCH, (FIRST,), TableChange(0, 8_000, "here"))
    came = await asyncio.gather(
        *(
            repository.append(
                table,
                MatchUpdate(1, [said, said], [SeatTurn(0, 1, None), SeatTurn(1, 3, said.action, "greedy")], after),
                TableChange(version, 9_000, node, "here"),
            )
            for table, version, node, after in [
                ("u", 1, "here", replace(MATCH, over=True, result="{}", due="[]")),
                ("v", 0, None, replace(MATCH, practice=True)),
                ("w", 1, None, replace(MATCH, asked='{"seat":1}')),
            ]
        ),
        return_exceptions=True,
    )
    assert [type(answer) for answer in came] == [type(None), Conflict, type(None)]
    turns = (SeatTurn(0, 1, None), SeatTurn(1, 3, said.action, "greedy"))
    assert await repository.match("u", 0) == StoredMatch(
        replace(MATCH, over=True, result="{}", due="[]"), (FIRST, said, said), turns
    )
    assert await repository.match("v", 0) == StoredMatch(MATCH, (FIRST,), ())
    assert await repository.match("w", 0) == StoredMatch(replace(MATCH, asked='{"seat":1}'), (FIRST, said, said), turns)
    tables = [await repository.table(table) for table in "uvw"]
    assert [(row.version, row.changed, row.node) for row in tables if row] == [
        (2, 9, "here"),
        (1, 8, "here"),
        (2, 9, None),
    ]
