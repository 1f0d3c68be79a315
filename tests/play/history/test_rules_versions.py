"""Matches of other versions of rules or content can be shown but not continued."""

from typing import Any

import pytest
from msgspec.structs import replace

from polyopolis.games import content_digest, game
from polyopolis.play.entities import LogEntry, MatchEntity, MatchUpdate, TableChange
from polyopolis.play.history.derived_columns import recompute_derived_columns
from polyopolis.play.in_memory import InMemoryMatchRepository
from polyopolis.play.match.messages import Act, AskHint, Retract
from polyopolis.play.protocols import MatchRepository
from tests.play.in_memory_site import InMemorySite, act, settle

pytestmark = pytest.mark.anyio


async def played(site: InMemorySite) -> str:
    """A table after one round."""
    site.bot_service.may_decide.set()
    table = await site.table("Ada", "bot")
    ada = await site.arrived(table, "Ada")
    await act(table, ada, 0)
    await settle()
    return table.id


async def with_row(site: InMemorySite, table: str, row: MatchEntity) -> InMemorySite:
    """A site with the same table, whose match is stored like this."""
    kept = await site.repository.match(table, 0)
    assert kept
    await site.repository.append(table, MatchUpdate(len(kept.log), [], [], row), await entry(site.repository, table))
    elsewhere = InMemorySite(site.repository)
    elsewhere.bot_service.may_decide.clear()
    return elsewhere


async def entry(repository: MatchRepository, table: str) -> TableChange:
    return TableChange((await repository.versions([table]))[table], 0, None)


async def kept_row(site: InMemorySite, table: str) -> MatchEntity:
    kept = await site.repository.match(table, 0)
    assert kept
    return kept.row


async def test_a_match_stores_its_rules_content_and_move_times() -> None:
    site = InMemorySite()
    table = await played(site)
    kept = await site.repository.match(table, 0)
    assert kept
    assert (kept.row.rules, kept.row.content) == (game("mycity").version, content_digest("mycity", 1))
    assert {row.time for row in kept.log} == {site.clock.now()}


@pytest.mark.parametrize("change", [{"rules": 99}, {"content": "other"}], ids=["rules", "content"])
async def test_a_match_of_other_rules_is_shown_but_not_continued(change: dict[str, Any]) -> None:
    site = InMemorySite()
    table = await played(site)
    elsewhere = await with_row(site, table, replace(await kept_row(site, table), **change))
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
    assert elsewhere.bot_service.asked == [], "no bot is asked"
    kept = await elsewhere.repository.match(table, 0)
    before = await site.repository.match(table, 0)
    assert kept == before


async def test_a_match_that_cannot_be_replayed_is_shown_without_a_board() -> None:
    site = InMemorySite()
    table = await played(site)
    row = replace(await kept_row(site, table), rules=99)
    kept = await site.repository.match(table, 0)
    assert kept
    strange = LogEntry(0, '{"type": "dance"}', None, 0)
    await site.repository.append(
        table, MatchUpdate(len(kept.log), [strange], [], row), await entry(site.repository, table)
    )
    elsewhere = InMemorySite(site.repository)
    ada = await elsewhere.arrived(await elsewhere.lobby.tables.table(table), "Ada")
    assert ada.last["scene"] is None
    assert ada.last["table"]["match"]["playable"] is False


async def test_an_unreadable_table_does_not_affect_others() -> None:
    site = InMemorySite()
    good, bad = await played(site), (await site.table("Ada", "bot")).id
    repository = site.repository
    assert isinstance(repository, InMemoryMatchRepository)
    repository.tables[bad] = replace(repository.tables[bad], game="chess")
    hello = await InMemorySite(repository).lobby.queries.hello("Ada")
    assert [table.table for table in hello.tables] == [good]
    assert [(table.table, table.game) for table in hello.unreadable] == [(bad, "chess")]
    assert "chess" in hello.unreadable[0].problem
    repository.tables[bad] = replace(repository.tables[bad], game="mycity", plan="{")
    hello = await InMemorySite(repository).lobby.queries.hello("Ada")
    assert [table.table for table in hello.tables] == [good]
    assert len(hello.unreadable) == 1


async def test_a_broken_row_does_not_hide_waiting_tables(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """Also with more tables than lists show."""
    monkeypatch.setattr("polyopolis.play.lobby.table_queries.RECENT_TABLES", 1)
    repository = InMemoryMatchRepository()
    site = InMemorySite(repository)
    good, torn, strange, last = [(await site.table("Ada", "Ben")).id for _ in range(4)]
    for table, due in ((torn, '"e5c1d7'), (strange, "[99]")):
        row = repository.tables[table]
        repository.tables[table] = replace(row, matches=(replace(row.matches[0], due=due),))
    repository.tables[last] = replace(repository.tables[last], changed=repository.tables[last].changed + 1)
    lobby = InMemorySite(repository).lobby
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


async def test_the_home_page_replays_no_match(monkeypatch: pytest.MonkeyPatch) -> None:
    site = InMemorySite()
    table = await played(site)
    elsewhere = InMemorySite(site.repository)
    monkeypatch.setattr("polyopolis.engine.Match.start", lambda *_: pytest.fail("a match was re-played"))
    hello = await elsewhere.lobby.queries.hello("Ada")
    assert [info.table for info in hello.tables] == [table]


async def test_derived_columns_report_differences() -> None:
    site = InMemorySite()
    table = await played(site)
    row = await kept_row(site, table)
    for changed, field in [
        (replace(row, due="[7]"), "due"),
        (replace(row, rules=99), "rules"),
        (replace(row, content="x"), "content"),
    ]:
        chain = (await (await with_row(site, table, changed)).lobby.tables.table(table)).context.chain
        (stamp,) = [stamp async for stamp in recompute_derived_columns(chain)]
        assert [difference.partition(":")[0] for difference in stamp.differences] == [field]
    chain = (await (await with_row(site, table, row)).lobby.tables.table(table)).context.chain
    assert [stamp.differences async for stamp in recompute_derived_columns(chain)] == [()]
