"""Quotas and retention: nobody fills the database, and nothing goes that somebody has played and may come back to."""

import logging
from collections.abc import AsyncIterator, Sequence
from pathlib import Path
from typing import Any

import msgspec
import pytest
from litestar.exceptions import TooManyRequestsException
from sqlalchemy import Connection, insert, select, update

from polyopolis.play.entities import DailyDeck
from polyopolis.play.errors import Full
from polyopolis.play.history.match_imports import ImportedRecord
from polyopolis.play.in_memory import NoCluster
from polyopolis.play.lobby import Lobby
from polyopolis.play.match.messages import AskHint
from polyopolis.play.table.table import Table
from polyopolis.play.table.table_context import SiteServices
from polyopolis.play.timing.pace import Correspondence
from polyopolis.play.wire.requests import BotSeat, Branch, CreateTable, Import, Join, Leave, Me, Open
from polyopolis.records import read, verify
from polyopolis.server.limits.rate_limits import Limits, RateLimit
from polyopolis.server.ops import retention
from polyopolis.server.ops.quotas import StoredQuotas
from polyopolis.server.ops.retention import MonotonicDate, Retention, Usage, delete_unused_tables
from polyopolis.server.stats.profiles import ProfileService
from polyopolis.server.storage.match_repository import DatabaseMatchRepository
from polyopolis.server.storage.schema import opened, people, tables
from tests.play.history.test_match_imports import LIBRARY, begun, written
from tests.play.in_memory_site import HandClock, Obedient, Page, act, say, until

pytestmark = pytest.mark.anyio
DAY = 86_400
USUAL = Retention()
STOP = {"type": "stop"}


class Site:
    """A house with quotas, where Ada has an account and Guest has none."""

    def __init__(self, store: DatabaseMatchRepository, archive: Path) -> None:
        self.store, self.archive, self.clock, self.thinker = store, archive, HandClock(), Obedient()
        self.clock.held = False
        self.addresses: dict[str, str] = {}
        self.settle(Limits())
        self.today = MonotonicDate(self.clock)

    def settle(self, limits: Limits) -> None:
        """Starts again with other limits: nobody holds a table."""
        self.quotas = StoredQuotas(self.store, limits, self.clock, lambda who: self.addresses.get(who, who))
        whos = ProfileService(self.store)
        house = SiteServices(self.store, self.thinker, self.clock, NoCluster(), 60, ratings=whos, quotas=self.quotas)
        self.lobby = Lobby(house)

    async def table(self, person: str, *seats: Me | Open | BotSeat, **wish: Any) -> Table:
        fields = {"game": "rollwrite", "setup": {"episode": 1}, **wish}
        table = await self.lobby.factory.create(
            person, CreateTable(**fields, seats=seats or (Me(person), BotSeat("first")))
        )
        if not seats:
            await bot_has_decided(table)
        return table

    async def decides(self, table: Table, person: str) -> None:
        page = Page(person)
        await table.arrive(page)
        await act(table, page, 0)
        await bot_has_decided(table)

    async def plays(self, table: Table, *names: str) -> None:
        """To its end."""
        for seat, name in enumerate(names):
            page = Page(name)
            await table.arrive(page)
            await say(table, page, seat, STOP)
        await until(lambda: table.session is not None and table.session.live.row.over)

    async def brings(self, person: str, called: str = "Eve") -> Table:
        """A match in its middle, another one for each name."""
        table = await self.lobby.factory.import_record(person, await arrival(called))
        await bot_has_decided(table)
        return table

    async def opens(self, table: str, person: str = "Guest") -> None:
        await self.lobby.tables.read(table, person)
        await self.quotas.close()

    async def unlist(self, person: str, table: str) -> None:
        await self.lobby.queries.list_table(person, table, listed=False)
        await self.quotas.close()

    async def retire(self, rules: Retention = USUAL, in_use: Sequence[str] = ()) -> int:
        self.settle(Limits())  # weak references to tables are no part of this
        return await delete_unused_tables(self.store, self.archive, rules, self.today, lambda: in_use)

    async def after(self, days: float, rules: Retention = USUAL) -> set[str]:
        """The tables that are left once so many days have passed."""
        self.clock.pass_by(days * DAY)
        await self.retire(rules)
        return await self.kept()

    async def kept(self) -> set[str]:
        return set(await self.store.all_tables())


