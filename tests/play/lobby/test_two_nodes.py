"""Two nodes with one repository."""

import asyncio
from typing import Any

import pytest
from msgspec.structs import replace

from polyopolis.games import GAME_SPECS
from polyopolis.play.entities import MatchUpdate, TableChange
from polyopolis.play.errors import Unreadable
from polyopolis.play.in_memory import InMemoryChatRepository, InMemoryMatchRepository
from polyopolis.play.lobby import Lobby
from polyopolis.play.match.messages import Act, AskHint, AskTakeback, Consent
from polyopolis.play.protocols import ClusterLink, TableAttendance
from polyopolis.play.table.table import Table
from polyopolis.play.table.table_context import SiteServices
from polyopolis.play.wire.requests import Join, NameCity, PutBot
from tests.play.in_memory_site import (
    ABSENCE_SECONDS,
    FirstActionBots,
    InMemorySite,
    ManualClock,
    Page,
    act,
    as_dict,
    settle,
)

pytestmark = pytest.mark.anyio


class InMemoryCluster:
    """Connects nodes in memory. While it is closed, no messages are delivered."""

    def __init__(self) -> None:
        self.open = True
        self.houses: list[Lobby] = []
        self.tasks = set[asyncio.Task[None]]()
        self.crowds: dict[tuple[str, str], TableAttendance] = {}
        self.chat_repository = InMemoryChatRepository()

    def tell(self, table: str, version: int) -> None:
        if self.open:
            self.tasks |= {asyncio.create_task(lobby.nodes.follow({table: version})) for lobby in self.houses}

    def say(self, node: ClusterLink, table: str, word: str) -> None:
        others = (lobby for lobby in self.houses if lobby.nodes._services.cluster is not node)
        self.tasks |= {asyncio.create_task(lobby.nodes.receive(table, word)) for lobby in others}


class ClusterMember:
    any = True

    def __init__(self, street: InMemoryCluster, node: str) -> None:
        self.node = node
        self._street = street

    def changed(self, table: str, version: int) -> None:
        self._street.tell(table, version)

    def aside(self, table: str, word: str) -> None:
        self._street.say(self, table, word)

    def present(self, table: str, crowd: TableAttendance) -> None:
        self._street.crowds[self.node, table] = crowd

    async def crowd(self, table: str) -> TableAttendance:
        others = [crowd for (node, at), crowd in self._street.crowds.items() if at == table and node != self.node]
        people = frozenset[str]().union(*(other.people for other in others))
        return TableAttendance(people, sum(other.unknown for other in others))


class Node(InMemorySite):
    """A node of an in-memory cluster."""

    def __init__(self, repository: InMemoryMatchRepository, street: InMemoryCluster, node: str) -> None:
        super().__init__(repository)
        self.clock, self.bot_service = ManualClock(), FirstActionBots()
        near = ClusterMember(street, node)
        self.lobby = Lobby(
            SiteServices(
                repository,
                self.bot_service,
                self.clock,
                near,
                ABSENCE_SECONDS,
                chat_repository=street.chat_repository,
                chat_enabled=True,
            )
        )
        street.houses.append(self.lobby)


class TwoNodes:
    """Two nodes: Ada is at one, Ben at the other, at the same table."""

    def __init__(self) -> None:
        self.repository = InMemoryMatchRepository()
        self.street = InMemoryCluster()
        self.one, self.two = (Node(self.repository, self.street, node) for node in ("one", "two"))

    async def table(self, *seats: str, **wish: Any) -> tuple[Table, Table]:
        here = await self.one.table(*seats, **wish)
        await settle()
        return here, await self.two.lobby.tables.table(here.id)


async def seated(town: TwoNodes, **wish: Any) -> tuple[Table, Table, Page, Page]:
    here, there = await town.table("Ada", "Ben", **wish)
    ada, ben = await town.one.arrived(here, "Ada"), await town.two.arrived(there, "Ben")
    await settle()
    return here, there, ada, ben


def same(here: Table, there: Table) -> None:
    assert known(here) == known(there)


def known(table: Table) -> Any:
    """The state of a table at a node."""
    assert table.session
    live = table.session.live
    backs = [(live.before_last_decision(seat), live.decided_last(seat)) for seat in range(live.match.setup.seats)]
    return live.match, live.number, live.turns, live.row, backs, table.context.version, table.context.seating


async def test_a_round_can_be_decided_at_two_nodes() -> None:
    town = TwoNodes()
    here, there, ada, ben = await seated(town)
    for _ in range(3):
        ada.clear()
        ben.clear()
        await act(here, ada, 0)
        await settle()
        assert [message["type"] for message in ben.messages if message["type"] != "people"] == ["decided"]
        assert ben.messages[0]["mine"] == [], "staged decisions are private"
        await act(there, ben, 1)
        await settle()
        news = [next(message for message in page.messages if message["type"] == "news") for page in (ada, ben)]
        assert news[0]["scene"] == news[1]["scene"]
        assert news[0]["scene"]["events"]
        same(here, there)


