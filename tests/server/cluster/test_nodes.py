"""Several nodes on one PostgreSQL database: announcements, attendance, takeover, revocation."""

import asyncio
import json
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from typing import NamedTuple

import pytest

from polyopolis.games import GAME_SPECS
from polyopolis.play.in_memory import SystemClock
from polyopolis.play.lobby import Lobby
from polyopolis.play.table.table import Table
from polyopolis.play.table.table_context import SiteServices
from polyopolis.play.timing.utc_days import add_days
from polyopolis.play.wire.requests import CreateTable, Join, OpenSeat, OwnSeat
from polyopolis.server.auth import visitors
from polyopolis.server.auth.accounts import Accounts, RequestOrigin
from polyopolis.server.auth.bot_account_types import CreateToken
from polyopolis.server.auth.bot_accounts import BotAccountService
from polyopolis.server.auth.people import PersonRepository, list_people
from polyopolis.server.auth.visitors import Visitors
from polyopolis.server.cluster import nodes
from polyopolis.server.cluster.heartbeat import DEAD_AFTER_SECONDS, HeartbeatMonitor
from polyopolis.server.cluster.nodes import MAX_NOTICE_BYTES, PostgresCluster, encode_notices, parse_notice
from polyopolis.server.mail.mailer import Mailer, Smtp
from polyopolis.server.realtime.bot_events import BotEventStream
from polyopolis.server.realtime.guests import SocketGuest, StreamGuest
from polyopolis.server.storage.match_repository import DatabaseMatchRepository
from tests.play.daily.test_daily_service import Site as DailySite
from tests.play.in_memory_site import TIMEOUT_SECONDS, FirstActionBots, InMemorySite, ManualClock, Page, act, until
from tests.play.lobby.test_two_nodes import same

pytestmark = pytest.mark.anyio


class Node(InMemorySite):
    """A node on a PostgreSQL database."""

    def __init__(self, store: DatabaseMatchRepository, neighbours: PostgresCluster) -> None:
        super().__init__()
        self.store, self.neighbours = store, neighbours
        self.thinker = FirstActionBots()
        self.lobby = Lobby(SiteServices(store, self.thinker, SystemClock(), neighbours, 60))


@asynccontextmanager
async def node(site: str) -> AsyncIterator[Node]:
    store = DatabaseMatchRepository(site)
    await store.open()
    found = Node(store, PostgresCluster(site, store))
    await found.neighbours.open(found.lobby.nodes)
    yield found
    await found.neighbours.close()
    await store.close()


class AuthServices(NamedTuple):
    visitors: Visitors
    accounts: Accounts


@asynccontextmanager
async def auth_services(at: Node) -> AsyncIterator[AuthServices]:
    found = Visitors(PersonRepository(at.store), SystemClock())
    await found.open()
    yield AuthServices(found, Accounts(at.store, at.lobby.nodes, at.neighbours, found, Mailer(Smtp())))
    await found.close()


def decided(table: Table) -> tuple[int, ...]:
    assert table.session
    return tuple(table.session.live.match.staged)


@pytest.mark.slow
async def test_a_change_at_one_node_reaches_pages_at_the_other(new_site: Callable[[], str]) -> None:
    site = new_site()
    async with node(site) as one, node(site) as two:
        here = await one.table("Ada", "Ben")
        there = await two.lobby.tables.table(here.id)
        ada, ben = await one.arrived(here, "Ada"), await two.arrived(there, "Ben")
        for _ in range(5):
            await act(here, ada, 0)
            await until(lambda: decided(there) == (0,))
            number = there.context.version
            await act(there, ben, 1)
            await until(lambda number=number: here.context.version > number)  # type: ignore[misc]
            same(here, there)
        assert any(message["type"] == "news" for message in ada.messages)


