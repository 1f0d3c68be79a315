"""Whoever keeps, keeps alike: in memory, in a browser, in a file and in PostgreSQL."""

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
async def keeper(request: pytest.FixtureRequest) -> AsyncIterator[MatchRepository]:
    async with kept_at(request.param, request) as found:
        await found.create(TABLE)
        await found.start("t", MATCH, (FIRST,), await entry(found, 8_000))
        yield found


async def entry(keeper: MatchRepository, now: int, node: str | None = None) -> TableChange:
    """A change by somebody who knows the table as it is."""
    row = await keeper.table("t")
    assert row
    return TableChange(row.version, now, node, row.node)


async def test_a_table_comes_with_what_was_played_elsewhere(keeper: MatchRepository) -> None:
    match = replace(MATCH, practice=True, practice_for="import", imported=1)
    brought = replace(TABLE, id="u", imported=True, matches=(match, replace(match, number=1, imported=0)))
    for _ in range(2):  # it may be sent again
        await keeper.create(brought, ((FIRST,), ()))
    assert await keeper.table("u") == brought
    assert await keeper.match("u", 0) == StoredMatch(match, (FIRST,), ())
    assert await keeper.match("u", 1) == StoredMatch(brought.matches[1], (), ())
    assert [row.id for row in await keeper.tables_of("a", 9)] == ["t", "u"]


async def test_a_table_is_kept_with_its_seats_and_matches(keeper: MatchRepository) -> None:
    assert await keeper.table("t") == replace(TABLE, matches=(MATCH,), changed=8, version=1)
    assert await keeper.table("nowhere") is None


async def test_who_is_invited_and_who_is_turned_away_is_kept(keeper: MatchRepository) -> None:
    await keeper.create(replace(TABLE, id="o", seats=(SEATS[0], SeatEntity(1, "", None, None)), changed=20))
    await keeper.create(
        replace(TABLE, id="p", seats=(SEATS[0], SeatEntity(1, "", None, None)), invites="fr", changed=9)
    )
    assert [row.id for row in await keeper.open_tables(0, 9)] == ["p"]
    await keeper.arrange("o", "de", False, TableChange(0, 21_000, None))
    found = await keeper.open_tables(0, 9)
    assert [(row.id, row.invites, row.talk) for row in found] == [("o", "de", False), ("p", "fr", True)]
    assert [row.id for row in await keeper.open_tables(10, 9)] == ["o"]
    assert len(await keeper.open_tables(0, 1)) == 1
    with pytest.raises(Conflict):
        await keeper.arrange("o", None, True, TableChange(0, 22_000, None))
    for _ in range(2):  # from two seats
        version = (await keeper.versions(["p"]))["p"]
        await keeper.seat(
            "p", SeatEntity(1, "b", None, "b"), None, TableChange(version, 9_000, None, turned_away="eve")
        )
    assert [await keeper.is_turned_away("p", person) for person in ("eve", "a")] == [True, False]
    assert not await keeper.is_turned_away("o", "eve")
    assert [await keeper.turned_away_from(["o", "p"], person) for person in ("eve", "a")] == [{"p"}, frozenset()]
    assert [row.id for row in await keeper.open_tables(0, 9)] == ["o"], "where a seat is free"
    await keeper.start("o", MATCH, (), TableChange(1, 23_000, None))
    assert await keeper.open_tables(0, 9) == (), "and nothing was played"


async def test_what_one_message_led_to_is_kept_as_a_whole_or_not_at_all(keeper: MatchRepository) -> None:
    moves = [LogEntry(0, '"place"', None, 9_000), LogEntry(1, '"pass"', None, 9_000)]
    after = replace(MATCH, due="[]", over=True, result="{}", standings="{}")
    await keeper.append("t", MatchUpdate(1, moves, [SeatTurn(0, 1, None)], after), await entry(keeper, 9_000))
    kept = StoredMatch(after, (FIRST, *moves), (SeatTurn(0, 1, None),))
    assert await keeper.match("t", 0) == kept
    practice = replace(after, practice=True)
    with pytest.raises(Exception, match=r"UNIQUE|unique|rows"):
        await keeper.append(
            "t", MatchUpdate(2, moves, [SeatTurn(0, 2, '"stop"')], practice), await entry(keeper, 10_000)
        )
    assert await keeper.match("t", 0) == kept
    table = await keeper.table("t")
    assert table
    assert (table.changed, table.matches) == (9, (after,))


async def test_a_staged_decision_is_overwritten_in_place(keeper: MatchRepository) -> None:
    for turn, staged in enumerate(['"place"', '"pass"', None], start=1):
        await keeper.append("t", MatchUpdate(1, [], [SeatTurn(0, turn, staged)], MATCH), await entry(keeper, 9_000))
        kept = await keeper.match("t", 0)
        assert kept
        assert kept.turns == (SeatTurn(0, turn, staged),)