async def test_concurrent_decisions_at_two_nodes_both_count() -> None:
    """Otherwise each node would wait for the other forever."""
    town = TwoNodes()
    here, there, ada, ben = await seated(town)
    town.street.open = False
    await act(here, ada, 0)
    await act(there, ben, 1)
    assert there.session
    assert len(there.session.live.match.staged) == 0
    assert there.session.live.number > 1
    await here.follow()
    same(here, there)


async def test_a_message_repeated_at_another_node_counts_once() -> None:
    town = TwoNodes()
    here, there, ada, _ = await seated(town)
    town.street.open = False
    assert here.session
    live = here.session.live
    message = Act(0, 0, as_dict(live.game.legal(live.match.state, 0)[0]))
    await here.handle(ada, message)
    again = Page("Ada")
    await there.arrive(again)
    await there.handle(again, message)
    assert again.last["type"] == "yours"
    assert again.last["mine"][0]["turn"] == 1
    same(here, there)


async def test_games_stay_equal_at_both_nodes(subtests: pytest.Subtests) -> None:
    for key in GAME_SPECS:
        with subtests.test(game=key):
            town = TwoNodes()
            setup = {"mode": "eternal"} if key == "mycity" else {}
            here, there, ada, ben = await seated(town, game=key, setup=setup, seed="street")
            town.street.open = False
            for turn in range(30):
                for table, page, seat in ((here, ada, 0), (there, ben, 1)):
                    await table.follow()
                    assert table.session
                    if seat in table.session.live.due:
                        choices = len(table.session.live.game.legal(table.session.live.match.state, seat))
                        await act(table, page, seat, (7 * turn) % choices)
            await here.follow()
            await there.follow()
            same(here, there)


async def test_a_takeback_can_be_agreed_to_at_another_node() -> None:
    town = TwoNodes()
    here, there, ada, ben = await seated(town)
    for _ in range(2):
        await act(here, ada, 0)
        await settle()
        await act(there, ben, 1)
        await settle()
    await here.handle(ada, AskTakeback(0))
    await settle()
    asked = [message for message in ben.messages if message["type"] == "asking"]
    assert asked[-1]["waiting"] == [1]
    await there.handle(ben, Consent(False))
    await settle()
    assert [message["waiting"] for message in ada.messages if message["type"] == "asking"] == [[1], []]
    await here.handle(ada, AskTakeback(0))
    await settle()
    ada.clear()
    await there.handle(ben, Consent(True))
    await settle()
    news = next(message for message in ada.messages if message["type"] == "news")
    assert news["scene"]["back"] is True
    assert news["scene"]["match"]["practice"] is True
    same(here, there)
    await act(here, ada, 0)
    await settle()
    same(here, there)


async def test_joining_at_another_node_starts_the_match_at_both() -> None:
    town = TwoNodes()
    here = await town.one.table("Ada", "open")
    ada = await town.one.arrived(here, "Ada")
    there = await town.two.lobby.tables.table(here.id)
    ben = await town.two.arrived(there, "Ben")
    ada.clear()
    await there.change_seat("Ben", 1, Join("Ben"))
    await settle()
    welcome = next(message for message in ada.messages if message["type"] == "welcome")
    assert [seat["name"] for seat in welcome["table"]["seats"]] == ["Ada", "Ben"]
    same(here, there)
    await act(here, ada, 0)
    await act(there, ben, 1)
    await settle()
    same(here, there)


async def test_concurrent_joins_of_one_seat_admit_one_player() -> None:
    town = TwoNodes()
    here = await town.one.table("Ada", "open")
    there = await town.two.lobby.tables.table(here.id)
    town.street.open = False
    await here.change_seat("Ben", 1, Join("Ben"))
    with pytest.raises(Exception, match="seat 1 is taken"):
        await there.change_seat("Eve", 1, Join("Eve"))
    assert there.context.seating.rows[1].person == "Ben"


async def test_concurrent_rematches_start_one_match() -> None:
    town = TwoNodes()
    here, there, ada, _ = await seated(town)
    await here.handle(ada, AskHint(1, 0))  # refused among people
    await here.context.services.repository.append(here.id, _practice(here), TableChange(here.context.version, 0, None))
    for table in (here, there):
        await table.follow()
    town.street.open = False
    await asyncio.gather(here.rematch("Ada"), there.rematch("Ben"), return_exceptions=True)
    row = town.repository.tables[here.id]
    assert [match.number for match in row.matches][:2] == [0, 1]
    for table in (here, there):
        await table.follow()
    same(here, there)


