"""The list of a person's tables."""

import pytest

from polyopolis.play.errors import NotFound
from polyopolis.play.lobby.table_queries import RECENT_TABLES
from polyopolis.play.match.consent_requests import ChangePace
from polyopolis.play.match.messages import AskFor, Consent
from polyopolis.play.timing.pace import UNHURRIED, Correspondence
from polyopolis.play.wire.requests import PutBot
from tests.play.in_memory_site import InMemorySite, act, settle

pytestmark = pytest.mark.anyio


async def listed(site: InMemorySite, person: str) -> list[str]:
    return [table.table for table in (await site.lobby.queries.hello(person)).tables]


async def test_unlisting_affects_one_person_and_can_be_undone() -> None:
    site = InMemorySite()
    table = await site.table("Ada", "Ben")
    await site.lobby.queries.list_table("Ada", table.id, listed=False)
    assert await listed(site, "Ada") == []
    assert await listed(site, "Ben") == [table.id]
    assert await site.repository.match(table.id, 0), "the match is still stored"
    await site.lobby.queries.list_table("Ada", table.id, listed=True)
    assert await listed(site, "Ada") == [table.id]


async def test_an_unlisted_table_returns_when_it_changes() -> None:
    site = InMemorySite()
    table = await site.table("Ada", "Ben")
    ben = await site.arrived(table, "Ben")
    await site.lobby.queries.list_table("Ada", table.id, listed=False)
    site.clock.advance(2)
    await act(table, ben, 1)
    assert await listed(site, "Ada") == [table.id]


async def test_old_tables_with_waiting_players_stay_listed() -> None:
    site = InMemorySite()
    waits, decided, left = [await site.table("Ada", "Ben", pace=Correspondence(14, 0)) for _ in range(3)]
    await act(decided, await site.arrived(decided, "Ada"), 0)
    await site.lobby.queries.list_table("Ada", left.id, listed=False)
    for _ in range(RECENT_TABLES + 5):
        site.clock.advance(60)
        await site.table("Ada", "bot")
    found = await listed(site, "Ada")
    assert (len(found), found[-1]) == (RECENT_TABLES + 1, waits.id), "tables with bots only have no waiting players"
    assert await site.lobby.queries.count_waiting("Ada") == RECENT_TABLES + 1
    ben = await site.arrived(decided, "Ben")
    await decided.handle(ben, AskFor(1, ChangePace(UNHURRIED)))
    assert decided.id in await listed(site, "Ada"), "a request is open"


async def test_listing_an_unknown_table_fails() -> None:
    with pytest.raises(NotFound):
        await InMemorySite().lobby.queries.list_table("Ada", "nowhere", listed=False)


async def test_table_info_contains_due_seats() -> None:
    site = InMemorySite()
    table = await site.table("Ada", "Ben")
    ada = await site.arrived(table, "Ada")
    assert table.info("Ada").due == (0, 1)
    await act(table, ada, 0)
    assert table.info("Ada").due == (1,)


async def test_table_info_contains_seats_with_an_open_request() -> None:
    site = InMemorySite()
    table = await site.table("Ada", "Ben", "Cleo")
    ada, ben = await site.arrived(table, "Ada"), await site.arrived(table, "Ben")
    await table.handle(ada, AskFor(0, ChangePace(Correspondence(2, 0))))
    assert table.info("Ben").asked == (1, 2)
    await table.handle(ben, Consent(yes=True))
    assert table.info("Ben").asked == (2,)
    (info,) = (await site.lobby.queries.hello("Cleo")).tables
    assert info.asked == (2,)


async def test_newcomers_are_offered_a_beatable_bot() -> None:
    site = InMemorySite()
    table = await site.table("Ada", "bot")

    async def offered() -> str:
        return next(game.first for game in (await site.lobby.queries.hello("Ada")).games if game.game == "mycity")

    assert await offered() == site.bot_service.beatable("mycity")
    await table.change_seat("Ada", 0, PutBot("first"))
    site.clock.held = False
    await settle(2000)
    assert await offered() == site.bot_service.usual("mycity")