async def test_the_tables_of_a_person_come_with_the_last_changed_first_and_its_newest_match(
    keeper: MatchRepository,
) -> None:
    await keeper.create(replace(TABLE, id="newer", created=9, changed=9))
    await keeper.create(replace(TABLE, id="other", seats=SEATS[1:]))
    assert [row.id for row in await keeper.tables_of("a", 5)] == ["newer", "t"]
    await keeper.start("t", replace(MATCH, number=1), (), await entry(keeper, 12_000))
    newest, newer = await keeper.tables_of("a", 5)
    assert [match.number for match in newest.matches] == [1]
    assert newer.matches == ()
    assert [row.id for row in await keeper.tables_of("a", 1)] == ["t"]
    assert await keeper.tables_of("nobody", 5) == ()


async def test_where_others_may_wait_for_somebody_comes_with_the_longest_first(keeper: MatchRepository) -> None:
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
        await keeper.create(row, [() for _ in matches])
    found = await keeper.tables_with_others("a", 5)
    assert [(row.id, [match.number for match in row.matches]) for row in found] == [
        ("old", [1]),
        ("new", [0]),
        ("asked", [0]),
    ], "not where bots are alone, nothing was begun or all is over"
    assert [row.id for row in await keeper.tables_with_others("a", 1)] == ["old"]
    await keeper.unlist("a", "old", 8)
    assert [row.id for row in await keeper.tables_with_others("a", 5)] == ["new", "asked"]
    assert [row.id for row in await keeper.tables_with_others("b", 5)] == ["old", "new", "asked"]


async def test_who_knows_an_older_table_changes_nothing(keeper: MatchRepository) -> None:
    known = await entry(keeper, 9_000)
    await keeper.append("t", MatchUpdate(1, [], [SeatTurn(1, 1, '"pass"')], MATCH), known)
    before = await keeper.table("t"), await keeper.match("t", 0)
    late = [
        keeper.append("t", MatchUpdate(1, [], [SeatTurn(0, 1, '"place"')], replace(MATCH, practice=True)), known),
        keeper.seat("t", SeatEntity(0, "Eve", "e", None), None, known),
        keeper.start("t", replace(MATCH, number=1), (FIRST,), known),
    ]
    for change in late:
        with pytest.raises(Conflict):
            await change
    assert (await keeper.table("t"), await keeper.match("t", 0)) == before


async def test_whoever_is_late_costs_those_nothing_who_write_at_the_same_time(keeper: MatchRepository) -> None:
    known = await entry(keeper, 9_000)
    await keeper.append("t", MatchUpdate(1, [], [SeatTurn(1, 1, '"pass"')], MATCH), known)
    await keeper.create(replace(TABLE, id="u"))
    await keeper.start("u", MATCH, (FIRST,), TableChange(0, 9_000, None, None))
    move = LogEntry(0, '"place"', None, 9_000)
    late = keeper.append("t", MatchUpdate(1, [move], [SeatTurn(0, 1, None)], MATCH), known)
    in_time = keeper.append(
        "u", MatchUpdate(1, [move], [SeatTurn(0, 1, None)], MATCH), TableChange(1, 9_000, None, None)
    )
    errors = await asyncio.gather(late, in_time, return_exceptions=True)
    assert [type(error) for error in errors] == [Conflict, type(None)]
    assert await keeper.match("t", 0) == StoredMatch(MATCH, (FIRST,), (SeatTurn(1, 1, '"pass"'),))
    assert await keeper.match("u", 0) == StoredMatch(MATCH, (FIRST, move), (SeatTurn(0, 1, None),))


async def test_what_others_have_kept_since_can_be_read(keeper: MatchRepository) -> None:
    moves = (LogEntry(0, '"place"', None, 9_000), LogEntry(1, '"pass"', None, 9_000))
    turns = (SeatTurn(0, 1, None), SeatTurn(1, 4, None, "greedy"))
    await keeper.append("t", MatchUpdate(1, moves, turns, MATCH), await entry(keeper, 9_000, "node"))
    row = replace(TABLE, matches=(MATCH,), changed=9, version=2, node="node")
    assert await keeper.later("t", 0, 1) == CatchUp(row, moves, turns)
    assert await keeper.later("t", 0, 2) == CatchUp(row, moves[1:], turns)
    assert await keeper.later("t", -1, 9) == CatchUp(row, (FIRST, *moves), turns)
    assert await keeper.later("nowhere", 0, 0) is None
    at_once = [keeper.later("t", 0, 2), keeper.later("nowhere", 0, 0), keeper.later("t", -1, 9)]
    assert await asyncio.gather(*at_once) == [
        CatchUp(row, moves[1:], turns),
        None,
        CatchUp(row, (FIRST, *moves), turns),
    ]
    second = replace(MATCH, number=1)
    await keeper.start("t", second, (FIRST,), await entry(keeper, 9_000))
    row = replace(row, matches=(second,), version=3, node=None)
    assert await keeper.later("t", 0, 3) == CatchUp(row, (FIRST,), ())
    await keeper.create(replace(TABLE, id="empty"))
    assert await keeper.later("empty", -1, 0) == CatchUp(replace(TABLE, id="empty"), (), ())
    assert await keeper.versions(["t", "empty", "nowhere"]) == {"t": 3, "empty": 0}


