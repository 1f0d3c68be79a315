"""One's own list of tables: what is taken off it is not gone, and comes back when something happens there."""

import pytest

from polyopolis.play.errors import NotFound
from polyopolis.play.lobby.table_queries import RECENT_TABLES
from polyopolis.play.match.consent_requests import ChangePace
from polyopolis.play.match.messages import AskFor, Consent
from polyopolis.play.timing.pace import UNHURRIED, Correspondence
from polyopolis.play.wire.requests import PutBot
from tests.play.in_memory_site import House, act, settle

pytestmark = pytest.mark.anyio


async def listed(house: House, person: str) -> list[str]:
    return [table.table for table in (await house.lobby.queries.hello(person)).tables]


async def test_a_table_is_taken_off_ones_own_list_alone_and_can_be_put_back() -> None:
    house = House()
    table = await house.table("Ada", "Ben")
    await house.lobby.queries.list_table("Ada", table.id, listed=False)
    assert await listed(house, "Ada") == []
    assert await listed(house, "Ben") == [table.id]
    assert await house.keeper.match(table.id, 0), "what was played is kept"
    await house.lobby.queries.list_table("Ada", table.id, listed=True)
    assert await listed(house, "Ada") == [table.id]


async def test_it_comes_back_when_something_happens_there() -> None:
    house = House()
    table = await house.table("Ada", "Ben")
    ben = await house.arrived(table, "Ben")
    await house.lobby.queries.list_table("Ada", table.id, listed=False)
    house.clock.pass_by(2)
    await act(table, ben, 1)
    assert await listed(house, "Ada") == [table.id]


async def test_where_others_wait_is_on_the_list_however_long_ago_it_was() -> None:
    house = House()
    waits, decided, left = [await house.table("Ada", "Ben", pace=Correspondence(14, 0)) for _ in range(3)]
    await act(decided, await house.arrived(decided, "Ada"), 0)
    await house.lobby.queries.list_table("Ada", left.id, listed=False)
    for _ in range(RECENT_TABLES + 5):
        house.clock.pass_by(60)
        await house.table("Ada", "bot")
    found = await listed(house, "Ada")
    assert (len(found), found[-1]) == (RECENT_TABLES + 1, waits.id), "nobody waits at those with bots alone"
    assert await house.lobby.queries.count_waiting("Ada") == RECENT_TABLES + 1
    ben = await house.arrived(decided, "Ben")
    await decided.handle(ben, AskFor(1, ChangePace(UNHURRIED)))
    assert decided.id in await listed(house, "Ada"), "they are asked something"


async def test_there_must_be_such_a_table() -> None:
    with pytest.raises(NotFound):
        await House().lobby.queries.list_table("Ada", "nowhere", listed=False)


async def test_a_table_says_whose_turn_it_is() -> None:
    house = House()
    table = await house.table("Ada", "Ben")
    ada = await house.arrived(table, "Ada")
    assert table.info("Ada").due == (0, 1)
    await act(table, ada, 0)
    assert table.info("Ada").due == (1,)


async def test_a_table_says_who_is_asked_something() -> None:
    house = House()
    table = await house.table("Ada", "Ben", "Cleo")
    ada, ben = await house.arrived(table, "Ada"), await house.arrived(table, "Ben")
    await table.handle(ada, AskFor(0, ChangePace(Correspondence(2, 0))))
    assert table.info("Ben").asked == (1, 2)
    await table.handle(ben, Consent(yes=True))
    assert table.info("Ben").asked == (2,)
    (info,) = (await house.lobby.queries.hello("Cleo")).tables
    assert info.asked == (2,)


async def test_a_newcomer_is_offered_a_bot_that_can_be_beaten_until_a_match_was_finished() -> None:
    house = House()
    table = await house.table("Ada", "bot")

    async def offered() -> str:
        return next(game.first for game in (await house.lobby.queries.hello("Ada")).games if game.game == "mycity")

    assert await offered() == house.thinker.beatable("mycity")
    await table.change_seat("Ada", 0, PutBot("first"))
    house.clock.held = False
    await settle(2000)
    assert await offered() == house.thinker.usual("mycity")
