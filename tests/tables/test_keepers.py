"""Whoever keeps, keeps alike: in memory and in a file."""

from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from polyopolis.play.memory import MemoryKeeper
from polyopolis.play.needs import Keeper
from polyopolis.play.rows import Happened, Kept, LogRow, MatchRow, ScoreRow, SeatRow, TableRow, TurnRow
from polyopolis.server.store import Store

pytestmark = pytest.mark.anyio
SEATS = (SeatRow(0, "Ada", "a", None), SeatRow(1, "greedy", None, "greedy"))
TABLE = TableRow(id="t", game="mycity", setup="{}", created=7, changed=7, seats=SEATS)
MATCH = MatchRow(
    number=0, setup="{}", seed=b"seed", bot_seed=b"bots", practice=False, rules=1, content="c", due="[0, 1]"
)
FIRST = LogRow(-1, '"reveal"', None, 8_000)


@asynccontextmanager
async def in_memory(_: Path) -> AsyncIterator[Keeper]:
    yield MemoryKeeper()


@asynccontextmanager
async def in_a_file(folder: Path) -> AsyncIterator[Keeper]:
    store = Store(folder / "polyopolis.sqlite")
    await store.open()
    yield store
    await store.close()


@pytest.fixture(params=[in_memory, in_a_file])
async def keeper(request: pytest.FixtureRequest, tmp_path: Path) -> AsyncIterator[Keeper]:
    place: Callable[[Path], Any] = request.param
    async with place(tmp_path) as found:
        await found.create(TABLE)
        await found.start("t", MATCH, (FIRST,), 8_000)
        yield found


async def test_a_table_is_kept_with_its_seats_and_matches(keeper: Keeper) -> None:
    assert await keeper.table("t") == replace(TABLE, matches=(MATCH,), changed=8)
    assert await keeper.table("nowhere") is None


async def test_what_one_message_led_to_is_kept_as_a_whole_or_not_at_all(keeper: Keeper) -> None:
    moves = [LogRow(0, '"place"', None, 9_000), LogRow(1, '"pass"', None, 9_000)]
    after = replace(MATCH, due="[]", over=True, result="{}", standings="{}")
    await keeper.append("t", Happened(1, moves, [TurnRow(0, 1, None)], after), 9_000)
    kept = Kept(after, (FIRST, *moves), (TurnRow(0, 1, None),))
    assert await keeper.match("t", 0) == kept
    practice = replace(after, practice=True)
    with pytest.raises(Exception, match=r"UNIQUE|rows"):
        await keeper.append("t", Happened(2, moves, [TurnRow(0, 2, '"stop"')], practice), 10_000)
    assert await keeper.match("t", 0) == kept
    table = await keeper.table("t")
    assert table
    assert (table.changed, table.matches) == (9, (after,))


async def test_a_staged_decision_is_overwritten_in_place(keeper: Keeper) -> None:
    for turn, staged in enumerate(['"place"', '"pass"', None], start=1):
        await keeper.append("t", Happened(1, [], [TurnRow(0, turn, staged)], MATCH), 9_000)
        kept = await keeper.match("t", 0)
        assert kept
        assert kept.turns == (TurnRow(0, turn, staged),)


async def test_the_tables_of_a_person_come_with_the_last_changed_first_and_its_newest_match(keeper: Keeper) -> None:
    await keeper.create(replace(TABLE, id="newer", created=9, changed=9))
    await keeper.create(replace(TABLE, id="other", seats=SEATS[1:]))
    assert [row.id for row in await keeper.tables_of("a", 5)] == ["newer", "t"]
    await keeper.start("t", replace(MATCH, number=1), (), 12_000)
    newest, newer = await keeper.tables_of("a", 5)
    assert [match.number for match in newest.matches] == [1]
    assert newer.matches == ()
    assert [row.id for row in await keeper.tables_of("a", 1)] == ["t"]
    assert await keeper.tables_of("nobody", 5) == ()


async def test_tables_that_wait_for_a_bot_are_known(keeper: Keeper) -> None:
    assert await keeper.waiting_for_bots() == ("t",)
    await keeper.append("t", Happened(1, [], [], replace(MATCH, due="[0]")), 9_000)
    assert await keeper.waiting_for_bots() == ()
    await keeper.append("t", Happened(1, [], [], replace(MATCH, due="[1]")), 9_000)
    assert await keeper.waiting_for_bots() == ("t",)
    await keeper.append("t", Happened(1, [], [], replace(MATCH, due="[]", over=True)), 9_000)
    assert await keeper.waiting_for_bots() == ()


async def test_a_seat_changes_and_with_it_who_plays(keeper: Keeper) -> None:
    row = SeatRow(1, "Ben", "b", None, "Lerida", "owl")
    playing = replace(MATCH, players='["Ada","Ben"]')
    await keeper.seat("t", row, playing, 20_000)
    assert await keeper.table("t") == replace(TABLE, seats=(SEATS[0], row), matches=(playing,), changed=20)


async def test_names_are_remembered(keeper: Keeper) -> None:
    assert await keeper.name_of("a") is None
    for name in ("Ada", "Bea"):
        await keeper.remember("a", name)
        assert await keeper.name_of("a") == name


async def test_a_table_leaves_the_list_of_one_person_until_something_happens_there(keeper: Keeper) -> None:
    await keeper.unlist("a", "t", 8_000)
    assert await keeper.tables_of("a", 9) == ()
    assert await keeper.table("t")
    await keeper.relist("a", "t")
    assert [row.id for row in await keeper.tables_of("a", 9)] == ["t"]
    await keeper.unlist("a", "t", 8_000)
    await keeper.append("t", Happened(1, [], [TurnRow(0, 1, None)], MATCH), 9_000)
    assert [row.id for row in await keeper.tables_of("a", 9)] == ["t"]


async def test_the_scores_of_somebody_are_those_of_finished_matches_in_earnest(keeper: Keeper) -> None:
    assert await keeper.scores_of("a", "mycity") == ()
    over = replace(MATCH, over=True, result='{"scores":[3,4]}', due="[]")
    await keeper.append("t", Happened(1, [], [], over), 9_000)
    assert await keeper.scores_of("a", "mycity") == (ScoreRow("t", 0, 0, "{}", '{"scores":[3,4]}'),)
    assert await keeper.scores_of("a", "rollwrite") == ()
    assert await keeper.scores_of("b", "mycity") == ()
    await keeper.append("t", Happened(1, [], [], replace(over, practice=True, practice_for="hint")), 10_000)
    assert await keeper.scores_of("a", "mycity") == ()
    found = await keeper.match("t", 0)
    assert found
    assert found.row.practice_for == "hint"