@pytest.mark.slow
async def test_missed_announcements_are_found_by_polling(
    new_site: Callable[[], str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(nodes, "POLL_SECONDS", 0.1)
    site = new_site()
    async with node(site) as one, node(site) as two:
        here = await one.table("Ada", "Ben")
        there = await two.lobby.tables.table(here.id)
        ada, _ = await one.arrived(here, "Ada"), await two.arrived(there, "Ben")
        monkeypatch.setattr(one.neighbours, "changed", lambda *_: None)
        await act(here, ada, 0)
        await until(lambda: decided(there) == (0,))


class Watch:
    """The clock of a heartbeat monitor; counts its checks."""

    def __init__(self, clock: ManualClock) -> None:
        self.checks = 0
        self._clock = clock

    def __call__(self) -> float:
        self.checks += 1
        return self._clock.running()


async def wait_for_checks(*watches: Watch) -> None:
    """Waits until each node has checked twice, and so has sent at least one heartbeat."""
    before = [watch.checks for watch in watches]
    await until(lambda: all(watch.checks >= seen + 2 for watch, seen in zip(watches, before, strict=True)))


@pytest.mark.slow
async def test_bots_of_a_killed_node_continue_at_another_node(
    new_site: Callable[[], str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(nodes, "HEARTBEAT_SECONDS", 0.01)
    clock, watches = ManualClock(), list[Watch]()

    def beats() -> HeartbeatMonitor:
        watches.append(Watch(clock))
        return HeartbeatMonitor(watches[-1])

    monkeypatch.setattr(nodes, "HeartbeatMonitor", beats)
    site = new_site()
    async with node(site) as one, node(site) as two:
        one.thinker.may_decide.clear()
        here = await one.table("Ada", "bot", "Ben")
        there = await two.lobby.tables.table(here.id)
        await two.arrived(there, "Ben")
        for _ in range(6):
            clock.advance(DEAD_AFTER_SECONDS / 4)
            await wait_for_checks(*watches)
        assert two.thinker.asked == [], "the other node is alive"
        for task in one.neighbours._tasks:
            task.cancel()  # as if the process had died
        async with asyncio.timeout(TIMEOUT_SECONDS):
            while decided(there) != (1,):
                clock.advance(DEAD_AFTER_SECONDS / 4)
                await wait_for_checks(watches[1])


@pytest.mark.slow
async def test_attendance_includes_other_nodes(new_site: Callable[[], str]) -> None:
    site = new_site()
    async with node(site) as one, node(site) as two:
        here = await one.table("Ada", "Ben")
        ada = await one.arrived(here, "Ada")
        there = await two.lobby.tables.table(here.id)
        ben, guest = await two.arrived(there, "Ben"), await two.arrived(there, None)
        assert [seat["online"] for seat in ben.messages[0]["table"]["seats"]] == [True, True]
        await until(lambda: [seat["online"] for seat in ada.last["table"]["seats"]] == [True, True])
        await until(lambda: ada.last["table"]["onlookers"] == 1)
        there.depart(ben)
        there.depart(guest)
        await until(lambda: [seat["online"] for seat in ada.last["table"]["seats"]] == [True, False])
        await until(lambda: ada.last["table"]["onlookers"] == 0)


@pytest.mark.slow
async def test_concurrent_moves_at_two_nodes_are_neither_lost_nor_repeated(new_site: Callable[[], str]) -> None:
    """All seats decide concurrently at both nodes."""
    site = new_site()
    async with node(site) as one, node(site) as two:
        tables = [await one.table("Ada", "Ben", "Cem", "Dot") for _ in range(6)]
        others = [await two.lobby.tables.table(table.id) for table in tables]

        async def play(table: Table, person: str, seat: int) -> None:
            page = Page(person)
            await table.arrive(page)
            for _ in range(8):
                await until(lambda: table.session is not None and seat in table.session.live.due)
                await act(table, page, seat)

        plays = [
            play(table if seat % 2 else other, person, seat)
            for table, other in zip(tables, others, strict=True)
            for seat, person in enumerate(("Ada", "Ben", "Cem", "Dot"))
        ]
        await asyncio.gather(*plays)
        for table, other in zip(tables, others, strict=True):
            await table.follow()
            await other.follow()
            same(table, other)
            assert table.session
            assert set(table.session.live.turns.values()) == {8}


# Without a database


async def test_a_node_whose_counter_does_not_change_is_dead() -> None:
    now = 0.0
    found = HeartbeatMonitor(lambda: now)
    for now in (0.0, 1.0, 2.0, 3.0, 4.0):
        assert found.dead_nodes({"a": int(now), "b": 7}) == {}
    now = DEAD_AFTER_SECONDS
    assert found.dead_nodes({"a": 5, "b": 7}) == {"b": 7}
    now += 1
    assert found.dead_nodes({"a": 6, "b": 8}) == {}, "a slow node is alive again"


async def test_a_suspended_observer_reports_no_dead_nodes() -> None:
    now = 0.0
    found = HeartbeatMonitor(lambda: now)
    assert found.dead_nodes({"b": 7}) == {}
    now = 100.0
    assert found.dead_nodes({"b": 7}) == {}


async def test_announcements_are_split_at_the_size_limit() -> None:
    changed = {f"table-{number}": number for number in range(2_000)}
    payloads = list(encode_notices("node", [*(f"{table} {version}" for table, version in changed.items()), "present"]))
    assert all(len(notice) <= MAX_NOTICE_BYTES for notice in payloads)
    assert {table: version for notice in payloads for table, version in parse_notice(notice)[1].items()} == changed
    assert {parse_notice(notice)[0] for notice in payloads} == {"node"}
    assert [table for notice in payloads for table in parse_notice(notice)[2]] == ["present"]
    assert list(encode_notices("node", [])) == []


@pytest.mark.slow
async def test_sessions_are_revoked_at_all_nodes(new_site: Callable[[], str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(visitors, "POLL_SECONDS", 0.1)
    site, place = new_site(), RequestOrigin("https://cities.example", "https://cities.example", "Firefox, Linux")
    async with node(site) as one, node(site) as two, auth_services(one) as here, auth_services(two) as there:
        ada, phone = here.visitors.new_guest(), there.visitors.new_guest()
        code = (await here.accounts.make_code(ada, place, "code")).code
        table = await two.lobby.factory.create(
            phone.person, CreateTable("mycity", {"mode": "eternal"}, (OwnSeat("Ada"), OpenSeat()))
        )
        seen = await one.lobby.tables.table(table.id)
        proved = await there.accounts.show_code(phone, code)
        assert (proved.tables, proved.here) == (0, 1)
        entered = await there.accounts.enter(phone, place, proved.ticket, bring=True)
        await until(lambda: seen.context.seating.held_by(ada.person) == (0,))
        assert table.context.seating.held_by(ada.person) == (0,)

        known = await here.visitors.identify(entered.cookie)
        assert known
        assert (known.person, known.account) == (ada.person, True)
        ended = list[int]()

        async def end(code: int, _: str) -> None:
            ended.append(code)

        with here.visitors.track(known, SocketGuest(known.person, lambda _: None, end)):
            await there.accounts.leave(entered)
            await until(lambda: ended == [visitors.SIGNED_OUT_CODE])
        assert await here.visitors.identify(entered.cookie) is None

        await here.accounts.delete(ada)
        await until(lambda: not table.context.seating.people)
        assert await here.visitors.identify(ada.cookie) is None
        assert not list(await one.store.read(lambda db: list(list_people(db))))


@pytest.mark.slow
async def test_two_nodes_draw_the_same_daily_game(new_site: Callable[[], str]) -> None:
    site, clock, games = new_site(), ManualClock(), [sign for sign in GAME_SPECS.values() if sign.daily]
    async with node(site) as first, node(site) as second:
        one, two = DailySite(first.store, clock), DailySite(second.store, clock)
        for _ in range(5):
            await asyncio.gather(*(at.daily.draw() for at in (one, two, one, two)))
            ahead = [add_days(one.today, days) for days in range(3)]
            drawn = [[await at.daily_repository.day(day) for day in ahead] for at in (one, two)]
            assert drawn[0] == drawn[1], "one seed wins"
            assert len({row.seed for day in drawn[0] for row in day}) == 3 * len(games)
            shown = [await at.daily.day("Ada", at.today) for at in (one, two)]
            assert shown[0] == shown[1]
            clock.shift(86_400)
        await one.daily.draw()
        tries = await asyncio.gather(*(at.daily.play("Ada", "Ada", at.today, "rollwrite") for at in (one, two)))
        assert tries[0].id == tries[1].id, "one try for all nodes"
        others = ((one, "Ben"), (two, "Eve"))
        tables = [await at.daily.play(person, person, at.today, "mycity") for at, person in others]
        rows = [table.context.chain.last for table in tables]
        assert len({row.seed for row in rows if row}) == 1


@pytest.mark.slow
async def test_an_external_bot_gets_events_and_is_revoked_at_another_node(
    new_site: Callable[[], str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(visitors, "POLL_SECONDS", 0.05)
    site = new_site()
    async with node(site) as one, node(site) as two, auth_services(one) as here, auth_services(two) as there:
        owner = here.visitors.at_new_device("ada")
        outsiders = BotAccountService(one.store, one.lobby.nodes, one.neighbours, here.visitors)
        bot = (await outsiders.make(owner, "Deep Thought")).bots[0]
        made = await outsiders.make_token(owner, bot.id, CreateToken("laptop"))
        visit = await there.visitors.identify_bearer(made.token)
        assert visit
        assert (visit.person, visit.scopes) == (bot.id, frozenset({"watch", "play"}))
        herald, guest = BotEventStream(two.store, two.lobby.queries, SystemClock()), StreamGuest(bot.id)
        with there.visitors.track(visit, guest), herald.listening(guest):
            wish = CreateTable(
                "mycity", {"mode": "eternal"}, (OwnSeat("Ada"), OpenSeat()), invites="en", outsiders=True
            )
            table = await one.lobby.factory.create("ada", wish)
            await herald.poll()
            await table.change_seat(bot.id, 1, Join("Deep Thought"))
            await herald.poll()
            lines = [json.loads(line) for line in b"".join(guest._lines).splitlines()]
            assert [(line["type"], line["table"]["table"]) for line in lines] == [
                ("invited", table.id), ("turn", table.id),
            ]  # fmt: skip
            await outsiders.revoke(owner, bot.id, made.bots.bots[0].tokens[0].id)
            await until(lambda: b'"bye"' in guest._lines[-1])
        assert await there.visitors.identify_bearer(made.token) is None
