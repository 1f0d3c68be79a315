"""The list of open tables: who wants company, and who finds it there."""

from collections.abc import Callable

import pytest

from polyopolis.play.errors import Forbidden
from polyopolis.play.in_memory import NoCluster
from polyopolis.play.lobby import Lobby
from polyopolis.play.lobby.table_queries import MAX_OPEN_TABLES, OPEN_TABLE_SECONDS
from polyopolis.play.table.table_context import Networks, SiteServices
from polyopolis.play.wire.requests import Arrange, CreateTable, Join, Me, Open, TurnAway
from tests.play.in_memory_site import House
from tests.play.table.test_due_notifications import Noting

pytestmark = pytest.mark.anyio


async def listed(lobby: Lobby, person: str = "Eve") -> list[str]:
    return [each.table.table for each in (await lobby.queries.open_tables(person)).tables]


async def test_a_table_is_on_the_list_if_its_maker_wishes_and_a_seat_is_free() -> None:
    keeper = Noting()
    house = House(keeper)
    await house.table("Ada", "open")
    table = await house.table("Ada", "open", invites="nl")
    (found,) = (await house.lobby.queries.open_tables("Eve")).tables
    assert (found.table.table, found.table.invites, found.table.yours) == (table.id, "nl", ())
    assert bytes(found.setup), "what is played there"
    assert await listed(house.lobby, "Ada") == [], "it is no news to whoever sits there"
    await table.change_seat("Eve", 1, Join("Eve"))
    assert table.info("Eve").match
    assert dict(keeper.taken())["Ada"] == "turn", "whoever waited is told that the table is full"
    assert await listed(house.lobby, "Ben") == []


async def test_the_maker_puts_it_on_the_list_later_and_takes_it_off() -> None:
    house = House()
    table = await house.table("Ada", "Ben", "open")
    page = await house.arrived(table, "Ben")
    await table.arrange("Ada", Arrange("de", talk=False))
    assert (page.last["table"]["invites"], page.last["table"]["talk"]) == ("de", False)
    assert await listed(house.lobby) == [table.id]
    for person in ("Ben", "Eve"):
        with pytest.raises(Forbidden, match="only the creator"):
            await table.arrange(person, Arrange(None, talk=True))
    await table.arrange("Ada", Arrange(None, talk=True))
    assert await listed(house.lobby) == []


async def test_tables_where_somebody_waits_come_first_and_old_ones_not_at_all() -> None:
    house = House()
    old = await house.table("Ada", "open", invites="en")
    house.clock.jump(OPEN_TABLE_SECONDS + 1)
    waiting, left = [await house.table("Ada", "open", invites="en") for _ in range(2)]
    house.clock.jump(1)
    await left.arrange("Ada", Arrange("en", talk=False))
    assert await listed(house.lobby) == [left.id, waiting.id]
    await house.arrived(waiting, "Ada")
    assert await listed(house.lobby) == [waiting.id, left.id]
    assert old.id not in await listed(house.lobby)


async def test_who_was_turned_away_does_not_find_it_there() -> None:
    house = House()
    table = await house.table("Ada", "Ben", "open", invites="en")
    await table.change_seat("Ada", 1, TurnAway())
    assert await listed(house.lobby, "Ben") == []
    assert await listed(house.lobby, "Eve") == [table.id]


@pytest.mark.parametrize(
    "networks_of",
    [
        pytest.param(lambda person: ((person[:3], 1),), id="an address"),
        pytest.param(lambda person: ((person, 1), (person[:3], 16)), id="a network"),
    ],
)
async def test_whoever_opens_many_tables_does_not_fill_the_list(networks_of: Callable[[str], Networks]) -> None:
    """A guest is a cookie: whoever throws it away is somebody else, at the same address or in the same network."""
    house = House()
    hers = await house.table("Ada", "open", invites="en")
    house.clock.jump(1)
    for number in range(MAX_OPEN_TABLES + 5):
        seats = (Me("Eve"), Open())
        wish = CreateTable(game="mycity", setup={"mode": "eternal"}, seats=seats, invites="en")
        await house.lobby.factory.create(f"far {number}", wish)
    assert hers.id not in await listed(house.lobby, "Ben"), "all of them could be somebody else's"
    premises = SiteServices(house.keeper, house.thinker, house.clock, NoCluster(), 60, networks_of=networks_of)
    found = await listed(Lobby(premises), "Ben")
    assert len(found) == MAX_OPEN_TABLES
    assert found[-1] == hers.id, "those that were changed last come first"
