"""Every match knows the rules and the content it is played with; without them it is shown, and never played on."""

from typing import Any

import pytest
from msgspec.structs import replace

from polyopolis.games import content_digest, game
from polyopolis.play.entities import LogEntry, MatchEntity, MatchUpdate, TableChange
from polyopolis.play.history.derived_columns import recompute_derived_columns
from polyopolis.play.in_memory import InMemoryMatchRepository
from polyopolis.play.match.messages import Act, AskHint, Retract
from polyopolis.play.protocols import MatchRepository
from tests.play.in_memory_site import House, act, settle

pytestmark = pytest.mark.anyio


async def played(house: House) -> str:
    """A table where one round was played."""
    house.thinker.may.set()
    table = await house.table("Ada", "bot")
    ada = await house.arrived(table, "Ada")
    await act(table, ada, 0)
    await settle()
    return table.id


async def with_row(house: House, table: str, row: MatchEntity) -> House:
    """The same in a house where the match is kept like this."""
    kept = await house.keeper.match(table, 0)
    assert kept
    await house.keeper.append(table, MatchUpdate(len(kept.log), [], [], row), await entry(house.keeper, table))
    elsewhere = House(house.keeper)
    elsewhere.thinker.may.clear()
    return elsewhere


async def entry(keeper: MatchRepository, table: str) -> TableChange:
    return TableChange((await keeper.versions([table]))[table], 0, None)


async def kept_row(house: House, table: str) -> MatchEntity:
    kept = await house.keeper.match(table, 0)
    assert kept
    return kept.row


async def test_a_match_knows_its_rules_its_content_and_the_time_of_every_move() -> None:
    house = House()
    table = await played(house)
    kept = await house.keeper.match(table, 0)
    assert kept
    assert (kept.row.rules, kept.row.content) == (game("mycity").version, content_digest("mycity", 1))
    assert {row.time for row in kept.log} == {house.clock.now()}


@pytest.mark.parametrize("change", [{"rules": 99}, {"content": "other"}], ids=["rules", "content"])
async def test_what_is_not_installed_is_shown_and_never_played_on(change: dict[str, Any]) -> None:
    house = House()
    table = await played(house)
    elsewhere = await with_row(house, table, replace(await kept_row(house, table), **change))
    there = await elsewhere.lobby.tables.table(table)
    ada = await elsewhere.arrived(there, "Ada")
    welcome = ada.last
    assert welcome["table"]["match"]["playable"] is False
    assert welcome["scene"]["view"]
    assert (welcome["scene"]["due"], welcome["mine"]) == ([], [])
    for message in (Act(0, 1, {"type": "stop"}), Retract(0, 1), AskHint(1, 0)):
        await there.handle(ada, message)
        assert ada.last["reason"]["code"] == "not-installed"
    await settle()
    assert elsewhere.thinker.asked == [], "no bot plays on"
    kept = await elsewhere.keeper.match(table, 0)
    before = await house.keeper.match(table, 0)
    assert kept == before


async def test_a_match_of_other_rules_that_cannot_be_re_played_is_shown_without_a_board() -> None:
    house = House()
    table = await played(house)
    row = replace(await kept_row(house, table), rules=99)
    kept = await house.keeper.match(table, 0)
    assert kept
    strange = LogEntry(0, '{"type": "dance"}', None, 0)
    await house.keeper.append(table, MatchUpdate(len(kept.log), [strange], [], row), await entry(house.keeper, table))
    elsewhere = House(house.keeper)
    ada = await elsewhere.arrived(await elsewhere.lobby.tables.table(table), "Ada")
    assert ada.last["scene"] is None
    assert ada.last["table"]["match"]["playable"] is False


async def test_one_table_that_cannot_be_read_spoils_nothing_for_the_others() -> None:
    house = House()
    good, bad = await played(house), (await house.table("Ada", "bot")).id
    keeper = house.keeper
    assert isinstance(keeper, InMemoryMatchRepository)
    keeper.tables[bad] = replace(keeper.tables[bad], game="chess")
    hello = await House(keeper).lobby.queries.hello("Ada")
    assert [table.table for table in hello.tables] == [good]
    assert [(table.table, table.game) for table in hello.unreadable] == [(bad, "chess")]
    assert "chess" in hello.unreadable[0].problem
    keeper.tables[bad] = replace(keeper.tables[bad], game="mycity", plan="{")
    hello = await House(keeper).lobby.queries.hello("Ada")
    assert [table.table for table in hello.tables] == [good]
    assert len(hello.unreadable) == 1


async def test_a_row_that_is_broken_hides_nothing_that_waits(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """Also where more tables are kept than lists show."""
    monkeypatch.setattr("polyopolis.play.lobby.table_queries.RECENT_TABLES", 1)
    keeper = InMemoryMatchRepository()
    house = House(keeper)
    good, torn, strange, last = [(await house.table("Ada", "Ben")).id for _ in range(4)]
    for table, due in ((torn, '"e5c1d7'), (strange, "[99]")):
        row = keeper.tables[table]
        keeper.tables[table] = replace(row, matches=(replace(row.matches[0], due=due),))
    keeper.tables[last] = replace(keeper.tables[last], changed=keeper.tables[last].changed + 1)
    lobby = House(keeper).lobby
    for _ in range(2):
        hello = await lobby.queries.hello("Ada")
        assert [table.table for table in hello.unreadable] == [torn]
        assert {table.table for table in hello.tables} >= {good, last}
        assert await lobby.queries.count_waiting("Ada") == 2
        assert {table for table, _ in await lobby.queries.pending_notifications("Ada")} == {good, last}
    assert sorted(record.getMessage() for record in caplog.records) == sorted([
        f"table {torn} cannot be read: due of match 0 is broken",
        f"table {strange} cannot be read: IndexError",
    ])  # fmt: skip


async def test_home_re_plays_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    house = House()
    table = await played(house)
    elsewhere = House(house.keeper)
    monkeypatch.setattr("polyopolis.engine.Match.start", lambda *_: pytest.fail("a match was re-played"))
    hello = await elsewhere.lobby.queries.hello("Ada")
    assert [info.table for info in hello.tables] == [table]


async def test_a_stamp_tells_what_would_break() -> None:
    house = House()
    table = await played(house)
    row = await kept_row(house, table)
    for changed, field in [
        (replace(row, due="[7]"), "due"),
        (replace(row, rules=99), "rules"),
        (replace(row, content="x"), "content"),
    ]:
        chain = (await (await with_row(house, table, changed)).lobby.tables.table(table)).context.chain
        (stamp,) = [stamp async for stamp in recompute_derived_columns(chain)]
        assert [difference.partition(":")[0] for difference in stamp.differences] == [field]
    chain = (await (await with_row(house, table, row)).lobby.tables.table(table)).context.chain
    assert [stamp.differences async for stamp in recompute_derived_columns(chain)] == [()]