def _practice(table: Table) -> MatchUpdate:
    assert table.session
    live = table.session.live
    return MatchUpdate(live.number, (), (), replace(live.row, practice=True))


async def test_a_city_can_be_named_at_another_node() -> None:
    town = TwoNodes()
    setup = {"mode": "episode", "play": "campaign", "episode": 1}
    plan = tuple(GAME_SPECS["mycity"].plans(1)["campaign"])
    here, there, ada, _ = await seated(town, setup=setup, plan=plan)
    await there.change_seat("Ben", 1, NameCity("Lerida", "owl"))
    await settle()
    assert any(message["type"] == "news" and "Lerida" in str(message["scene"]) for message in ada.messages)
    same(here, there)


# Bots


async def test_a_bot_runs_at_one_node_only() -> None:
    town = TwoNodes()
    here, there = await town.table("Ada", "bot", "Ben")
    await town.one.arrived(here, "Ada")
    await town.two.arrived(there, "Ben")
    await settle()
    assert [bool(site.bot_service.asked) for site in (town.one, town.two)] == [True, False]
    same(here, there)


async def test_bots_of_a_dead_node_are_adopted() -> None:
    town = TwoNodes()
    town.one.bot_service.may_decide.clear()
    _, there = await town.table("Ada", "bot", "Ben")
    await town.two.arrived(there, "Ben")
    await settle()
    assert town.two.bot_service.asked == []
    town.street.houses.remove(town.one.lobby)
    await town.two.lobby.nodes.adopt_bots()
    await settle()
    assert len(town.two.bot_service.asked) == 1
    assert there.session
    assert 1 in there.session.live.match.staged


async def test_a_late_bot_decision_is_ignored() -> None:
    """Both nodes ran the bot, since one was considered dead."""
    town = TwoNodes()
    town.one.bot_service.may_decide.clear()
    here, there = await town.table("Ada", "bot", "Ben")
    await town.two.arrived(there, "Ben")
    await town.two.lobby.nodes.adopt_bots()
    await settle()
    town.one.bot_service.may_decide.set()
    await settle()
    assert here.session
    assert here.session.live.turns[1] == 1
    same(here, there)


async def test_a_stood_in_message_is_sent_at_both_nodes() -> None:
    town = TwoNodes()
    town.one.bot_service.decides = "random"
    town.one.bot_service.may_decide.clear()
    here, there = await town.table("Ada", "bot", "Ben")
    ben = await town.two.arrived(there, "Ben")
    town.one.bot_service.may_decide.set()
    await settle()
    told = [message for message in ben.messages if message["type"] == "stood-in"]
    assert [(message["seat"], message["by"]) for message in told] == [(1, "random")]
    same(here, there)


async def test_a_stand_in_can_be_removed_at_another_node() -> None:
    town = TwoNodes()
    here, there, _, ben = await seated(town)
    await here.change_seat("Ada", 0, PutBot("first"))
    town.one.clock.release()
    await settle(40)
    assert there.context.seating.rows[0].bot == "first"
    same(here, there)
    assert ben.last["type"] in ("people", "decided")


# Failures


async def test_a_node_reloads_a_table_after_an_uncertain_write() -> None:
    town = TwoNodes()
    here, there, ada, _ = await seated(town)
    append = town.repository.append

    async def lost(*about: Any) -> None:
        await append(*about)
        raise ConnectionError("gone, in the middle of the answer")

    town.repository.append = lost  # type: ignore[method-assign, assignment]
    with pytest.raises(ConnectionError):
        await act(here, ada, 0)
    town.repository.append = append  # type: ignore[method-assign]
    assert here.session
    assert 0 not in here.session.live.match.staged
    again = Page("Ada")
    await here.arrive(again)
    await here.handle(again, Act(0, 0, {"type": "stop"}))
    assert again.last["type"] == "yours"
    assert 0 in here.session.live.match.staged
    await settle()
    same(here, there)


async def test_a_broken_row_is_followed_once_it_is_repaired(
    caplog: pytest.LogCaptureFixture,
) -> None:
    town = TwoNodes()
    here, there, _, ben = await seated(town)
    town.street.open = False
    await act(there, ben, 1)
    whole = town.repository.tables[here.id]
    for broken in (
        replace(whole, matches=(replace(whole.matches[0], timing="e5c1d7"),)),
        replace(whole, seats=(replace(whole.seats[0], rest="e5c1d7"), *whole.seats[1:])),
    ):
        town.repository.tables[here.id] = broken
        with pytest.raises(Unreadable):
            await town.one.lobby.tables.table(here.id)
        for _ in range(2):
            await town.one.lobby.nodes.follow({here.id: whole.version})
    (record,) = caplog.records
    assert record.getMessage().startswith(f"table {here.id} cannot be read: ")
    town.repository.tables[here.id] = whole
    assert await town.one.lobby.tables.table(here.id) is here
    same(here, there)
