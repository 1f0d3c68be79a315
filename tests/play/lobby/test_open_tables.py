"""The list of open tables."""

from collections.abc import Callable

import pytest

from polyopolis.play.errors import Forbidden
from polyopolis.play.in_memory import NoCluster
from polyopolis.play.lobby import Lobby
from polyopolis.play.lobby.table_queries import MAX_OPEN_TABLES, OPEN_TABLE_SECONDS
from polyopolis.play.table.table_context import Networks, SiteServices
from polyopolis.play.wire.requests import Arrange, CreateTable, Join, OpenSeat, OwnSeat, TurnAway
from tests.play.in_memory_site import InMemorySite
from tests.play.table.test_due_notifications import RecordingRepository

pytestmark = pytest.mark.anyio


async def listed(lobby: Lobby, person: str = "Eve") -> list[str]:
    return [each.table.table for each in (await lobby.queries.open_tables(person)).tables]


async def test_a_table_is_listed_if_it_invites_and_has_a_free_seat() -> None:
    repository = RecordingRepository()
    site = InMemorySite(repository)
    await site.table("Ada", "open")
    table = await site.table("Ada", "open", invites="nl")
    (found,) = (await site.lobby.queries.open_tables("Eve")).tables
    assert (found.table.table, found.table.invites, found.table.yours) == (table.id, "nl", ())
    assert bytes(found.setup), "the setup of the table"
    assert await listed(site.lobby, "Ada") == [], "players do not see their own table"
    await table.change_seat("Eve", 1, Join("Eve"))
    assert table.info("Eve").match
    assert dict(repository.taken())["Ada"] == "turn", "waiting players are notified"
    assert await listed(site.lobby, "Ben") == []


async def test_the_creator_can_list_and_unlist_a_table() -> None:
    site = InMemorySite()
    table = await site.table("Ada", "Ben", "open")
    page = await site.arrived(table, "Ben")
    await table.arrange("Ada", Arrange("de", talk=False))
    assert (page.last["table"]["invites"], page.last["table"]["talk"]) == ("de", False)
    assert await listed(site.lobby) == [table.id]
    for person in ("Ben", "Eve"):
        with pytest.raises(Forbidden, match="only the creator"):
            await table.arrange(person, Arrange(None, talk=True))
    await table.arrange("Ada", Arrange(None, talk=True))
    assert await listed(site.lobby) == []


async def test_tables_with_waiting_players_come_first_and_old_ones_are_dropped() -> None:
    site = InMemorySite()
    old = await site.table("Ada", "open", invites="en")
    site.clock.shift(OPEN_TABLE_SECONDS + 1)
    waiting, left = [await site.table("Ada", "open", invites="en") for _ in range(2)]
    site.clock.shift(1)
    await left.arrange("Ada", Arrange("en", talk=False))
    assert await listed(site.lobby) == [left.id, waiting.id]
    await site.arrived(waiting, "Ada")
    assert await listed(site.lobby) == [waiting.id, left.id]
    assert old.id not in await listed(site.lobby)


async def test_a_table_is_not_listed_for_people_turned_away() -> None:
    site = InMemorySite()
    table = await site.table("Ada", "Ben", "open", invites="en")
    await table.change_seat("Ada", 1, TurnAway())
    assert await listed(site.lobby, "Ben") == []
    assert await listed(site.lobby, "Eve") == [table.id]


@pytest.mark.parametrize(
    "networks_of",
    [
        pytest.param(lambda person: ((person[:3], 1),), id="an address"),
        pytest.param(lambda person: ((person, 1), (person[:3], 16)), id="a network"),
    ],
)
async def test_many_tables_from_one_network_do_not_fill_the_list(networks_of: Callable[[str], Networks]) -> None:
    """Guests are identified by cookies and can create many identities at one address or in one network."""
    site = InMemorySite()
    hers = await site.table("Ada", "open", invites="en")
    site.clock.shift(1)
    for number in range(MAX_OPEN_TABLES + 5):
        seats = (OwnSeat("Eve"), OpenSeat())
        wish = CreateTable(game="mycity", setup={"mode": "eternal"}, seats=seats, invites="en")
        await site.lobby.factory.create(f"far {number}", wish)
    assert hers.id not in await listed(site.lobby, "Ben"), "the list is full of other tables"
    premises = SiteServices(site.repository, site.bot_service, site.clock, NoCluster(), 60, networks_of=networks_of)
    found = await listed(Lobby(premises), "Ben")
    assert len(found) == MAX_OPEN_TABLES
    assert found[-1] == hers.id, "last changed first"