async def test_bots_that_think_nowhere_any_more_are_adopted_once(keeper: MatchRepository) -> None:
    assert await keeper.adopt("ours") == ()
    await keeper.append("t", MatchUpdate(1, [], [], MATCH), await entry(keeper, 9_000, "gone"))
    assert await keeper.adopt("ours") == ("t",)
    row = await keeper.table("t")
    assert row
    assert row.node == "ours"
    await keeper.rest("t", "gone")
    assert await keeper.table("t") == row
    await keeper.rest("t", "ours")
    assert await keeper.table("t") == replace(row, node=None)
    assert await keeper.adopt("theirs") == ()


async def test_a_table_that_is_made_again_stays_as_it_was(keeper: MatchRepository) -> None:
    """Whether it was made is not known where a connection broke at the end."""
    before = await keeper.table("t")
    await keeper.create(TABLE)
    assert await keeper.table("t") == before


async def test_a_seat_changes_and_with_it_who_plays(keeper: MatchRepository) -> None:
    row = SeatEntity(1, "Ben", "b", None, "Lerida", "owl")
    playing = replace(MATCH, players='["Ada","Ben"]')
    await keeper.seat("t", row, playing, await entry(keeper, 20_000))
    assert await keeper.table("t") == replace(TABLE, seats=(SEATS[0], row), matches=(playing,), changed=20, version=2)


async def test_names_are_remembered(keeper: MatchRepository) -> None:
    assert await keeper.name_of("a") is None
    for name in ("Ada", "Bea"):
        await keeper.remember("a", name)
        assert await keeper.name_of("a") == name


async def test_a_table_leaves_the_list_of_one_person_until_something_happens_there(keeper: MatchRepository) -> None:
    await keeper.unlist("a", "t", 8)
    assert await keeper.tables_of("a", 9) == ()
    assert await keeper.table("t")
    await keeper.relist("a", "t")
    assert [row.id for row in await keeper.tables_of("a", 9)] == ["t"]
    await keeper.unlist("a", "t", 8)
    await keeper.append("t", MatchUpdate(1, [], [SeatTurn(0, 1, None)], MATCH), await entry(keeper, 9_000))
    assert [row.id for row in await keeper.tables_of("a", 9)] == ["t"]


async def test_the_best_score_of_somebody_is_that_of_finished_matches_in_earnest(keeper: MatchRepository) -> None:
    kind, other = kind_of(spec_of("mycity"), MATCH.setup), ("t", 1)
    assert await keeper.best_score("a", "mycity", kind, other) is None
    result = '{"scores":[3,4],"ranks":[2,1],"sheets":[[],[]]}'
    over = replace(MATCH, over=True, result=result, due="[]")
    await keeper.append("t", MatchUpdate(1, [], [], over), await entry(keeper, 9_000))
    assert await keeper.best_score("a", "mycity", kind, other) == 3
    assert await keeper.best_score("a", "mycity", kind, ("t", 0)) is None, "beside the others"
    assert await keeper.best_score("a", "mycity", "another kind", other) is None
    assert await keeper.best_score("a", "rollwrite", kind, other) is None
    assert await keeper.best_score("b", "mycity", kind, other) is None
    await keeper.append(
        "t", MatchUpdate(1, [], [], replace(over, practice=True, practice_for="hint")), await entry(keeper, 10_000)
    )
    assert await keeper.best_score("a", "mycity", kind, other) is None
    found = await keeper.match("t", 0)
    assert found
    assert found.row.practice_for == "hint"


async def test_of_many_that_are_kept_at_once_only_a_stale_one_is_refused(keeper: MatchRepository) -> None:
    said = LogEntry(0, '{"name":"Zoë \\"☃\\" \\\\"}', None, 9_000_000_000_000)
    for table in "uvw":
        await keeper.create(replace(TABLE, id=table))
        await keeper.start(table, MATCH, (FIRST,), TableChange(0, 8_000, "here"))
    came = await asyncio.gather(
        *(
            keeper.append(
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
    assert await keeper.match("u", 0) == StoredMatch(
        replace(MATCH, over=True, result="{}", due="[]"), (FIRST, said, said), turns
    )
    assert await keeper.match("v", 0) == StoredMatch(MATCH, (FIRST,), ())
    assert await keeper.match("w", 0) == StoredMatch(replace(MATCH, asked='{"seat":1}'), (FIRST, said, said), turns)
    tables = [await keeper.table(table) for table in "uvw"]
    assert [(row.version, row.changed, row.node) for row in tables if row] == [
        (2, 9, "here"),
        (1, 8, "here"),
        (2, 9, None),
    ]