@pytest.fixture(params=["file", pytest.param("postgres", marks=pytest.mark.slow)])
async def site(request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[Site]:
    monkeypatch.setattr(retention, "PAUSE_SECONDS", 0)
    place = tmp_path / "polyopolis.sqlite" if request.param == "file" else request.getfixturevalue("new_site")()
    store = DatabaseMatchRepository(place)
    await store.open()
    known: list[dict[str, Any]] = [
        {"id": "Ada", "name": "Ada", "joined": 1},
        {"id": "Guest", "name": "Guest", "joined": None},
    ]
    await store.write(lambda db: db.execute(insert(people), known))
    found = Site(store, tmp_path)
    yield found
    await found.quotas.close()
    await store.close()


async def bot_has_decided(table: Table) -> None:
    """What it does later would change the table at another time."""
    sitting = table.session
    assert sitting
    await until(lambda: 1 in sitting.live.match.staged)


async def arrival(called: str = "Eve") -> ImportedRecord:
    _, there = await begun(2, "Ada", "bot", seed="there")
    record = {**await written(there), "players": [called, "first"]}
    return await LIBRARY.verified(Import(msgspec.Raw(msgspec.json.encode(record))))


def days_of(db: Connection) -> dict[str, int]:
    return {row.table: row.day for row in db.execute(select(opened))}


# Retention


async def test_what_nobody_has_brought_to_life_goes_and_what_was_played_stays(site: Site) -> None:
    await site.retire()
    waiting = await site.table("Ada", Me("Ada"), Open())
    looked_at = await site.table("Ada")
    begun, finished, of_guest = await site.table("Ada"), await site.table("Ada"), await site.table("Guest")
    await site.decides(begun, "Ada")
    await site.decides(of_guest, "Guest")
    await site.plays(finished, "Ada")
    campaign = await site.table("Guest", setup={"episode": 1}, plan=(1, 2, 3))
    await site.decides(campaign, "Guest")
    clocked = await site.table("Ada", pace=Correspondence(days=7, bank=0))
    everything = {table.id for table in (waiting, looked_at, begun, finished, of_guest, campaign, clocked)}
    lasting = {begun.id, finished.id, campaign.id, clocked.id}
    assert await site.after(29) == everything
    assert await site.after(2) == {*lasting, of_guest.id}
    assert await site.after(368) == {*lasting, of_guest.id}
    assert await site.after(2) == lasting
    assert await site.after(10_000) == lasting
    (archived,) = (site.archive / "archive").glob("*.json")
    assert archived.name == f"{of_guest.id}-0.json"
    record = read(archived)
    verify(record)  # type: ignore[arg-type]


async def test_a_match_with_an_account_is_no_guests_match_whoever_has_left_it(site: Site) -> None:
    await site.retire()
    table = await site.table("Guest", Me("Guest"), Open())
    await table.change_seat("Ada", 1, Join("Ada"))
    await site.plays(table, "Guest", "Ada")
    await table.change_seat("Ada", 1, Leave())
    alone = await site.table("Guest", Me("Guest"), Open())
    await alone.change_seat("Other", 1, Join("Other"))
    await site.plays(alone, "Guest", "Other")
    assert await site.after(401) == {table.id}


async def test_a_game_from_elsewhere_goes_unless_somebody_opens_it_or_plays_on(site: Site) -> None:
    await site.retire()
    forgotten, looked_at, played = [await site.brings("Ada", called=name) for name in ("One", "Two", "Three")]
    await site.decides(played, "Ada")
    page = Page(None)
    await forgotten.arrive(page)
    site.clock.pass_by(29 * DAY)
    await site.opens(looked_at.id)
    assert await site.after(2) == {looked_at.id, played.id}
    assert not (site.archive / "archive").exists(), "whoever has brought it has the file"
    assert await site.after(26) == {looked_at.id, played.id}
    assert await site.after(4) == {played.id}
    assert await site.after(10_000) == {played.id}, "it is an account's"


async def test_a_table_is_written_down_as_opened_once_a_day_if_nothing_else_happens(
    site: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    table = await site.table("Ada")
    writes, write = list[str](), site.store.write

    async def noted(work: Any, about: str = "") -> Any:
        writes.append(about)
        return await write(work, about)

    monkeypatch.setattr(site.store, "write", noted)
    for _ in range(3):
        await site.opens(table.id)
    assert (writes, await site.store.read(days_of)) == ([], {}), "it was changed today"
    for day in (1, 2):
        site.clock.pass_by(DAY)
        for _ in range(3):
            await site.opens(table.id)
            await site.lobby.tables.visit(table.id, "Ada")
        assert writes == [table.id] * day
    today = site.clock.now() // 1000 // DAY
    assert await site.store.read(days_of) == {table.id: today}
    before = await site.store.table(table.id)
    assert before
    assert before.changed // DAY == today - 2, "it is not changed by that"


async def test_a_game_from_elsewhere_that_was_taken_off_the_list_goes_after_a_week(site: Site) -> None:
    await site.retire()
    listed, off = await site.brings("Ada", called="One"), await site.brings("Ada", called="Two")
    site.clock.pass_by(15 * DAY)
    await site.unlist("Ada", off.id)
    assert await site.after(6) == {listed.id, off.id}
    assert await site.after(2) == {listed.id}


@pytest.mark.parametrize(
    ("plan", "over", "why"),
    [("[]", 1, "guests"), ("[]", 0, "guests"), ("[1,2]", 1, None), ("[1,2]", 2, "guests"), ("nonsense", 2, None)],
)
def test_no_campaign_goes_before_it_is_over(plan: str, over: int, why: str | None) -> None:
    usage = Usage("t", 0, 1, plan, 0, True, False, over, True, True, True, False, False, False)
    assert USUAL.reason(usage, 401 * DAY, 0.0) == why


async def test_an_old_database_loses_nothing_on_the_first_day_and_is_told_what_goes_later(
    site: Site, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.INFO)
    waiting, of_guest = await site.table("Ada", Me("Ada"), Open()), await site.table("Guest")
    await site.decides(of_guest, "Guest")
    brought, played = await site.brings("Ada"), await site.table("Ada")
    await site.decides(played, "Ada")
    everything = {waiting.id, of_guest.id, brought.id, played.id}
    assert await site.after(1_000) == everything
    (line,) = [record for record in caplog.records if record.name == retention.__name__]
    assert line.levelname == "WARNING"
    assert "1 (guests) in 400 days, 1 (imports) in 30 days, 1 (unplayed) in 30 days" in line.getMessage()
    caplog.clear()
    assert await site.after(29) == everything
    assert not caplog.records, "once"
    assert await site.after(2) == {of_guest.id, played.id}
    assert [record.levelname for record in caplog.records] == ["INFO"]
    assert await site.after(370) == {played.id}


async def test_a_host_can_keep_everything_and_what_was_set_before_means_the_same(site: Site) -> None:
    await site.retire()
    table, waiting = await site.table("Ada"), await site.table("Ada", Me("Ada"), Open())
    await site.decides(table, "Ada")
    never = Retention(unplayed="never", guests="never", imports="never")
    assert (never.shortest, Retention().shortest) == (None, 7.0)
    site.clock.pass_by(10_000 * DAY)
    assert await site.retire(never) == 0
    await site.opens(table.id)
    await site.opens(waiting.id)
    assert await site.after(0, Retention(unbegun=10.0)) == {table.id}, "whoever opens it"
    assert await site.after(0, Retention(left=10.0)) == set()
    assert len(list((site.archive / "archive").glob("*.json"))) == 1


async def test_what_is_in_use_or_changed_in_the_meantime_stays(site: Site, monkeypatch: pytest.MonkeyPatch) -> None:
    await site.retire()
    in_use, changed, looked_at, forgotten = [await site.table("Ada", Me("Ada"), Open()) for _ in range(4)]
    ids = [table.id for table in (in_use, changed, looked_at, forgotten)]
    del in_use, forgotten
    site.clock.pass_by(100 * DAY)
    crowd = site.store.crowd

    async def meanwhile(table: str, but: str = "") -> Any:
        """Whatever happens between the look at a table and its end."""
        if table == changed.id:
            version = update(tables).where(tables.c.id == table).values(version=tables.c.version + 1)
            await site.store.write(lambda db: db.execute(version))
        if table == looked_at.id:
            await site.opens(table)
        return await crowd(table, but)

    monkeypatch.setattr(site.store, "crowd", meanwhile)
    await site.retire(in_use=[ids[0]])
    assert await site.kept() == set(ids[:3])


async def test_tables_are_looked_at_a_few_at_a_time_and_each_goes_by_itself(
    site: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    await site.retire()
    for _ in range(7):
        await site.table("Ada", Me("Ada"), Open())
    site.clock.pass_by(100 * DAY)
    monkeypatch.setattr(retention, "USAGE", retention.USAGE.limit(3))
    looked, removed = list[int](), list[int]()
    usage, remove = retention._usage_page, retention._remove

    def looks(db: Connection, **about: Any) -> Any:
        found = usage(db, **about)
        looked.append(len(found))
        return found

    def removes(db: Connection, table: Any) -> bool:
        before = len(db.execute(select(tables.c.id)).all())
        found = remove(db, table)
        removed.append(before - len(db.execute(select(tables.c.id)).all()))
        return found

    monkeypatch.setattr(retention, "_usage_page", looks)
    monkeypatch.setattr(retention, "_remove", removes)
    assert await site.retire() == 7
    assert (looked, removed) == ([3, 3, 1, 0], [1] * 7)


# Quotas


async def test_a_person_keeps_only_so_many_games_from_elsewhere(site: Site) -> None:
    site.settle(Limits(imports_kept=2))
    first, second = await site.brings("Guest", called="One"), await site.brings("Guest", called="Two")
    with pytest.raises(Full, match=r"you keep 2 games from elsewhere.* remove some from your list on the home page"):
        await site.brings("Guest", called="Three")
    assert await site.kept() == {first.id, second.id}, "nothing was changed"
    assert (await site.brings("Guest", called="One")).id == first.id, "the same one may be brought again"
    await site.brings("Ada", called="Three")
    await site.unlist("Guest", first.id)
    third = await site.brings("Guest", called="Three")
    with pytest.raises(Full):
        await site.brings("Guest", called="Four")
    await third.change_seat("Guest", 0, Leave())
    await site.brings("Guest", called="Four")


async def test_an_address_brings_only_so_many_bytes_a_day(site: Site) -> None:
    site.settle(Limits(import_megabytes=RateLimit(2.5 * (await arrival()).size / 1e6, DAY)))
    site.addresses = {"Guest": "one", "Other": "one", "Ada": "another"}
    await site.brings("Guest", called="One")
    await site.brings("Other", called="Two")
    for person in ("Guest", "Other", "Newcomer"):
        site.addresses[person] = "one"
        with pytest.raises(TooManyRequestsException, match="your network has") as refused:
            await site.brings(person, called="Three")
        assert 0 < int((refused.value.headers or {})["retry-after"]) < DAY
    await site.brings("Ada", called="Three")
    site.clock.pass_by(DAY / 2)
    await site.brings("Guest", called="Three")


async def test_an_address_makes_only_so_many_tables_a_day_in_whatever_way(site: Site) -> None:
    site.settle(Limits(tables_daily=RateLimit(4, DAY)))
    site.addresses = {"Guest": "one", "Other": "one"}
    table = await site.table("Guest")
    await site.plays(table, "Guest")
    branch = await site.lobby.factory.branch("Other", table, 0, Branch(1, 0))
    await branch.rematch("Other")
    page = Page("Other")
    await branch.arrive(page)
    await branch.handle(page, AskHint(1, 0))
    await site.table("Other")
    for tried in (
        site.table("Guest"),
        site.lobby.factory.branch("Other", table, 0, Branch(1, 0)),
        branch.rematch("Other"),
    ):
        with pytest.raises(TooManyRequestsException, match="as many tables"):
            await tried
    assert len(branch.context.chain.rows) == 2
    assert len(await site.kept()) == 3
    await table.rematch("Guest")
    assert len(table.context.chain.rows) == 2, "after a match that was played to its end anybody may play another one"


async def test_the_games_of_the_days_are_counted_once(site: Site) -> None:
    site.settle(Limits(tables_daily=RateLimit(2, DAY)))
    known = await site.store.table((await site.table("Guest")).id)
    assert known
    day = DailyDeck(day="2023-11-14", game="rollwrite", setup=known.setup, bots='["first"]', seed=bytes(32), drawn=1)
    site.addresses = dict.fromkeys(("Ada", "Ben"), "one")
    for key in ("of-ada", "of-ada", "of-ada", "of-ben"):
        person = "Ada" if key == "of-ada" else "Ben"
        assert (await site.lobby.factory.create_daily(person, person, day, key)).id == key
    for key, practice in (("other", False), ("", True)):
        with pytest.raises(TooManyRequestsException):
            await site.lobby.factory.create_daily("Ada", "Ada", day, key, practice=practice)
    assert (await site.lobby.factory.create_daily("Ada", "Ada", day, "of-ada")).id == "of-ada"


async def test_a_person_has_only_so_many_tables_at_which_nobody_has_played(site: Site) -> None:
    site.settle(Limits(unplayed=3))
    played = await site.table("Ada")
    waiting = await site.table("Ada", Me("Ada"), Open())
    await site.table("Ada")
    for _ in range(2):
        with pytest.raises(Full, match=r"at 3 tables that you have made.* home page"):
            await site.table("Ada")
    assert len(await site.kept()) == 3
    await site.table("Guest")
    await site.decides(played, "Ada")
    await site.table("Ada")
    await waiting.change_seat("Ada", 0, Leave())
    await site.table("Ada")
    with pytest.raises(Full):
        await site.table("Ada")
