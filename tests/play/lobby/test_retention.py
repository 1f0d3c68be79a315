"""Quotas and retention of tables."""

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
from polyopolis.play.wire.requests import BotSeat, Branch, CreateTable, Import, Join, Leave, OpenSeat, OwnSeat
from polyopolis.records import read, verify
from polyopolis.server.limits.rate_limits import Limits, RateLimit
from polyopolis.server.ops import retention
from polyopolis.server.ops.quotas import StoredQuotas
from polyopolis.server.ops.retention import MonotonicDate, Retention, Usage, delete_unused_tables
from polyopolis.server.stats.profiles import ProfileService
from polyopolis.server.storage.match_repository import DatabaseMatchRepository
from polyopolis.server.storage.schema import opened, people, tables
from tests.play.history.test_match_imports import LIBRARY, begun, written
from tests.play.in_memory_site import FirstActionBots, ManualClock, Page, act, send_action, until

pytestmark = pytest.mark.anyio
DAY = 86_400
USUAL = Retention()
STOP = {"type": "stop"}


class Site:
    """A site with quotas, where Ada has an account and Guest has none."""

    def __init__(self, store: DatabaseMatchRepository, archive: Path) -> None:
        self.store, self.archive, self.clock, self.bot_service = store, archive, ManualClock(), FirstActionBots()
        self.clock.held = False
        self.addresses: dict[str, str] = {}
        self.settle(Limits())
        self.today = MonotonicDate(self.clock)

    def settle(self, limits: Limits) -> None:
        """Starts again with other limits and without tables in use."""
        self.quotas = StoredQuotas(self.store, limits, self.clock, lambda who: self.addresses.get(who, who))
        whos = ProfileService(self.store)
        services = SiteServices(
            self.store, self.bot_service, self.clock, NoCluster(), 60, ratings=whos, quotas=self.quotas
        )
        self.lobby = Lobby(services)

    async def table(self, person: str, *seats: OwnSeat | OpenSeat | BotSeat, **wish: Any) -> Table:
        fields = {"game": "rollwrite", "setup": {"episode": 1}, **wish}
        table = await self.lobby.factory.create(
            person, CreateTable(**fields, seats=seats or (OwnSeat(person), BotSeat("first")))
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
        """Plays a match to its end."""
        for seat, name in enumerate(names):
            page = Page(name)
            await table.arrive(page)
            await send_action(table, page, seat, STOP)
        await until(lambda: table.session is not None and table.session.live.row.over)

    async def brings(self, person: str, called: str = "Eve") -> Table:
        """Imports an unfinished match, which differs for each name."""
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
        self.settle(Limits())  # drops the tables in use
        return await delete_unused_tables(self.store, self.archive, rules, self.today, lambda: in_use)

    async def after(self, days: float, rules: Retention = USUAL) -> set[str]:
        """The tables that are left after some days."""
        self.clock.advance(days * DAY)
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
    """Waits, because a later decision would change the table."""
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


async def test_unused_tables_expire_and_played_ones_stay(site: Site) -> None:
    await site.retire()
    waiting = await site.table("Ada", OwnSeat("Ada"), OpenSeat())
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


async def test_a_match_of_an_account_stays_after_other_players_left(site: Site) -> None:
    await site.retire()
    table = await site.table("Guest", OwnSeat("Guest"), OpenSeat())
    await table.change_seat("Ada", 1, Join("Ada"))
    await site.plays(table, "Guest", "Ada")
    await table.change_seat("Ada", 1, Leave())
    alone = await site.table("Guest", OwnSeat("Guest"), OpenSeat())
    await alone.change_seat("Other", 1, Join("Other"))
    await site.plays(alone, "Guest", "Other")
    assert await site.after(401) == {table.id}


async def test_an_import_expires_unless_it_is_opened_or_continued(site: Site) -> None:
    await site.retire()
    forgotten, looked_at, played = [await site.brings("Ada", called=name) for name in ("One", "Two", "Three")]
    await site.decides(played, "Ada")
    page = Page(None)
    await forgotten.arrive(page)
    site.clock.advance(29 * DAY)
    await site.opens(looked_at.id)
    assert await site.after(2) == {looked_at.id, played.id}
    assert not (site.archive / "archive").exists(), "imports are not archived"
    assert await site.after(26) == {looked_at.id, played.id}
    assert await site.after(4) == {played.id}
    assert await site.after(10_000) == {played.id}, "a match of an account"


async def test_opening_a_table_is_stored_once_a_day(site: Site, monkeypatch: pytest.MonkeyPatch) -> None:
    table = await site.table("Ada")
    writes, write = list[str](), site.store.write

    async def noted(work: Any, about: str = "") -> Any:
        writes.append(about)
        return await write(work, about)

    monkeypatch.setattr(site.store, "write", noted)
    for _ in range(3):
        await site.opens(table.id)
    assert (writes, await site.store.read(days_of)) == ([], {}), "the table was changed today"
    for day in (1, 2):
        site.clock.advance(DAY)
        for _ in range(3):
            await site.opens(table.id)
            await site.lobby.tables.visit(table.id, "Ada")
        assert writes == [table.id] * day
    today = site.clock.now() // 1000 // DAY
    assert await site.store.read(days_of) == {table.id: today}
    before = await site.store.table(table.id)
    assert before
    assert before.changed // DAY == today - 2, "opening is not a change"


async def test_an_unlisted_import_expires_after_a_week(site: Site) -> None:
    await site.retire()
    listed, off = await site.brings("Ada", called="One"), await site.brings("Ada", called="Two")
    site.clock.advance(15 * DAY)
    await site.unlist("Ada", off.id)
    assert await site.after(6) == {listed.id, off.id}
    assert await site.after(2) == {listed.id}


@pytest.mark.parametrize(
    ("plan", "over", "why"),
    [("[]", 1, "guests"), ("[]", 0, "guests"), ("[1,2]", 1, None), ("[1,2]", 2, "guests"), ("nonsense", 2, None)],
)
def test_unfinished_campaigns_do_not_expire(plan: str, over: int, why: str | None) -> None:
    usage = Usage("t", 0, 1, plan, 0, True, False, over, True, True, True, False, False, False)
    assert USUAL.reason(usage, 401 * DAY, 0.0) == why


async def test_an_old_database_reports_expirations_before_they_happen(
    site: Site, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.INFO)
    waiting, of_guest = await site.table("Ada", OwnSeat("Ada"), OpenSeat()), await site.table("Guest")
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


async def test_retention_can_be_disabled_and_old_options_keep_their_meaning(site: Site) -> None:
    await site.retire()
    table, waiting = await site.table("Ada"), await site.table("Ada", OwnSeat("Ada"), OpenSeat())
    await site.decides(table, "Ada")
    never = Retention(unplayed="never", guests="never", imports="never")
    assert (never.shortest, Retention().shortest) == (None, 7.0)
    site.clock.advance(10_000 * DAY)
    assert await site.retire(never) == 0
    await site.opens(table.id)
    await site.opens(waiting.id)
    assert await site.after(0, Retention(unbegun=10.0)) == {table.id}, "opened tables stay"
    assert await site.after(0, Retention(left=10.0)) == set()
    assert len(list((site.archive / "archive").glob("*.json"))) == 1


async def test_tables_in_use_or_changed_meanwhile_stay(site: Site, monkeypatch: pytest.MonkeyPatch) -> None:
    await site.retire()
    in_use, changed, looked_at, forgotten = [await site.table("Ada", OwnSeat("Ada"), OpenSeat()) for _ in range(4)]
    ids = [table.id for table in (in_use, changed, looked_at, forgotten)]
    del in_use, forgotten
    site.clock.advance(100 * DAY)
    crowd = site.store.crowd

    async def meanwhile(table: str, but: str = "") -> Any:
        """Changes tables between their selection and their removal."""
        if table == changed.id:
            version = update(tables).where(tables.c.id == table).values(version=tables.c.version + 1)
            await site.store.write(lambda db: db.execute(version))
        if table == looked_at.id:
            await site.opens(table)
        return await crowd(table, but)

    monkeypatch.setattr(site.store, "crowd", meanwhile)
    await site.retire(in_use=[ids[0]])
    assert await site.kept() == set(ids[:3])


async def test_tables_expire_in_batches_and_in_separate_transactions(
    site: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    await site.retire()
    for _ in range(7):
        await site.table("Ada", OwnSeat("Ada"), OpenSeat())
    site.clock.advance(100 * DAY)
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


async def test_imports_are_limited_by_person(site: Site) -> None:
    site.settle(Limits(imports_kept=2))
    first, second = await site.brings("Guest", called="One"), await site.brings("Guest", called="Two")
    with pytest.raises(Full, match=r"you keep 2 games from elsewhere.* remove some from your list on the home page"):
        await site.brings("Guest", called="Three")
    assert await site.kept() == {first.id, second.id}, "no table was replaced"
    assert (await site.brings("Guest", called="One")).id == first.id, "the same record can be imported again"
    await site.brings("Ada", called="Three")
    await site.unlist("Guest", first.id)
    third = await site.brings("Guest", called="Three")
    with pytest.raises(Full):
        await site.brings("Guest", called="Four")
    await third.change_seat("Guest", 0, Leave())
    await site.brings("Guest", called="Four")


async def test_import_bytes_are_limited_by_address_and_day(site: Site) -> None:
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
    site.clock.advance(DAY / 2)
    await site.brings("Guest", called="Three")


async def test_new_tables_are_limited_by_address_and_day(site: Site) -> None:
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
    assert len(table.context.chain.rows) == 2, "rematches of finished matches are not limited"


async def test_daily_tables_count_once_toward_quotas(site: Site) -> None:
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


async def test_unplayed_tables_are_limited_by_person(site: Site) -> None:
    site.settle(Limits(unplayed=3))
    played = await site.table("Ada")
    waiting = await site.table("Ada", OwnSeat("Ada"), OpenSeat())
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
