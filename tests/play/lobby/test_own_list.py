"""The list of a person's tables."""

from typing import Any

import pytest

from polyopolis.play.entities import MatchEntity, SeatEntity, as_json
from polyopolis.play.errors import NotFound
from polyopolis.play.lobby.table_queries import RECENT_TABLES
from polyopolis.play.match.consent_requests import ChangePace, ConsentRequest, Rematch
from polyopolis.play.match.messages import AskFor, Consent
from polyopolis.play.seats.seating import Seating
from polyopolis.play.table.due_notifications import own_turn
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


def own_turn_at(*bots: int, due: str = "[0,1]", **columns: Any) -> tuple[bool, int | None]:
    """The turn of Ada, who has the first two of three seats, with bots that stand in."""
    rows = tuple(
        SeatEntity(seat, name, name, "greedy" if seat in bots else None)
        for seat, name in enumerate(("Ada", "Ada", "Ben"))
    )
    match = MatchEntity(number=0, setup="{}", seed=b"", bot_seed=b"", practice=False, due=due, **columns)
    turn = own_turn(match, Seating(rows, typed=True), (0, 1))
    return turn.waiting, turn.deadline


def test_a_table_waits_for_players_who_are_to_decide() -> None:
    deadlines = '{"0":9,"1":4,"2":1}'
    assert own_turn_at(deadlines=deadlines) == (True, 4), "the earliest deadline of the own seats"
    assert own_turn_at(deadlines='{"2":1}') == own_turn_at() == (True, None)
    assert own_turn_at(1, deadlines=deadlines) == (True, 9), "a bot stands in at the other seat"
    assert own_turn_at(0, 1, deadlines=deadlines) == (False, None)
    assert own_turn_at(due="[2]", deadlines=deadlines) == (False, None)
    assert own_turn_at(due="[-1]") == (False, None), "a chance event"
    assert own_turn_at(over=True, deadlines=deadlines) == (False, None)


def test_a_table_waits_for_players_who_are_to_answer() -> None:
    def asked(person: str) -> str:
        return as_json(ConsentRequest(2, Rematch(), frozenset({person})))

    assert own_turn_at(over=True, asked=asked("Ada")) == (True, None)
    assert own_turn_at(over=True, asked=asked("Ben")) == (False, None)
    assert own_turn_at(due="[2]", asked=asked("Ada")) == (True, None)
    assert own_turn_at(0, 1, asked=asked("Ada")) == (True, None), "even if a bot stands in"


async def test_table_info_says_whether_the_table_waits() -> None:
    site = InMemorySite()
    table = await site.table("Ada", "Ben", pace=Correspondence(2, 0))
    assert table.info("Ada").own_deadline == table.info("Ada").seats[0].deadline is not None
    assert [table.info(person).waiting for person in ("Ada", "Ben", None)] == [True, True, False]
    await act(table, await site.arrived(table, "Ada"), 0)
    assert (table.info("Ada").waiting, table.info("Ada").own_deadline) == (False, None)
    assert [info.waiting for info in (await site.lobby.queries.hello("Ben")).tables] == [True]
